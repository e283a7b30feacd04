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
 * sum = (sum + a b + q n) / 2^RSA_WORD_BITS, rounded down; sum[-1] takes the word that falls out.
 *
 * All that takes long is made of such rows. In a Montgomery product q makes that word 0.
 *
 * @param sum k + 1 words, the highest of which is at most 1 before, and then after, too, if either factor
 *        is 0 or the sum is below n + b.
 * @param b, n k words each.
 * @param k at most 255.
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

/**
 * result = a / R mod n, where a has 2 k words and is below n R.
 *
 * @param result k words, apart from a.
 * @param scratch k + 2 words.
 */
void montgomery_reduce(rsa_word *result, const rsa_word *a, const struct modulus *m, rsa_word *scratch);

/**
 * result = c + a b, in 2 k words.
 *
 * @param result apart from the others.
 * @param a, b, c k words each.
 * @param scratch k + 2 words.
 */
void multiply_add(rsa_word *result, const rsa_word *a, const rsa_word *b, const rsa_word *c, unsigned k,
                  rsa_word *scratch);

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
