/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a session: mechanisms, and what they are made of. */
#ifndef TOTIENT_PKCS11_OPERATION_H
#define TOTIENT_PKCS11_OPERATION_H

#include "token.h"

/* --- hash.c
 * --- */

enum { MAX_HASH = 64, HASH_STATE = 256 };

struct hash_kind {
    CK_MECHANISM_TYPE mechanism, with_pkcs, with_pss;
    CK_ULONG mgf;
    size_t length;
    const uint8_t *prefix; /* of a DigestInfo (RFC 8017, 9.2) */
    size_t prefix_length;
    const void *nettle;
};

struct hash {
    const struct hash_kind *kind;
    union {
        uint64_t aligned[HASH_STATE / 8];
        uint8_t bytes[HASH_STATE];
    } state;
};

extern const struct hash_kind hash_kinds[];
const struct hash_kind *hash_of(CK_MECHANISM_TYPE mechanism);
const struct hash_kind *hash_of_mgf(CK_ULONG mgf);
void hash_begin(struct hash *hash, const struct hash_kind *kind);
void hash_add(struct hash *hash, const uint8_t *bytes, size_t length);
void hash_end(struct hash *hash, uint8_t *digest);
void hash_at_once(const struct hash_kind *kind, const uint8_t *bytes, size_t length,
                  uint8_t *digest);
void hmac_tag(const uint8_t *key, size_t key_length, const struct span *parts, size_t count,
              uint8_t *tag);

/* --- mechanism.c
 * --- */

enum family { RSA_PKCS, RSA_RAW, RSA_PSS, RSA_OAEP, DIGEST, CIPHER, KEY_WRAP, KEY_PAIR, KEY_MAKE };

struct mechanism {
    CK_MECHANISM_TYPE type;
    enum family family;
    CK_FLAGS flags;
    CK_MECHANISM_TYPE hash; /* UNKNOWN: none */
};

/* A mechanism with its parameters. */
struct parameters {
    const struct mechanism *mechanism;
    const struct hash_kind *hash, *mgf;
    size_t salt_length;
    uint8_t iv[16];
    size_t iv_length;
    uint8_t *label; /* of OAEP; the operation's own */
    size_t label_length;
};

const struct mechanism *mechanism_of(CK_MECHANISM_TYPE type);
CK_RV mechanism_read(const CK_MECHANISM *given, CK_FLAGS use, struct parameters *parameters);
CK_RV mechanism_list(CK_MECHANISM_TYPE *list, CK_ULONG *count);
CK_RV mechanism_info(CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info);

/* --- operation.c
 * --- */

/* An operation has all of its input at once, or in parts: a program that asked for a length has
 * chosen. */
enum parts { UNDECIDED, AT_ONCE, IN_PARTS };

struct operation {
    struct parameters parameters;
    struct object *key;         /* NULL: a digest */
    size_t key_bytes, key_bits; /* of the modulus */
    enum parts parts;
    bool recover, is_private;
    bool needs_pin; /* of a key that asks for it at each use */
    struct hash hash;
    struct cipher *cipher;
    uint8_t *held; /* what a mechanism without a hash has got, in locked memory */
    size_t held_length, room;
};

CK_RV operation_begin(struct session *session, const CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                      CK_FLAGS use, CK_ATTRIBUTE_TYPE allowed, struct operation **place);
CK_RV operation_add(struct operation *operation, const uint8_t *bytes, CK_ULONG length);
void operation_end(struct operation **place);
/* Whether the session may still use the key of an operation. */
CK_RV operation_check(struct session *session, const struct operation *operation);
/* Whether a key's CKA_ALLOWED_MECHANISMS has a mechanism, or none. */
CK_RV check_mechanism(const struct object *key, CK_MECHANISM_TYPE mechanism);
/* Whether a call fits what the operation has chosen: it then chooses, too. */
bool operation_fits(struct operation *operation, enum parts parts);
/* Whether there is room for a result: CKR_OK and `*done` where only its length was asked for. */
CK_RV give_length(const CK_BYTE *result, CK_ULONG *room, size_t length, bool *done);

/* --- padding.c: encodings of RFC 8017
 * --- */

CK_RV pad_signature(const struct operation *operation, const uint8_t *digest, size_t length,
                    uint8_t *block, size_t size);
/* Whether a block is a signature's. */
bool check_pss(const struct operation *operation, const uint8_t *digest, size_t length,
               const uint8_t *block, size_t size);
