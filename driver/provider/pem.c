/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PEM files that hold the URI of a key: programs that take only a file use a key of a token so.
 *
 * -----BEGIN PKCS#11 PROVIDER URI-----: a DER sequence of VisibleString "PKCS#11 Provider URI v1.0"
 * and UTF8String, the URI. The format is that of pkcs11-provider (docs/pem_key.md there), so that
 * a file serves both providers.
 */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_mutex_t */
#include "provider.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

static const char pem_name[] = "PKCS#11 PROVIDER URI";
static const char structure[] = "pk11-uri";
static const char description[] = "PKCS#11 Provider URI v1.0";

enum { URI_MAXIMUM = 4096 };

/* Decoders need no state but the provider. */
static void *new_context(void *provider)
{
    return provider;
}

static void free_context(void *provider)
{
    (void)provider;
}

/* Of a decoder, 1: not for me, let others look; also an error is told by no object only. */
static int decode_pem(void *argument, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *call,
                      void *call_argument, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument)
{
    const struct provider *provider = argument;
    char *name = NULL, *header = NULL;
    unsigned char *der = NULL;
    long length = 0;
    int answer = 1;
    (void)selection;
    (void)ask;
    (void)ask_argument;
    BIO *bio = BIO_new_from_core_bio(provider->library, in);
    if (bio == NULL) return 0;
    ERR_set_mark(); /* A file of another kind is not an error. */
    if (PEM_read_bio(bio, &name, &header, &der, &length) == 1 && strcmp(name, pem_name) == 0) {
        OSSL_PARAM parameters[] = {
            OSSL_PARAM_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, "RSA", 3),
            OSSL_PARAM_utf8_string(OSSL_OBJECT_PARAM_DATA_STRUCTURE, (char *)structure,
                                   sizeof structure - 1),
            OSSL_PARAM_octet_string(OSSL_OBJECT_PARAM_DATA, der, (size_t)length),
            OSSL_PARAM_END,
        };
        ERR_clear_last_mark();
        answer = call(parameters, call_argument);
    } else {
        (void)ERR_pop_to_mark();
    }
    OPENSSL_free(name);
    OPENSSL_free(header);
    if (der != NULL) OPENSSL_clear_free(der, (size_t)length); /* a PIN, or a key of another kind */
    BIO_free(bio);
    return answer;
}

/* Reads one value of a type; NULL if it is another one. `der` moves behind it. */
static const unsigned char *value_of(const unsigned char **der, const unsigned char *end,
                                     int wanted, long *length)
{
    int tag = 0, class = 0;
    const int result = ASN1_get_object(der, length, &tag, &class, end - *der);
    if ((result & 0x80) != 0 || tag != wanted || class != V_ASN1_UNIVERSAL) return NULL;
    const unsigned char *value = *der;
    *der += *length;
    return value;
}

/* The URI of a DER structure, to be freed by free(); NULL: it is another structure. */
static char *uri_of(const unsigned char *der, size_t size)
{
    const unsigned char *end = der + size;
    long length = 0;
    const unsigned char *inner = value_of(&der, end, V_ASN1_SEQUENCE, &length);
    if (inner == NULL || inner + length != end) return NULL;
    const unsigned char *text = value_of(&inner, end, V_ASN1_VISIBLESTRING, &length);
    if (text == NULL || length != (long)sizeof description - 1 ||
        memcmp(text, description, sizeof description - 1) != 0)
        return NULL;
    text = value_of(&inner, end, V_ASN1_UTF8STRING, &length);
    if (text == NULL || inner != end || memchr(text, '\0', (size_t)length) != NULL) return NULL;
    return strndup((const char *)text, (size_t)length);
}

static char *read_uri(const struct provider *provider, OSSL_CORE_BIO *in)
{
    unsigned char der[URI_MAXIMUM];
    size_t length = 0, part = 0;
    BIO *bio = BIO_new_from_core_bio(provider->library, in);
    if (bio == NULL) return NULL;
    while (length < sizeof der && BIO_read_ex(bio, der + length, sizeof der - length, &part) == 1)
        length += part;
    BIO_free(bio);
    char *uri = length < sizeof der ? uri_of(der, length) : NULL;
    OPENSSL_cleanse(der, sizeof der);
    return uri;
}

static int decode_uri(void *argument, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *call,
                      void *call_argument, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument)
{
    struct provider *provider = argument;
    const struct asker asker = {ask, ask_argument};
    struct key *found[2] = {NULL, NULL}; /* of two, neither is taken */
    int answer = 0;
    (void)selection;
    ERR_set_mark();
    char *uri = read_uri(provider, in);
    (void)ERR_pop_to_mark();
    if (uri == NULL) return 1;
    const int count = token_find(provider, uri, CKO_PRIVATE_KEY, &asker, found, 2);
    OPENSSL_cleanse(uri, strlen(uri));
    free(uri);
    if (count == -1) (void)fail(provider, REASON_NOT_FOUND, "an object of this URI");
    if (count == 2) (void)fail(provider, REASON_NOT_FOUND, "one object of this URI: there are more");
    if (count == 1)
        answer = found[0]->class == CKO_CERTIFICATE ? 1
                                                    : key_give(found[0], call, call_argument);
    key_free(found[0]);
    key_free(found[1]);
    return answer;
}

