/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings of messages: RSASSA-PKCS1-v1_5, RSASSA-PSS, RSAES-PKCS1-v1_5, RSAES-OAEP (RFC 8017). */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PADDING = 11 };

/* MGF1, added to bytes. */
void mask(const struct hash_kind *kind, const uint8_t *seed, size_t seed_length, uint8_t *bytes,
          size_t length)
{
    uint8_t block[MAX_HASH];
    struct hash hash;
    for (uint32_t count = 0; length > 0; count++) {
        const uint8_t number[4] = {(uint8_t)(count >> 24), (uint8_t)(count >> 16),
                                   (uint8_t)(count >> 8), (uint8_t)count};
        const size_t part = length < kind->length ? length : kind->length;
        hash_begin(&hash, kind);
        hash_add(&hash, seed, seed_length);
        hash_add(&hash, number, sizeof number);
        hash_end(&hash, block);
        for (size_t i = 0; i < part; i++) bytes[i] ^= block[i];
        bytes += part;
        length -= part;
    }
    sodium_memzero(block, sizeof block);
}

/* 0, 1, ones, 0, DigestInfo; or what the caller has made of it. */
static CK_RV pad_pkcs(const struct hash_kind *kind, const uint8_t *digest, size_t length,
                      uint8_t *block, size_t size)
{
    const size_t prefix = kind != NULL ? kind->prefix_length : 0;
    if (size < LEAST_PADDING || length + prefix > size - LEAST_PADDING) return CKR_DATA_LEN_RANGE;
    const size_t ones = size - 3 - prefix - length;
    block[0] = 0;
    block[1] = 1;
    memset(block + 2, 0xff, ones);
    block[2 + ones] = 0;
    if (prefix > 0) memcpy(block + 3 + ones, kind->prefix, prefix);
    if (length > 0) memcpy(block + 3 + ones + prefix, digest, length);
    return CKR_OK;
}

/* H of EMSA-PSS: the hash of 8 zeros, the digest and the salt. */
static void hash_salted(const struct hash_kind *kind, const uint8_t *digest, const uint8_t *salt,
                        size_t salt_length, uint8_t *result)
{
    static const uint8_t zeros[8];
    struct hash hash;
    hash_begin(&hash, kind);
    hash_add(&hash, zeros, sizeof zeros);
    hash_add(&hash, digest, kind->length);
    hash_add(&hash, salt, salt_length);
    hash_end(&hash, result);
}

/* Bytes before the encoded message: 1 where its bits fill whole bytes. */
static size_t spare_byte(const struct operation *operation)
{
    return operation->key_bits % 8 == 1;
}

/* Bits of the first byte of an encoded message that are not used. */
static uint8_t unused_bits(const struct operation *operation)
{
    const size_t bits = (operation->key_bits - 1) % 8;
    const unsigned all = bits == 0 ? 0 : 0xffu << bits;
    return (uint8_t)all;
}

static CK_RV pad_pss(const struct operation *operation, const uint8_t *digest, size_t length,
                     uint8_t *block, size_t size)
{
    const struct parameters *parameters = &operation->parameters;
    const size_t hashed = parameters->hash->length, salt_length = parameters->salt_length;
    const size_t spare = spare_byte(operation);
    if (length != hashed) return CKR_DATA_LEN_RANGE;
    if (size - spare < hashed + salt_length + 2) return CKR_KEY_SIZE_RANGE;
    memset(block, 0, size);
    uint8_t *encoded = block + spare, *salt = block + size - hashed - 1 - salt_length;
    if (salt_length > 0) randombytes_buf(salt, salt_length);
    salt[-1] = 1;
    uint8_t *sum = block + size - hashed - 1;
    hash_salted(parameters->hash, digest, salt, salt_length, sum);
    mask(parameters->mgf, sum, hashed, encoded, (size_t)(sum - encoded));
    encoded[0] &= (uint8_t)~unused_bits(operation);
    block[size - 1] = 0xbc;
    return CKR_OK;
}

CK_RV pad_signature(const struct operation *operation, const uint8_t *digest, size_t length,
                    uint8_t *block, size_t size)
{
    switch (operation->parameters.mechanism->family) {
    case RSA_PSS: return pad_pss(operation, digest, length, block, size);
    case RSA_PKCS: return pad_pkcs(operation->parameters.hash, digest, length, block, size);
    default: break;
    }
    if (length > size) return CKR_DATA_LEN_RANGE;
    memset(block, 0, size - length);
    if (length > 0) memcpy(block + size - length, digest, length);
    return CKR_OK;
}