CK_RV pad_encryption(const struct parameters *parameters, const uint8_t *message, size_t length,
                     uint8_t *block, size_t size);
/* Removes OAEP: one error for everything that may be wrong. */
CK_RV unpad_oaep(const struct parameters *parameters, const uint8_t *block, size_t size,
                 uint8_t *message, size_t *length);
void mask(const struct hash_kind *kind, const uint8_t *seed, size_t seed_length, uint8_t *bytes,
          size_t length);

/* --- rejection.c
 * --- */

/* The message of a block, or the synthetic one of a key of 32 bytes, at the end of `chosen`, which
   is as long as the block; its length. In constant time. */
uint32_t choose_message(const uint8_t *derived, const uint8_t *block, size_t size, uint8_t *chosen);
/* Removes PKCS #1 v1.5: what is no message gives another one, that depends on key and ciphertext.
 */
CK_RV unpad_pkcs(const struct object *key, const uint8_t *ciphertext, const uint8_t *block,
                 size_t size, uint8_t *message, size_t *length);

/* --- cipher.c
 * --- */

CK_RV cipher_begin(const struct parameters *parameters, const struct object *key, bool encrypting,
                   struct cipher **cipher);
void cipher_end(struct cipher *cipher);
/* Bytes that an update gives, and that the last step gives at most. */
size_t cipher_update_length(const struct cipher *cipher, size_t length);
size_t cipher_final_length(const struct cipher *cipher, size_t length);
void cipher_update(struct cipher *cipher, const uint8_t *bytes, size_t length, uint8_t *result);
CK_RV cipher_final(struct cipher *cipher, uint8_t *result, size_t *length);
/* Length of a key of this type; 0: unknown, or `asked` is none of its lengths. */
size_t secret_key_length(CK_KEY_TYPE type, size_t asked);
CK_KEY_TYPE secret_key_type(CK_MECHANISM_TYPE mechanism);
void secret_key_finish(CK_KEY_TYPE type, uint8_t *value, size_t length);

/* --- keywrap.c, pkcs8.c, numbers.c, primes.c, manage.c
 * --- */

/* AES key wrap of RFC 3394, and with padding of RFC 5649. `result` has room for length + 16. */
bool aes_wrap(const struct object *key, bool padded, const uint8_t *bytes, size_t length,
              uint8_t *result, size_t *result_length);
bool aes_unwrap(const struct object *key, bool padded, const uint8_t *bytes, size_t length,
                uint8_t *result, size_t *result_length);
/* PrivateKeyInfo (RFC 5208) of an RSA key; NULL in `der`: only the length. 0: the key has no
 * primes. */
size_t pkcs8_write(const struct object *key, uint8_t *der, size_t room);
/* The eight numbers of an RSA key. */
bool pkcs8_read(const uint8_t *der, size_t length, struct span numbers[8]);
/* Whether an RSA key's numbers belong together. */
bool rsa_consistent(const struct attributes *set);

enum {
    RSA_MODULUS,
    RSA_PUBLIC,
    RSA_EXPONENT,
    RSA_P,
    RSA_Q,
    RSA_D_P,
    RSA_D_Q,
    RSA_Q_INVERSE,
    RSA_NUMBERS
};
extern const CK_ATTRIBUTE_TYPE rsa_types[RSA_NUMBERS];

/* An RSA key that was generated: numbers in locked memory, one after the other. */
struct rsa_numbers {
    uint8_t *memory;
    struct span number[RSA_NUMBERS];
};
CK_RV rsa_generate(CK_ULONG bits, const uint8_t *exponent, size_t exponent_length,
                   struct rsa_numbers *numbers);
/* n, d, d_p, d_q and q_inverse from the primes and e, which must be odd. CKR_DATA_INVALID: e has no
   inverse. */
CK_RV rsa_complete(struct rsa_numbers *numbers);
/* Whether a number is odd and 3 or more: with a prime of 1 there would be a division by 0, an exponent
   of 1 encrypts nothing, and an even one has no inverse. Its time depends on the length alone. */
bool rsa_odd_from_3(const uint8_t *number, size_t length);
/* Squares a number modulo an odd one; false: no memory. */
bool rsa_square(uint8_t *number, const uint8_t *modulus, size_t length);

/* Stores an object whose values come from outside. */
CK_RV object_from_outside(struct session *session, const struct attributes *given,
                          struct attributes *set, enum origin origin, CK_OBJECT_HANDLE *handle);

#endif
