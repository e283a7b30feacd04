/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implicit rejection of bad PKCS #1 v1.5 padding (draft-irtf-cfrg-rsa-guidance, section 7): bad
 * padding gives a message, too, which depends on the private key and the ciphertext only.
 * OpenSSL 3.2 and src/totient/rsa give the same one. No branch and no address depends on the
 * padding, up to the last step, which copies as many bytes as the message has.
 */
#include "operation.h"

#include <sodium.h>
#include <string.h>

enum {
    LENGTHS = 128, /* candidates for the length, of which the last one that fits is taken */
    FIXED = 10,    /* bytes before the separator: 0, 2 and at least 8 */
    TAG = 32
};

/* All ones where a number below 2^31 is 0, where one is below another. */
static uint32_t is_zero(uint32_t number)
{
    return (uint32_t)0 - ((number - 1) >> 31);
}

static uint32_t is_below(uint32_t a, uint32_t b)
{
    return (uint32_t)0 - ((a - b) >> 31);
}

static uint32_t choose(uint32_t mask, uint32_t a, uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

/* The draft's IRPRF: HMAC-SHA256 of a counter, a label and the length in bits. */
static void pseudorandom(const uint8_t *key, const char *label, uint8_t *bytes, size_t length)
{
    const uint8_t bits[2] = {(uint8_t)(8 * length >> 8), (uint8_t)(8 * length)};
    uint8_t tag[TAG];
    for (uint32_t count = 0; length > 0; count++) {
        const uint8_t number[2] = {(uint8_t)(count >> 8), (uint8_t)count};
        const struct span parts[] = {
            {number, sizeof number}, {(const uint8_t *)label, strlen(label)}, {bits, sizeof bits}};
        const size_t part = length < TAG ? length : TAG;
        hmac_tag(key, TAG, parts, 3, tag);
        memcpy(bytes, tag, part);
        bytes += part;
        length -= part;
    }
    sodium_memzero(tag, sizeof tag);
}

/* The key that synthetic messages of a ciphertext come from. */
static bool derivation_key(const struct object *key, const uint8_t *ciphertext, size_t size,
                           uint8_t *derived)
{
    struct span exponent;
    uint8_t secret[TAG];
    if (!object_value(key, CKA_PRIVATE_EXPONENT, &exponent)) return false;
    uint8_t *padded = secure_new(size);
    if (padded == NULL) return false;
    /* Leading zeros go, or come: the length of the exponent is that of the modulus. */
    const size_t skipped = exponent.length > size ? exponent.length - size : 0;
    const size_t length = exponent.length - skipped;
    memset(padded, 0, size - length);
    memcpy(padded + size - length, exponent.bytes + skipped, length);
    hash_at_once(hash_of(CKM_SHA256), padded, size, secret);
    secure_free(padded);
    const struct span part = {ciphertext, size};
    hmac_tag(secret, sizeof secret, &part, 1, derived);
    sodium_memzero(secret, sizeof secret);
    return true;
}

static uint32_t synthetic_length(const uint8_t *derived, size_t size)
{
    uint8_t lengths[2 * LENGTHS];
    const uint32_t bound = (uint32_t)(size - FIXED);
    uint32_t cut = bound, length = 0;
    for (int shift = 1; shift < 16; shift *= 2) cut |= cut >> shift;
    pseudorandom(derived, "length", lengths, sizeof lengths);
    for (size_t i = 0; i < sizeof lengths; i += 2) {
        const uint32_t candidate = ((uint32_t)lengths[i] << 8 | lengths[i + 1]) & cut;
        length = choose(is_below(candidate, bound), candidate, length);
    }
    sodium_memzero(lengths, sizeof lengths);
    return length;
}

uint32_t choose_message(const uint8_t *derived, const uint8_t *block, size_t size, uint8_t *chosen)
{
    pseudorandom(derived, "message", chosen, size);
    const uint32_t synthetic = synthetic_length(derived, size);
    uint32_t looking = UINT32_MAX, separator = 0;
    for (size_t i = 2; i < size; i++) {
        const uint32_t zero = is_zero(block[i]);
        separator |= looking & zero & (uint32_t)i;
        looking &= ~zero;
    }
    const uint32_t good =
        is_zero(block[0]) & is_zero(block[1] ^ 2u) & ~looking & ~is_below(separator, FIXED);
    /* Both messages are at the end. */
    for (size_t i = 0; i < size; i++) chosen[i] = (uint8_t)choose(good, block[i], chosen[i]);
    return choose(good, (uint32_t)size - 1 - separator, synthetic);
}

CK_RV unpad_pkcs(const struct object *key, const uint8_t *ciphertext, const uint8_t *block,
                 size_t size, uint8_t *message, size_t *length)
{
    uint8_t derived[TAG];
    if (size <= FIXED + 1) return CKR_KEY_SIZE_RANGE;
    uint8_t *chosen = secure_new(size);
    if (chosen == NULL || !derivation_key(key, ciphertext, size, derived)) {
        secure_free(chosen);
        return chosen == NULL ? CKR_HOST_MEMORY : CKR_KEY_TYPE_INCONSISTENT;
    }
    *length = choose_message(derived, block, size, chosen);
    memcpy(message, chosen + size - *length, *length);
    secure_free(chosen);
    sodium_memzero(derived, sizeof derived);
    return CKR_OK;
}