bool check_pss(const struct operation *operation, const uint8_t *digest, size_t length,
               const uint8_t *block, size_t size)
{
    const struct parameters *parameters = &operation->parameters;
    const size_t hashed = parameters->hash->length, salt_length = parameters->salt_length;
    const size_t spare = spare_byte(operation);
    uint8_t encoded[MAX_RSA_BYTES], sum[MAX_HASH];
    if (length != hashed || size > sizeof encoded || size - spare < hashed + salt_length + 2)
        return false;
    if ((spare > 0 && block[0] != 0) || block[size - 1] != 0xbc) return false;
    const size_t masked = size - spare - hashed - 1;
    memcpy(encoded, block + spare, masked);
    if ((encoded[0] & unused_bits(operation)) != 0) return false;
    mask(parameters->mgf, block + size - hashed - 1, hashed, encoded, masked);
    encoded[0] &= (uint8_t)~unused_bits(operation);
    const size_t zeros = masked - salt_length - 1;
    for (size_t i = 0; i < zeros; i++)
        if (encoded[i] != 0) return false;
    if (encoded[zeros] != 1) return false;
    hash_salted(parameters->hash, digest, encoded + zeros + 1, salt_length, sum);
    return memcmp(sum, block + size - hashed - 1, hashed) == 0;
}

static CK_RV pad_oaep(const struct parameters *parameters, const uint8_t *message, size_t length,
                      uint8_t *block, size_t size)
{
    const size_t hashed = parameters->hash->length;
    if (size < 2 * hashed + 2 || length > size - 2 * hashed - 2) return CKR_DATA_LEN_RANGE;
    uint8_t *seed = block + 1, *data = block + 1 + hashed;
    const size_t data_length = size - 1 - hashed;
    memset(block, 0, size);
    hash_at_once(parameters->hash, parameters->label, parameters->label_length, data);
    data[data_length - length - 1] = 1;
    if (length > 0) memcpy(data + data_length - length, message, length);
    randombytes_buf(seed, hashed);
    mask(parameters->mgf, seed, hashed, data, data_length);
    mask(parameters->mgf, data, data_length, seed, hashed);
    return CKR_OK;
}

CK_RV pad_encryption(const struct parameters *parameters, const uint8_t *message, size_t length,
                     uint8_t *block, size_t size)
{
    if (parameters->mechanism->family == RSA_OAEP)
        return pad_oaep(parameters, message, length, block, size);
    if (parameters->mechanism->family == RSA_RAW) {
        if (length > size) return CKR_DATA_LEN_RANGE;
        memset(block, 0, size - length);
    } else {
        if (size < LEAST_PADDING || length > size - LEAST_PADDING) return CKR_DATA_LEN_RANGE;
        block[0] = 0;
        block[1] = 2;
        randombytes_buf(block + 2, size - 3 - length);
        for (size_t i = 2; i < size - 1 - length; i++)
            while (block[i] == 0) randombytes_buf(block + i, 1);
        block[size - 1 - length] = 0;
    }
    if (length > 0) memcpy(block + size - length, message, length);
    return CKR_OK;
}

/* All ones where a byte is 0. */
static uint32_t is_zero(uint32_t byte)
{
    return (uint32_t)0 - ((byte - 1) >> 31);
}

CK_RV unpad_oaep(const struct parameters *parameters, const uint8_t *block, size_t size,
                 uint8_t *message, size_t *length)
{
    const size_t hashed = parameters->hash->length;
    uint8_t label[MAX_HASH];
    if (size < 2 * hashed + 2) return CKR_KEY_SIZE_RANGE;
    uint8_t *work = secure_new(size);
    if (work == NULL) return CKR_HOST_MEMORY;
    memcpy(work, block, size);
    uint8_t *seed = work + 1, *data = work + 1 + hashed;
    const size_t data_length = size - 1 - hashed;
    mask(parameters->mgf, data, data_length, seed, hashed);
    mask(parameters->mgf, seed, hashed, data, data_length);
    hash_at_once(parameters->hash, parameters->label, parameters->label_length, label);
    /* Which test fails must not be seen (Manger): all are made, without a branch. */
    uint32_t bad = work[0], looking = UINT32_MAX, place = 0;
    for (size_t i = 0; i < hashed; i++) bad |= (uint32_t)(label[i] ^ data[i]);
    for (size_t i = hashed; i < data_length; i++) {
        const uint32_t zero = is_zero(data[i]), one = is_zero(data[i] ^ 1u);
        place |= looking & one & (uint32_t)i;
        bad |= looking & ~zero & ~one;
        looking &= zero;
    }
    bad |= looking;
    if (bad == 0) {
        *length = data_length - place - 1;
        memcpy(message, data + place + 1, *length);
    }
    secure_free(work);
    return bad == 0 ? CKR_OK : CKR_ENCRYPTED_DATA_INVALID;
}
