/* SPDX-License-Identifier: Apache-2.0 */
/* Files that OpenSSL reads while our provider is active: PEM, URIs in it, the URI by itself. */
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
OSSL_provider_init_fn OSSL_provider_init;

static OSSL_PROVIDER *providers[2];

static void end(void)
{
    for (int i = 0; i < 2; i++) (void)OSSL_PROVIDER_unload(providers[i]);
}

static void begin(void)
{
    if (providers[1] != NULL) return;
    if (OSSL_PROVIDER_add_builtin(NULL, "totient", OSSL_provider_init) != 1) abort();
    providers[0] = OSSL_PROVIDER_load(NULL, "default");
    providers[1] = OSSL_PROVIDER_load(NULL, "totient");
    if (providers[0] == NULL || providers[1] == NULL || atexit(end) != 0) abort();
}

static void read_uri(const char *uri)
{
    OSSL_STORE_CTX *store = OSSL_STORE_open(uri, NULL, NULL, NULL, NULL);
    if (store == NULL) return;
    OSSL_STORE_INFO_free(OSSL_STORE_load(store));
    (void)OSSL_STORE_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char scheme[] = "pkcs11:";
    begin();
    BIO *file = BIO_new_mem_buf(bytes, (int)length);
    EVP_PKEY_free(PEM_read_bio_PrivateKey(file, NULL, NULL, (void *)""));
    BIO_free(file);
    char *uri = malloc(sizeof scheme + length);
    if (uri == NULL) abort();
    memcpy(uri, scheme, sizeof scheme - 1);
    memcpy(uri + sizeof scheme - 1, bytes, length);
    uri[sizeof scheme - 1 + length] = '\0';
    read_uri(uri);
    free(uri);
    ERR_clear_error();
    return 0;
}
