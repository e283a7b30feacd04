/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider by OpenSSL's functions, as a program calls them that knows nothing of it.
 * Arguments: the check, the URI of a private key. OPENSSL_CONF names the provider.
 */
#define _POSIX_C_SOURCE 200809L /* fork */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/prov_ssl.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../require.h"

enum { LARGEST = 512, THREADS = 8, TLS_1_2 = 0x0303, TLS_1_1 = 0x0302 };

static const unsigned char message[] = "A message in two parts.";

static EVP_PKEY *load(const char *uri)
{
    EVP_PKEY *key = NULL;
    OSSL_STORE_CTX *store = OSSL_STORE_open(uri, NULL, NULL, NULL, NULL);
    REQUIRE(store != NULL && OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY) == 1);
    while (key == NULL && !OSSL_STORE_eof(store)) {
        OSSL_STORE_INFO *info = OSSL_STORE_load(store);
        if (info == NULL) break;
        key = OSSL_STORE_INFO_get1_PKEY(info);
        OSSL_STORE_INFO_free(info);
    }
    REQUIRE(OSSL_STORE_close(store) == 1);
    return key;
}

/* The same key's public part, of OpenSSL's default provider. */
static EVP_PKEY *public_of(EVP_PKEY *key)
{
    EVP_PKEY *made = NULL;
    OSSL_PARAM *parameters = NULL;
    REQUIRE(EVP_PKEY_todata(key, EVP_PKEY_PUBLIC_KEY, &parameters) == 1);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", "provider=default");
    REQUIRE(EVP_PKEY_fromdata_init(context) == 1);
    REQUIRE(EVP_PKEY_fromdata(context, &made, EVP_PKEY_PUBLIC_KEY, parameters) == 1);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return made;
}

static void check_key(const char *uri)
{
    unsigned char *der = NULL;
    BIGNUM *private_exponent = NULL;
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY *key = load(uri), *public_key = public_of(key), *copy = EVP_PKEY_dup(key);
    REQUIRE(EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) == 2048);
    REQUIRE(EVP_PKEY_get_size(key) == 256 && EVP_PKEY_get_security_bits(key) == 112);
    REQUIRE(EVP_PKEY_eq(key, public_key) == 1 && EVP_PKEY_eq(public_key, key) == 1);
    REQUIRE(copy != NULL && EVP_PKEY_eq(key, copy) == 1);
    /* Nothing private leaves it. */
    REQUIRE(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_D, &private_exponent) == 0);
    REQUIRE(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &parameters) == 0);
    REQUIRE(i2d_PrivateKey(key, &der) <= 0 && der == NULL);
    EVP_PKEY_free(copy);
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(key);
}

static void prepare(EVP_PKEY_CTX *context, int padding, int salt)
{
    REQUIRE(EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1);
    if (padding != RSA_PKCS1_PSS_PADDING) return;
    REQUIRE(EVP_PKEY_CTX_set_rsa_pss_saltlen(context, salt) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha512()) == 1);
}

