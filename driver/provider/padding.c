/* SPDX-License-Identifier: Apache-2.0 */
/* Paddings and hash functions: their numbers in PKCS #11, their names in OpenSSL's parameters. */
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <stdint.h>
#include <string.h>

static const struct {
    int number;
    const char *word;
} paddings[] = {{RSA_PKCS1_PADDING, OSSL_PKEY_RSA_PAD_MODE_PKCSV15},
                {RSA_PKCS1_PSS_PADDING, OSSL_PKEY_RSA_PAD_MODE_PSS},
                {RSA_PKCS1_OAEP_PADDING, OSSL_PKEY_RSA_PAD_MODE_OAEP},
                {RSA_NO_PADDING, OSSL_PKEY_RSA_PAD_MODE_NONE},
                /* TLS has a number only. */
                {RSA_PKCS1_WITH_TLS_PADDING, ""}};

enum { PADDINGS = sizeof paddings / sizeof *paddings };

int padding_of(const struct provider *provider, const OSSL_PARAM *parameter)
{
    int number = 0;
    if (parameter->data_type == OSSL_PARAM_INTEGER && !OSSL_PARAM_get_int(parameter, &number))
        return fail(provider, REASON_PARAMETER, "a padding mode that is no number");
    for (size_t i = 0; i < PADDINGS; i++) {
        const bool named = parameter->data_type == OSSL_PARAM_UTF8_STRING &&
                           *paddings[i].word != '\0' && parameter->data != NULL &&
                           strcmp(parameter->data, paddings[i].word) == 0;
        if (named || (number != 0 && number == paddings[i].number)) return paddings[i].number;
    }
    return fail(provider, REASON_PARAMETER, "padding mode %d", number);
}

int padding_answer(OSSL_PARAM *parameter, int padding)
{
    if (parameter->data_type == OSSL_PARAM_INTEGER) return OSSL_PARAM_set_int(parameter, padding);
    for (size_t i = 0; i < PADDINGS; i++)
        if (paddings[i].number == padding)
            return OSSL_PARAM_set_utf8_string(parameter, paddings[i].word);
    return 0;
}

int hash_set(const struct provider *provider, EVP_MD **hash, const OSSL_PARAM *parameter)
{
    const char *name = NULL;
    if (parameter == NULL) return 1;
    if (!OSSL_PARAM_get_utf8_string_ptr(parameter, &name)) return 0;
    EVP_MD *chosen = EVP_MD_fetch(provider->library, name, NULL);
    if (chosen == NULL) return fail(provider, REASON_PARAMETER, "hash function %s", name);
    EVP_MD_free(*hash);
    *hash = chosen;
    return 1;
}

int hash_answer(OSSL_PARAM *asked, const EVP_MD *hash)
{
    return asked == NULL ||
           OSSL_PARAM_set_utf8_string(asked, hash == NULL ? "" : EVP_MD_get0_name(hash));
}

const struct hash_numbers *hash_numbers(const struct provider *provider, const EVP_MD *hash)
{
    static const struct {
        int identifier;
        struct hash_numbers numbers;
    } known[] = {{NID_sha256, {CKM_SHA256, CKG_MGF1_SHA256}},
                 {NID_sha384, {CKM_SHA384, CKG_MGF1_SHA384}},
                 {NID_sha512, {CKM_SHA512, CKG_MGF1_SHA512}},
                 {NID_sha224, {CKM_SHA224, CKG_MGF1_SHA224}},
                 {NID_sha1, {CKM_SHA_1, CKG_MGF1_SHA1}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].identifier == EVP_MD_get_type(hash)) return &known[i].numbers;
    (void)fail(provider, REASON_PARAMETER, "%s in PSS or OAEP", EVP_MD_get0_name(hash));
    return NULL;
}

/* All ones where a is b. Both are below 2^31. */
static uint32_t same(uint32_t a, uint32_t b)
{
    return (uint32_t)0 - (((a ^ b) - 1) >> 31);
}

void choose_premaster(const unsigned char *message, size_t length, unsigned good, unsigned version,
                      unsigned other, const unsigned char *random, unsigned char *out)
{
    const uint32_t given = (uint32_t)message[0] << 8 | message[1];
    const uint32_t allowed = same(given, version) | (same(given, other) & ~same(other, 0));
    const uint32_t taken = good & same((uint32_t)length, PREMASTER) & allowed;
    for (size_t i = 0; i < PREMASTER; i++)
        out[i] = (unsigned char)((message[i] & taken) | (random[i] & ~taken));
}
