/* SPDX-License-Identifier: Apache-2.0 */
/**
 * RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.1) on a Totient core.
 *
 * This part of the example is compiled into every program that signs, on a host or without an operating
 * system: it needs memcpy and memset, nothing else.
 */
#ifndef SIGN_SHA256_H
#define SIGN_SHA256_H

#include "totient/totient.h"

enum { SIGN_MOST = TOTIENT_MAX_BITS / 8, SIGN_DIGEST = 32 };

/**
 * A private key; numbers are big-endian, at the end of their arrays, zeros before them. totient_wipe
 * overwrites it.
 */
struct signing_key {
    uint8_t modulus[SIGN_MOST], exponent[SIGN_MOST];
    size_t length;              /**< Bytes of the modulus: 62 up to 512. */
    uint8_t public_exponent[4]; /**< What a signature is checked with before it is released. */
};

/**
 * Reads a number in hexadecimal digits, to which a line's end may belong.
 *
 * @param bytes gets it, right-aligned.
 * @return bytes that the digits need; 0: it is no number, or one that is longer than `length`.
 */
size_t sign_number(const char *text, uint8_t *bytes, size_t length);

/**
 * Writes the padded digest that is signed (EMSA-PKCS1-v1_5).
 *
 * @param digest 32 bytes.
 * @param message gets it.
 * @param length of `message` and of the modulus: 62 up to 512 bytes, else TOTIENT_ARGUMENT.
 */
TOTIENT_MUST_CHECK totient_result sign_encode(const uint8_t *digest, uint8_t *message, size_t length);

/**
 * Signs a message's SHA-256 digest.
 *
 * @param core an open one, at least as wide as the key; it holds no key afterwards.
 * @param digest 32 bytes.
 * @param signature `key->length` bytes; zeros on failure.
 */
TOTIENT_MUST_CHECK totient_result sign_sha256(struct totient *core, const struct signing_key *key,
                                              const uint8_t *digest, uint8_t *signature);

#endif
