/* SPDX-License-Identifier: Apache-2.0 */
/* The definition in C without a thought for its cost: divides, and computes again what it has. */
#include "montgomery.h"

static int count_bits(uint64_t number)
{
    int bits = 0;
    while (number != 0) {
        number = number / 2;
        bits = bits + 1;
    }
    return bits;
}

/* Carry of a sum modulo 2^64, from one of what was added. */
static unsigned carry_of(uint64_t sum, uint64_t added) { return sum < added; }

uint64_t montgomery_plain(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t p = 0;
    unsigned high = 0; /* p's bits from 64 up */
    uint64_t place = 1;
    const int steps = count_bits(n);
    for (int i = 0; i < steps; i++) {
        const uint64_t q = (p % 2 + ((a & place) == place) * (b % 2)) % 2;
        p = p + ((a & place) == place) * b;
        high = high + carry_of(p, ((a & place) == place) * b);
        p = p + q * n;
        high = high + carry_of(p, q * n);
        p = p / 2 + (uint64_t)(high % 2) * ((uint64_t)1 << 63);
        high = high / 2;
        place = place * 2;
    }
    if (high != 0 || p >= n) p = p - n;
    return p;
}
