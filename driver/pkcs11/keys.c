/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that the token generates, and random numbers. */
#include "operation.h"

#include <sodium.h>
#include <string.h>

enum { BITS_STEP = 2 };

static const CK_BBOOL yes = CK_TRUE;

/* What the module states of a new key, which no caller may. */
static bool state_origin(struct attributes *set, const CK_MECHANISM_TYPE *mechanism,
                         CK_BBOOL flags[2])
{
    const CK_OBJECT_CLASS class = attributes_ulong(set, CKA_CLASS, UNKNOWN);
    bool well = attributes_put(set, CKA_LOCAL, &yes, sizeof yes)
                && attributes_put(set, CKA_KEY_GEN_MECHANISM, mechanism, sizeof *mechanism);
    if (class == CKO_PUBLIC_KEY) return well;
    flags[0] = attributes_bool(set, CKA_SENSITIVE, true);
    flags[1] = !attributes_bool(set, CKA_EXTRACTABLE, false);
    return well && attributes_put(set, CKA_ALWAYS_SENSITIVE, &flags[0], sizeof flags[0])
           && attributes_put(set, CKA_NEVER_EXTRACTABLE, &flags[1], sizeof flags[1]);
}

/* Class and type of a new key: the template may state them, too, but no others. */
static CK_RV state_kind(struct attributes *set, const CK_OBJECT_CLASS *class,
                        const CK_KEY_TYPE *type)
{
    if (attributes_ulong(set, CKA_CLASS, *class) != *class
        || attributes_ulong(set, CKA_KEY_TYPE, *type) != *type)
        return CKR_TEMPLATE_INCONSISTENT;
    return attributes_put(set, CKA_CLASS, class, sizeof *class)
                   && attributes_put(set, CKA_KEY_TYPE, type, sizeof *type)
               ? CKR_OK
               : CKR_TEMPLATE_INCONSISTENT;
}

static CK_RV make_secret(struct session *session, const CK_MECHANISM *mechanism,
                         const struct attributes *given, CK_OBJECT_HANDLE *handle)
{
    static const CK_OBJECT_CLASS class = CKO_SECRET_KEY;
    struct parameters parameters;
    struct attributes set = *given;
    struct object *key = NULL;
    CK_BBOOL flags[2];
    CK_RV result = mechanism_read(mechanism, CKF_GENERATE, &parameters);
    if (result != CKR_OK) return result;
    const CK_KEY_TYPE type = secret_key_type(mechanism->mechanism);
    result = state_kind(&set, &class, &type);
    if (result != CKR_OK) return result;
    const CK_ULONG asked = attributes_ulong(given, CKA_VALUE_LEN, 0);
    const CK_ULONG length = secret_key_length(type, asked);
    if (length == 0) return asked == 0 ? CKR_TEMPLATE_INCOMPLETE : CKR_ATTRIBUTE_VALUE_INVALID;
    uint8_t *value = secure_new(length);
    if (value == NULL) return CKR_HOST_MEMORY;
    randombytes_buf(value, length);
    secret_key_finish(type, value, length);
    const bool officer = client_login(session->client) == OFFICER;
    if (!attributes_put(&set, CKA_VALUE, value, length)
        || !attributes_put(&set, CKA_VALUE_LEN, &length, sizeof length))
        result = CKR_TEMPLATE_INCONSISTENT;
    if (result == CKR_OK) result = template_complete(given, GENERATED, officer, &set);
    if (result == CKR_OK && !state_origin(&set, &mechanism->mechanism, flags))
        result = CKR_TEMPLATE_INCONSISTENT;
    if (result == CKR_OK) result = session_store(session, &set, &key);
    if (result == CKR_OK) *handle = key->handle;
    object_release(key);
    secure_free(value);
    return result;
}

CK_RV C_GenerateKey(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_ATTRIBUTE *template,
                    CK_ULONG count, CK_OBJECT_HANDLE *key)
{
    struct session *session;
    struct attributes given;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    result = key == NULL || mechanism == NULL ? CKR_ARGUMENTS_BAD
                                              : template_read(template, count, &given);
    if (result == CKR_OK) result = make_secret(session, mechanism, &given, key);
    return session_leave(session, result);
}

/* A pair that is being made. */
struct pair {
    const CK_MECHANISM *mechanism;
    struct attributes given[2], set[2]; /* public, private */
    CK_ULONG bits;
    struct span exponent;
    CK_BBOOL flags[2];
    struct rsa_numbers numbers;
    struct object *object[2];
};

/* Everything that the templates may have wrong, before the work begins. */
static CK_RV check_pair(struct session *session, struct pair *pair)
{
    static const CK_OBJECT_CLASS classes[2] = {CKO_PUBLIC_KEY, CKO_PRIVATE_KEY};
    static const CK_KEY_TYPE rsa = CKK_RSA;
    static const uint8_t usual[3] = {1, 0, 1};
    const bool officer = client_login(session->client) == OFFICER;
    for (size_t i = 0; i < 2; i++) {
        pair->set[i] = pair->given[i];
        CK_RV result = state_kind(&pair->set[i], &classes[i], &rsa);
        if (result == CKR_OK)
            result = template_complete(&pair->given[i], GENERATED, officer, &pair->set[i]);
        if (result == CKR_OK) result = session_check_template(session, &pair->set[i]);
        if (result != CKR_OK) return result;
    }
    pair->bits = attributes_ulong(&pair->given[0], CKA_MODULUS_BITS, 0);
    if (attributes_find(&pair->given[0], CKA_MODULUS_BITS) == NULL) return CKR_TEMPLATE_INCOMPLETE;
    if (pair->bits < MIN_RSA_BITS || pair->bits > device_maximum_bits()
        || pair->bits % BITS_STEP != 0)
        return CKR_ATTRIBUTE_VALUE_INVALID;
    const struct attribute *exponent = attributes_find(&pair->given[0], CKA_PUBLIC_EXPONENT);
    pair->exponent = (struct span){usual, sizeof usual};
    if (exponent != NULL && exponent->length > 0)
        pair->exponent = (struct span){exponent->value, exponent->length};
    while (pair->exponent.length > 0 && pair->exponent.bytes[0] == 0) {
        pair->exponent.bytes++;
        pair->exponent.length--;
    }
    const size_t length = pair->exponent.length;
    /* FIPS 186-5 allows up to 256 bits. */
    if (length == 0 || length > 32 || (pair->exponent.bytes[length - 1] & 1) == 0
        || (length == 1 && pair->exponent.bytes[0] < 3))
        return CKR_ATTRIBUTE_VALUE_INVALID;
    return CKR_OK;
}

