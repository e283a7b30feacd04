/* SPDX-License-Identifier: Apache-2.0 */
/* AES, DES and triple DES: nettle's. They are for keys that travel, not for speed. */
#include "operation.h"

#include <nettle/aes.h>
#include <nettle/des.h>
#include <nettle/nettle-types.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCK = 16 };

union state {
    struct aes128_ctx aes128;
    struct aes192_ctx aes192;
    struct aes256_ctx aes256;
    struct des_ctx des;
    struct des3_ctx des3;
};

struct cipher {
    union state *state; /* locked memory */
    nettle_cipher_func *encrypt, *decrypt;
    size_t block;
    bool chained, padded, encrypting;
    uint8_t chain[MAX_BLOCK], held[MAX_BLOCK];
    size_t held_length;
};

CK_KEY_TYPE secret_key_type(CK_MECHANISM_TYPE mechanism)
{
    switch (mechanism) {
    case CKM_DES_KEY_GEN:
    case CKM_DES_ECB:
    case CKM_DES_CBC: return CKK_DES;
    case CKM_DES3_KEY_GEN:
    case CKM_DES3_ECB:
    case CKM_DES3_CBC: return CKK_DES3;
    case CKM_GENERIC_SECRET_KEY_GEN: return CKK_GENERIC_SECRET;
    default: return CKK_AES;
    }
}

size_t secret_key_length(CK_KEY_TYPE type, size_t asked)
{
    switch (type) {
    case CKK_DES: return asked == 0 || asked == DES_KEY_SIZE ? DES_KEY_SIZE : 0;
    case CKK_DES3: return asked == 0 || asked == DES3_KEY_SIZE ? DES3_KEY_SIZE : 0;
    case CKK_AES: return asked == 16 || asked == 24 || asked == 32 ? asked : 0;
    case CKK_GENERIC_SECRET: return asked <= 4096 ? asked : 0;
    default: return 0;
    }
}

/* The parity of a new DES key. */
void secret_key_finish(CK_KEY_TYPE type, uint8_t *value, size_t length)
{
    if (type == CKK_DES || type == CKK_DES3) des_fix_parity(length, value, value);
}

static void set_aes(struct cipher *cipher, const struct span *value)
{
    union state *state = cipher->state;
    cipher->block = AES_BLOCK_SIZE;
    if (value->length == AES128_KEY_SIZE) {
        cipher->encrypt = (nettle_cipher_func *)aes128_encrypt;
        cipher->decrypt = (nettle_cipher_func *)aes128_decrypt;
        if (cipher->encrypting) aes128_set_encrypt_key(&state->aes128, value->bytes);
        else aes128_set_decrypt_key(&state->aes128, value->bytes);
    } else if (value->length == AES192_KEY_SIZE) {
        cipher->encrypt = (nettle_cipher_func *)aes192_encrypt;
        cipher->decrypt = (nettle_cipher_func *)aes192_decrypt;
        if (cipher->encrypting) aes192_set_encrypt_key(&state->aes192, value->bytes);
        else aes192_set_decrypt_key(&state->aes192, value->bytes);
    } else {
        cipher->encrypt = (nettle_cipher_func *)aes256_encrypt;
        cipher->decrypt = (nettle_cipher_func *)aes256_decrypt;
        if (cipher->encrypting) aes256_set_encrypt_key(&state->aes256, value->bytes);
        else aes256_set_decrypt_key(&state->aes256, value->bytes);
    }
}

static void set_key(struct cipher *cipher, CK_KEY_TYPE type, const struct span *value)
{
    if (type == CKK_AES) {
        set_aes(cipher, value);
        return;
    }
    cipher->block = DES_BLOCK_SIZE;
    /* A weak key is the caller's choice: the functions report it, and work. */
    if (type == CKK_DES3) {
        cipher->encrypt = (nettle_cipher_func *)des3_encrypt;
        cipher->decrypt = (nettle_cipher_func *)des3_decrypt;
        (void)des3_set_key(&cipher->state->des3, value->bytes);
    } else {
        cipher->encrypt = (nettle_cipher_func *)des_encrypt;
        cipher->decrypt = (nettle_cipher_func *)des_decrypt;
        (void)des_set_key(&cipher->state->des, value->bytes);
    }
}

