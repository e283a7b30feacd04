/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of the token, which all clients share. They are read once, and again where the
 * folder's generation says that another process has changed something. Private objects are in
 * memory only while a client is logged in.
 */
#include "token.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    struct object **list;
    size_t count, room;
    uint64_t generation;
    bool is_read;
    uint8_t instance[INSTANCE_LENGTH];
    unsigned long life;                /* counts the instances that this process has seen */
    uint8_t *public_key, *private_key; /* locked memory; NULL: not there */
    unsigned logins;                   /* of clients, in this life */
} token = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool append(struct object *object)
{
    if (token.count == token.room) {
        const size_t room = token.room > 0 ? 2 * token.room : 64;
        struct object **list = realloc(token.list, room * sizeof *list);
        if (list == NULL) return false;
        token.list = list;
        token.room = room;
    }
    token.list[token.count++] = object;
    return true;
}

static void drop(size_t place)
{
    object_release(token.list[place]);
    token.list[place] = token.list[--token.count];
}

static void drop_all(bool only_private)
{
    for (size_t i = token.count; i-- > 0;)
        if (!only_private || token.list[i]->is_private) drop(i);
}

static bool keep_key(uint8_t **kept, const uint8_t *key)
{
    if (*kept == NULL) *kept = secure_new(KEY_LENGTH);
    if (*kept == NULL) return false;
    memcpy(*kept, key, KEY_LENGTH);
    return true;
}

static void forget_key(uint8_t **kept)
{
    secure_free(*kept);
    *kept = NULL;
}

/* Reads a file's object, unless it is in memory as it is there. */
static void read_one(void *user, const char *name)
{
    bool *seen = user, is_private = false, foreign = true;
    uint64_t generation = 0;
    CK_OBJECT_HANDLE handle = 0;
    if (!store_peek(name, token.instance, &is_private, &generation, &foreign) || foreign) return;
    if (is_private && token.private_key == NULL) return;
    for (size_t i = 0; i < token.count; i++) {
        if (strcmp(token.list[i]->name, name) != 0) continue;
        if (token.list[i]->generation == generation) {
            seen[i] = true;
            return;
        }
        handle = token.list[i]->handle; /* the old one is not marked as seen, and goes */
        break;
    }
    struct object *object = store_read_object(name, token.public_key, token.private_key);
    if (object == NULL) return;
    if (handle != 0) object->handle = handle;
    if (!append(object)) object_release(object);
}

static bool is_instance(const uint8_t *instance)
{
    return memcmp(token.instance, instance, INSTANCE_LENGTH) == 0;
}

/* The token was initialised, here or by another process: all logins end. */
static void begin_life(const uint8_t *instance)
{
    drop_all(false);
    memcpy(token.instance, instance, INSTANCE_LENGTH);
    forget_key(&token.private_key);
    token.logins = 0;
    (void)__atomic_add_fetch(&token.life, 1, __ATOMIC_RELEASE);
}

unsigned long token_life(void)
{
    return __atomic_load_n(&token.life, __ATOMIC_ACQUIRE);
}

/* Reads what has changed, with the lock of the folder. */
static CK_RV read_all(void)
{
    struct token_file file;
    const CK_RV result = store_read_token(&file);
    if (result == CKR_OK && !is_instance(file.instance)) begin_life(file.instance);
    if (result != CKR_OK || !keep_key(&token.public_key, file.public_key)) {
        sodium_memzero(&file, sizeof file);
        return result != CKR_OK ? result : CKR_HOST_MEMORY;
    }
    sodium_memzero(&file, sizeof file);
    const size_t before = token.count;
    bool *seen = calloc(before + 1, sizeof *seen);
    if (seen == NULL) return CKR_HOST_MEMORY;
    token.generation = store_generation();
    store_clean();
    store_each(read_one, seen);
    for (size_t i = before; i-- > 0;)
        if (!seen[i]) drop(i);
    free(seen);
    token.is_read = true;
    return CKR_OK;
}

