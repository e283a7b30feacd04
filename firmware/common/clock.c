/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include "system.h"

uint64_t clock_nanoseconds(uint64_t cycles)
{
    /* By subtraction: the processor has no division of 64 bits. */
    const uint64_t hertz = SYSTEM_CLOCK_HZ;
    uint64_t rest = cycles * 1000000000, time = 0;
    for (unsigned shift = 64; shift-- > 0;) {
        if (rest >> shift >= hertz) {
            rest -= hertz << shift;
            time |= UINT64_C(1) << shift;
        }
    }
    return time;
}
