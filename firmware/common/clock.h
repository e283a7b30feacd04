/* SPDX-License-Identifier: Apache-2.0 */
/** Time by the system's clock. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/** Time of at most 2^34 clock cycles, in nanoseconds, rounded down. */
uint64_t clock_nanoseconds(uint64_t cycles);

#endif
