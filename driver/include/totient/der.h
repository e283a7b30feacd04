/* SPDX-License-Identifier: Apache-2.0 */
/**
 * RSA keys in DER: of PKCS #1 (RFC 8017, appendix A.1), PKCS #8 (RFC 5208 and 5958), and public keys of
 * X.509 (SubjectPublicKeyInfo).
 *
 * The reader takes DER alone: definite lengths and numbers in their shortest form, nothing after the key.
 * It allocates nothing and copies nothing: the numbers of the key point into the caller's bytes.
 *
 * What is not constant time: lengths, and which check has failed. Values of private numbers are compared
 * and multiplied in a time that depends on lengths only.
 *
 *     struct totient_rsa_key key;
 *     totient_result result = totient_rsa_key_from_der(&key, file, size);
 *     if (result == TOTIENT_OK) result = totient_engine_load_key(&device.core, 0, &key);
 */
#ifndef TOTIENT_DER_H
#define TOTIENT_DER_H

#include "totient/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Finds the numbers of a key. Private keys have all of them, public keys the first two. They have no
 * leading zeros.
 *
 * It is checked that the numbers are in their ranges, and that the modulus is the product of the primes.
 * Whether they belong together otherwise, a checked private operation finds.
 *
 * @param key its pointers are null on failure. `der` must outlive it.
 * @return TOTIENT_NOT_A_KEY where the bytes are no such key, or a private number is 0, even where it must be
 *         odd, or not below its modulus; TOTIENT_KEY_KIND where the key is encrypted, of another algorithm
 *         (RSASSA-PSS, too, whose restriction could not be kept here), or has more than two primes;
 *         TOTIENT_LENGTH where the modulus has not 512 to 8192 bits; TOTIENT_MODULUS_EVEN;
 *         TOTIENT_PUBLIC_EXPONENT where that is even, below 3, or not below the modulus; TOTIENT_PRIME where
 *         a prime is even or 1, both are the same, or their product is not the modulus.
 * @threads any
 * @fork any
 */
TOTIENT_MUST_CHECK totient_result totient_rsa_key_from_der(struct totient_rsa_key *key,
                                                           const uint8_t *der, size_t length);

#ifdef __cplusplus
}
#endif

#endif
