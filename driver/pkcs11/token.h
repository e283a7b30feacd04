/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PKCS#11 module and its daemon: what their files share.
 *
 * A process has one token: a folder with keys (store.c), and a device (device.c). An application
 * has sessions, a login and objects that live as long as a session: `struct client`. A process has
 * one of its own. In the daemon each connection has one.
 *
 * Locks, each taken before those after it: of a session, of a client, of the token, of its folder, of
 * the device.
 */
#ifndef TOTIENT_PKCS11_TOKEN_H
#define TOTIENT_PKCS11_TOKEN_H

#include <p11-kit/pkcs11.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of this module. A length above SANE_LENGTH is a wild one. */
enum {
    MAX_RSA_BYTES = 2048, /* 16384 bits */
    MIN_RSA_BITS = 1024,
    MIN_PIN = 4,
    MAX_PIN = 255,
    MAX_ATTRIBUTES = 96,
    MAX_VALUE = 1 << 20,
    MAX_CLIENT_OBJECTS = 1 << 16,
    NAME_LENGTH = 16
};
#define SANE_LENGTH ((CK_ULONG)1 << (8 * sizeof(CK_ULONG) - 2))
#define SLOT_ID ((CK_SLOT_ID)0)
#define UNKNOWN CK_UNAVAILABLE_INFORMATION

/* What p11-kit's header of 2.40 lacks. */
#ifndef CKM_AES_KEY_WRAP_KWP
#define CKM_AES_KEY_WRAP_KWP (0x210bUL)
#endif

/* Bytes that belong to somebody else. */
struct span {
    const uint8_t *bytes;
    size_t length;
};

/* --- object.c: attributes in one piece of locked memory, which never changes --- */

/* An attribute whose value belongs to somebody else. */
struct attribute {
    CK_ATTRIBUTE_TYPE type;
    const void *value;
    size_t length;
};

struct attributes {
    struct attribute list[MAX_ATTRIBUTES];
    size_t count;
};

struct object {
    unsigned references;
    CK_OBJECT_HANDLE handle;
    bool is_token, is_private;
    CK_SESSION_HANDLE session;  /* of a session object */
    char name[NAME_LENGTH + 1]; /* of a token object: its file */
    uint64_t generation;        /* of its file */
    size_t size;
    uint8_t *bytes;        /* records: type, length, value */
    uint8_t key_id[16];    /* hash of an RSA key's modulus and public exponent */
    uint8_t secret_id[16]; /* of all its numbers; zeros: it is not private */
};

/* Adds an attribute, in the place of one of the same type; false: there is no room. */
bool attributes_put(struct attributes *set, CK_ATTRIBUTE_TYPE type, const void *value,
                    size_t length);
const struct attribute *attributes_find(const struct attributes *set, CK_ATTRIBUTE_TYPE type);
bool attributes_bool(const struct attributes *set, CK_ATTRIBUTE_TYPE type, bool otherwise);
CK_ULONG attributes_ulong(const struct attributes *set, CK_ATTRIBUTE_TYPE type, CK_ULONG otherwise);

/* A new object with one reference; NULL: no memory. */
struct object *object_new(const struct attributes *set);
/* The same from records; NULL: they are damaged, or no memory. */
struct object *object_of_bytes(const uint8_t *bytes, size_t size);
struct object *object_keep(struct object *object);
void object_release(struct object *object);
/* A value; false: the object has no such attribute. */
bool object_value(const struct object *object, CK_ATTRIBUTE_TYPE type, struct span *value);
bool object_bool(const struct object *object, CK_ATTRIBUTE_TYPE type, bool otherwise);
CK_ULONG object_ulong(const struct object *object, CK_ATTRIBUTE_TYPE type, CK_ULONG otherwise);
/* All attributes, whose values stay the object's; false: there are too many. */
bool object_attributes(const struct object *object, struct attributes *set);
bool object_matches(const struct object *object, const CK_ATTRIBUTE *template, CK_ULONG count);
CK_OBJECT_HANDLE object_next_handle(void);

/* --- template.c: which attributes an object of a class has --- */

enum origin { CREATED, GENERATED, UNWRAPPED };

/* Takes a caller's template. */
CK_RV template_read(const CK_ATTRIBUTE *template, CK_ULONG count, struct attributes *set);
/* Checks the attributes of a new object, and adds those that it has besides. `given` are the
   caller's; `set` may have values from the module, such as a generated key's. */
