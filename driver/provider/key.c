/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys for OpenSSL's EVP_PKEY: references to objects of a token. Their public part can be exported
 * to other providers, nothing else. Keys of files are not imported: they stay with OpenSSL.
 */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_mutex_t */
#include "provider.h"

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

struct key *key_new(struct provider *provider)
{
    struct key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        (void)fail(provider, REASON_MEMORY, "a key");
        return NULL;
    }
    key->provider = provider;
    key->references = 1;
    return key;
}

struct key *key_reference(struct key *key)
{
    (void)__atomic_add_fetch(&key->references, 1, __ATOMIC_RELAXED);
    return key;
}

void key_free(void *argument)
{
    struct key *key = argument;
    if (key == NULL || __atomic_sub_fetch(&key->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (key->uri != NULL) OPENSSL_cleanse(key->uri, strlen(key->uri));
    free(key->uri);
    free(key->certificate);
    free(key);
}

/* Takes over the reference that a store or a decoder gave. */
static void *load(const void *reference, size_t size)
{
    struct key *key = NULL;
    if (reference == NULL || size != sizeof key) return NULL;
    memcpy(&key, reference, sizeof key);
    return key_reference(key);
}

static int has(const void *argument, int selection)
{
    const struct key *key = argument;
    if (key == NULL) return 0;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->class == CKO_PRIVATE_KEY;
}

static int match(const void *first, const void *second, int selection)
{
    const struct key *a = first, *b = second;
    (void)selection; /* The public part tells RSA keys apart. */
    return a->modulus_length == b->modulus_length && a->exponent_length == b->exponent_length &&
           memcmp(a->modulus, b->modulus, a->modulus_length) == 0 &&
           memcmp(a->exponent, b->exponent, a->exponent_length) == 0;
}

/* The public part as parameters, to be freed by OSSL_PARAM_free; NULL: no memory. */
static OSSL_PARAM *public_parameters(const struct key *key)
{
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *modulus = BN_bin2bn(key->modulus, (int)key->modulus_length, NULL);
    BIGNUM *exponent = BN_bin2bn(key->exponent, (int)key->exponent_length, NULL);
    if (builder != NULL && modulus != NULL && exponent != NULL &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1)
        parameters = OSSL_PARAM_BLD_to_param(builder);
    BN_free(modulus);
    BN_free(exponent);
    OSSL_PARAM_BLD_free(builder);
    return parameters;
}

EVP_PKEY *key_public(const struct key *key)
{
    EVP_PKEY *made = NULL;
    OSSL_PARAM *parameters = public_parameters(key);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(key->provider->library, "RSA", NULL);
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &made, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        (void)fail(key->provider, REASON_MEMORY, "a public key");
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return made;
}

static int export(void *argument, int selection, OSSL_CALLBACK *call, void *call_argument)
{
    const struct key *key = argument;
    /* OpenSSL asks for all first, and then leaves private operations to us. */
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->class == CKO_PRIVATE_KEY)
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) == 0) return 0;
    OSSL_PARAM *parameters = public_parameters(key);
    if (parameters == NULL) return fail(key->provider, REASON_MEMORY, "a public key");
    const int done = call(parameters, call_argument);
    OSSL_PARAM_free(parameters);
    return done;
}

