/* SPDX-License-Identifier: Apache-2.0 */
/* What OpenSSL asks of a provider as a whole: its start, its algorithms, its errors, its end. */
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <totient/version.h>
#include <unistd.h>

/* p11-kit's module that has all registered tokens; the system's libraries are searched for it. */
#define PROXY_MODULE "p11-kit-proxy.so"
#define NAMES "RSA:rsaEncryption:1.2.840.113549.1.1.1"
#define PROPERTIES "provider=totient"

static const OSSL_ITEM reasons[] = {
    {REASON_MODULE, (void *)"the PKCS #11 module cannot be used"},
    {REASON_TOKEN, (void *)"the token refused"},
    {REASON_URI, (void *)"not a URI of PKCS #11"},
    {REASON_NOT_FOUND, (void *)"not found"},
    {REASON_PIN, (void *)"no PIN"},
    {REASON_PARAMETER, (void *)"not supported"},
    {REASON_MEMORY, (void *)"no memory"},
    {REASON_LENGTH, (void *)"wrong length"},
    {0, NULL},
};

static const OSSL_ALGORITHM key_managers[] = {
    {NAMES, PROPERTIES, key_functions, "RSA keys of a token"}, {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM signatures[] = {
    {NAMES, PROPERTIES, signature_functions, "signatures by a token"}, {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM ciphers[] = {
    {NAMES, PROPERTIES, cipher_functions, "decryption by a token"}, {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM stores[] = {
    {"pkcs11", PROPERTIES, store_functions, "objects of a token"}, {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM decoders[] = {
    {"DER", PROPERTIES ",input=pem", pem_decoder_functions, "PEM files with a URI"},
    {NAMES, PROPERTIES ",input=der,structure=pk11-uri", uri_decoder_functions, "the key of a URI"},
    {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM encoders[] = {
    {NAMES, PROPERTIES ",output=pem,structure=PrivateKeyInfo", pem_encoder_functions,
     "PEM files with a URI"},
    {NAMES, PROPERTIES ",output=text", text_encoder_functions, "the URI of a key"},
    {NULL, NULL, NULL, NULL}};

int fail(const struct provider *provider, enum reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    provider->new_error(provider->handle);
    provider->vset_error(provider->handle, (uint32_t)reason, format, arguments);
    va_end(arguments);
    return 0;
}

static const OSSL_PARAM *gettable(void *context)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
        OSSL_PARAM_END,
    };
    (void)context;
    return known;
}

static int get_parameters(void *context, OSSL_PARAM parameters[])
{
    static const struct {
        const char *name, *value;
    } texts[] = {{OSSL_PROV_PARAM_NAME, "Totient: RSA keys of a PKCS #11 token"},
                 {OSSL_PROV_PARAM_VERSION, TOTIENT_VERSION_TEXT},
                 {OSSL_PROV_PARAM_BUILDINFO, TOTIENT_VERSION_TEXT}};
    (void)context;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OSSL_PARAM *asked = OSSL_PARAM_locate(parameters, texts[i].name);
        if (asked != NULL && !OSSL_PARAM_set_utf8_ptr(asked, texts[i].value)) return 0;
    }
    OSSL_PARAM *status = OSSL_PARAM_locate(parameters, OSSL_PROV_PARAM_STATUS);
    return status == NULL || OSSL_PARAM_set_int(status, 1);
}

static const OSSL_ALGORITHM *query(void *context, int operation, int *keep_not)
{
    (void)context;
    *keep_not = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT: return key_managers;
    case OSSL_OP_SIGNATURE: return signatures;
    case OSSL_OP_ASYM_CIPHER: return ciphers;
    case OSSL_OP_STORE: return stores;
    case OSSL_OP_DECODER: return decoders;
    case OSSL_OP_ENCODER: return encoders;
    default: return NULL;
    }
}

static const OSSL_ITEM *get_reasons(void *context)
{
    (void)context;
    return reasons;
}

static void teardown(void *context)
{
    struct provider *provider = context;
    token_close(provider);
    (void)pthread_mutex_destroy(&provider->lock);
    OSSL_LIB_CTX_free(provider->library);
    free(provider);
}

static const OSSL_DISPATCH provider_functions[] = {
    FUNCTION(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    FUNCTION(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable),
    FUNCTION(OSSL_FUNC_PROVIDER_GET_PARAMS, get_parameters),
    FUNCTION(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    FUNCTION(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reasons),
    {0, NULL},
};

/* Reads the provider's section of OpenSSL's configuration. Its texts live as long as we do. */
static bool configure(struct provider *provider, OSSL_FUNC_core_get_params_fn *get)
{
    OSSL_PARAM asked[] = {
        OSSL_PARAM_utf8_ptr("pkcs11-module-path", (char **)&provider->module_path, 0),
        OSSL_PARAM_utf8_ptr("pkcs11-module-token-pin", (char **)&provider->pin, 0),
        OSSL_PARAM_END,
    };
    if (get == NULL || get(provider->handle, asked) != 1) return false;
    if (provider->module_path == NULL) provider->module_path = PROXY_MODULE;
    return true;
}

static int start(struct provider *provider, const OSSL_DISPATCH *in)
{
    OSSL_FUNC_core_get_params_fn *get = NULL;
    for (const OSSL_DISPATCH *each = in; each->function_id != 0; each++) switch (each->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS: get = OSSL_FUNC_core_get_params(each); break;
        case OSSL_FUNC_CORE_NEW_ERROR: provider->new_error = OSSL_FUNC_core_new_error(each); break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            provider->vset_error = OSSL_FUNC_core_vset_error(each);
            break;
        default: break;
        }
    if (provider->new_error == NULL || provider->vset_error == NULL) return 0;
    if (!configure(provider, get)) return 0;
    provider->library = OSSL_LIB_CTX_new_from_dispatch(provider->handle, in);
    if (provider->library == NULL) return 0;
    provider->lock_process = getpid();
    if (pthread_mutex_init(&provider->lock, NULL) == 0) return 1;
    OSSL_LIB_CTX_free(provider->library);
    return 0;
}

/* The one function that OpenSSL looks for in this library. */
__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **context)
{
    struct provider *provider = calloc(1, sizeof *provider);
    if (provider == NULL) return 0;
    provider->handle = handle;
    if (!start(provider, in)) {
        free(provider);
        return 0;
    }
    *out = provider_functions;
    *context = provider;
    return 1;
}
