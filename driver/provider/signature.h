/* SPDX-License-Identifier: Apache-2.0 */
/* A signature or verification under way. sign.c has what is done, signature.c its parameters. */
#ifndef TOTIENT_PROVIDER_SIGNATURE_H
#define TOTIENT_PROVIDER_SIGNATURE_H

#include "provider.h"

struct signing {
    struct provider *provider;
    struct key *key;
    int padding;
    int salt;              /* bytes, or RSA_PSS_SALTLEN_DIGEST, _AUTO, _MAX */
    EVP_MD *hash, *mask;   /* mask: of MGF1, NULL: `hash` */
    EVP_MD_CTX *message;   /* while a message is hashed, to be signed or verified */
    EVP_PKEY_CTX *checker; /* while a signature is verified; owned by `message` if that is there */
};

/* Functions of OpenSSL's interface, as in provider-signature(7). */
void *signing_new(void *provider, const char *properties);
void signing_free(void *argument);
void *signing_copy(void *argument);
int signing_set(void *argument, const OSSL_PARAM parameters[]);
int signing_get(void *argument, OSSL_PARAM parameters[]);
const OSSL_PARAM *signing_settable(void *argument, void *context);
const OSSL_PARAM *signing_gettable(void *argument, void *context);

/* Ends what is under way; key and parameters stay. */
void signing_forget(struct signing *signing);

/* Bytes of the salt of PSS: the longest one if it is not given, as OpenSSL signs. Needs a hash. */
int signing_salt(const struct signing *signing);

#endif
