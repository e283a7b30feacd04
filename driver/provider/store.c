/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSSL's store of the scheme pkcs11: the keys and certificates that a URI names. */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_mutex_t */
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/store.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 64 };

struct store {
    struct provider *provider;
    char *uri;
    CK_OBJECT_CLASS expected;
    bool searched;
    int count, next;
    struct key *found[OBJECTS];
};

static int close_store(void *argument)
{
    struct store *store = argument;
    for (int i = 0; i < store->count; i++) key_free(store->found[i]);
    OPENSSL_cleanse(store->uri, strlen(store->uri));
    free(store->uri);
    free(store);
    return 1;
}

static void *open_store(void *provider, const char *uri)
{
    struct store *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->provider = provider;
    made->expected = CKO_ANY;
    made->uri = strdup(uri);
    if (made->uri != NULL) return made;
    free(made);
    return NULL;
}

static int set_parameters(void *argument, const OSSL_PARAM parameters[])
{
    struct store *store = argument;
    int type = 0;
    const OSSL_PARAM *expected = OSSL_PARAM_locate_const(parameters, OSSL_STORE_PARAM_EXPECT);
    if (expected == NULL) return 1;
    if (!OSSL_PARAM_get_int(expected, &type)) return 0;
    switch (type) {
    case OSSL_STORE_INFO_PKEY: store->expected = CKO_PRIVATE_KEY; break;
    case OSSL_STORE_INFO_PUBKEY: store->expected = CKO_PUBLIC_KEY; break;
    case OSSL_STORE_INFO_CERT: store->expected = CKO_CERTIFICATE; break;
    default: store->expected = CKO_ANY; break;
    }
    return 1;
}

static const OSSL_PARAM *settable(void *context)
{
    static const OSSL_PARAM known[] = {OSSL_PARAM_int(OSSL_STORE_PARAM_EXPECT, NULL),
                                       OSSL_PARAM_END};
    (void)context;
    return known;
}

static int give_certificate(const struct key *key, OSSL_CALLBACK *call, void *argument)
{
    int type = OSSL_OBJECT_CERT;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_octet_string(OSSL_OBJECT_PARAM_DATA, key->certificate, key->certificate_length),
        OSSL_PARAM_END,
    };
    return call(parameters, argument);
}

static int load(void *argument, OSSL_CALLBACK *call, void *call_argument,
                OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument)
{
    struct store *store = argument;
    const struct asker asker = {ask, ask_argument};
    if (!store->searched) {
        const int count = token_find(store->provider, store->uri, store->expected, &asker,
                                     store->found, OBJECTS);
        store->searched = true;
        store->count = count > 0 ? count : 0;
        if (count == -1)
            return fail(store->provider, REASON_NOT_FOUND, "an object of this URI");
    }
    if (store->next >= store->count) return 0;
    struct key *key = store->found[store->next++];
    return key->class == CKO_CERTIFICATE ? give_certificate(key, call, call_argument)
                                         : key_give(key, call, call_argument);
}

static int at_end(void *argument)
{
    const struct store *store = argument;
    return store->searched && store->next >= store->count;
}

const OSSL_DISPATCH store_functions[] = {
    FUNCTION(OSSL_FUNC_STORE_OPEN, open_store),
    FUNCTION(OSSL_FUNC_STORE_SETTABLE_CTX_PARAMS, settable),
    FUNCTION(OSSL_FUNC_STORE_SET_CTX_PARAMS, set_parameters),
    FUNCTION(OSSL_FUNC_STORE_LOAD, load),
    FUNCTION(OSSL_FUNC_STORE_EOF, at_end),
    FUNCTION(OSSL_FUNC_STORE_CLOSE, close_store),
    FUNCTION(OSSL_FUNC_STORE_EXPORT_OBJECT, key_export_reference),
    {0, NULL},
};
