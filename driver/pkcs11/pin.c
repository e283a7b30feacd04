/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PINs. The token's key is encrypted with a key from the PIN (Argon2id). A try is counted on the
 * disk before the PIN is looked at, so that a killed process has had its try. After the third
 * failure each further one takes longer to answer, and the tenth locks the PIN.
 */
#define _POSIX_C_SOURCE 200809L
#include "token.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

enum { PASSES = 3, KIBIBYTES = 64 * 1024, FREE_FAILURES = 3, LONGEST_DELAY = 16 };

/* One guess at a time: the delay could be shared by many otherwise. */
static pthread_mutex_t guessing = PTHREAD_MUTEX_INITIALIZER;

CK_RV pin_check_new(const CK_UTF8CHAR *pin, CK_ULONG length)
{
    if (pin == NULL) return CKR_ARGUMENTS_BAD;
    return length < MIN_PIN || length > MAX_PIN ? CKR_PIN_LEN_RANGE : CKR_OK;
}

/* The key that a PIN stands for. */
static bool derive(const struct token_file *file, const struct sealed *sealed,
                   const CK_UTF8CHAR *pin, CK_ULONG length, uint8_t *key)
{
    return crypto_pwhash(key, KEY_LENGTH, (const char *)pin, length, sealed->salt, file->passes,
                         (size_t)file->kibibytes * 1024, crypto_pwhash_ALG_ARGON2ID13)
           == 0;
}

CK_RV pin_seal(struct token_file *file, bool officer, const CK_UTF8CHAR *pin, CK_ULONG length,
               const uint8_t key[KEY_LENGTH])
{
    struct sealed *sealed = officer ? &file->officer : &file->user;
    uint8_t *wrapping = secure_new(KEY_LENGTH);
    if (wrapping == NULL) return CKR_HOST_MEMORY;
    if (file->passes == 0) {
        file->passes = PASSES;
        file->kibibytes = KIBIBYTES;
    }
    randombytes_buf(sealed->salt, sizeof sealed->salt);
    randombytes_buf(sealed->nonce, sizeof sealed->nonce);
    const bool well = derive(file, sealed, pin, length, wrapping);
    if (well)
        (void)crypto_aead_xchacha20poly1305_ietf_encrypt(sealed->key, NULL, key, KEY_LENGTH,
                                                         file->instance, INSTANCE_LENGTH, NULL,
                                                         sealed->nonce, wrapping);
    secure_free(wrapping);
    sealed->is_set = well;
    sealed->failures = 0;
    return well ? CKR_OK : CKR_HOST_MEMORY;
}

/* Whether a PIN opens the token's key; it does not say why not. */
static CK_RV unseal(const struct token_file *file, const struct sealed *sealed,
                    const CK_UTF8CHAR *pin, CK_ULONG length, uint8_t *key)
{
    uint8_t *wrapping = secure_new(KEY_LENGTH);
    if (wrapping == NULL) return CKR_HOST_MEMORY;
    CK_RV result = CKR_HOST_MEMORY;
    if (derive(file, sealed, pin, length, wrapping))
        result = crypto_aead_xchacha20poly1305_ietf_decrypt(
                     key, NULL, NULL, sealed->key, sizeof sealed->key, file->instance,
                     INSTANCE_LENGTH, sealed->nonce, wrapping)
                         == 0
                     ? CKR_OK
                     : CKR_PIN_INCORRECT;
    secure_free(wrapping);
    return result;
}

static void delay(uint32_t failures)
{
    if (failures <= FREE_FAILURES) return;
    time_t seconds = 1;
    for (uint32_t i = FREE_FAILURES + 1; i < failures && seconds < LONGEST_DELAY; i++) seconds *= 2;
    struct timespec left = {seconds, 0};
    while (nanosleep(&left, &left) != 0) {
    }
}

/* Counts a try, then makes it; with the lock of the folder. */
static CK_RV attempt(bool officer, const CK_UTF8CHAR *pin, CK_ULONG length, struct opened *opened,
                     uint32_t *failures)
{
    struct token_file file;
    CK_RV result = store_read_token(&file);
    if (result != CKR_OK) return result;
    struct sealed *sealed = officer ? &file.officer : &file.user;
    if (sealed->is_set == 0) return CKR_USER_PIN_NOT_INITIALIZED;
    if (sealed->failures >= MAX_FAILURES) return CKR_PIN_LOCKED;
    *failures = ++sealed->failures;
    result = store_write_token(&file);
    if (result != CKR_OK) return result;
    result = unseal(&file, sealed, pin, length, opened->key);
    memcpy(opened->instance, file.instance, INSTANCE_LENGTH);
    if (result == CKR_PIN_INCORRECT) return result;
    sealed->failures = result == CKR_OK ? 0 : *failures - 1;
    const CK_RV written = store_write_token(&file);
    return result != CKR_OK ? result : written;
}

CK_RV pin_open(bool officer, const CK_UTF8CHAR *pin, CK_ULONG length, struct opened *opened)
{
    uint32_t failures = 0;
    if (pin == NULL) return CKR_ARGUMENTS_BAD;
    if (length > MAX_PIN) return CKR_PIN_INCORRECT;
    (void)pthread_mutex_lock(&guessing);
    CK_RV result = CKR_DEVICE_ERROR;
    if (store_lock(true)) {
        result = attempt(officer, pin, length, opened, &failures);
        store_unlock();
    }
    if (result == CKR_PIN_INCORRECT) delay(failures);
    (void)pthread_mutex_unlock(&guessing);
    return result;
}

void pin_abandon(void)
{
    guessing = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
