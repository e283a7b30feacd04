/* SPDX-License-Identifier: Apache-2.0 */
/* Modular exponentiation right to left by Montgomery products; and what checks its operands. */
#include "montgomery.h"

/* 2 number mod n. */
static uint64_t doubled(uint64_t number, uint64_t n)
{
    const uint64_t twice = number << 1;
    return number >> 63 != 0 || twice >= n ? twice - n : twice;
}

uint64_t power_montgomery(montgomery_form *product, uint64_t base, uint64_t exponent, uint64_t n)
{
    /* 2^L mod n and 2^(2 L) mod n, L the bits of n; 2^64 for a product by words. */
    unsigned bits = 64;
    if (product != montgomery_words)
        while (bits > 0 && n >> (bits - 1) == 0) bits--;
    uint64_t one = n != 1;
    for (unsigned i = 0; i < bits; i++) one = doubled(one, n);
    uint64_t square = one;
    for (unsigned i = 0; i < bits; i++) square = doubled(square, n);
    uint64_t result = one, power = product(base, square, n);
    while (exponent != 0) {
        if ((exponent & 1) != 0) result = product(result, power, n);
        power = product(power, power, n);
        exponent >>= 1;
    }
    return product(result, n != 1, n);
}

/* Checks what all functions check, and sets the result to 0. */
static totient_result check(uint64_t a, uint64_t b, uint64_t n, uint64_t *result)
{
    if (result == NULL) return TOTIENT_ARGUMENT;
    *result = 0;
    if ((n & 1) == 0) return TOTIENT_MODULUS_EVEN;
    return a < n && b < n ? TOTIENT_OK : TOTIENT_BASE_NOT_BELOW;
}

totient_result montgomery_multiply(montgomery_form *form, uint64_t a, uint64_t b, uint64_t n,
                                   uint64_t *product)
{
    const totient_result checked = check(a, b, n, product);
    if (form == NULL) return TOTIENT_ARGUMENT;
    if (checked == TOTIENT_OK) *product = form(a, b, n);
    return checked;
}

totient_result power_raise(montgomery_form *form, uint64_t base, uint64_t exponent, uint64_t n,
                           uint64_t *result)
{
    const totient_result checked = check(base, 0, n, result);
    if (form == NULL) return TOTIENT_ARGUMENT;
    if (checked == TOTIENT_OK && form == power_remainder_short && n >> 32 != 0)
        return TOTIENT_LENGTH;
    if (checked == TOTIENT_OK) *result = form(base, exponent, n);
    return checked;
}

totient_result power_raise_montgomery(montgomery_form *product, uint64_t base, uint64_t exponent,
                                      uint64_t n, uint64_t *result)
{
    const totient_result checked = check(base, 0, n, result);
    if (product == NULL) return TOTIENT_ARGUMENT;
    if (checked == TOTIENT_OK) *result = power_montgomery(product, base, exponent, n);
    return checked;
}
