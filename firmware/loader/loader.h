/* SPDX-License-Identifier: Apache-2.0 */
/** What the loader of the soft-CPU system and the programs that it loads agree on. */
#ifndef LOADER_H
#define LOADER_H

#include <stdint.h>

#define LOADER_MEMORY 0x40000000u

/** Addresses of registers: the serial port's data and whether it is full, the timer's latch and cycles
 *  since reset (their lower 32 bits). */
struct loader_registers {
    uint32_t transmit, transmit_full, latch, cycles;
};

#endif
