/* SPDX-License-Identifier: Apache-2.0 */
/* The state and the parameters of a signature or a verification. */
#include "signature.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *signing_new(void *provider, const char *properties)
{
    struct signing *made = calloc(1, sizeof *made);
    (void)properties;
    if (made == NULL) return NULL;
    made->provider = provider;
    made->padding = RSA_PKCS1_PADDING;
    made->salt = RSA_PSS_SALTLEN_AUTO;
    return made;
}

void signing_forget(struct signing *signing)
{
    if (signing->message == NULL) EVP_PKEY_CTX_free(signing->checker);
    EVP_MD_CTX_free(signing->message);
    signing->message = NULL;
    signing->checker = NULL;
}

void signing_free(void *argument)
{
    struct signing *signing = argument;
    if (signing == NULL) return;
    signing_forget(signing);
    EVP_MD_free(signing->hash);
    EVP_MD_free(signing->mask);
    key_free(signing->key);
    free(signing);
}

static bool copy_message(struct signing *copy, const struct signing *original)
{
    if (original->message != NULL) {
        copy->message = EVP_MD_CTX_new();
        if (copy->message == NULL || EVP_MD_CTX_copy_ex(copy->message, original->message) != 1)
            return false;
        if (original->checker != NULL) copy->checker = EVP_MD_CTX_get_pkey_ctx(copy->message);
    } else if (original->checker != NULL) {
        copy->checker = EVP_PKEY_CTX_dup(original->checker);
        return copy->checker != NULL;
    }
    return true;
}

void *signing_copy(void *argument)
{
    const struct signing *original = argument;
    struct signing *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = *original;
    copy->message = NULL;
    copy->checker = NULL;
    if (copy->key != NULL) (void)key_reference(copy->key);
    if (copy->hash != NULL) (void)EVP_MD_up_ref(copy->hash);
    if (copy->mask != NULL) (void)EVP_MD_up_ref(copy->mask);
    if (copy_message(copy, original)) return copy;
    signing_free(copy);
    return NULL;
}

static int set_salt(struct signing *signing, const OSSL_PARAM *parameter)
{
    static const struct {
        const char *word;
        int salt;
    } words[] = {{OSSL_PKEY_RSA_PSS_SALT_LEN_DIGEST, RSA_PSS_SALTLEN_DIGEST},
                 {OSSL_PKEY_RSA_PSS_SALT_LEN_MAX, RSA_PSS_SALTLEN_MAX},
                 {OSSL_PKEY_RSA_PSS_SALT_LEN_AUTO, RSA_PSS_SALTLEN_AUTO}};
    const char *text = NULL;
    if (parameter->data_type == OSSL_PARAM_INTEGER)
        return OSSL_PARAM_get_int(parameter, &signing->salt);
    if (!OSSL_PARAM_get_utf8_string_ptr(parameter, &text)) return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i].word) == 0) {
            signing->salt = words[i].salt;
            return 1;
        }
    char *end = NULL;
    const long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < RSA_PSS_SALTLEN_MAX || number > MODULUS_MAXIMUM)
        return fail(signing->provider, REASON_PARAMETER, "salt length %s", text);
    signing->salt = (int)number;
    return 1;
}

int signing_set(void *argument, const OSSL_PARAM parameters[])
{
    struct signing *signing = argument;
    if (parameters == NULL) return 1;
    const OSSL_PARAM *padding = OSSL_PARAM_locate_const(parameters, OSSL_SIGNATURE_PARAM_PAD_MODE);
    const OSSL_PARAM *salt = OSSL_PARAM_locate_const(parameters, OSSL_SIGNATURE_PARAM_PSS_SALTLEN);
    if (padding != NULL) {
        const int chosen = padding_of(signing->provider, padding);
        if (chosen == 0) return 0;
        if (chosen == RSA_PKCS1_OAEP_PADDING || chosen == RSA_PKCS1_WITH_TLS_PADDING)
            return fail(signing->provider, REASON_PARAMETER, "signatures with padding %d", chosen);
        signing->padding = chosen;
    }
    if (salt != NULL && !set_salt(signing, salt)) return 0;
    if (!hash_set(signing->provider, &signing->hash,
                  OSSL_PARAM_locate_const(parameters, OSSL_SIGNATURE_PARAM_DIGEST)) ||
        !hash_set(signing->provider, &signing->mask,
                  OSSL_PARAM_locate_const(parameters, OSSL_SIGNATURE_PARAM_MGF1_DIGEST)))
        return 0;
    return signing->checker == NULL || EVP_PKEY_CTX_set_params(signing->checker, parameters) == 1;
}

const OSSL_PARAM *signing_settable(void *argument, void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)argument;
    (void)context;
    return known;
}

int signing_salt(const struct signing *signing)
{
    const int digest = EVP_MD_get_size(signing->hash);
    const int longest = (key_bits(signing->key) - 1 + 7) / 8 - digest - 2;
    if (signing->salt == RSA_PSS_SALTLEN_DIGEST) return digest;
    return signing->salt < 0 ? longest : signing->salt;
}

/* With NULL for its parameters, as most software reads and writes it (RFC 4055, 2.1). */
static int set_digest(X509_ALGOR *identifier, const EVP_MD *hash)
{
    return X509_ALGOR_set0(identifier, OBJ_nid2obj(EVP_MD_get_type(hash)), V_ASN1_NULL, NULL);
}