static const OSSL_PARAM *export_types(int selection)
{
    static const OSSL_PARAM types[] = {OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
                                       OSSL_PARAM_END};
    return (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 ? types : NULL;
}

static const OSSL_PARAM *gettable(void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context;
    return known;
}

static int set_number(OSSL_PARAM *asked, const unsigned char *bytes, size_t length)
{
    if (asked == NULL) return 1;
    BIGNUM *number = BN_bin2bn(bytes, (int)length, NULL);
    const int done = number != NULL && OSSL_PARAM_set_BN(asked, number);
    BN_free(number);
    return done;
}

static int set_int(OSSL_PARAM *asked, int value)
{
    return asked == NULL || OSSL_PARAM_set_int(asked, value);
}

int key_bits(const struct key *key)
{
    int bits = (int)key->modulus_length * CHAR_BIT;
    for (unsigned top = key->modulus[0]; top < 0x80; top <<= 1) bits--;
    return bits;
}

static int get_parameters(void *argument, OSSL_PARAM parameters[])
{
    const struct key *key = argument;
    if (key->modulus_length == 0) return 0;
    const int bits = key_bits(key);
    OSSL_PARAM *digest = OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_DEFAULT_DIGEST);
    return set_int(OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_BITS), bits) &&
           set_int(OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_SECURITY_BITS),
                   BN_security_bits(bits, -1)) &&
           set_int(OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_MAX_SIZE),
                   (int)key->modulus_length) &&
           (digest == NULL || OSSL_PARAM_set_utf8_string(digest, "SHA256")) &&
           set_number(OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_RSA_N), key->modulus,
                      key->modulus_length) &&
           set_number(OSSL_PARAM_locate(parameters, OSSL_PKEY_PARAM_RSA_E), key->exponent,
                      key->exponent_length);
}

static const char *operation_name(int operation)
{
    (void)operation;
    return "RSA";
}

static void *duplicate(const void *key, int selection)
{
    (void)selection;
    return key_reference((struct key *)key);
}

int key_export_reference(void *context, const void *reference, size_t size, OSSL_CALLBACK *call,
                         void *call_argument)
{
    (void)context;
    struct key *key = load(reference, size);
    if (key == NULL) return 0;
    const int done = export(key, OSSL_KEYMGMT_SELECT_ALL, call, call_argument);
    key_free(key);
    return done;
}

int key_give(struct key *key, OSSL_CALLBACK *call, void *argument)
{
    int type = OSSL_OBJECT_PKEY;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, "RSA", 3),
        OSSL_PARAM_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof key),
        OSSL_PARAM_END,
    };
    return call(parameters, argument);
}

char *key_uri(const struct key *key)
{
    char *text = NULL, *copy = NULL;
    if (key->id_length == 0 && key->label_length == 0) return NULL; /* no URI is of it alone */
    P11KitUri *uri = p11_kit_uri_new();
    if (uri == NULL) return NULL;
    CK_OBJECT_CLASS class = key->class;
    CK_ATTRIBUTE attributes[] = {{CKA_CLASS, &class, sizeof class},
                                 {CKA_ID, (void *)key->id, key->id_length},
                                 {CKA_LABEL, (void *)key->label, key->label_length}};
    CK_TOKEN_INFO *token = p11_kit_uri_get_token_info(uri);
    memcpy(token->label, key->token.label, sizeof token->label);
    memcpy(token->serialNumber, key->token.serialNumber, sizeof token->serialNumber);
    bool done = true;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        done = done && (attributes[i].ulValueLen == 0 ||
                        p11_kit_uri_set_attribute(uri, &attributes[i]) == P11_KIT_URI_OK);
    if (done && p11_kit_uri_format(uri, P11_KIT_URI_FOR_ANY, &text) == P11_KIT_URI_OK)
        copy = strdup(text);
    free(text);
    p11_kit_uri_free(uri);
    return copy;
}

const OSSL_DISPATCH key_functions[] = {
    FUNCTION(OSSL_FUNC_KEYMGMT_LOAD, load),
    FUNCTION(OSSL_FUNC_KEYMGMT_FREE, key_free),
    FUNCTION(OSSL_FUNC_KEYMGMT_HAS, has),
    FUNCTION(OSSL_FUNC_KEYMGMT_MATCH, match),
    FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT, export),
    FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, export_types),
    FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable),
    FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_parameters),
    FUNCTION(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, operation_name),
    FUNCTION(OSSL_FUNC_KEYMGMT_DUP, duplicate),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN_INIT, generate_start),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, generate_set),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, generate_settable),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN, generate),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, generate_end),
    {0, NULL},
};