/* Signs a message, its state copied in the middle; verifies with two providers. */
static void check_message(EVP_PKEY *key, EVP_PKEY *public_key, int padding, int salt)
{
    unsigned char signatures[2][LARGEST], small[8];
    size_t length = 0, small_length = sizeof small;
    EVP_PKEY_CTX *parameters = NULL;
    EVP_MD_CTX *signing = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    REQUIRE(EVP_DigestSignInit_ex(signing, &parameters, "SHA256", NULL, NULL, key, NULL) == 1);
    prepare(parameters, padding, salt);
    REQUIRE(EVP_DigestSignUpdate(signing, message, 9) == 1);
    REQUIRE(EVP_MD_CTX_copy_ex(copy, signing) == 1);
    REQUIRE(EVP_DigestSignUpdate(copy, message + 9, sizeof message - 9) == 1);
    REQUIRE(EVP_DigestSignUpdate(signing, "other", 5) == 1);
    REQUIRE(EVP_DigestSignFinal(copy, NULL, &length) == 1 && length == 256);
    REQUIRE(EVP_DigestSignFinal(copy, small, &small_length) != 1);
    REQUIRE(EVP_DigestSignFinal(copy, signatures[0], &length) == 1 && length == 256);
    /* Begun again without a key: the padding stays, and nothing of the other message. */
    REQUIRE(EVP_DigestSignInit_ex(signing, NULL, NULL, NULL, NULL, NULL, NULL) == 1);
    REQUIRE(EVP_DigestSignUpdate(signing, message, sizeof message) == 1);
    REQUIRE(EVP_DigestSignFinal(signing, signatures[1], &length) == 1 && length == 256);
    EVP_PKEY *const verifiers[] = {key, public_key};
    for (int i = 0; i < 4; i++) {
        const unsigned char *signature = signatures[i / 2];
        EVP_MD_CTX *verifying = EVP_MD_CTX_new();
        REQUIRE(EVP_DigestVerifyInit_ex(verifying, &parameters, "SHA256", NULL, NULL,
                                        verifiers[i % 2], NULL) == 1);
        prepare(parameters, padding, salt);
        REQUIRE(EVP_DigestVerifyUpdate(verifying, message, sizeof message) == 1);
        REQUIRE(EVP_DigestVerifyFinal(verifying, signature, length) == 1);
        REQUIRE(EVP_DigestVerifyUpdate(verifying, message, 1) != 1 ||
                EVP_DigestVerifyFinal(verifying, signature, length) != 1);
        EVP_MD_CTX_free(verifying);
    }
    EVP_MD_CTX_free(copy);
    EVP_MD_CTX_free(signing);
}

/* Signs a hash by a copied context; a hash of another length is refused. */
static void check_hash(EVP_PKEY *key, EVP_PKEY *public_key, const EVP_MD *function)
{
    unsigned char signature[LARGEST], hash[EVP_MAX_MD_SIZE] = {7};
    const size_t size = (size_t)EVP_MD_get_size(function);
    size_t length = sizeof signature;
    EVP_PKEY_CTX *signing = EVP_PKEY_CTX_new(key, NULL);
    REQUIRE(EVP_PKEY_sign_init(signing) == 1);
    REQUIRE(EVP_PKEY_CTX_set_signature_md(signing, function) == 1);
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(signing);
    EVP_PKEY_CTX_free(signing);
    REQUIRE(EVP_PKEY_sign(copy, signature, &length, hash, size - 1) != 1);
    length = sizeof signature;
    REQUIRE(EVP_PKEY_sign(copy, signature, &length, hash, size) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_padding(copy, RSA_PKCS1_OAEP_PADDING) != 1);
    EVP_PKEY *const verifiers[] = {key, public_key};
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_CTX *verifying = EVP_PKEY_CTX_new(verifiers[i], NULL);
        REQUIRE(EVP_PKEY_verify_init(verifying) == 1);
        REQUIRE(EVP_PKEY_CTX_set_signature_md(verifying, function) == 1);
        REQUIRE(EVP_PKEY_verify(verifying, signature, length, hash, size) == 1);
        signature[9] ^= 1;
        REQUIRE(EVP_PKEY_verify(verifying, signature, length, hash, size) != 1);
        signature[9] ^= 1;
        EVP_PKEY_CTX_free(verifying);
    }
    EVP_PKEY_CTX_free(copy);
}

static void check_signatures(const char *uri)
{
    EVP_PKEY *key = load(uri), *public_key = public_of(key);
    check_message(key, public_key, RSA_PKCS1_PADDING, 0);
    check_message(key, public_key, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST);
    check_message(key, public_key, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_MAX);
    check_message(key, public_key, RSA_PKCS1_PSS_PADDING, 0);
    check_hash(key, public_key, EVP_sha256());
    check_hash(key, public_key, EVP_sha1());
    check_hash(key, public_key, EVP_md5_sha1()); /* of TLS 1.1: without DigestInfo */
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(key);
}

static void prepare_cipher(EVP_PKEY_CTX *context, int padding)
{
    REQUIRE(EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1);
    if (padding != RSA_PKCS1_OAEP_PADDING) return;
    REQUIRE(EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha384()) == 1);
    REQUIRE(EVP_PKEY_CTX_set0_rsa_oaep_label(context, OPENSSL_strdup("label"), 5) == 1);
}

