/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The definition as a C programmer makes it fast: shifts and masks, carries by what compilers have
 * for them, b + n formed once, a loop that counts down to 0.
 */
#include "montgomery.h"

uint64_t montgomery_optimised(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t p = 0, both;
    uint32_t high = 0; /* p's bits from 64 up */
    const uint32_t both_high = __builtin_add_overflow(b, n, &both);
    for (unsigned left = n == 0 ? 0 : 64u - (unsigned)__builtin_clzll(n); left != 0; left--) {
        if ((a & 1) == 0) {
            if (p & 1) high += __builtin_add_overflow(p, n, &p);
        } else if (((p ^ b) & 1) == 0) {
            high += __builtin_add_overflow(p, b, &p);
        } else {
            high += __builtin_add_overflow(p, both, &p) + both_high;
        }
        a >>= 1;
        p = p >> 1 | (uint64_t)high << 63;
        high >>= 1;
    }
    if (high != 0 || p >= n) p -= n;
    return p;
}
