/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Look-up table: base^(2^i) mod n for every i is computed ahead of time, then those are multiplied
 * whose bit of the exponent is set. A table serves one base and one modulus.
 */
#include "montgomery.h"
#include "remainder.h"

enum { ENTRIES = 64 };

uint64_t power_table(uint64_t base, uint64_t exponent, uint64_t n)
{
    uint64_t table[ENTRIES];
    table[0] = base;
    for (int i = 1; i < ENTRIES; i++) table[i] = product_remainder(table[i - 1], table[i - 1], n);
    uint64_t result = n != 1;
    for (int i = 0; i < ENTRIES; i++)
        if ((exponent >> i & 1) != 0) result = product_remainder(result, table[i], n);
    return result;
}
