/* SPDX-License-Identifier: Apache-2.0 */
/* AES key wrap (RFC 3394), and with padding (RFC 5649). */
#include "operation.h"

#include <nettle/aes.h>
#include <sodium.h>
#include <string.h>

enum { HALF = 8, BLOCK = 16, STEPS = 6 };

static const uint8_t usual_start[HALF] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
static const uint8_t padded_start[4] = {0xa6, 0x59, 0x59, 0xa6};

/* AES of all three lengths. */
union aes {
    struct aes128_ctx aes128;
    struct aes192_ctx aes192;
    struct aes256_ctx aes256;
};

static void one_block(const struct span *key, bool encrypts, uint8_t *block)
{
    union aes aes;
    if (key->length == AES128_KEY_SIZE && encrypts) {
        aes128_set_encrypt_key(&aes.aes128, key->bytes);
        aes128_encrypt(&aes.aes128, BLOCK, block, block);
    } else if (key->length == AES128_KEY_SIZE) {
        aes128_set_decrypt_key(&aes.aes128, key->bytes);
        aes128_decrypt(&aes.aes128, BLOCK, block, block);
    } else if (key->length == AES192_KEY_SIZE && encrypts) {
        aes192_set_encrypt_key(&aes.aes192, key->bytes);
        aes192_encrypt(&aes.aes192, BLOCK, block, block);
    } else if (key->length == AES192_KEY_SIZE) {
        aes192_set_decrypt_key(&aes.aes192, key->bytes);
        aes192_decrypt(&aes.aes192, BLOCK, block, block);
    } else if (encrypts) {
        aes256_set_encrypt_key(&aes.aes256, key->bytes);
        aes256_encrypt(&aes.aes256, BLOCK, block, block);
    } else {
        aes256_set_decrypt_key(&aes.aes256, key->bytes);
        aes256_decrypt(&aes.aes256, BLOCK, block, block);
    }
    sodium_memzero(&aes, sizeof aes);
}

static void count_into(uint8_t *half, uint64_t count)
{
    for (size_t i = 0; i < HALF; i++) half[i] ^= (uint8_t)(count >> 8 * (HALF - 1 - i));
}

/* `bytes`: a start value and `halves` halves of blocks, in place. */
static void wrap_halves(const struct span *key, uint8_t *bytes, size_t halves)
{
    uint8_t block[BLOCK];
    uint64_t count = 0;
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 1; i <= halves; i++) {
            memcpy(block, bytes, HALF);
            memcpy(block + HALF, bytes + i * HALF, HALF);
            one_block(key, true, block);
            count_into(block, ++count);
            memcpy(bytes, block, HALF);
            memcpy(bytes + i * HALF, block + HALF, HALF);
        }
    }
    sodium_memzero(block, sizeof block);
}

static void unwrap_halves(const struct span *key, uint8_t *bytes, size_t halves)
{
    uint8_t block[BLOCK];
    uint64_t count = STEPS * halves;
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = halves; i >= 1; i--) {
            memcpy(block, bytes, HALF);
            memcpy(block + HALF, bytes + i * HALF, HALF);
            count_into(block, count--);
            one_block(key, false, block);
            memcpy(bytes, block, HALF);
            memcpy(bytes + i * HALF, block + HALF, HALF);
        }
    }
    sodium_memzero(block, sizeof block);
}

static bool aes_key(const struct object *key, struct span *value)
{
    return object_value(key, CKA_VALUE, value) && secret_key_length(CKK_AES, value->length) != 0;
}

bool aes_wrap(const struct object *key, bool padded, const uint8_t *bytes, size_t length,
              uint8_t *result, size_t *result_length)
{
    struct span value;
    const size_t halves = (length + HALF - 1) / HALF;
    if (!aes_key(key, &value) || length == 0 || (!padded && (length % HALF != 0 || halves < 2)))
        return false;
    memset(result, 0, (halves + 1) * HALF);
    memcpy(result + HALF, bytes, length);
    memcpy(result, usual_start, HALF);
    if (padded) {
        memcpy(result, padded_start, sizeof padded_start);
        for (size_t i = 0; i < 4; i++) result[4 + i] = (uint8_t)(length >> 8 * (3 - i));
    }
    if (halves == 1) one_block(&value, true, result);
    else wrap_halves(&value, result, halves);
    *result_length = (halves + 1) * HALF;
    return true;
}

/* Whether a start value and the padding are right, without a branch on them. */
static bool is_whole(const uint8_t *bytes, size_t halves, bool padded, size_t *length)
{
    uint32_t differ = 0;
    *length = halves * HALF;
    if (!padded) return sodium_memcmp(bytes, usual_start, HALF) == 0;
    for (size_t i = 0; i < sizeof padded_start; i++)
        differ |= (uint32_t)(bytes[i] ^ padded_start[i]);
    size_t stated = 0;
    for (size_t i = 4; i < HALF; i++) stated = stated << 8 | bytes[i];
    differ |= stated > *length || stated + HALF <= *length;
    for (size_t i = 0; i < HALF; i++) {
        const size_t place = *length - HALF + i;
        const uint32_t pads = place >= stated ? 0xff : 0;
        differ |= pads & bytes[HALF + place];
    }
    *length = stated;
    return differ == 0;
}

bool aes_unwrap(const struct object *key, bool padded, const uint8_t *bytes, size_t length,
                uint8_t *result, size_t *result_length)
{
    struct span value;
    if (!aes_key(key, &value) || length % HALF != 0 || length < (padded ? 2 : 3) * HALF)
        return false;
    const size_t halves = length / HALF - 1;
    memcpy(result, bytes, length);
    if (halves == 1) one_block(&value, false, result);
    else unwrap_halves(&value, result, halves);
    const bool well = is_whole(result, halves, padded, result_length);
    if (well) memmove(result, result + HALF, *result_length);
    else sodium_memzero(result, length);
    return well;
}
