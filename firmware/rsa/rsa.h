/* SPDX-License-Identifier: Apache-2.0 */
/**
 * RSA in software, for processors without an operating system: moduli of 512 to 2048 bits, any number of
 * bytes, whole operations on numbers (no padding).
 *
 * Numbers are byte strings, the most significant byte first, as in PKCS #1. Nothing is allocated and
 * nothing is kept: all memory is the caller's, and the workspace is zeroed before a function returns.
 * Result by Montgomery products of words of `RSA_WORD_BITS` bits (words.h); private operations by CRT.
 *
 * Time and addresses of `rsa_private` and `rsa_power` depend on the lengths of the numbers, on the size of
 * the workspace and on whether the input is refused, not on values, where the processor multiplies in a
 * fixed time. A Cortex-M3's long multiplication does not. Those of `rsa_public` depend on the exponent.
 */
#ifndef RSA_H
#define RSA_H

#include <stddef.h>
#include <stdint.h>

#include "words.h"

enum rsa_result {
    RSA_OK = 0,
    /** A pointer is null. */
    RSA_NULL,
    /** A modulus below 512 or above 2048 bits, or whose first byte is 0; primes whose lengths do not add
     *  up to the modulus'; an exponent of no bytes, or of more than 256. */
    RSA_LENGTH,
    /** The modulus or a prime is even. */
    RSA_EVEN,
    /** The operand is not below the modulus, or the coefficient or an exponent not below its prime. */
    RSA_RANGE,
    /** The workspace is too small. */
    RSA_WORKSPACE
};

enum { RSA_MIN_BITS = 512, RSA_MAX_BITS = 2048 };

/** A public key: modulus of `bytes` bytes, exponent of `exponent_bytes`. */
struct rsa_public_key {
    const uint8_t *modulus, *exponent;
    size_t bytes, exponent_bytes;
};

/**
 * A private key, as PKCS #1 names its parts: the modulus p q of `bytes` bytes, p, dP and qInv of `p_bytes`,
 * q and dQ of `q_bytes`. p may be the smaller one.
 */
struct rsa_private_key {
    const uint8_t *modulus, *p, *q, *dp, *dq, *qinv;
    size_t bytes, p_bytes, q_bytes;
};

/** Words of so many bytes. */
#define RSA_WORDS(bytes) ((unsigned)(((bytes) + sizeof(rsa_word) - 1) / sizeof(rsa_word)))
/** Most bits of an exponent that are taken at once, where the workspace allows it. */
#define RSA_MAX_WINDOW 5
/** Bytes of workspace that `rsa_public` wants for a modulus of so many bytes. */
#define RSA_PUBLIC_WORKSPACE(bytes) ((4 * RSA_WORDS(bytes) + 2) * sizeof(rsa_word))
/** The same of `rsa_private`, with the longer prime's bytes, and of `rsa_power`, with the modulus'; for
 *  windows of 1 to RSA_MAX_WINDOW bits. A wider one is faster. */
#define RSA_PRIVATE_WORKSPACE(prime_bytes, window) \
    (((6 + ((size_t)1 << (window))) * RSA_WORDS(prime_bytes) + 2) * sizeof(rsa_word))
#define RSA_POWER_WORKSPACE(bytes, window) RSA_PRIVATE_WORKSPACE(bytes, window)

/**
 * operand = operand ^ exponent mod modulus, with a public exponent.
 *
 * @param operand of `key->bytes` bytes, below the modulus; the result in its place. As it was, if the
 *        result is not RSA_OK.
 * @param workspace aligned to words.
 */
enum rsa_result rsa_public(uint8_t *operand, const struct rsa_public_key *key, rsa_word *workspace,
                           size_t workspace_bytes);

/**
 * operand = operand ^ d mod p q, by CRT. Parameters as above. The result is not checked: a key with wrong
 * parts gives a wrong result.
 */
enum rsa_result rsa_private(uint8_t *operand, const struct rsa_private_key *key, rsa_word *workspace,
                            size_t workspace_bytes);

/** operand = operand ^ exponent mod modulus, with a secret exponent, without CRT. Parameters as above. */
enum rsa_result rsa_power(uint8_t *operand, const struct rsa_public_key *key, rsa_word *workspace,
                          size_t workspace_bytes);

#endif
