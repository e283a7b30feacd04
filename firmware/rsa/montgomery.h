/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Montgomery arithmetic on numbers of k words, the least significant word first; R = 2^(k RSA_WORD_BITS).
 * Time depends on k alone, but where a function says otherwise.
 */
#ifndef RSA_MONTGOMERY_H
#define RSA_MONTGOMERY_H

#include "words.h"

/** A modulus: odd, below R; `inverse` is -n^-1 modulo 2^RSA_WORD_BITS. */
struct modulus {
    const rsa_word *n;
    rsa_word inverse;
    unsigned words;
};

/**
 * sum = (sum + a b + q n) / 2^RSA_WORD_BITS, where the division leaves no remainder.
 *
 * @param sum k + 1 words; below n + b before, and then after, too. sum[-1] is overwritten.
 * @param b, n k words each, b below 2^(k RSA_WORD_BITS).
 * @param q such that the division leaves none.
 */
void montgomery_row(rsa_word *sum, const rsa_word *b, const rsa_word *n, rsa_word a, rsa_word q,
                    unsigned k);

/** -n^-1 modulo 2^RSA_WORD_BITS of an odd n. */
rsa_word negative_inverse(rsa_word n);

/**
 * result = a b / R mod n, below n.
 *
 * @param result k words; may be a or b.
 * @param a, b k words; a b < n R.
 * @param scratch k + 2 words.
 */
void montgomery_product(rsa_word *result, const rsa_word *a, const rsa_word *b, const struct modulus *m,
                        rsa_word *scratch);

/** result = a / R mod n, where a has 2 k words and is below n R; a is overwritten. */
void montgomery_reduce(rsa_word *result, rsa_word *a, const struct modulus *m);

/**
 * result = R^2 mod n.
 *
 * @param scratch k + 2 words.
 * @param bits of n; time depends on it, too.
 */
void montgomery_square_of_r(rsa_word *result, const struct modulus *m, unsigned bits, rsa_word *scratch);

/** a = a - b mod n, where both are below n. */
void modular_subtract(rsa_word *a, const rsa_word *b, const struct modulus *m);

#endif
