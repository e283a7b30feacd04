/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures. OpenSSL's default provider hashes the message, the token signs the hash. To verify
 * needs no token: all of it is passed to the default provider.
 */
#include "signature.h"

#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <string.h>

/* Takes a key, and a hash function by its name; either may be NULL: as before. */
static int begin(struct signing *signing, void *key, const char *hash,
                 const OSSL_PARAM parameters[])
{
    signing_forget(signing);
    if (key != NULL) {
        key_free(signing->key);
        signing->key = key_reference(key);
    }
    if (signing->key == NULL) return fail(signing->provider, REASON_PARAMETER, "without a key");
    if (hash != NULL && *hash != '\0') {
        EVP_MD *found = EVP_MD_fetch(signing->provider->library, hash, NULL);
        if (found == NULL)
            return fail(signing->provider, REASON_PARAMETER, "hash function %s", hash);
        EVP_MD_free(signing->hash);
        signing->hash = found;
    }
    return signing_set(signing, parameters);
}

static int sign_begin(void *argument, void *key, const OSSL_PARAM parameters[])
{
    return begin(argument, key, NULL, parameters);
}

static int sign_message_begin(void *argument, const char *hash, void *key,
                              const OSSL_PARAM parameters[])
{
    struct signing *signing = argument;
    if (!begin(signing, key, hash, parameters)) return 0;
    if (signing->hash == NULL)
        return fail(signing->provider, REASON_PARAMETER, "without a hash function");
    signing->message = EVP_MD_CTX_new();
    return signing->message != NULL &&
           EVP_DigestInit_ex2(signing->message, signing->hash, NULL) == 1;
}

/* DigestInfo (RFC 8017, 9.2); its length, 0 without memory. To be freed by OPENSSL_free. */
static size_t digest_info(const struct signing *signing, const unsigned char *digest,
                          size_t length, unsigned char **der)
{
    X509_ALGOR *identifier = NULL;
    ASN1_OCTET_STRING *text = NULL;
    X509_SIG *info = X509_SIG_new();
    int written = 0;
    if (info == NULL) return 0;
    X509_SIG_getm(info, &identifier, &text);
    if (X509_ALGOR_set0(identifier, OBJ_nid2obj(EVP_MD_get_type(signing->hash)), V_ASN1_NULL,
                        NULL) == 1 &&
        ASN1_OCTET_STRING_set(text, digest, (int)length) == 1)
        written = i2d_X509_SIG(info, der);
    X509_SIG_free(info);
    return written > 0 ? (size_t)written : 0;
}

static int told(const struct signing *signing, CK_RV result)
{
    return result == CKR_OK || fail_token(signing->provider, "C_Sign", result);
}

static int sign_pss(struct signing *signing, const unsigned char *digest, size_t length,
                    unsigned char *out, size_t *written)
{
    const EVP_MD *mask_hash = signing->mask == NULL ? signing->hash : signing->mask;
    if (signing->hash == NULL)
        return fail(signing->provider, REASON_PARAMETER, "PSS without a hash function");
    const struct hash_numbers *hash = hash_numbers(signing->provider, signing->hash);
    const struct hash_numbers *mask = hash_numbers(signing->provider, mask_hash);
    const int salt = signing_salt(signing);
    if (hash == NULL || mask == NULL) return 0;
    if (salt < 0) return fail(signing->provider, REASON_LENGTH, "the key is too short for PSS");
    CK_RSA_PKCS_PSS_PARAMS parameters = {hash->mechanism, mask->mask, (CK_ULONG)salt};
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_PSS, &parameters, sizeof parameters};
    return told(signing, token_operate(signing->key, OPERATION_SIGN, &mechanism, digest, length,
                                       out, written));
}

static int sign_pkcs(struct signing *signing, const unsigned char *digest, size_t length,
                     unsigned char *out, size_t *written)
{
    CK_MECHANISM mechanism = {CKM_RSA_PKCS, NULL, 0};
    unsigned char *info = NULL;
    /* TLS 1.0 and 1.1 sign two hashes without DigestInfo; the caller may have made his own. */
    const bool bare = signing->hash == NULL || EVP_MD_get_type(signing->hash) == NID_md5_sha1;
    const size_t info_length = bare ? 0 : digest_info(signing, digest, length, &info);
    if (!bare && info_length == 0) return fail(signing->provider, REASON_MEMORY, "DigestInfo");
    const CK_RV result = token_operate(signing->key, OPERATION_SIGN, &mechanism,
                                       bare ? digest : info, bare ? length : info_length, out,
                                       written);
    OPENSSL_free(info);
    return told(signing, result);
}

