/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decryption by a token. To encrypt needs no token: it is passed to OpenSSL's default provider.
 *
 * Bad padding of PKCS #1 v1.5 gives a message, too: by the token's implicit rejection, and in TLS
 * by random bytes in the place of the premaster secret. Of a bad padding of OAEP only that is told.
 */
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

struct decryption {
    struct provider *provider;
    struct key *key;
    int padding;
    EVP_MD *hash, *mask; /* of OAEP: NULL is SHA-1, and the same as `hash` */
    unsigned char *label;
    size_t label_length;
    unsigned version, negotiated; /* of TLS */
    EVP_PKEY_CTX *encryption;     /* while something is encrypted */
};

static void *new_context(void *provider)
{
    struct decryption *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->provider = provider;
    made->padding = RSA_PKCS1_PADDING;
    return made;
}

static void free_context(void *argument)
{
    struct decryption *decryption = argument;
    if (decryption == NULL) return;
    EVP_PKEY_CTX_free(decryption->encryption);
    EVP_MD_free(decryption->hash);
    EVP_MD_free(decryption->mask);
    OPENSSL_free(decryption->label);
    key_free(decryption->key);
    free(decryption);
}

static void *copy_context(void *argument)
{
    const struct decryption *original = argument;
    struct decryption *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = *original;
    if (copy->key != NULL) (void)key_reference(copy->key);
    if (copy->hash != NULL) (void)EVP_MD_up_ref(copy->hash);
    if (copy->mask != NULL) (void)EVP_MD_up_ref(copy->mask);
    copy->label = NULL;
    copy->encryption = NULL;
    bool done = true;
    if (original->label != NULL) {
        copy->label = OPENSSL_memdup(original->label, original->label_length);
        done = copy->label != NULL;
    }
    if (original->encryption != NULL) {
        copy->encryption = EVP_PKEY_CTX_dup(original->encryption);
        done = done && copy->encryption != NULL;
    }
    if (done) return copy;
    free_context(copy);
    return NULL;
}

static int set_label(struct decryption *decryption, const OSSL_PARAM *parameter)
{
    void *label = NULL;
    size_t length = 0;
    if (parameter == NULL) return 1;
    if (parameter->data_size > 0 && !OSSL_PARAM_get_octet_string(parameter, &label, 0, &length))
        return 0;
    OPENSSL_free(decryption->label);
    decryption->label = label;
    decryption->label_length = length;
    return 1;
}

static int set_version(unsigned *version, const OSSL_PARAM *parameter)
{
    return parameter == NULL || OSSL_PARAM_get_uint(parameter, version);
}

static int set_parameters(void *argument, const OSSL_PARAM parameters[])
{
    struct decryption *decryption = argument;
    if (parameters == NULL) return 1;
    const OSSL_PARAM *padding =
        OSSL_PARAM_locate_const(parameters, OSSL_ASYM_CIPHER_PARAM_PAD_MODE);
    if (padding != NULL) {
        const int chosen = padding_of(decryption->provider, padding);
        if (chosen == 0) return 0;
        if (chosen == RSA_PKCS1_PSS_PADDING)
            return fail(decryption->provider, REASON_PARAMETER, "decryption with PSS");
        decryption->padding = chosen;
    }
    return hash_set(decryption->provider, &decryption->hash,
                    OSSL_PARAM_locate_const(parameters, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST)) &&
           hash_set(decryption->provider, &decryption->mask,
                    OSSL_PARAM_locate_const(parameters, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST)) &&
           set_label(decryption,
                     OSSL_PARAM_locate_const(parameters, OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL)) &&
           set_version(&decryption->version,
                       OSSL_PARAM_locate_const(parameters,
                                               OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION)) &&
           set_version(&decryption->negotiated,
                       OSSL_PARAM_locate_const(parameters,
                                               OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION)) &&
           (decryption->encryption == NULL ||
            EVP_PKEY_CTX_set_params(decryption->encryption, parameters) == 1);
}

static const OSSL_PARAM *settable(void *argument, void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, NULL, 0),
        OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, NULL),
        OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, NULL),
        OSSL_PARAM_END,
    };
    (void)argument;
    (void)context;
    return known;
}

static int get_parameters(void *argument, OSSL_PARAM parameters[])
{
    const struct decryption *decryption = argument;
    OSSL_PARAM *padding = OSSL_PARAM_locate(parameters, OSSL_ASYM_CIPHER_PARAM_PAD_MODE);
    OSSL_PARAM *label = OSSL_PARAM_locate(parameters, OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL);
    const EVP_MD *mask = decryption->mask == NULL ? decryption->hash : decryption->mask;
    return (padding == NULL || padding_answer(padding, decryption->padding)) &&
           (label == NULL ||
            OSSL_PARAM_set_octet_ptr(label, decryption->label, decryption->label_length)) &&
           hash_answer(OSSL_PARAM_locate(parameters, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST),
                       decryption->hash) &&
           hash_answer(OSSL_PARAM_locate(parameters, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST), mask);
}

static const OSSL_PARAM *gettable(void *argument, void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, OSSL_PARAM_OCTET_PTR, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)argument;
    (void)context;
    return known;
}

static int decrypt_begin(void *argument, void *key, const OSSL_PARAM parameters[])
{
    struct decryption *decryption = argument;
    EVP_PKEY_CTX_free(decryption->encryption);
    decryption->encryption = NULL;
    if (key != NULL) {
        key_free(decryption->key);
        decryption->key = key_reference(key);
    }
    return set_parameters(decryption, parameters);
}

