/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core, and which keys its slots hold. It is opened at the first operation and stays open. One
 * operation at a time: the others wait. A key that is in a slot is not loaded again.
 */
#include "token.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "inherited.h"
#include "totient/engine.h"

enum { USUAL_BITS = 4096 };

static struct {
    pthread_mutex_t lock;
    struct totient_device way;
    struct inherited file; /* of a line, a socket or registers */
    struct {
        uint8_t key_id[16], secret_id[16]; /* zeros: the key there is public */
        uint64_t used;
    } slots[TOTIENT_MAX_SLOTS];
    uint64_t uses;
} device = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = {.file = -1}};

/* What a result of the driver means to an application. */
static CK_RV meaning(totient_result result)
{
    switch (result) {
    case TOTIENT_OK: return CKR_OK;
    case TOTIENT_BASE_NOT_BELOW: return CKR_DATA_INVALID;
    case TOTIENT_LENGTH: return CKR_KEY_SIZE_RANGE;
    case TOTIENT_MODULUS_EVEN:
    case TOTIENT_MODULUS_SMALL:
    case TOTIENT_PRIME:
    case TOTIENT_PUBLIC_EXPONENT: return CKR_FUNCTION_FAILED;
    default: return CKR_DEVICE_ERROR;
    }
}

static bool is_open(void)
{
    return device.way.transport != NULL;
}

/* Closes the device as it is. */
static void drop(void)
{
    totient_close_device(&device.way);
    device.file.file = -1;
}

/* Opens the device, and so resets the core: it then has no key. */
static CK_RV open_device(void)
{
    struct totient_device *way = &device.way;
    if (is_open()) return CKR_OK;
    memset(device.slots, 0, sizeof device.slots);
    totient_result result = address_connect(way);
    if (result != TOTIENT_OK) return CKR_DEVICE_ERROR;
    inherited_note(&device.file, way->uio.file >= 0 ? way->uio.file : way->line.file);
    result = totient_open(&way->core, way->transport, way->context);
    if (result == TOTIENT_OK) return CKR_OK;
    (void)totient_device_reason(way, result); /* it stays when the device is closed */
    drop();
    return CKR_DEVICE_ERROR;
}

CK_RV device_open(char *why, size_t room)
{
    (void)pthread_mutex_lock(&device.lock);
    const CK_RV result = open_device();
    if (result != CKR_OK)
        (void)snprintf(why, room, "%s", totient_device_reason(&device.way, TOTIENT_NO_CORE));
    (void)pthread_mutex_unlock(&device.lock);
    return result;
}

static void close_locked(void)
{
    if (!is_open()) return;
    const totient_result cleared = totient_clear(&device.way.core);
    (void)cleared; /* a device that does not answer cannot be wiped from here */
    drop();
}

/* The end of an operation. A line whose other end is gone is closed: the next operation opens it
   again. */
static CK_RV ended(totient_result result)
{
    if ((result == TOTIENT_TRANSPORT || result == TOTIENT_TIMEOUT) && device.way.core.out_of_step)
        drop();
    return meaning(result);
}

void device_close(void)
{
    (void)pthread_mutex_lock(&device.lock);
    close_locked();
    (void)pthread_mutex_unlock(&device.lock);
}

void device_end(void)
{
    (void)pthread_mutex_lock(&device.lock); /* a thread that waits for it never gets it */
    close_locked();
}

void device_wipe_keys(void)
{
    (void)pthread_mutex_lock(&device.lock);
    if (is_open() && totient_clear(&device.way.core) != TOTIENT_OK) drop();
    memset(device.slots, 0, sizeof device.slots);
    (void)pthread_mutex_unlock(&device.lock);
}

void device_forget(const struct object *key)
{
    if (sodium_is_zero(key->secret_id, sizeof key->secret_id)) return;
    bool held = false;
    (void)pthread_mutex_lock(&device.lock);
    for (size_t i = 0; i < TOTIENT_MAX_SLOTS; i++)
        held =
            held || memcmp(device.slots[i].secret_id, key->secret_id, sizeof key->secret_id) == 0;
    if (held && is_open() && totient_clear(&device.way.core) != TOTIENT_OK) drop();
    if (held) memset(device.slots, 0, sizeof device.slots);
    (void)pthread_mutex_unlock(&device.lock);
}

