/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two digits of 32 bits instead of 64 bits one by one: what a processor with a multiplier does.
 * a b / 2^64 mod n:
 *
 *     p = 0;  for each digit a[i]:  p += a[i] b;  q = p n' mod 2^32;  p = (p + q n) / 2^32
 *
 * with n' = -1/n mod 2^32 by Newton's iteration, p < 2 n throughout (65 bits).
 */
#include "montgomery.h"

static uint32_t low_of(uint64_t number) { return (uint32_t)number; }
static uint32_t high_of(uint64_t number) { return (uint32_t)(number >> 32); }

uint64_t montgomery_words(uint64_t a, uint64_t b, uint64_t n)
{
    const uint32_t n0 = low_of(n), n1 = high_of(n), b0 = low_of(b), b1 = high_of(b);
    uint32_t inverse = n0 * 3 ^ 2; /* 1/n to 5 bits */
    for (int bits = 5; bits < 32; bits *= 2) inverse *= 2 - n0 * inverse;
    uint32_t p0 = 0, p1 = 0, p2 = 0;
    for (int i = 0; i < 2; i++) {
        const uint32_t digit = i == 0 ? low_of(a) : high_of(a);
        uint64_t sum = (uint64_t)digit * b0 + p0;
        const uint32_t q = 0u - low_of(sum) * inverse;
        uint64_t less = (uint64_t)q * n0 + low_of(sum);
        sum = (uint64_t)digit * b1 + p1 + high_of(sum);
        less = (uint64_t)q * n1 + low_of(sum) + high_of(less);
        p0 = low_of(less);
        const uint64_t top = (uint64_t)high_of(sum) + high_of(less) + p2;
        p1 = low_of(top);
        p2 = high_of(top);
    }
    const uint64_t p = (uint64_t)p1 << 32 | p0;
    return p2 != 0 || p >= n ? p - n : p;
}
