/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Montgomery products and modular exponentiation with operands of up to 64 bits, in the forms of
 * S. Diemert et al., 2014, from a look-up table to assembly (rows D2 to D5).
 *
 * A product is a b / 2^L mod n, L the bits of n: as many steps as the modulus has bits, each
 *
 *     q = (p + a[i] b) mod 2;  p = (p + a[i] b + q n) / 2        (P. L. Montgomery, 1985, radix 2)
 *
 * so that p < n + b < 2 n, of which n is taken off once if that fits. p can have 65 bits, the sum
 * 66.
 *
 * The time of all of this depends on the values: it compares forms, and is not for private keys.
 *
 * Functions with a result check their operands, and on an error leave 0: TOTIENT_ARGUMENT for a
 * null pointer, TOTIENT_MODULUS_EVEN for an even modulus or 0, TOTIENT_BASE_NOT_BELOW for an
 * operand that is not below the modulus (1 is a modulus: its only operand is 0), TOTIENT_LENGTH for
 * a modulus that is too long for power_remainder_short. Those of the type montgomery_form do not
 * look: out of bounds their result is any number, and power_remainder_short divides by a modulus of 0,
 * which stops a program on some processors.
 */
#ifndef MONTGOMERY_H
#define MONTGOMERY_H

#include <stdint.h>

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

/** a b / 2^L mod n, or base^exponent mod n, of numbers in this order; n odd; a, b, base < n. */
typedef uint64_t montgomery_form(uint64_t a, uint64_t b, uint64_t n);

/* Products. */
montgomery_form montgomery_plain;      /**< C, word for word as the definition (D4). */
montgomery_form montgomery_optimised;  /**< C, bit by bit, common factors computed once (D4). */
montgomery_form montgomery_words;      /**< C, two digits of 32 bits; L is 64, whatever n (ours). */
#if defined(__arm__)
montgomery_form montgomery_assembly;   /**< ARM assembly, bit by bit (D5). */
#endif

/* Powers. */
montgomery_form power_table;       /**< A table of squares, made for each power (D2). */
montgomery_form power_remainder;   /**< Right to left, a remainder after each product (D3). */

/** Entries of a table of squares: one for each bit of an exponent. */
enum { POWER_SQUARES = 64 };

/** base^(2^i) mod n for all i: a table of one base and one modulus, for any exponent (D2). */
struct power_squares {
    uint64_t n; /**< 0: there is no table. */
    uint64_t square[POWER_SQUARES];
};

/** Compute a table ahead of time: 63 squares. On an error there is no table, and
    power_squares_raise returns TOTIENT_MODULUS_EVEN. */
TOTIENT_MUST_CHECK totient_result power_squares_make(struct power_squares *table, uint64_t base,
                                                     uint64_t n);

/** base^exponent mod n by a table: a product for each 1 of the exponent. */
TOTIENT_MUST_CHECK totient_result power_squares_raise(const struct power_squares *table,
                                                      uint64_t exponent, uint64_t *result);

/** Right to left with Montgomery products of a form whose L is the bits of n (D4, D5). */
uint64_t power_montgomery(montgomery_form *product, uint64_t base, uint64_t exponent, uint64_t n);

/** Right to left with C's own remainder after each product: moduli of at most 32 bits (D3). */
montgomery_form power_remainder_short;

/** Product of a form, with its operands checked. */
TOTIENT_MUST_CHECK totient_result montgomery_multiply(montgomery_form *form, uint64_t a, uint64_t b,
                                                      uint64_t n, uint64_t *product);

/** base^exponent mod n by power_table or power_remainder, with the operands checked. */
TOTIENT_MUST_CHECK totient_result power_raise(montgomery_form *form, uint64_t base,
                                              uint64_t exponent, uint64_t n, uint64_t *result);

/** The same by Montgomery products of a form. */
TOTIENT_MUST_CHECK totient_result power_raise_montgomery(montgomery_form *product, uint64_t base,
                                                         uint64_t exponent, uint64_t n,
                                                         uint64_t *result);

#ifdef __cplusplus
}
#endif

#endif