static int decrypt_oaep(struct decryption *decryption, const unsigned char *in, size_t in_length,
                        unsigned char *out, size_t *written)
{
    const struct provider *provider = decryption->provider;
    const struct hash_numbers sha1 = {CKM_SHA_1, CKG_MGF1_SHA1}, *hash = &sha1, *mask;
    if (decryption->hash != NULL) hash = hash_numbers(provider, decryption->hash);
    mask = decryption->mask == NULL ? hash : hash_numbers(provider, decryption->mask);
    if (hash == NULL || mask == NULL) return 0;
    CK_RSA_PKCS_OAEP_PARAMS parameters = {hash->mechanism, mask->mask, CKZ_DATA_SPECIFIED,
                                          decryption->label, decryption->label_length};
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_OAEP, &parameters, sizeof parameters};
    const CK_RV result = token_operate(decryption->key, OPERATION_DECRYPT, &mechanism, in,
                                       in_length, out, written);
    return result == CKR_OK || fail_token(provider, "C_Decrypt", result);
}

/* Answers of modules to bad padding. Ours gives none: it rejects implicitly. */
static bool is_bad_padding(CK_RV result)
{
    switch (result) {
    case CKR_ENCRYPTED_DATA_INVALID:
    case CKR_ENCRYPTED_DATA_LEN_RANGE:
    case CKR_DATA_INVALID:
    case CKR_DATA_LEN_RANGE:
    case CKR_FUNCTION_FAILED:
    case CKR_GENERAL_ERROR: return true;
    default: return false;
    }
}

static int decrypt_premaster(struct decryption *decryption, const unsigned char *in,
                             size_t in_length, unsigned char *out, size_t *written)
{
    CK_MECHANISM mechanism = {CKM_RSA_PKCS, NULL, 0};
    unsigned char message[MODULUS_MAXIMUM] = {0}, random[PREMASTER];
    size_t length = sizeof message;
    if (decryption->version == 0)
        return fail(decryption->provider, REASON_PARAMETER, "TLS without its version");
    if (RAND_priv_bytes_ex(decryption->provider->library, random, sizeof random, 0) != 1)
        return fail(decryption->provider, REASON_PARAMETER, "TLS without random bytes");
    const CK_RV result = token_operate(decryption->key, OPERATION_DECRYPT, &mechanism, in,
                                       in_length, message, &length);
    const bool told = result == CKR_OK || is_bad_padding(result);
    if (told)
        choose_premaster(message, length, result == CKR_OK ? ~0u : 0, decryption->version,
                         decryption->negotiated, random, out);
    *written = PREMASTER;
    OPENSSL_cleanse(message, sizeof message);
    OPENSSL_cleanse(random, sizeof random);
    return told ? 1 : fail_token(decryption->provider, "C_Decrypt", result);
}

static int decrypt(void *argument, unsigned char *out, size_t *written, size_t size,
                   const unsigned char *in, size_t in_length)
{
    struct decryption *decryption = argument;
    const bool premaster = decryption->padding == RSA_PKCS1_WITH_TLS_PADDING;
    if (decryption->key == NULL)
        return fail(decryption->provider, REASON_PARAMETER, "without a key");
    const size_t needed = premaster ? PREMASTER : decryption->key->modulus_length;
    CK_MECHANISM mechanism = {
        decryption->padding == RSA_NO_PADDING ? CKM_RSA_X_509 : CKM_RSA_PKCS, NULL, 0};
    *written = needed;
    if (out == NULL) return 1;
    if (size < needed)
        return fail(decryption->provider, REASON_LENGTH, "needed are %zu bytes", needed);
    if (premaster) return decrypt_premaster(decryption, in, in_length, out, written);
    if (decryption->padding == RSA_PKCS1_OAEP_PADDING)
        return decrypt_oaep(decryption, in, in_length, out, written);
    const CK_RV result =
        token_operate(decryption->key, OPERATION_DECRYPT, &mechanism, in, in_length, out, written);
    return result == CKR_OK || fail_token(decryption->provider, "C_Decrypt", result);
}

static int encrypt_begin(void *argument, void *key, const OSSL_PARAM parameters[])
{
    struct decryption *decryption = argument;
    if (!decrypt_begin(decryption, key, NULL)) return 0;
    EVP_PKEY *public_key = decryption->key == NULL ? NULL : key_public(decryption->key);
    if (public_key == NULL) return 0;
    decryption->encryption =
        EVP_PKEY_CTX_new_from_pkey(decryption->provider->library, public_key, NULL);
    EVP_PKEY_free(public_key);
    return decryption->encryption != NULL && EVP_PKEY_encrypt_init(decryption->encryption) == 1 &&
           set_parameters(decryption, parameters);
}

static int encrypt(void *argument, unsigned char *out, size_t *written, size_t size,
                   const unsigned char *in, size_t in_length)
{
    const struct decryption *decryption = argument;
    *written = size;
    return EVP_PKEY_encrypt(decryption->encryption, out, written, in, in_length) == 1;
}

const OSSL_DISPATCH cipher_functions[] = {
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_NEWCTX, new_context),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_FREECTX, free_context),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_DUPCTX, copy_context),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, decrypt_begin),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_DECRYPT, decrypt),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, encrypt_begin),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_ENCRYPT, encrypt),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, get_parameters),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS, gettable),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, set_parameters),
    FUNCTION(OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, settable),
    {0, NULL},
};
