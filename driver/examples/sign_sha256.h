/* SPDX-License-Identifier: Apache-2.0 */
/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.1) on a Totient core. */
#ifndef SIGN_SHA256_H
#define SIGN_SHA256_H

#include "totient/totient.h"

/** A private key; numbers are big-endian, of `length` bytes each. */
struct signing_key {
    const uint8_t *modulus, *exponent;
    size_t length;            /**< 62 up to 512. */
    uint32_t public_exponent; /**< What the signature is checked with before it is released. */
};

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