/* The DER structure of a URI; its length, 0 without memory. To be freed by free(). */
static int structure_of(const char *uri, unsigned char **der)
{
    const int text = (int)strlen(uri), words = (int)sizeof description - 1;
    const int inner = ASN1_object_size(0, words, V_ASN1_VISIBLESTRING) +
                      ASN1_object_size(0, text, V_ASN1_UTF8STRING);
    const int whole = ASN1_object_size(1, inner, V_ASN1_SEQUENCE);
    unsigned char *at = *der = whole > 0 ? malloc((size_t)whole) : NULL;
    if (at == NULL) return 0;
    ASN1_put_object(&at, 1, inner, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
    ASN1_put_object(&at, 0, words, V_ASN1_VISIBLESTRING, V_ASN1_UNIVERSAL);
    memcpy(at, description, (size_t)words);
    at += words;
    ASN1_put_object(&at, 0, text, V_ASN1_UTF8STRING, V_ASN1_UNIVERSAL);
    memcpy(at, uri, (size_t)text);
    return whole;
}

/* Whether an encoder is given a private key of ours. */
static bool encodes_this(const struct key *key, const OSSL_PARAM abstract[], int selection)
{
    return key != NULL && abstract == NULL && key->class == CKO_PRIVATE_KEY &&
           (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

static int encode_pem(void *argument, OSSL_CORE_BIO *out, const void *key,
                      const OSSL_PARAM abstract[], int selection, OSSL_PASSPHRASE_CALLBACK *ask,
                      void *ask_argument)
{
    const struct provider *provider = argument;
    unsigned char *der = NULL;
    (void)ask;
    (void)ask_argument;
    if (!encodes_this(key, abstract, selection)) return 0;
    char *uri = key_uri(key);
    BIO *bio = BIO_new_from_core_bio(provider->library, out);
    const int length = uri == NULL ? 0 : structure_of(uri, &der);
    const int done = bio != NULL && length > 0 && PEM_write_bio(bio, pem_name, "", der, length) > 0;
    BIO_free(bio);
    free(der);
    free(uri);
    return done;
}

static int encode_text(void *argument, OSSL_CORE_BIO *out, const void *key,
                       const OSSL_PARAM abstract[], int selection, OSSL_PASSPHRASE_CALLBACK *ask,
                       void *ask_argument)
{
    const struct provider *provider = argument;
    (void)ask;
    (void)ask_argument;
    if (!encodes_this(key, abstract, selection)) return 0;
    char *uri = key_uri(key);
    BIO *bio = BIO_new_from_core_bio(provider->library, out);
    const int done = bio != NULL && uri != NULL &&
                     BIO_printf(bio, "RSA private key of a token: (%d bit)\n%s\n", key_bits(key),
                                uri) > 0;
    BIO_free(bio);
    free(uri);
    return done;
}

static int encodes(void *context, int selection)
{
    (void)context;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

const OSSL_DISPATCH pem_decoder_functions[] = {
    FUNCTION(OSSL_FUNC_DECODER_NEWCTX, new_context),
    FUNCTION(OSSL_FUNC_DECODER_FREECTX, free_context),
    FUNCTION(OSSL_FUNC_DECODER_DECODE, decode_pem),
    {0, NULL},
};

const OSSL_DISPATCH uri_decoder_functions[] = {
    FUNCTION(OSSL_FUNC_DECODER_NEWCTX, new_context),
    FUNCTION(OSSL_FUNC_DECODER_FREECTX, free_context),
    FUNCTION(OSSL_FUNC_DECODER_DECODE, decode_uri),
    FUNCTION(OSSL_FUNC_DECODER_EXPORT_OBJECT, key_export_reference),
    {0, NULL},
};

const OSSL_DISPATCH pem_encoder_functions[] = {
    FUNCTION(OSSL_FUNC_ENCODER_NEWCTX, new_context),
    FUNCTION(OSSL_FUNC_ENCODER_FREECTX, free_context),
    FUNCTION(OSSL_FUNC_ENCODER_DOES_SELECTION, encodes),
    FUNCTION(OSSL_FUNC_ENCODER_ENCODE, encode_pem),
    {0, NULL},
};

const OSSL_DISPATCH text_encoder_functions[] = {
    FUNCTION(OSSL_FUNC_ENCODER_NEWCTX, new_context),
    FUNCTION(OSSL_FUNC_ENCODER_FREECTX, free_context),
    FUNCTION(OSSL_FUNC_ENCODER_DOES_SELECTION, encodes),
    FUNCTION(OSSL_FUNC_ENCODER_ENCODE, encode_text),
    {0, NULL},
};