/* Leaves out what DER leaves out: SHA-1, MGF1 with SHA-1, a salt of 20 bytes. Always true. */
static bool without_defaults(RSA_PSS_PARAMS *pss, const EVP_MD *hash, const EVP_MD *mask)
{
    if (EVP_MD_get_type(hash) == NID_sha1) {
        X509_ALGOR_free(pss->hashAlgorithm);
        pss->hashAlgorithm = NULL;
    }
    if (EVP_MD_get_type(mask) == NID_sha1) {
        X509_ALGOR_free(pss->maskGenAlgorithm);
        pss->maskGenAlgorithm = NULL;
    }
    if (ASN1_INTEGER_get(pss->saltLength) == 20) {
        ASN1_INTEGER_free(pss->saltLength);
        pss->saltLength = NULL;
    }
    return true;
}

/* The AlgorithmIdentifier of PSS (RFC 8017, A.2.3). */
static X509_ALGOR *pss_identifier(const struct signing *signing)
{
    const EVP_MD *mask = signing->mask == NULL ? signing->hash : signing->mask;
    X509_ALGOR *whole = X509_ALGOR_new(), *inner = X509_ALGOR_new();
    RSA_PSS_PARAMS *pss = RSA_PSS_PARAMS_new();
    ASN1_STRING *packed = NULL, *packed_mask = NULL;
    bool done = false;
    if (whole != NULL && inner != NULL && pss != NULL &&
        (pss->hashAlgorithm = X509_ALGOR_new()) != NULL &&
        (pss->maskGenAlgorithm = X509_ALGOR_new()) != NULL &&
        (pss->saltLength = ASN1_INTEGER_new()) != NULL) {
        packed_mask = set_digest(inner, mask) && set_digest(pss->hashAlgorithm, signing->hash)
                          ? ASN1_item_pack(inner, ASN1_ITEM_rptr(X509_ALGOR), NULL)
                          : NULL;
        done = packed_mask != NULL &&
               X509_ALGOR_set0(pss->maskGenAlgorithm, OBJ_nid2obj(NID_mgf1), V_ASN1_SEQUENCE,
                               packed_mask) == 1 &&
               ASN1_INTEGER_set(pss->saltLength, signing_salt(signing)) == 1 &&
               without_defaults(pss, signing->hash, mask) &&
               (packed = ASN1_item_pack(pss, ASN1_ITEM_rptr(RSA_PSS_PARAMS), NULL)) != NULL &&
               X509_ALGOR_set0(whole, OBJ_nid2obj(NID_rsassaPss), V_ASN1_SEQUENCE, packed) == 1;
    }
    RSA_PSS_PARAMS_free(pss);
    X509_ALGOR_free(inner);
    if (done) return whole;
    X509_ALGOR_free(whole);
    return NULL;
}

static X509_ALGOR *pkcs_identifier(const struct signing *signing)
{
    int number = NID_undef;
    if (OBJ_find_sigid_by_algs(&number, EVP_MD_get_type(signing->hash), NID_rsaEncryption) != 1)
        return NULL;
    X509_ALGOR *made = X509_ALGOR_new();
    if (made != NULL) (void)X509_ALGOR_set0(made, OBJ_nid2obj(number), V_ASN1_NULL, NULL);
    return made;
}

static int answer_identifier(const struct signing *signing, OSSL_PARAM *asked)
{
    unsigned char *der = NULL;
    if (signing->hash == NULL || signing->key == NULL) return 0;
    X509_ALGOR *made = signing->padding == RSA_PKCS1_PSS_PADDING ? pss_identifier(signing)
                       : signing->padding == RSA_PKCS1_PADDING   ? pkcs_identifier(signing)
                                                                 : NULL;
    const int length = made == NULL ? 0 : i2d_X509_ALGOR(made, &der);
    const int done = length > 0 && OSSL_PARAM_set_octet_string(asked, der, (size_t)length);
    X509_ALGOR_free(made);
    OPENSSL_free(der);
    return done;
}

static int answer_salt(const struct signing *signing, OSSL_PARAM *asked)
{
    char text[16];
    if (asked == NULL) return 1;
    if (asked->data_type == OSSL_PARAM_INTEGER) return OSSL_PARAM_set_int(asked, signing->salt);
    switch (signing->salt) {
    case RSA_PSS_SALTLEN_DIGEST:
        return OSSL_PARAM_set_utf8_string(asked, OSSL_PKEY_RSA_PSS_SALT_LEN_DIGEST);
    case RSA_PSS_SALTLEN_AUTO:
        return OSSL_PARAM_set_utf8_string(asked, OSSL_PKEY_RSA_PSS_SALT_LEN_AUTO);
    case RSA_PSS_SALTLEN_MAX:
        return OSSL_PARAM_set_utf8_string(asked, OSSL_PKEY_RSA_PSS_SALT_LEN_MAX);
    default:
        (void)snprintf(text, sizeof text, "%d", signing->salt);
        return OSSL_PARAM_set_utf8_string(asked, text);
    }
}

int signing_get(void *argument, OSSL_PARAM parameters[])
{
    const struct signing *signing = argument;
    OSSL_PARAM *identifier = OSSL_PARAM_locate(parameters, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
    OSSL_PARAM *padding = OSSL_PARAM_locate(parameters, OSSL_SIGNATURE_PARAM_PAD_MODE);
    const EVP_MD *mask = signing->mask == NULL ? signing->hash : signing->mask;
    return (identifier == NULL || answer_identifier(signing, identifier)) &&
           (padding == NULL || padding_answer(padding, signing->padding)) &&
           hash_answer(OSSL_PARAM_locate(parameters, OSSL_SIGNATURE_PARAM_DIGEST),
                       signing->hash) &&
           hash_answer(OSSL_PARAM_locate(parameters, OSSL_SIGNATURE_PARAM_MGF1_DIGEST), mask) &&
           answer_salt(signing, OSSL_PARAM_locate(parameters, OSSL_SIGNATURE_PARAM_PSS_SALTLEN));
}

const OSSL_PARAM *signing_gettable(void *argument, void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)argument;
    (void)context;
    return known;
}