void device_abandon(void)
{
    /* A copy of the open file would keep the device in use when the parent is gone. The memory of a
       simulated core stays as it is. */
    inherited_close(&device.file);
    device.way.uio.file = -1;
    totient_uio_close(&device.way.uio); /* its registers */
    memset(&device, 0, sizeof device);
    device.file.file = -1;
    device.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

CK_ULONG device_maximum_bits(void)
{
    CK_ULONG bits = USUAL_BITS;
    (void)pthread_mutex_lock(&device.lock);
    if (open_device() == CKR_OK) bits = device.way.core.maximum_bits;
    (void)pthread_mutex_unlock(&device.lock);
    return bits;
}

static struct totient_number number(const struct object *key, CK_ATTRIBUTE_TYPE type)
{
    struct span value;
    if (!object_value(key, type, &value) || value.length == 0)
        return (struct totient_number){NULL, 0};
    return (struct totient_number){value.bytes, value.length};
}

/* Loads a key with its primes, or with its private exponent where the core does not take these. */
static totient_result load(uint32_t slot, const struct object *key, bool is_private)
{
    struct totient_rsa_key rsa = {.modulus = number(key, CKA_MODULUS),
                                  .public_exponent = number(key, CKA_PUBLIC_EXPONENT)};
    if (is_private) {
        rsa.p = number(key, CKA_PRIME_1);
        rsa.q = number(key, CKA_PRIME_2);
        rsa.d_p = number(key, CKA_EXPONENT_1);
        rsa.d_q = number(key, CKA_EXPONENT_2);
        rsa.q_inverse = number(key, CKA_COEFFICIENT);
        const bool whole = rsa.p.bytes != NULL && rsa.q.bytes != NULL && rsa.d_p.bytes != NULL
                           && rsa.d_q.bytes != NULL && rsa.q_inverse.bytes != NULL;
        const totient_result result =
            whole ? totient_engine_load_key(&device.way.core, slot, &rsa) : TOTIENT_LENGTH;
        if (result != TOTIENT_LENGTH) return result;
        rsa.p = rsa.q = rsa.d_p = rsa.d_q = rsa.q_inverse = (struct totient_number){NULL, 0};
        rsa.private_exponent = number(key, CKA_PRIVATE_EXPONENT);
        if (rsa.private_exponent.bytes == NULL) return result;
    }
    return totient_engine_load_key(&device.way.core, slot, &rsa);
}

/* The slot that was not used for the longest time. */
static uint32_t oldest(void)
{
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < device.way.core.slots && i < TOTIENT_MAX_SLOTS; i++)
        if (device.slots[i].used < device.slots[chosen].used) chosen = i;
    return chosen;
}

/* The slot with a key, which is loaded if none has it. */
static totient_result find_slot(const struct object *key, bool is_private, uint32_t *slot)
{
    for (uint32_t i = 0; i < device.way.core.slots && i < TOTIENT_MAX_SLOTS; i++) {
        /* After a failure the core has lost its keys. */
        if (device.way.core.slot_bits[i] == 0) device.slots[i].used = 0;
        const uint8_t *there = is_private ? device.slots[i].secret_id : device.slots[i].key_id;
        const uint8_t *wanted = is_private ? key->secret_id : key->key_id;
        if (device.slots[i].used == 0 || memcmp(there, wanted, sizeof key->key_id) != 0) continue;
        device.slots[i].used = ++device.uses;
        *slot = i;
        return TOTIENT_OK;
    }
    *slot = oldest();
    memset(&device.slots[*slot], 0, sizeof device.slots[*slot]);
    const totient_result result = load(*slot, key, is_private);
    if (result != TOTIENT_OK) return result;
    memcpy(device.slots[*slot].key_id, key->key_id, sizeof key->key_id);
    memset(device.slots[*slot].secret_id, 0, sizeof key->secret_id);
    if (is_private) memcpy(device.slots[*slot].secret_id, key->secret_id, sizeof key->secret_id);
    device.slots[*slot].used = ++device.uses;
    return TOTIENT_OK;
}

