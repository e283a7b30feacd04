/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A core behind the AXI4-Lite face (rtl/bus/axil_stream.sv): over mapped memory, a bare-metal bus or a
 * simulated one, by two functions that access a register.
 */
#ifndef TOTIENT_REGISTERS_H
#define TOTIENT_REGISTERS_H

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Context of totient_over_registers; a way to the IPs of totient/keygen.h, too. */
struct totient_registers {
    /** Reads the register at a byte offset. */
    totient_result (*read)(void *bus, uint32_t offset, uint32_t *value);
    /** Writes it. */
    totient_result (*write)(void *bus, uint32_t offset, uint32_t value);
    void *bus;             /**< What they are called with. */
    uint32_t polls;        /**< Reads of a register to wait for the core, at most; 0: for ever. */
    uint32_t room;         /**< Words that the core takes; the library's own. */
};

/** Transport over registers. */
extern const struct totient_transport totient_over_registers;

/** Bus functions for registers at an address: `bus` is a pointer to the first register. */
TOTIENT_MUST_CHECK totient_result totient_mapped_read(void *bus, uint32_t offset, uint32_t *value);
TOTIENT_MUST_CHECK totient_result totient_mapped_write(void *bus, uint32_t offset, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