static size_t encrypt(EVP_PKEY *key, int padding, const unsigned char *text, size_t length,
                      unsigned char *out)
{
    size_t written = LARGEST;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    REQUIRE(EVP_PKEY_encrypt_init(context) == 1);
    prepare_cipher(context, padding);
    REQUIRE(EVP_PKEY_encrypt(context, out, &written, text, length) == 1);
    EVP_PKEY_CTX_free(context);
    return written;
}

static void check_decryption(const char *uri)
{
    static const int paddings[] = {RSA_PKCS1_PADDING, RSA_PKCS1_OAEP_PADDING};
    unsigned char secret[LARGEST], text[LARGEST];
    EVP_PKEY *key = load(uri), *public_key = public_of(key);
    for (int i = 0; i < 4; i++) {
        const int padding = paddings[i % 2];
        const size_t length =
            encrypt(i < 2 ? key : public_key, padding, message, sizeof message, secret);
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
        REQUIRE(EVP_PKEY_decrypt_init(context) == 1);
        prepare_cipher(context, padding);
        EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(context);
        EVP_PKEY_CTX_free(context);
        size_t written = sizeof message;
        REQUIRE(EVP_PKEY_decrypt(copy, text, &written, secret, length) != 1);
        written = sizeof text;
        REQUIRE(EVP_PKEY_decrypt(copy, text, &written, secret, length) == 1);
        REQUIRE(written == sizeof message && memcmp(text, message, written) == 0);
        written = sizeof text;
        REQUIRE(EVP_PKEY_decrypt(copy, text, &written, secret, length + 1) != 1);
        EVP_PKEY_CTX_free(copy);
    }
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(key);
}

/* Decrypts as a server of TLS 1.2 does; whether the premaster secret is the one that was sent. */
static int premaster(EVP_PKEY *key, const unsigned char *secret, size_t length,
                     const unsigned char *sent, unsigned negotiated)
{
    unsigned char text[SSL_MAX_MASTER_KEY_LENGTH];
    unsigned version = TLS_1_2;
    size_t written = sizeof text;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, &version),
        OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, &negotiated),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    REQUIRE(EVP_PKEY_decrypt_init(context) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_WITH_TLS_PADDING) == 1);
    REQUIRE(EVP_PKEY_decrypt(context, text, &written, secret, length) != 1);
    REQUIRE(EVP_PKEY_CTX_set_params(context, parameters) == 1);
    REQUIRE(EVP_PKEY_decrypt(context, text, &written, secret, length) == 1);
    REQUIRE(written == sizeof text);
    EVP_PKEY_CTX_free(context);
    return memcmp(text, sent, sizeof text) == 0;
}

static void check_premaster(const char *uri)
{
    unsigned char sent[SSL_MAX_MASTER_KEY_LENGTH + 1] = {3, 3, 1, 2, 3}, secret[LARGEST];
    unsigned char bad[256] = {0, 1, 7};
    EVP_PKEY *key = load(uri), *public_key = public_of(key);
    size_t length = encrypt(public_key, RSA_PKCS1_PADDING, sent, sizeof sent - 1, secret);
    REQUIRE(premaster(key, secret, length, sent, 0));
    REQUIRE(premaster(key, secret, length, sent, TLS_1_1));
    /* Bytes too few and too many; a wrong version, and one that was agreed on; no padding. */
    length = encrypt(public_key, RSA_PKCS1_PADDING, sent, sizeof sent - 2, secret);
    REQUIRE(!premaster(key, secret, length, sent, 0));
    length = encrypt(public_key, RSA_PKCS1_PADDING, sent, sizeof sent, secret);
    REQUIRE(!premaster(key, secret, length, sent, 0));
    sent[1] = 2;
    length = encrypt(public_key, RSA_PKCS1_PADDING, sent, sizeof sent - 1, secret);
    REQUIRE(!premaster(key, secret, length, sent, 0));
    REQUIRE(premaster(key, secret, length, sent, TLS_1_1));
    memset(sent, 0, sizeof sent);
    length = encrypt(public_key, RSA_PKCS1_PADDING, sent, sizeof sent - 1, secret);
    REQUIRE(!premaster(key, secret, length, sent, 0));
    length = encrypt(public_key, RSA_NO_PADDING, bad, sizeof bad, secret);
    REQUIRE(!premaster(key, secret, length, sent, 0));
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(key);
}