static CK_RV fill_pair(struct pair *pair)
{
    struct span *modulus = &pair->numbers.number[RSA_MODULUS];
    while (modulus->bytes[0] == 0) {
        modulus->bytes++;
        modulus->length--;
    }
    bool well = attributes_put(&pair->set[0], CKA_MODULUS_BITS, &pair->bits, sizeof pair->bits);
    for (size_t i = 0; i < RSA_NUMBERS && well; i++) {
        const struct span *number = &pair->numbers.number[i];
        if (i <= RSA_PUBLIC)
            well = attributes_put(&pair->set[0], rsa_types[i], number->bytes, number->length);
        well = well && attributes_put(&pair->set[1], rsa_types[i], number->bytes, number->length);
    }
    for (size_t i = 0; i < 2 && well; i++)
        well = state_origin(&pair->set[i], &pair->mechanism->mechanism, pair->flags);
    if (!well) return CKR_TEMPLATE_INCONSISTENT;
    for (size_t i = 0; i < 2; i++) {
        pair->object[i] = object_new(&pair->set[i]);
        if (pair->object[i] == NULL) return CKR_HOST_MEMORY;
    }
    return CKR_OK;
}

/* A key is given out only after it has worked: the device checks its result with the public
 * exponent. */
static CK_RV try_pair(const struct pair *pair)
{
    const size_t length = (pair->bits + 7) / 8;
    uint8_t *number = secure_new(length);
    if (number == NULL) return CKR_HOST_MEMORY;
    randombytes_buf(number, length);
    number[0] = 0;
    const CK_RV result = device_private(pair->object[1], number, number, length);
    secure_free(number);
    return result;
}

static CK_RV store_one(struct session *session, struct object *object)
{
    return object->is_token ? token_add(object) : session_add_object(session, object);
}

static CK_RV store_pair(struct session *session, const struct pair *pair)
{
    CK_RV result = store_one(session, pair->object[1]);
    if (result != CKR_OK) return result;
    result = store_one(session, pair->object[0]);
    if (result == CKR_OK) return CKR_OK;
    if (pair->object[1]->is_token) (void)token_remove(pair->object[1]);
    else (void)session_remove_object(session, pair->object[1]);
    return result;
}

static CK_RV make_pair(struct session *session, struct pair *pair, CK_OBJECT_HANDLE *public,
                       CK_OBJECT_HANDLE *private)
{
    CK_RV result = check_pair(session, pair);
    if (result == CKR_OK)
        result =
            rsa_generate(pair->bits, pair->exponent.bytes, pair->exponent.length, &pair->numbers);
    if (result == CKR_OK) result = fill_pair(pair);
    if (result == CKR_OK) result = try_pair(pair);
    /* The application may have logged out meanwhile. */
    if (result == CKR_OK) result = session_check_template(session, &pair->set[1]);
    if (result == CKR_OK) result = store_pair(session, pair);
    if (result == CKR_OK) {
        *public = pair->object[0]->handle;
        *private = pair->object[1]->handle;
    }
    object_release(pair->object[0]);
    object_release(pair->object[1]);
    secure_free(pair->numbers.memory);
    return result;
}

CK_RV C_GenerateKeyPair(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism,
                        CK_ATTRIBUTE *public_template, CK_ULONG public_count,
                        CK_ATTRIBUTE *private_template, CK_ULONG private_count,
                        CK_OBJECT_HANDLE *public, CK_OBJECT_HANDLE *private)
{
    struct session *session;
    struct parameters parameters;
    struct pair pair = {.mechanism = mechanism};
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    result = public == NULL || private == NULL ? CKR_ARGUMENTS_BAD : CKR_OK;
    if (result == CKR_OK) result = mechanism_read(mechanism, CKF_GENERATE_KEY_PAIR, &parameters);
    if (result == CKR_OK) result = template_read(public_template, public_count, &pair.given[0]);
    if (result == CKR_OK) result = template_read(private_template, private_count, &pair.given[1]);
    if (result == CKR_OK) result = make_pair(session, &pair, public, private);
    return session_leave(session, result);
}

CK_RV C_SeedRandom(CK_SESSION_HANDLE handle, CK_BYTE *seed, CK_ULONG length)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (seed == NULL && length > 0) return session_leave(session, CKR_ARGUMENTS_BAD);
    return session_leave(session, CKR_RANDOM_SEED_NOT_SUPPORTED);
}

/* The operating system's, which no two processes share. */
CK_RV C_GenerateRandom(CK_SESSION_HANDLE handle, CK_BYTE *bytes, CK_ULONG length)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if ((bytes == NULL && length > 0) || length > SANE_LENGTH)
        return session_leave(session, CKR_ARGUMENTS_BAD);
    if (length > 0) randombytes_buf(bytes, length);
    return session_leave(session, CKR_OK);
}
