/* SPDX-License-Identifier: Apache-2.0 */
/* A product of two words by two, then its remainder bit by bit: a division by subtraction. */
#include "remainder.h"

uint64_t product_remainder(uint64_t a, uint64_t b, uint64_t n)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t bottom = a0 * b0, cross = a1 * b0 + (bottom >> 32);
    const uint64_t middle = a0 * b1 + (uint32_t)cross;
    uint64_t rest = a1 * b1 + (cross >> 32) + (middle >> 32); /* the high half is below n */
    uint64_t low = middle << 32 | (uint32_t)bottom;
    for (int left = 64; left != 0; left--) {
        const uint64_t carry = rest >> 63;
        rest = rest << 1 | low >> 63;
        low <<= 1;
        if (carry != 0 || rest >= n) rest -= n;
    }
    return rest;
}
