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
    uint32_t polls;        /**< Reads of a register to wait for the core, at most; 0:
                                TOTIENT_DEFAULT_POLLS. */
    uint32_t room;         /**< Words that the core takes; the library's own. */
    /**
     * Waits for the core's interrupt, if not NULL, in place of reading its status again and again. The
     * library has enabled the interrupt of a response, and cleared its event. The function may return
     * TOTIENT_OK earlier: the status is read after each call. Its time limit is its own, `polls` is not
     * used: TOTIENT_TIMEOUT ends the operation.
     *
     * @param first the first call of a wait: the time limit begins.
     */
    totient_result (*wait)(void *waiter, bool first);
    void *waiter;          /**< What it is called with. */
};

/** Reads of a register to wait for the core where a way states none: some ten seconds at 100 ns each. */
#define TOTIENT_DEFAULT_POLLS UINT32_C(100000000)

/** Transport over registers. */
extern const struct totient_transport totient_over_registers;

/**
 * Reads a register at an address: `read` of struct totient_registers, `bus` points to the first one.
 *
 * @threads any
 * @fork any
 */
TOTIENT_MUST_CHECK totient_result totient_mapped_read(void *bus, uint32_t offset, uint32_t *value);

/**
 * Writes a register at an address: `write` of struct totient_registers.
 *
 * @threads any
 * @fork any
 */
TOTIENT_MUST_CHECK totient_result totient_mapped_write(void *bus, uint32_t offset, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