CK_RV cipher_begin(const struct parameters *parameters, const struct object *key, bool encrypting,
                   struct cipher **begun)
{
    struct span value;
    const CK_KEY_TYPE type = object_ulong(key, CKA_KEY_TYPE, UNKNOWN);
    if (!object_value(key, CKA_VALUE, &value) || secret_key_length(type, value.length) == 0)
        return CKR_KEY_SIZE_RANGE;
    struct cipher *cipher = calloc(1, sizeof *cipher);
    if (cipher == NULL) return CKR_HOST_MEMORY;
    /* One block more: what sodium gives is aligned only if its size is. */
    cipher->state = secure_new((sizeof *cipher->state + 63) / 64 * 64);
    if (cipher->state == NULL) {
        free(cipher);
        return CKR_HOST_MEMORY;
    }
    cipher->encrypting = encrypting;
    cipher->chained = parameters->iv_length > 0;
    cipher->padded = parameters->mechanism->type == CKM_AES_CBC_PAD;
    memcpy(cipher->chain, parameters->iv, sizeof cipher->chain);
    set_key(cipher, type, &value);
    *begun = cipher;
    return CKR_OK;
}

void cipher_end(struct cipher *cipher)
{
    if (cipher == NULL) return;
    secure_free(cipher->state);
    sodium_memzero(cipher, sizeof *cipher);
    free(cipher);
}

static void one_block(struct cipher *cipher, const uint8_t *in, uint8_t *out)
{
    const size_t size = cipher->block;
    uint8_t block[MAX_BLOCK];
    memcpy(block, in, size);
    if (cipher->encrypting) {
        for (size_t i = 0; i < size && cipher->chained; i++) block[i] ^= cipher->chain[i];
        cipher->encrypt(cipher->state, size, out, block);
        memcpy(cipher->chain, out, size);
    } else {
        cipher->decrypt(cipher->state, size, out, block);
        for (size_t i = 0; i < size && cipher->chained; i++) out[i] ^= cipher->chain[i];
        memcpy(cipher->chain, block, size);
    }
    sodium_memzero(block, sizeof block);
}

/* With padding, decryption keeps the last block: it may be the end. */
static bool keeps_last(const struct cipher *cipher)
{
    return cipher->padded && !cipher->encrypting;
}

size_t cipher_update_length(const struct cipher *cipher, size_t length)
{
    const size_t whole = (cipher->held_length + length) / cipher->block * cipher->block;
    const bool exact = (cipher->held_length + length) % cipher->block == 0;
    return keeps_last(cipher) && exact && whole > 0 ? whole - cipher->block : whole;
}

size_t cipher_final_length(const struct cipher *cipher, size_t length)
{
    return (cipher->held_length + length) / cipher->block * cipher->block
           + (cipher->padded && cipher->encrypting ? cipher->block : 0);
}

void cipher_update(struct cipher *cipher, const uint8_t *bytes, size_t length, uint8_t *result)
{
    size_t left = cipher_update_length(cipher, length);
    while (left > 0) {
        uint8_t block[MAX_BLOCK];
        const size_t taken = cipher->block - cipher->held_length;
        memcpy(block, cipher->held, cipher->held_length);
        memcpy(block + cipher->held_length, bytes, taken);
        one_block(cipher, block, result);
        cipher->held_length = 0;
        bytes += taken;
        length -= taken;
        result += cipher->block;
        left -= cipher->block;
    }
    if (length > 0) memcpy(cipher->held + cipher->held_length, bytes, length);
    cipher->held_length += length;
}

CK_RV cipher_final(struct cipher *cipher, uint8_t *result, size_t *length)
{
    const size_t size = cipher->block, held = cipher->held_length;
    *length = 0;
    if (!cipher->padded) {
        if (held == 0) return CKR_OK;
        return cipher->encrypting ? CKR_DATA_LEN_RANGE : CKR_ENCRYPTED_DATA_LEN_RANGE;
    }
    if (cipher->encrypting) {
        memset(cipher->held + held, (int)(size - held), size - held);
        one_block(cipher, cipher->held, result);
        *length = size;
        return CKR_OK;
    }
    uint8_t block[MAX_BLOCK];
    if (held != size) return CKR_ENCRYPTED_DATA_LEN_RANGE;
    one_block(cipher, cipher->held, block);
    const size_t count = block[size - 1];
    bool good = count >= 1 && count <= size;
    for (size_t i = size - (good ? count : 0); i < size; i++) good = good && block[i] == count;
    if (good) {
        *length = size - count;
        memcpy(result, block, *length);
    }
    sodium_memzero(block, sizeof block);
    return good ? CKR_OK : CKR_ENCRYPTED_DATA_INVALID;
}
