/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key pairs that a token generates, and that stay in it.
 *
 * OpenSSL's parameters: the bits and the public exponent of RSA, and pkcs11_uri, which names the
 * token, the label (object=) and the ID of the keys.
 */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_mutex_t */
#include "token.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

enum { GIVEN_ID = 8 };

/* What is generated, and the key then. */
struct generation {
    struct provider *provider;
    CK_ULONG bits;
    size_t exponent_length;
    unsigned char exponent[EXPONENT_MAXIMUM];
    char *text; /* of the URI; NULL: any token */
    P11KitUri *uri;
    struct key *made;
};

/* A URI may hold a PIN. */
static void text_free(char *text)
{
    if (text != NULL) OPENSSL_cleanse(text, strlen(text));
    free(text);
}

int generate_set(void *argument, const OSSL_PARAM parameters[])
{
    struct generation *generation = argument;
    const OSSL_PARAM *bits = OSSL_PARAM_locate_const(parameters, OSSL_PKEY_PARAM_RSA_BITS);
    const OSSL_PARAM *exponent = OSSL_PARAM_locate_const(parameters, OSSL_PKEY_PARAM_RSA_E);
    const OSSL_PARAM *uri = OSSL_PARAM_locate_const(parameters, "pkcs11_uri");
    BIGNUM *number = NULL;
    if (bits != NULL && !OSSL_PARAM_get_ulong(bits, &generation->bits)) return 0;
    if (exponent != NULL) {
        if (!OSSL_PARAM_get_BN(exponent, &number)) return 0;
        const size_t length = (size_t)BN_num_bytes(number);
        const bool fits = length <= sizeof generation->exponent;
        if (fits) generation->exponent_length = (size_t)BN_bn2bin(number, generation->exponent);
        BN_free(number);
        if (!fits)
            return fail(generation->provider, REASON_PARAMETER, "an exponent of %zu bytes", length);
    }
    if (uri == NULL) return 1;
    text_free(generation->text);
    generation->text =
        uri->data_type == OSSL_PARAM_UTF8_STRING ? strndup(uri->data, uri->data_size) : NULL;
    return generation->text != NULL;
}

void generate_end(void *argument)
{
    struct generation *generation = argument;
    text_free(generation->text);
    free(generation);
}

void *generate_start(void *context, int selection, const OSSL_PARAM parameters[])
{
    static const unsigned char exponent[] = {1, 0, 1}; /* 65537 */
    struct generation *generation = calloc(1, sizeof *generation);
    (void)selection;
    if (generation == NULL) return NULL;
    generation->provider = context;
    generation->bits = 2048;
    generation->exponent_length = sizeof exponent;
    memcpy(generation->exponent, exponent, sizeof exponent);
    if (generate_set(generation, parameters)) return generation;
    generate_end(generation);
    return NULL;
}

const OSSL_PARAM *generate_settable(void *argument, void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_ulong(OSSL_PKEY_PARAM_RSA_BITS, NULL),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
        OSSL_PARAM_utf8_string("pkcs11_uri", NULL, 0),
        OSSL_PARAM_END,
    };
    (void)argument;
    (void)context;
    return known;
}

/* An attribute that the URI names, or another one. */
static CK_ATTRIBUTE named(P11KitUri *uri, CK_ATTRIBUTE_TYPE type, void *value, CK_ULONG length)
{
    const CK_ATTRIBUTE *given = p11_kit_uri_get_attribute(uri, type);
    const CK_ATTRIBUTE otherwise = {type, value, length};
    return given == NULL ? otherwise : *given;
}

/* Generates in the first token that the URI names: no other one is asked. */
static bool generate_in(struct session *session, void *argument)
{
    struct generation *generation = argument;
    struct provider *provider = generation->provider;
    CK_BBOOL yes = CK_TRUE;
    unsigned char number[GIVEN_ID];
    char name[] = "generated";
    CK_OBJECT_HANDLE public_key = 0, private_key = 0;
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    if (!log_in(provider, session, generation->uri, NULL) ||
        RAND_bytes_ex(provider->library, number, sizeof number, 0) != 1)
        return true;
    const CK_ATTRIBUTE id = named(generation->uri, CKA_ID, number, sizeof number);
    const CK_ATTRIBUTE label = named(generation->uri, CKA_LABEL, name, sizeof name - 1);
    const CK_ATTRIBUTE token = {CKA_TOKEN, &yes, sizeof yes};
    CK_ATTRIBUTE of_public[] = {
        token,
        id,
        label,
        {CKA_ENCRYPT, &yes, sizeof yes},
        {CKA_VERIFY, &yes, sizeof yes},
        {CKA_MODULUS_BITS, &generation->bits, sizeof generation->bits},
        {CKA_PUBLIC_EXPONENT, generation->exponent, generation->exponent_length}};
    CK_ATTRIBUTE of_private[] = {token,
                                 id,
                                 label,
                                 {CKA_PRIVATE, &yes, sizeof yes},
                                 {CKA_SENSITIVE, &yes, sizeof yes},
                                 {CKA_SIGN, &yes, sizeof yes},
                                 {CKA_DECRYPT, &yes, sizeof yes}};
    const CK_RV result = provider->functions->C_GenerateKeyPair(
        session->handle, &mechanism, of_public, sizeof of_public / sizeof *of_public, of_private,
        sizeof of_private / sizeof *of_private, &public_key, &private_key);
    if (result == CKR_OK)
        generation->made = object_read(session, provider, generation->text, private_key);
    else
        (void)fail_token(provider, "C_GenerateKeyPair", result);
    return true;
}

void *generate(void *argument, OSSL_CALLBACK *progress, void *progress_argument)
{
    struct generation *generation = argument;
    struct provider *provider = generation->provider;
    (void)progress;
    (void)progress_argument;
    if (generation->text == NULL) generation->text = strdup("pkcs11:");
    if (generation->text == NULL) return NULL;
    generation->uri = uri_parse(provider, generation->text);
    if (generation->uri == NULL) return NULL;
    generation->made = NULL;
    lock(provider);
    (void)for_each_token(provider, generation->uri, generate_in, generation);
    unlock(provider);
    p11_kit_uri_free(generation->uri);
    return generation->made;
}