CK_RV template_complete(const struct attributes *given, enum origin origin, bool security_officer,
                        struct attributes *set);
/* Whether a caller may change an attribute of an object. */
CK_RV template_may_change(const struct object *object, const struct attribute *change,
                          bool security_officer, bool copy);
/* Whether a caller may not read it. */
bool template_is_secret(const struct object *object, CK_ATTRIBUTE_TYPE type);

/* --- store.c: the token's folder --- */

enum {
    KEY_LENGTH = 32,
    SALT_LENGTH = 16,
    NONCE_LENGTH = 24,
    TAG_LENGTH = 16,
    INSTANCE_LENGTH = 16
};

/* A token's key, encrypted with a PIN. */
struct sealed {
    uint32_t is_set, failures;
    uint8_t salt[SALT_LENGTH], nonce[NONCE_LENGTH], key[KEY_LENGTH + TAG_LENGTH];
};

/* The file `token`. */
struct token_file {
    uint8_t magic[8];
    uint32_t version, passes, kibibytes, zero;
    uint8_t label[32], serial[16], instance[INSTANCE_LENGTH];
    uint8_t public_key[KEY_LENGTH]; /* for objects that everybody may read */
    struct sealed user, officer;
    uint8_t checksum[32];
};

/* A lock between processes, and between the threads of one. */
bool store_lock(bool alone);
void store_unlock(void);
void store_abandon(void); /* after a fork */
/* The folder's path, with a file's name; false: too long. */
bool store_path(char *path, size_t room, const char *name);
bool store_make(void); /* makes the folders */
/* NULL: the environment's, the one that the module lies in, or the user's. */
void store_choose(const char *folder);
CK_RV store_read_token(struct token_file *file);
CK_RV store_write_token(struct token_file *file);
uint64_t store_generation(void);
bool store_bump_generation(uint64_t *generation);
/* Writes an object, whose name and generation it sets. `key`: of private or of public objects. */
CK_RV store_write_object(struct object *object, const struct token_file *file, const uint8_t *key);
CK_RV store_remove_object(const char *name);
/* Removes what killed writers have left; with the lock: no writer is at work. */
void store_clean(void);
/* Reads the head of an object's file. */
bool store_peek(const char *name, const uint8_t *instance, bool *is_private, uint64_t *generation,
                bool *foreign);
struct object *store_read_object(const char *name, const uint8_t *public_key,
                                 const uint8_t *private_key);
/* Calls a function with each object's name. */
void store_each(void (*each)(void *user, const char *name), void *user);
bool store_read_file(const char *name, uint8_t *bytes, size_t room, size_t *length);
bool store_write_file(const char *name, const uint8_t *bytes, size_t length);

/* --- pin.c: PINs and the token's key --- */

enum { MAX_FAILURES = 10 };

/* What a PIN opens: the token's key, and the instance of the token. */
struct opened {
    uint8_t key[KEY_LENGTH], instance[INSTANCE_LENGTH];
};

/* Counts a try, checks a PIN, and gives what it opens. */
CK_RV pin_open(bool officer, const CK_UTF8CHAR *pin, CK_ULONG length, struct opened *opened);
/* Encrypts the token's key with a PIN. */
CK_RV pin_seal(struct token_file *file, bool officer, const CK_UTF8CHAR *pin, CK_ULONG length,
               const uint8_t key[KEY_LENGTH]);
CK_RV pin_check_new(const CK_UTF8CHAR *pin, CK_ULONG length);
void pin_abandon(void); /* after a fork */

/* --- objects.c: the token's objects, shared by all clients --- */

CK_RV token_refresh(void);
/* Each initialisation of the token begins another life: a login of an earlier one is none. */
unsigned long token_life(void);
/* A client that has logged in makes private objects readable; the last one that logs out ends it.
   `life`: that of the login. */
