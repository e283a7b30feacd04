/* SPDX-License-Identifier: Apache-2.0 */
/* Long numbers for the mocked core, bit by bit: slow, and nothing like what it stands for. */
#ifndef MOCK_NUMBERS_H
#define MOCK_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_WORDS = 18 }; /* 512 bits, and room to double */

/* Least significant word first. */
struct number {
    uint32_t word[NUMBER_WORDS];
};

static size_t number_bits(const struct number *a)
{
    size_t bits = 32 * NUMBER_WORDS;
    while (bits > 0 && (a->word[(bits - 1) / 32] >> (bits - 1) % 32 & 1) == 0) bits--;
    return bits;
}

static bool number_bit(const struct number *a, size_t place)
{
    return (a->word[place / 32] >> place % 32 & 1) != 0;
}

static bool number_below(const struct number *a, const struct number *b)
{
    for (size_t i = NUMBER_WORDS; i-- > 0;)
        if (a->word[i] != b->word[i]) return a->word[i] < b->word[i];
    return false;
}

static struct number number_small(uint32_t value)
{
    return (struct number){{value}};
}

static struct number number_minus(const struct number *a, const struct number *b)
{
    struct number result;
    uint64_t borrow = 0;
    for (size_t i = 0; i < NUMBER_WORDS; i++) {
        const uint64_t word = (uint64_t)a->word[i] - b->word[i] - borrow;
        result.word[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    return result;
}

/* a + b mod m, of numbers below m. */
static struct number number_plus(const struct number *a, const struct number *b,
                                 const struct number *m)
{
    struct number result;
    uint64_t carry = 0;
    for (size_t i = 0; i < NUMBER_WORDS; i++) {
        carry += (uint64_t)a->word[i] + b->word[i];
        result.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return number_below(&result, m) ? result : number_minus(&result, m);
}

/* a b mod m, of any a and b below m. */
static struct number number_times(const struct number *a, const struct number *b,
                                  const struct number *m)
{
    struct number result = {{0}};
    for (size_t place = number_bits(a); place-- > 0;) {
        result = number_plus(&result, &result, m);
        if (number_bit(a, place)) result = number_plus(&result, b, m);
    }
    return result;
}

/* a mod m, for m of 2 or more. */
static struct number number_modulo(const struct number *a, const struct number *m)
{
    const struct number one = number_small(1);
    return number_times(a, &one, m);
}

/* a^e mod m, of a below m. */
static struct number number_power(const struct number *a, const struct number *e,
                                  const struct number *m)
{
    struct number result = number_small(1);
    for (size_t place = number_bits(e); place-- > 0;) {
        result = number_times(&result, &result, m);
        if (number_bit(e, place)) result = number_times(&result, a, m);
    }
    return result;
}

#endif
