/* SPDX-License-Identifier: Apache-2.0 */
/** The work of a terminal program with the system's IP with key generation, on numbers of 64 bits. */
#ifndef KEYGEN_WORK_H
#define KEYGEN_WORK_H

#include <stdint.h>

#include "totient/keygen.h"

enum { NUMBER = 8 /* bytes, most significant first */ };

void number_to_bytes(uint64_t number, uint8_t *bytes);
uint64_t number_from_bytes(const uint8_t *bytes);

/**
 * Makes a key from two primes, and raises a message to one of its exponents, in place.
 *
 * @param ip opened here; the caller clears it.
 * @param key with room for modulus and private exponent.
 */
totient_result keygen_make_and_raise(struct totient_keygen *ip, const uint8_t *p, const uint8_t *q,
                                     enum totient_exponent exponent, uint8_t *message,
                                     struct totient_key *key);

/** Raises a message to a given exponent, in place. `ip` is as above. */
totient_result keygen_raise_given(struct totient_keygen *ip, const uint8_t *modulus,
                                  const uint8_t *exponent, uint8_t *message);

#endif