CK_RV token_login(const struct opened *opened, unsigned long *life);
void token_logout(unsigned long life);
/* The life of the security officer's login. */
CK_RV token_officer(const struct opened *opened, unsigned long *life);
CK_RV token_add(struct object *object);
/* Makes a new object of one as it is now, in the token's lock: it calls nothing with a client. */
typedef CK_RV token_change(void *user, const struct object *old, struct object **new);
/* Changes an object. CKR_OBJECT_HANDLE_INVALID: another process has destroyed it. */
CK_RV token_replace(CK_OBJECT_HANDLE handle, token_change *change, void *user);
CK_RV token_remove(const struct object *object);
struct object *token_find(CK_OBJECT_HANDLE handle);
/* Calls a function with each object until it returns false. */
void token_each(bool (*each)(void *user, struct object *object), void *user);
void token_forget(void);
/* A new initialisation: all objects go. `before`: the instance that the token had, or NULL. */
CK_RV token_begin(struct token_file *file, const uint8_t *before);
void token_abandon(void);

/* --- session.c: clients and their sessions --- */

enum login { NOBODY, USER, OFFICER };

struct client;
struct hash;
struct operation;

struct session {
    pthread_mutex_t lock;
    struct client *client;
    CK_SESSION_HANDLE handle;
    CK_FLAGS flags;
    unsigned references;
    bool closed;
    struct operation *sign, *verify, *encrypt, *decrypt, *digest;
    CK_OBJECT_HANDLE *found;
    size_t found_count, found_next;
    bool finding;
};

struct client *client_new(void);
void client_free(struct client *client);
/* Functions that the daemon sets: each of its threads serves a client. */
extern struct client *(*client_of_thread)(void);
CK_RV client_now(struct client **client);
enum login client_login(struct client *client);
void client_counts(struct client *client, CK_ULONG *sessions, CK_ULONG *writing);
/* Sessions of all clients of this process. */
CK_ULONG all_sessions(void);
void sessions_abandon(void); /* after a fork */
/* What a login must find; again when it is made, as another thread may be faster. */
CK_RV client_may_log_in(struct client *client, enum login login);
/* From nobody to somebody, in a life of the token. Of the security officer what the PIN has opened
   is kept, for C_InitPIN and for nothing else. */
CK_RV client_log_in(struct client *client, enum login login, const struct opened *opened,
                    unsigned long life);
CK_RV client_log_out(struct client *client);
bool officer_key(struct client *client, struct opened *opened);

/* Takes a session and locks it: session_leave releases both. */
CK_RV session_enter(CK_SESSION_HANDLE handle, struct session **session);
CK_RV session_leave(struct session *session, CK_RV result);
/* Objects that live as long as a session. */
CK_RV session_add_object(struct session *session, struct object *object);
bool session_remove_object(struct session *session, struct object *object);
bool session_replace_object(struct session *session, struct object *old, struct object *new);
/* An object that the session may see, with a reference; NULL: none. */
struct object *session_object(struct session *session, CK_OBJECT_HANDLE handle);
bool session_may_see(struct session *session, const struct object *object);
void session_each_object(struct session *session, bool (*each)(void *user, struct object *object),
                         void *user);
/* Stores a new object where its attributes say. */
CK_RV session_store(struct session *session, const struct attributes *set, struct object **stored);
CK_RV session_check_template(struct session *session, const struct attributes *set);

/* --- device.c: the core, and the keys in its slots --- */

CK_RV device_private(const struct object *key, const uint8_t *message, uint8_t *result,
                     size_t length);
CK_RV device_public(const struct object *key, const uint8_t *message, uint8_t *result,
                    size_t length);
/* Raises two numbers, each to an exponent for its own odd modulus of `length` bytes. */
CK_RV device_raise_two(const uint8_t *moduli, const uint8_t *exponents, const uint8_t *bases,
                       uint8_t *results, size_t length);
CK_ULONG device_maximum_bits(void);
void device_wipe_keys(void);
/* Wipes the slots if one has this private key, which is about to go. */
void device_forget(const struct object *key);
/* Opens the device before the first operation; else why not, in one line. */
CK_RV device_open(char *why, size_t room);
void device_close(void);
void device_end(void);     /* closes it for good: no thread uses it any more */
void device_abandon(void); /* after a fork: the parent's device is left as it is */

/* --- module.c --- */

extern CK_FUNCTION_LIST function_list;
bool module_ready(void);
/* Makes the process ready without a client of its own: for the daemon. */
CK_RV module_begin(void);
void module_end(void);

/* Locked memory, which is wiped when it is released. */
void *secure_new(size_t size);
void secure_free(void *memory);

#endif