static void *sign_twice(void *key)
{
    unsigned char signature[LARGEST];
    for (int i = 0; i < 2; i++) {
        size_t length = sizeof signature;
        EVP_MD_CTX *signing = EVP_MD_CTX_new();
        REQUIRE(EVP_DigestSignInit_ex(signing, NULL, "SHA256", NULL, NULL, key, NULL) == 1);
        REQUIRE(EVP_DigestSign(signing, signature, &length, message, sizeof message) == 1);
        EVP_MD_CTX_free(signing);
    }
    return NULL;
}

static void check_threads(const char *uri)
{
    pthread_t threads[THREADS];
    EVP_PKEY *key = load(uri);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, sign_twice, key) == 0);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
    EVP_PKEY_free(key);
}

/* Children sign with a key that their parent has loaded, and used or not. */
static void check_forks(const char *uri)
{
    EVP_PKEY *key = load(uri);
    for (int i = 0; i < 3; i++) {
        const pid_t child = fork();
        int status = 1;
        REQUIRE(child >= 0);
        if (child == 0) {
            (void)sign_twice(key);
            EVP_PKEY_free(key);
            exit(0);
        }
        if (i == 1) (void)sign_twice(key);
        REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    }
    (void)sign_twice(key);
    EVP_PKEY_free(key);
}

static volatile sig_atomic_t busy = 1;

static void *sign_on(void *key)
{
    while (busy) (void)sign_twice(key);
    return NULL;
}

/* Children of a process whose other thread signs, most likely with the provider's lock. */
static void check_busy_forks(const char *uri)
{
    pthread_t thread;
    EVP_PKEY *key = load(uri);
    REQUIRE(pthread_create(&thread, NULL, sign_on, key) == 0);
    for (int i = 0; i < 8; i++) {
        const struct timespec while_it_signs = {.tv_nsec = 30000000};
        (void)nanosleep(&while_it_signs, NULL);
        const pid_t child = fork();
        int status = 1;
        REQUIRE(child >= 0);
        if (child == 0) {
            (void)alarm(60); /* ends a child that waits for a lock */
            (void)sign_twice(key);
            _exit(0);
        }
        REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    }
    busy = 0;
    REQUIRE(pthread_join(thread, NULL) == 0);
    EVP_PKEY_free(key);
}

static void print_errors(void)
{
    const char *data = NULL;
    for (unsigned long error; (error = ERR_get_error_all(NULL, NULL, NULL, &data, NULL)) != 0;)
        (void)printf("%s: %s\n", ERR_reason_error_string(error), data);
}

/* Prints why a URI gives no key. */
static void check_refusal(const char *uri)
{
    for (int i = 0; i < 3; i++) {
        OSSL_STORE_CTX *store = OSSL_STORE_open(uri, NULL, NULL, NULL, NULL);
        REQUIRE(store != NULL && OSSL_STORE_load(store) == NULL);
        REQUIRE(OSSL_STORE_close(store) == 1);
        print_errors();
    }
}

/* A key that asks for the PIN at each use: others have left the last try since it was found. */
static void check_last_try(const char *uri)
{
    unsigned char signature[LARGEST];
    EVP_PKEY *key = load(uri);
    (void)sign_twice(key);
    FILE *mark = fopen("last-try", "w");
    REQUIRE(mark != NULL && fclose(mark) == 0);
    size_t length = sizeof signature;
    EVP_MD_CTX *signing = EVP_MD_CTX_new();
    REQUIRE(EVP_DigestSignInit_ex(signing, NULL, "SHA256", NULL, NULL, key, NULL) == 1);
    REQUIRE(EVP_DigestSign(signing, signature, &length, message, sizeof message) != 1);
    EVP_MD_CTX_free(signing);
    print_errors();
    REQUIRE(remove("last-try") == 0);
    (void)sign_twice(key);
    EVP_PKEY_free(key);
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*check)(const char *uri);
    } checks[] = {{"key", check_key},           {"signatures", check_signatures},
                  {"decryption", check_decryption}, {"premaster", check_premaster},
                  {"threads", check_threads},   {"forks", check_forks},
                  {"busy_forks", check_busy_forks}, {"refusal", check_refusal},
                  {"last_try", check_last_try}};
    REQUIRE(count == 3);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (strcmp(words[1], checks[i].name) == 0) {
            checks[i].check(words[2]);
            return 0;
        }
    return 2;
}
