/* SPDX-License-Identifier: Apache-2.0 */
/* Hash functions: nettle's, which have no global state. */
#include "operation.h"

#include <nettle/hmac.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <sodium.h>
#include <string.h>

/* DER of DigestInfo up to the digest (RFC 8017, 9.2, note 1). */
static const uint8_t sha1_prefix[] = {0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e,
                                      0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14};
#define SHA2_PREFIX(total, number, length)                                                         \
    {0x30, total, 0x30, 0x0d, 0x06,   0x09, 0x60, 0x86, 0x48,  0x01,                               \
     0x65, 0x03,  0x04, 0x02, number, 0x05, 0x00, 0x04, length}
static const uint8_t sha224_prefix[] = SHA2_PREFIX(0x2d, 4, 28);
static const uint8_t sha256_prefix[] = SHA2_PREFIX(0x31, 1, 32);
static const uint8_t sha384_prefix[] = SHA2_PREFIX(0x41, 2, 48);
static const uint8_t sha512_prefix[] = SHA2_PREFIX(0x51, 3, 64);

const struct hash_kind hash_kinds[] = {
    {CKM_SHA256, CKM_SHA256_RSA_PKCS, CKM_SHA256_RSA_PKCS_PSS, CKG_MGF1_SHA256, 32, sha256_prefix,
     sizeof sha256_prefix, &nettle_sha256},
    {CKM_SHA384, CKM_SHA384_RSA_PKCS, CKM_SHA384_RSA_PKCS_PSS, CKG_MGF1_SHA384, 48, sha384_prefix,
     sizeof sha384_prefix, &nettle_sha384},
    {CKM_SHA512, CKM_SHA512_RSA_PKCS, CKM_SHA512_RSA_PKCS_PSS, CKG_MGF1_SHA512, 64, sha512_prefix,
     sizeof sha512_prefix, &nettle_sha512},
    {CKM_SHA224, CKM_SHA224_RSA_PKCS, CKM_SHA224_RSA_PKCS_PSS, CKG_MGF1_SHA224, 28, sha224_prefix,
     sizeof sha224_prefix, &nettle_sha224},
    {CKM_SHA_1, CKM_SHA1_RSA_PKCS, CKM_SHA1_RSA_PKCS_PSS, CKG_MGF1_SHA1, 20, sha1_prefix,
     sizeof sha1_prefix, &nettle_sha1},
};

enum { KINDS = sizeof hash_kinds / sizeof *hash_kinds };

const struct hash_kind *hash_of(CK_MECHANISM_TYPE mechanism)
{
    for (size_t i = 0; i < KINDS; i++)
        if (hash_kinds[i].mechanism == mechanism) return &hash_kinds[i];
    return NULL;
}

const struct hash_kind *hash_of_mgf(CK_ULONG mgf)
{
    for (size_t i = 0; i < KINDS; i++)
        if (hash_kinds[i].mgf == mgf) return &hash_kinds[i];
    return NULL;
}

static const struct nettle_hash *of_nettle(const struct hash *hash)
{
    return hash->kind->nettle;
}

void hash_begin(struct hash *hash, const struct hash_kind *kind)
{
    hash->kind = kind;
    of_nettle(hash)->init(hash->state.bytes);
}

void hash_add(struct hash *hash, const uint8_t *bytes, size_t length)
{
    if (length > 0) of_nettle(hash)->update(hash->state.bytes, length, bytes);
}

void hash_end(struct hash *hash, uint8_t *digest)
{
    of_nettle(hash)->digest(hash->state.bytes, hash->kind->length, digest);
    sodium_memzero(&hash->state, sizeof hash->state);
}

void hash_at_once(const struct hash_kind *kind, const uint8_t *bytes, size_t length,
                  uint8_t *digest)
{
    struct hash hash;
    hash_begin(&hash, kind);
    hash_add(&hash, bytes, length);
    hash_end(&hash, digest);
}

void hmac_tag(const uint8_t *key, size_t key_length, const struct span *parts, size_t count,
              uint8_t *tag)
{
    struct hmac_sha256_ctx state;
    hmac_sha256_set_key(&state, key_length, key);
    for (size_t i = 0; i < count; i++) hmac_sha256_update(&state, parts[i].length, parts[i].bytes);
    hmac_sha256_digest(&state, SHA256_DIGEST_SIZE, tag);
    sodium_memzero(&state, sizeof state);
}
