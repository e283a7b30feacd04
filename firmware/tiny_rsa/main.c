/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RSA with a key of two small primes, as the IP of row B1 does it and its paper has other processors do it:
 * the public exponent is the first from 3 up that is coprime to the totient, by Euclid; the private one by
 * the extended Euclid; powers by squaring and multiplying; division bit by bit, as small processors have
 * none. Three pairs of marks: making the key, encryption, decryption.
 *
 * Numbers below 2^31. Time depends on all of them.
 */
#include "processor.h"

/* The example of row B1 (results/published/becannon.toml). */
volatile uint32_t input[3] = {9973, 80231, 9};

/* a / b, and what is left of a; b is not 0. */
static uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint32_t quotient = 0, left = 0;
    for (uint8_t i = 0; i < 32; i++) {
        left = left << 1 | a >> 31;
        a <<= 1;
        quotient <<= 1;
        if (left >= b) {
            left -= b;
            quotient |= 1;
        }
    }
    *rest = left;
    return quotient;
}

/* a b mod n, where a and b are below n. */
static uint32_t product_modulo(uint32_t a, uint32_t b, uint32_t n)
{
    uint32_t sum = 0;
    for (uint8_t i = 0; i < 32; i++) {
        sum <<= 1;
        if (sum >= n) sum -= n;
        if (a >> 31 != 0) sum += b;
        if (sum >= n) sum -= n;
        a <<= 1;
    }
    return sum;
}

static uint32_t product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) sum += a;
        a <<= 1;
    }
    return sum;
}

static uint32_t power_modulo(uint32_t base, uint32_t exponent, uint32_t n)
{
    uint32_t power = 1;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) power = product_modulo(power, base, n);
        base = product_modulo(base, base, n);
    }
    return power;
}

/* e^-1 mod n, or 0 if there is none. */
static uint32_t inverse_modulo(uint32_t e, uint32_t n)
{
    /* factor * e is the remainder, modulo n, up to the sign, which changes at each step. */
    uint32_t before = n, remainder = e, factor_before = 0, factor = 1;
    uint8_t is_negative = 0;
    while (remainder > 1) {
        uint32_t next;
        const uint32_t quotient = divide(before, remainder, &next);
        const uint32_t next_factor = factor_before + product(quotient, factor);
        before = remainder;
        remainder = next;
        factor_before = factor;
        factor = next_factor;
        is_negative ^= 1;
    }
    if (remainder == 0) return 0;
    return is_negative ? n - factor : factor;
}

int main(void)
{
    const uint32_t p = input[0], q = input[1], message = input[2];
    mark_begin();
    const uint32_t n = product(p, q), totient = product(p - 1, q - 1);
    uint32_t e = 1, d = 0;
    while (d == 0) {
        e += 2;
        d = inverse_modulo(e, totient);
    }
    mark_end();
    mark_begin();
    const uint32_t cipher = power_modulo(message, e, n);
    mark_end();
    mark_begin();
    const uint32_t again = power_modulo(cipher, d, n);
    mark_end();
    const uint32_t results[5] = {n, e, d, cipher, again};
    for (uint8_t i = 0; i < 5; i++) {
        print_number(results[i], 4);
        print_text(" ");
    }
    return 0;
}