static bool is_fresh(void)
{
    return token.is_read && store_generation() == token.generation;
}

static CK_RV refresh(void)
{
    if (is_fresh()) return CKR_OK;
    if (!store_lock(false)) return CKR_TOKEN_NOT_RECOGNIZED;
    const CK_RV result = read_all();
    store_unlock();
    return result;
}

/* Reads what has changed; the token must be the one that a PIN has opened. */
static CK_RV refresh_instance(const uint8_t *instance)
{
    CK_RV result = refresh();
    if (result == CKR_OK && !is_instance(instance)) {
        token.is_read = false;
        result = refresh();
    }
    return result != CKR_OK || is_instance(instance) ? result : CKR_DEVICE_REMOVED;
}

CK_RV token_refresh(void)
{
    (void)pthread_mutex_lock(&token.lock);
    const CK_RV result = refresh();
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

CK_RV token_login(const struct opened *opened, unsigned long *life)
{
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = refresh_instance(opened->instance);
    if (result == CKR_OK && !keep_key(&token.private_key, opened->key)) result = CKR_HOST_MEMORY;
    if (result == CKR_OK) {
        token.logins++;
        token.is_read = false; /* private objects can be read now */
        result = refresh_instance(opened->instance);
        if (result != CKR_OK && token.logins > 0 && --token.logins == 0)
            forget_key(&token.private_key);
    }
    *life = token.life;
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

CK_RV token_officer(const struct opened *opened, unsigned long *life)
{
    (void)pthread_mutex_lock(&token.lock);
    const CK_RV result = refresh_instance(opened->instance);
    *life = token.life;
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

void token_logout(unsigned long life)
{
    (void)pthread_mutex_lock(&token.lock);
    const bool last = life == token.life && token.logins > 0 && --token.logins == 0;
    if (last) {
        drop_all(true);
        forget_key(&token.private_key);
    }
    (void)pthread_mutex_unlock(&token.lock);
    if (last) device_wipe_keys();
}

/* Writes an object with the folder's next generation; with the folder's lock. */
static CK_RV write_locked(struct object *object)
{
    struct token_file file;
    uint64_t generation = 0;
    CK_RV result = store_read_token(&file);
    if (result == CKR_OK && !is_instance(file.instance)) {
        token.is_read = false;
        result = CKR_DEVICE_REMOVED;
    }
    const uint8_t *key = object->is_private ? token.private_key : token.public_key;
    if (result == CKR_OK && key == NULL) result = CKR_USER_NOT_LOGGED_IN;
    if (result == CKR_OK && !store_bump_generation(&generation)) result = CKR_DEVICE_MEMORY;
    if (result == CKR_OK) {
        object->generation = generation;
        result = store_write_object(object, &file, key);
        if (result == CKR_OK && token.generation + 1 == generation) token.generation = generation;
    }
    sodium_memzero(&file, sizeof file);
    return result;
}

static CK_RV write_object(struct object *object)
{
    if (!store_lock(true)) return CKR_DEVICE_MEMORY;
    const CK_RV result = write_locked(object);
    store_unlock();
    return result;
}

CK_RV token_add(struct object *object)
{
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = refresh();
    if (result == CKR_OK) result = write_object(object);
    if (result == CKR_OK && !append(object_keep(object))) {
        object_release(object);
        token.is_read = false;
    }
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

/* The place of an object with all that other processes have changed; with the lock of the folder
   for this process alone, in which refresh() would wait for itself. */
static CK_RV find_locked(CK_OBJECT_HANDLE handle, size_t *place)
{
    const CK_RV result = is_fresh() ? CKR_OK : read_all();
    if (result != CKR_OK) return result;
    for (*place = 0; *place < token.count; ++*place)
        if (token.list[*place]->handle == handle) return CKR_OK;
    return CKR_OBJECT_HANDLE_INVALID;
}

static CK_RV change_locked(CK_OBJECT_HANDLE handle, token_change *change, void *user)
{
    struct object *new = NULL;
    size_t place = 0;
    CK_RV result = find_locked(handle, &place);
    if (result == CKR_OK) result = change(user, token.list[place], &new);
    if (result != CKR_OK) return result;
    struct object *old = token.list[place];
    memcpy(new->name, old->name, sizeof new->name);
    new->handle = old->handle;
    result = write_locked(new);
    if (result == CKR_OK) token.list[place] = new;
    object_release(result == CKR_OK ? old : new);
    return result;
}

CK_RV token_replace(CK_OBJECT_HANDLE handle, token_change *change, void *user)
{
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = CKR_DEVICE_MEMORY;
    if (store_lock(true)) {
        result = change_locked(handle, change, user);
        store_unlock();
    }
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

static CK_RV remove_locked(CK_OBJECT_HANDLE handle)
{
    uint64_t generation = 0;
    size_t place = 0;
    CK_RV result = find_locked(handle, &place);
    if (result != CKR_OK) return result;
    if (!store_bump_generation(&generation)) return CKR_DEVICE_MEMORY;
    result = store_remove_object(token.list[place]->name);
    if (result != CKR_OK) return result;
    if (token.generation + 1 == generation) token.generation = generation;
    drop(place);
    return CKR_OK;
}

CK_RV token_remove(const struct object *object)
{
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = CKR_DEVICE_ERROR;
    if (store_lock(true)) {
        result = remove_locked(object->handle);
        store_unlock();
    }
    (void)pthread_mutex_unlock(&token.lock);
    if (result == CKR_OK && object->is_private) device_wipe_keys();
    return result;
}

struct object *token_find(CK_OBJECT_HANDLE handle)
{
    struct object *found = NULL;
    (void)pthread_mutex_lock(&token.lock);
    for (size_t i = 0; i < token.count && found == NULL; i++)
        if (token.list[i]->handle == handle) found = object_keep(token.list[i]);
    (void)pthread_mutex_unlock(&token.lock);
    return found;
}

void token_each(bool (*each)(void *user, struct object *object), void *user)
{
    (void)pthread_mutex_lock(&token.lock);
    for (size_t i = 0; i < token.count && each(user, token.list[i]); i++) {
    }
    (void)pthread_mutex_unlock(&token.lock);
}

static void remove_one(void *user, const char *name)
{
    CK_RV *result = user;
    const CK_RV removed = store_remove_object(name);
    if (removed != CKR_OK) *result = removed;
}

/* Whether the token is the one that it was, or still none; with the lock of the folder. */
static CK_RV check_before(const uint8_t *before)
{
    struct token_file file;
    const CK_RV found = store_read_token(&file);
    const bool same =
        before == NULL
            ? found == CKR_TOKEN_NOT_RECOGNIZED
            : found == CKR_OK && memcmp(file.instance, before, INSTANCE_LENGTH) == 0;
    sodium_memzero(&file, sizeof file);
    return same ? CKR_OK : CKR_DEVICE_REMOVED;
}

CK_RV token_begin(struct token_file *file, const uint8_t *before)
{
    uint64_t generation;
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = CKR_DEVICE_ERROR;
    if (store_make() && store_lock(true)) {
        result = check_before(before);
        if (result == CKR_OK) result = store_write_token(file);
        if (result == CKR_OK) {
            begin_life(file->instance);
            token.is_read = false;
            if (!store_bump_generation(&generation)) result = CKR_DEVICE_MEMORY;
            store_each(remove_one, &result);
        }
        store_unlock();
    }
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

void token_forget(void)
{
    (void)pthread_mutex_lock(&token.lock);
    drop_all(false);
    free(token.list);
    token.list = NULL;
    token.room = 0;
    token.is_read = false;
    token.logins = 0;
    forget_key(&token.public_key);
    forget_key(&token.private_key);
    (void)pthread_mutex_unlock(&token.lock);
}

/* After a fork: another thread of the parent may have held the lock, and its memory is left as it
 * is. */
void token_abandon(void)
{
    memset(&token, 0, sizeof token);
    token.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
