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
    uint8_t *public_key, *private_key; /* locked memory; NULL: not there */
    unsigned logins;
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

/* Reads what has changed, with the lock of the folder. */
static CK_RV read_all(void)
{
    struct token_file file;
    const CK_RV result = store_read_token(&file);
    if (result == CKR_OK && memcmp(file.instance, token.instance, INSTANCE_LENGTH) != 0) {
        drop_all(false);
        memcpy(token.instance, file.instance, INSTANCE_LENGTH);
        forget_key(&token.private_key); /* it was initialised again */
    }
    if (result != CKR_OK || !keep_key(&token.public_key, file.public_key)) {
        sodium_memzero(&file, sizeof file);
        return result != CKR_OK ? result : CKR_HOST_MEMORY;
    }
    sodium_memzero(&file, sizeof file);
    const size_t before = token.count;
    bool *seen = calloc(before + 1, sizeof *seen);
    if (seen == NULL) return CKR_HOST_MEMORY;
    token.generation = store_generation();
    store_each(read_one, seen);
    for (size_t i = before; i-- > 0;)
        if (!seen[i]) drop(i);
    free(seen);
    token.is_read = true;
    return CKR_OK;
}

static CK_RV refresh(void)
{
    int lock;
    if (token.is_read && store_generation() == token.generation) return CKR_OK;
    if (!store_lock(false, &lock)) return CKR_TOKEN_NOT_RECOGNIZED;
    const CK_RV result = read_all();
    store_unlock(lock);
    return result;
}

CK_RV token_refresh(void)
{
    (void)pthread_mutex_lock(&token.lock);
    const CK_RV result = refresh();
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

CK_RV token_login(const uint8_t key[KEY_LENGTH])
{
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = refresh();
    if (result == CKR_OK && !keep_key(&token.private_key, key)) result = CKR_HOST_MEMORY;
    if (result == CKR_OK) {
        token.logins++;
        token.is_read = false; /* private objects can be read now */
        result = refresh();
        if (result != CKR_OK && --token.logins == 0) forget_key(&token.private_key);
    }
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

void token_logout(void)
{
    (void)pthread_mutex_lock(&token.lock);
    const bool last = token.logins > 0 && --token.logins == 0;
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
    if (result == CKR_OK && memcmp(file.instance, token.instance, INSTANCE_LENGTH) != 0)
        result = CKR_DEVICE_REMOVED;
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
    int lock;
    if (!store_lock(true, &lock)) return CKR_DEVICE_MEMORY;
    const CK_RV result = write_locked(object);
    store_unlock(lock);
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

CK_RV token_replace(struct object *old, struct object *new)
{
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = CKR_OBJECT_HANDLE_INVALID;
    for (size_t i = 0; i < token.count; i++) {
        if (token.list[i] != old) continue;
        memcpy(new->name, old->name, sizeof new->name);
        new->handle = old->handle;
        result = write_object(new);
        if (result != CKR_OK) break;
        token.list[i] = object_keep(new);
        object_release(old);
        break;
    }
    (void)pthread_mutex_unlock(&token.lock);
    return result;
}

CK_RV token_remove(struct object *object)
{
    uint64_t generation = 0;
    int lock;
    (void)pthread_mutex_lock(&token.lock);
    CK_RV result = CKR_DEVICE_ERROR;
    if (store_lock(true, &lock)) {
        if (store_bump_generation(&generation)) result = store_remove_object(object->name);
        if (result == CKR_OK && token.generation + 1 == generation) token.generation = generation;
        store_unlock(lock);
    }
    for (size_t i = 0; i < token.count && result == CKR_OK; i++) {
        if (token.list[i] != object) continue;
        drop(i);
        break;
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

CK_RV token_erase(void)
{
    uint64_t generation;
    CK_RV result = store_bump_generation(&generation) ? CKR_OK : CKR_DEVICE_MEMORY;
    store_each(remove_one, &result);
    token_forget();
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
