/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider of OpenSSL 3 for RSA keys of a PKCS #11 token.
 *
 * A key is a reference to an object of the token: no private number of it is here. Private
 * operations are the token's. Public ones, and digests, are of OpenSSL's default provider in a
 * library context of this provider's own. One lock per provider is held while the token works.
 */
#ifndef TOTIENT_PROVIDER_H
#define TOTIENT_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/evp.h>
#include <p11-kit/pkcs11.h>
#include <p11-kit/uri.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Why something failed. OpenSSL prints the texts that provider.c has. */
enum reason {
    REASON_MODULE = 1,
    REASON_TOKEN,
    REASON_URI,
    REASON_NOT_FOUND,
    REASON_PIN,
    REASON_PARAMETER,
    REASON_MEMORY,
    REASON_LENGTH
};

enum { REFUSED = 8, ID_MAXIMUM = 256, LABEL_MAXIMUM = 256, MODULUS_MAXIMUM = 2048, EXPONENT_MAXIMUM = 512 };

/* A PIN of 1 to 255 bytes, or none (length 0). */
struct pin {
    size_t length;
    unsigned char bytes[256];
};

/* What is known of a PIN at a token. */
struct known_pin {
    struct pin pin;
    CK_TOKEN_INFO token;
};

/* One for a library context of the program. */
struct provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_LIB_CTX *library;   /* with OpenSSL's default provider */
    const char *module_path; /* of the configuration, or p11-kit's proxy */
    const char *pin;         /* of the configuration, or NULL: the PIN, or file:PATH */
    pthread_mutex_t lock;    /* over all below, and over all calls of the module */
    pid_t lock_process;      /* in which the lock was made */
    void *module;
    CK_FUNCTION_LIST *functions; /* NULL until the token is first used */
    pid_t process;               /* that initialised the module */
    bool initialised;            /* the module, by us */
    bool lost;                   /* a token was not there: the module is to look for it again */
    unsigned long generation;    /* of the module's state: handles of another one are void */
    struct session *sessions;
    bool one_token; /* the URI that is searched by names no more than one */
    struct known_pin entered;            /* the last right one */
    struct known_pin refused[REFUSED];   /* wrong ones */
    size_t next_refused;
};

/* The one session of a slot, in which all happens: a token forgets its login with the last one. */
struct session {
    struct session *next;
    CK_SLOT_ID slot;
    CK_SESSION_HANDLE handle;
    CK_TOKEN_INFO token;
};

/* A key of a token, or a certificate. */
struct key {
    struct provider *provider;
    int references;
    char *uri; /* that found it. It may hold a PIN */
    CK_OBJECT_CLASS class;
    size_t id_length, label_length, modulus_length, exponent_length, certificate_length;
    unsigned char id[ID_MAXIMUM], label[LABEL_MAXIMUM];
    unsigned char modulus[MODULUS_MAXIMUM], exponent[EXPONENT_MAXIMUM]; /* big endian */
    unsigned char *certificate; /* DER, of a certificate only */
    bool asks_always;           /* CKA_ALWAYS_AUTHENTICATE */
    CK_TOKEN_INFO token;
    unsigned long generation; /* of the next two */
    struct session *session;
    CK_OBJECT_HANDLE object;
};

/* Asks the user for a PIN; false: there is none. */
struct asker {
    OSSL_PASSPHRASE_CALLBACK *call; /* or NULL */
    void *argument;
};

