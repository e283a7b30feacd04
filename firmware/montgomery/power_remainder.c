/* SPDX-License-Identifier: Apache-2.0 */
/* Modular exponentiation right to left, with a division in the loop. */
#include "montgomery.h"
#include "remainder.h"

uint64_t power_remainder(uint64_t base, uint64_t exponent, uint64_t n)
{
    uint64_t result = n != 1;
    while (exponent != 0) {
        if ((exponent & 1) != 0) result = product_remainder(result, base, n);
        base = product_remainder(base, base, n);
        exponent >>= 1;
    }
    return result;
}

uint64_t power_remainder_short(uint64_t base, uint64_t exponent, uint64_t n)
{
    uint64_t result = n != 1;
    while (exponent != 0) {
        if ((exponent & 1) != 0) result = result * base % n;
        base = base * base % n;
        exponent >>= 1;
    }
    return result;
}
