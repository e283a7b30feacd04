/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A look-up table that is computed ahead of time and used again: it serves one base, one modulus
 * and any exponent. power_table makes one for each power.
 */
#include "montgomery.h"
#include "remainder.h"

totient_result power_squares_make(struct power_squares *table, uint64_t base, uint64_t n)
{
    if (table == NULL) return TOTIENT_ARGUMENT;
    table->n = 0;
    if ((n & 1) == 0) return TOTIENT_MODULUS_EVEN;
    if (base >= n) return TOTIENT_BASE_NOT_BELOW;
    table->n = n;
    table->square[0] = base;
    for (int i = 1; i < POWER_SQUARES; i++)
        table->square[i] = product_remainder(table->square[i - 1], table->square[i - 1], n);
    return TOTIENT_OK;
}

totient_result power_squares_raise(const struct power_squares *table, uint64_t exponent,
                                   uint64_t *result)
{
    if (result == NULL) return TOTIENT_ARGUMENT;
    *result = 0;
    if (table == NULL) return TOTIENT_ARGUMENT;
    if (table->n == 0) return TOTIENT_MODULUS_EVEN;
    uint64_t power = table->n != 1;
    for (const uint64_t *square = table->square; exponent != 0; square++, exponent >>= 1)
        if ((exponent & 1) != 0) power = product_remainder(power, *square, table->n);
    *result = power;
    return TOTIENT_OK;
}
