/* SPDX-License-Identifier: Apache-2.0 */
/* An object: its attributes, in one piece of locked memory. It never changes: a change makes a new
 * one. */
#define _DEFAULT_SOURCE /* madvise */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A record: type and length, then the value. */
enum { HEAD = 2 * sizeof(uint64_t) };

void *secure_new(size_t size)
{
    uint8_t *memory = sodium_malloc(size > 0 ? size : 1);
#ifdef MADV_WIPEONFORK
    /* A forked child gets zeros. It never gives the memory back, so that sodium does not miss its
     * mark. */
    if (memory != NULL) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)memory % page;
        (void)madvise(memory - before, before + size, MADV_WIPEONFORK);
    }
#endif
    return memory;
}

void secure_free(void *memory)
{
    sodium_free(memory);
}

CK_OBJECT_HANDLE object_next_handle(void)
{
    static CK_OBJECT_HANDLE last;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

bool attributes_put(struct attributes *set, CK_ATTRIBUTE_TYPE type, const void *value,
                    size_t length)
{
    size_t place = 0;
    while (place < set->count && set->list[place].type != type) place++;
    if (place == MAX_ATTRIBUTES) return false;
    set->list[place] = (struct attribute){type, value, length};
    if (place == set->count) set->count++;
    return true;
}

const struct attribute *attributes_find(const struct attributes *set, CK_ATTRIBUTE_TYPE type)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->list[i].type == type) return &set->list[i];
    return NULL;
}

bool attributes_bool(const struct attributes *set, CK_ATTRIBUTE_TYPE type, bool otherwise)
{
    const struct attribute *found = attributes_find(set, type);
    if (found == NULL || found->length != sizeof(CK_BBOOL)) return otherwise;
    return *(const CK_BBOOL *)found->value != CK_FALSE;
}

CK_ULONG attributes_ulong(const struct attributes *set, CK_ATTRIBUTE_TYPE type, CK_ULONG otherwise)
{
    const struct attribute *found = attributes_find(set, type);
    CK_ULONG value = otherwise;
    if (found != NULL && found->length == sizeof value) memcpy(&value, found->value, sizeof value);
    return value;
}

/* The record at a place; false: there is no whole one. */
static bool record_at(const uint8_t *bytes, size_t size, size_t place, struct attribute *record)
{
    uint64_t head[2];
    if (size - place < HEAD) return false;
    memcpy(head, bytes + place, HEAD);
    if (head[1] > size - place - HEAD) return false;
    *record = (struct attribute){(CK_ATTRIBUTE_TYPE)head[0], bytes + place + HEAD, (size_t)head[1]};
    return true;
}

/* A hash of the first numbers of an RSA key; false: it has not all of those that it must have. */
static bool identify(const struct object *object, size_t count, size_t needed, uint8_t id[16])
{
    crypto_generichash_state state;
    (void)crypto_generichash_init(&state, NULL, 0, 16);
    for (size_t i = 0; i < count; i++) {
        struct span number = {NULL, 0};
        (void)object_value(object, rsa_types[i], &number);
        if (number.length == 0 && i < needed) return false;
        const uint64_t length = number.length;
        (void)crypto_generichash_update(&state, (const uint8_t *)&length, sizeof length);
        if (length > 0) (void)crypto_generichash_update(&state, number.bytes, number.length);
    }
    (void)crypto_generichash_final(&state, id, 16);
    sodium_memzero(&state, sizeof state);
    return true;
}

/* What the module asks for often. */
static void set_fields(struct object *object)
{
    object->is_token = object_bool(object, CKA_TOKEN, false);
    object->is_private = object_bool(object, CKA_PRIVATE, false);
    (void)identify(object, RSA_EXPONENT, RSA_EXPONENT, object->key_id);
    /* Who knows the public half must not get at the private one of another object. */
    (void)identify(object, RSA_NUMBERS, RSA_P, object->secret_id);
}

static struct object *object_with_room(size_t size)
{
    struct object *object = calloc(1, sizeof *object);
    if (object == NULL) return NULL;
    object->bytes = secure_new(size);
    object->size = size;
    object->references = 1;
    object->handle = object_next_handle();
    if (object->bytes != NULL) return object;
    free(object);
    return NULL;
}

struct object *object_new(const struct attributes *set)
{
    size_t size = 0;
    for (size_t i = 0; i < set->count; i++) size += HEAD + set->list[i].length;
    struct object *object = object_with_room(size);
    if (object == NULL) return NULL;
    uint8_t *place = object->bytes;
    for (size_t i = 0; i < set->count; i++) {
        const struct attribute *each = &set->list[i];
        const uint64_t head[2] = {each->type, each->length};
        memcpy(place, head, HEAD);
        if (each->length > 0) memcpy(place + HEAD, each->value, each->length);
        place += HEAD + each->length;
    }
    set_fields(object);
    return object;
}

struct object *object_of_bytes(const uint8_t *bytes, size_t size)
{
    struct attribute record;
    size_t place = 0, count = 0;
    for (; place < size; place += HEAD + record.length)
        if (!record_at(bytes, size, place, &record) || ++count > MAX_ATTRIBUTES) return NULL;
    struct object *object = object_with_room(size);
    if (object == NULL) return NULL;
    memcpy(object->bytes, bytes, size);
    set_fields(object);
    return object;
}

struct object *object_keep(struct object *object)
{
    (void)__atomic_add_fetch(&object->references, 1, __ATOMIC_RELAXED);
    return object;
}

void object_release(struct object *object)
{
    if (object == NULL || __atomic_sub_fetch(&object->references, 1, __ATOMIC_ACQ_REL) != 0) return;
    device_forget(object);
    secure_free(object->bytes);
    sodium_memzero(object, sizeof *object);
    free(object);
}

bool object_value(const struct object *object, CK_ATTRIBUTE_TYPE type, struct span *value)
{
    struct attribute record;
    for (size_t place = 0; record_at(object->bytes, object->size, place, &record);
         place += HEAD + record.length) {
        if (record.type != type) continue;
        *value = (struct span){record.value, record.length};
        return true;
    }
    return false;
}

bool object_bool(const struct object *object, CK_ATTRIBUTE_TYPE type, bool otherwise)
{
    struct span value;
    if (!object_value(object, type, &value) || value.length != sizeof(CK_BBOOL)) return otherwise;
    return value.bytes[0] != CK_FALSE;
}

CK_ULONG object_ulong(const struct object *object, CK_ATTRIBUTE_TYPE type, CK_ULONG otherwise)
{
    struct span value;
    CK_ULONG number = otherwise;
    if (object_value(object, type, &value) && value.length == sizeof number)
        memcpy(&number, value.bytes, sizeof number);
    return number;
}

bool object_attributes(const struct object *object, struct attributes *set)
{
    struct attribute record;
    for (size_t place = 0; record_at(object->bytes, object->size, place, &record);
         place += HEAD + record.length)
        if (!attributes_put(set, record.type, record.value, record.length)) return false;
    return true;
}

bool object_matches(const struct object *object, const CK_ATTRIBUTE *template, CK_ULONG count)
{
    for (CK_ULONG i = 0; i < count; i++) {
        struct span value;
        /* A search by a secret value would reveal it, byte by byte where lengths are free. */
        if (template_is_secret(object, template[i].type)
            || !object_value(object, template[i].type, &value)
            || value.length != template[i].ulValueLen
            || (value.length > 0 && memcmp(value.bytes, template[i].pValue, value.length) != 0))
            return false;
    }
    return true;
}