/* The public exponent as a word, for a core that takes no longer one. */
static bool word_exponent(const struct object *key, uint32_t *exponent)
{
    const struct totient_number value = number(key, CKA_PUBLIC_EXPONENT);
    *exponent = 0;
    for (size_t i = 0; i < value.length; i++) {
        if (*exponent >> 24 != 0) return false;
        *exponent = *exponent << 8 | value.bytes[i];
    }
    return *exponent != 0;
}

/* An operation on a core that is no engine: it loads the key each time. */
static totient_result plain(const struct object *key, bool is_private, const uint8_t *message,
                            uint8_t *result, size_t length)
{
    uint32_t exponent;
    const struct totient_number modulus = number(key, CKA_MODULUS);
    const struct totient_number private = number(key, CKA_PRIVATE_EXPONENT);
    if (!word_exponent(key, &exponent)) return TOTIENT_LENGTH;
    if (is_private)
        return totient_private_checked(&device.way.core, modulus.bytes, modulus.length,
                                       private.bytes, private.length, exponent, message, length,
                                       result, length);
    const totient_result loaded =
        totient_load_public(&device.way.core, modulus.bytes, modulus.length, exponent);
    return loaded != TOTIENT_OK ? loaded
                                : totient_raise(&device.way.core, message, length, result, length);
}

static CK_RV operate(const struct object *key, bool is_private, const uint8_t *message,
                     uint8_t *result, size_t length)
{
    uint32_t slot = 0;
    const uint8_t *id = is_private ? key->secret_id : key->key_id;
    if (sodium_is_zero(id, sizeof key->key_id)) return CKR_KEY_TYPE_INCONSISTENT;
    (void)pthread_mutex_lock(&device.lock);
    CK_RV opened = open_device();
    if (opened == CKR_OK) {
        totient_result done;
        if (device.way.core.slots == 0) {
            done = plain(key, is_private, message, result, length);
        } else {
            done = find_slot(key, is_private, &slot);
            if (done == TOTIENT_OK)
                done = is_private ? totient_engine_private(&device.way.core, slot, 0, message,
                                                           length, result, length)
                                  : totient_engine_public(&device.way.core, slot, message, length,
                                                          result, length);
        }
        opened = ended(done);
    }
    (void)pthread_mutex_unlock(&device.lock);
    return opened;
}

CK_RV device_private(const struct object *key, const uint8_t *message, uint8_t *result,
                     size_t length)
{
    return operate(key, true, message, result, length);
}

CK_RV device_public(const struct object *key, const uint8_t *message, uint8_t *result,
                    size_t length)
{
    return operate(key, false, message, result, length);
}

/* Both at once on an engine, one after the other on another core. */
static totient_result raise_two(const uint8_t *moduli, const uint8_t *exponents,
                                const uint8_t *bases, uint8_t *results, size_t length)
{
    struct totient *core = &device.way.core;
    totient_result result = TOTIENT_OK;
    if (core->slots > 0) {
        const uint32_t slot = oldest();
        const struct totient_number n[2] = {{moduli, length}, {moduli + length, length}};
        const struct totient_number e[2] = {{exponents, length}, {exponents + length, length}};
        memset(&device.slots[slot], 0, sizeof device.slots[slot]);
        result = totient_engine_load_pair(core, slot, n, e, 8 * length);
        if (result != TOTIENT_OK) return result;
        return totient_engine_raise_pair(core, slot, bases, length, results, length);
    }
    for (size_t i = 0; i < 2 && result == TOTIENT_OK; i++) {
        result =
            totient_load_private(core, moduli + i * length, length, exponents + i * length, length);
        if (result == TOTIENT_OK)
            result = totient_raise(core, bases + i * length, length, results + i * length, length);
    }
    return result;
}

CK_RV device_raise_two(const uint8_t *moduli, const uint8_t *exponents, const uint8_t *bases,
                       uint8_t *results, size_t length)
{
    (void)pthread_mutex_lock(&device.lock);
    CK_RV result = open_device();
    if (result == CKR_OK) result = ended(raise_two(moduli, exponents, bases, results, length));
    (void)pthread_mutex_unlock(&device.lock);
    return result;
}