static int sign(void *argument, unsigned char *out, size_t *written, size_t size,
                const unsigned char *digest, size_t length)
{
    struct signing *signing = argument;
    CK_MECHANISM raw = {CKM_RSA_X_509, NULL, 0};
    const size_t needed = signing->key->modulus_length;
    *written = needed;
    if (out == NULL) return 1;
    if (size < needed)
        return fail(signing->provider, REASON_LENGTH, "a signature has %zu bytes", needed);
    if (signing->padding == RSA_NO_PADDING) {
        if (length != needed)
            return fail(signing->provider, REASON_LENGTH, "%zu bytes without a padding", length);
        return told(signing, token_operate(signing->key, OPERATION_SIGN, &raw, digest, length, out,
                                           written));
    }
    if (signing->hash != NULL && length != (size_t)EVP_MD_get_size(signing->hash))
        return fail(signing->provider, REASON_LENGTH, "a hash of %zu bytes", length);
    return signing->padding == RSA_PKCS1_PSS_PADDING
               ? sign_pss(signing, digest, length, out, written)
               : sign_pkcs(signing, digest, length, out, written);
}

static int sign_message_part(void *argument, const unsigned char *part, size_t length)
{
    const struct signing *signing = argument;
    return signing->message != NULL && EVP_DigestUpdate(signing->message, part, length) == 1;
}

static int sign_message(void *argument, unsigned char *out, size_t *written, size_t size)
{
    struct signing *signing = argument;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (out == NULL) return sign(signing, NULL, written, 0, NULL, 0);
    if (signing->message == NULL ||
        EVP_DigestFinal_ex(signing->message, digest, &length) != 1)
        return 0;
    return sign(signing, out, written, size, digest, length);
}

static int verify_begin(void *argument, void *key, const OSSL_PARAM parameters[])
{
    struct signing *signing = argument;
    if (!begin(signing, key, NULL, NULL)) return 0;
    EVP_PKEY *public_key = key_public(signing->key);
    if (public_key == NULL) return 0;
    signing->checker = EVP_PKEY_CTX_new_from_pkey(signing->provider->library, public_key, NULL);
    EVP_PKEY_free(public_key);
    return signing->checker != NULL && EVP_PKEY_verify_init(signing->checker) == 1 &&
           signing_set(signing, parameters);
}

static int verify(void *argument, const unsigned char *signature, size_t length,
                  const unsigned char *digest, size_t digest_length)
{
    const struct signing *signing = argument;
    return EVP_PKEY_verify(signing->checker, signature, length, digest, digest_length) == 1;
}

static int verify_message_begin(void *argument, const char *hash, void *key,
                                const OSSL_PARAM parameters[])
{
    struct signing *signing = argument;
    if (!begin(signing, key, hash, NULL)) return 0;
    EVP_PKEY *public_key = key_public(signing->key);
    if (public_key == NULL) return 0;
    signing->message = EVP_MD_CTX_new();
    const int done = signing->message != NULL &&
                     EVP_DigestVerifyInit_ex(signing->message, &signing->checker, hash,
                                             signing->provider->library, NULL, public_key,
                                             NULL) == 1;
    EVP_PKEY_free(public_key);
    if (!done) signing->checker = NULL;
    return done && signing_set(signing, parameters);
}

static int verify_message_part(void *argument, const unsigned char *part, size_t length)
{
    const struct signing *signing = argument;
    return signing->message != NULL && EVP_DigestVerifyUpdate(signing->message, part, length) == 1;
}

static int verify_message(void *argument, const unsigned char *signature, size_t length)
{
    const struct signing *signing = argument;
    return signing->message != NULL &&
           EVP_DigestVerifyFinal(signing->message, signature, length) == 1;
}

const OSSL_DISPATCH signature_functions[] = {
    FUNCTION(OSSL_FUNC_SIGNATURE_NEWCTX, signing_new),
    FUNCTION(OSSL_FUNC_SIGNATURE_FREECTX, signing_free),
    FUNCTION(OSSL_FUNC_SIGNATURE_DUPCTX, signing_copy),
    FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_INIT, sign_begin),
    FUNCTION(OSSL_FUNC_SIGNATURE_SIGN, sign),
    FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_INIT, verify_begin),
    FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY, verify),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, sign_message_begin),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, sign_message_part),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_message),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, verify_message_begin),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, verify_message_part),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, verify_message),
    FUNCTION(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, signing_get),
    FUNCTION(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, signing_gettable),
    FUNCTION(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, signing_set),
    FUNCTION(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, signing_settable),
    {0, NULL},
};