/* provider.c. Adds an error for OpenSSL, with a text in printf's manner; returns 0. */
int fail(const struct provider *provider, enum reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* token.c. All of these take the lock themselves. */
void token_close(struct provider *provider);

/*
 * Finds the objects of a URI.
 *
 * expected: a class to which the URI is narrowed unless it names one, or CKO_ANY.
 * found: takes a reference to each key, up to `limit` of them.
 * returns how many there are; 0 with an error added; -1 without a match, and without an error.
 */
#define CKO_ANY ((CK_OBJECT_CLASS) - 1)
int token_find(struct provider *provider, const char *uri, CK_OBJECT_CLASS expected,
               const struct asker *asker, struct key **found, int limit);

/* Which function of the module is called. */
enum operation { OPERATION_SIGN, OPERATION_DECRYPT };

/*
 * A private operation.
 *
 * length: the size of `out`, then the bytes written.
 * returns the module's answer. No error is added: the caller knows which answers may be told.
 */
CK_RV token_operate(struct key *key, enum operation operation, CK_MECHANISM *mechanism,
                    const unsigned char *in, size_t in_length, unsigned char *out, size_t *length);

/* Adds an error that names a function of the module and its answer; returns 0. */
int fail_token(const struct provider *provider, const char *function, CK_RV result);

/* generate.c: functions of OpenSSL's interface, as in provider-keymgmt(7). */
void *generate_start(void *context, int selection, const OSSL_PARAM parameters[]);
int generate_set(void *argument, const OSSL_PARAM parameters[]);
const OSSL_PARAM *generate_settable(void *argument, void *context);
void *generate(void *argument, OSSL_CALLBACK *progress, void *progress_argument);
void generate_end(void *argument);

/* key.c */
extern const OSSL_DISPATCH key_functions[];
struct key *key_new(struct provider *provider);
struct key *key_reference(struct key *key);
void key_free(void *key);
/* Bits of the modulus. */
int key_bits(const struct key *key);
/* Gives a key to OpenSSL, which takes it over by key.c's `load`. */
int key_give(struct key *key, OSSL_CALLBACK *call, void *argument);
/* Gives the public part of a key so given to another provider. */
int key_export_reference(void *context, const void *reference, size_t size, OSSL_CALLBACK *call,
                         void *call_argument);
/* The key's public part for OpenSSL's default provider; NULL with an error added. */
EVP_PKEY *key_public(const struct key *key);
/* A URI of this key, without a PIN, to be freed by free(); NULL: it has no ID and no label. */
char *key_uri(const struct key *key);

/* padding.c */
/* A hash function's numbers in PKCS #11. */
struct hash_numbers {
    CK_MECHANISM_TYPE mechanism;
    CK_RSA_PKCS_MGF_TYPE mask;
};
/* Those of a hash function; NULL with an error added: the token has none. */
const struct hash_numbers *hash_numbers(const struct provider *provider, const EVP_MD *hash);
/* Number of a padding mode, given as a number or a word; 0 with an error added: unknown. */
int padding_of(const struct provider *provider, const OSSL_PARAM *parameter);
/* Writes a padding mode as the number or the word that is asked for. */
int padding_answer(OSSL_PARAM *parameter, int padding);
/* Replaces a hash function by a parameter's, if that is given; 0 with an error added. */
int hash_set(const struct provider *provider, EVP_MD **hash, const OSSL_PARAM *parameter);
/* Writes the name of a hash function, or of none, if it is asked for. */
int hash_answer(OSSL_PARAM *asked, const EVP_MD *hash);

enum { PREMASTER = 48 };
/*
 * The premaster secret of TLS with RSA key exchange (RFC 5246, 7.4.7.1), in constant time.
 *
 * message, length: what was decrypted; the memory has 48 bytes whatever its length is.
 * good: all ones, or 0 if the decryption itself failed.
 * version, other: the protocol versions, of two bytes, that it may begin with; other may be 0.
 * random: 48 bytes, taken in its place if anything is wrong.
 */
void choose_premaster(const unsigned char *message, size_t length, unsigned good, unsigned version,
                      unsigned other, const unsigned char *random, unsigned char *out);

extern const OSSL_DISPATCH signature_functions[], cipher_functions[], store_functions[];
/* pem.c: PEM files that hold a URI. */
extern const OSSL_DISPATCH pem_decoder_functions[], uri_decoder_functions[],
    pem_encoder_functions[], text_encoder_functions[];

/* Functions of one kind for OpenSSL's tables. */
#define FUNCTION(number, function) {number, (void (*)(void))(function)}

#endif
