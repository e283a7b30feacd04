/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that leave the token and come in, encrypted: C_WrapKey and C_UnwrapKey. */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { WRAP_OVERHEAD = 16 };

/* Whether a key may encrypt or decrypt other keys by a mechanism. */
static CK_RV check_wrapping(const struct object *key, const struct parameters *parameters,
                            bool wraps)
{
    const CK_OBJECT_CLASS class = object_ulong(key, CKA_CLASS, UNKNOWN);
    const CK_KEY_TYPE type = object_ulong(key, CKA_KEY_TYPE, UNKNOWN);
    const bool rsa = parameters->mechanism->family != KEY_WRAP;
    const CK_OBJECT_CLASS wanted = !rsa ? CKO_SECRET_KEY : wraps ? CKO_PUBLIC_KEY : CKO_PRIVATE_KEY;
    if (class != wanted || type != (rsa ? CKK_RSA : CKK_AES))
        return wraps ? CKR_WRAPPING_KEY_TYPE_INCONSISTENT : CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT;
    /* There is no operation that a login could belong to. */
    if (object_bool(key, CKA_ALWAYS_AUTHENTICATE, false)) return CKR_USER_NOT_LOGGED_IN;
    if (!object_bool(key, wraps ? CKA_WRAP : CKA_UNWRAP, false))
        return CKR_KEY_FUNCTION_NOT_PERMITTED;
    return check_mechanism(key, parameters->mechanism->type);
}

/* Whether a key may leave with another one. */
static CK_RV check_wrapped(const struct object *key, const struct object *wrapping)
{
    const CK_OBJECT_CLASS class = object_ulong(key, CKA_CLASS, UNKNOWN);
    if (class != CKO_PRIVATE_KEY && class != CKO_SECRET_KEY) return CKR_KEY_NOT_WRAPPABLE;
    if (!object_bool(key, CKA_EXTRACTABLE, false)) return CKR_KEY_UNEXTRACTABLE;
    if (object_bool(key, CKA_WRAP_WITH_TRUSTED, false)
        && !object_bool(wrapping, CKA_TRUSTED, false))
        return CKR_KEY_NOT_WRAPPABLE;
    return CKR_OK;
}

/* What of a key is encrypted: the value of a secret one, DER of an RSA one. In locked memory. */
static CK_RV plain_of(const struct object *key, uint8_t **plain, size_t *length)
{
    struct span value;
    if (object_ulong(key, CKA_CLASS, UNKNOWN) == CKO_SECRET_KEY) {
        if (!object_value(key, CKA_VALUE, &value)) return CKR_KEY_NOT_WRAPPABLE;
        *length = value.length;
        *plain = secure_new(*length);
        if (*plain != NULL) memcpy(*plain, value.bytes, *length);
    } else {
        *length = pkcs8_write(key, NULL, 0);
        if (*length == 0) return CKR_KEY_NOT_WRAPPABLE;
        *plain = secure_new(*length);
        if (*plain != NULL) (void)pkcs8_write(key, *plain, *length);
    }
    return *plain != NULL ? CKR_OK : CKR_HOST_MEMORY;
}

static bool is_padded(const struct parameters *parameters)
{
    return parameters->mechanism->type != CKM_AES_KEY_WRAP;
}

static size_t modulus_bytes(const struct object *key)
{
    struct span modulus;
    if (!object_value(key, CKA_MODULUS, &modulus)) return 0;
    while (modulus.length > 0 && modulus.bytes[0] == 0) {
        modulus.bytes++;
        modulus.length--;
    }
    return modulus.length;
}

static CK_RV encrypt(const struct object *wrapping, const struct parameters *parameters,
                     const uint8_t *plain, size_t length, uint8_t **wrapped, size_t *wrapped_length)
{
    const bool rsa = parameters->mechanism->family != KEY_WRAP;
    const size_t size = modulus_bytes(wrapping);
    *wrapped_length = size;
    *wrapped = malloc(rsa ? size + 1 : length + WRAP_OVERHEAD);
    if (*wrapped == NULL) return CKR_HOST_MEMORY;
    if (!rsa)
        return aes_wrap(wrapping, is_padded(parameters), plain, length, *wrapped, wrapped_length)
                   ? CKR_OK
                   : CKR_KEY_SIZE_RANGE;
    uint8_t *block = secure_new(size);
    if (block == NULL) return CKR_HOST_MEMORY;
    CK_RV result = pad_encryption(parameters, plain, length, block, size);
    if (result == CKR_DATA_LEN_RANGE) result = CKR_KEY_SIZE_RANGE;
    if (result == CKR_OK) result = device_public(wrapping, block, *wrapped, size);
    secure_free(block);
    return result;
}

static CK_RV wrap(const struct object *wrapping, const struct object *key,
                  const struct parameters *parameters, CK_BYTE *out, CK_ULONG *room)
{
    uint8_t *plain = NULL, *wrapped = NULL;
    size_t length = 0, wrapped_length = 0;
    bool done = false;
    CK_RV result = check_wrapping(wrapping, parameters, true);
    if (result == CKR_OK) result = plain_of(key, &plain, &length);
    if (result == CKR_OK)
        result = encrypt(wrapping, parameters, plain, length, &wrapped, &wrapped_length);
    if (result == CKR_OK) result = give_length(out, room, wrapped_length, &done);
    if (result == CKR_OK && !done) memcpy(out, wrapped, wrapped_length);
    secure_free(plain);
    free(wrapped);
    return result;
}

CK_RV C_WrapKey(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE wrapping,
                CK_OBJECT_HANDLE key, CK_BYTE *out, CK_ULONG *room)
{
    struct session *session;
    struct parameters parameters = {.label = NULL};
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (room == NULL) return session_leave(session, CKR_ARGUMENTS_BAD);
    struct object *with = session_object(session, wrapping), *what = session_object(session, key);
    result = mechanism == NULL ? CKR_ARGUMENTS_BAD
             : with == NULL    ? CKR_WRAPPING_KEY_HANDLE_INVALID
             : what == NULL    ? CKR_KEY_HANDLE_INVALID
                               : check_wrapped(what, with);
    if (result == CKR_OK) result = mechanism_read(mechanism, CKF_WRAP, &parameters);
    if (result == CKR_OK) result = wrap(with, what, &parameters, out, room);
    free(parameters.label);
    object_release(with);
    object_release(what);
    return session_leave(session, result);
}

static CK_RV decrypt(const struct object *with, const struct parameters *parameters,
                     const CK_BYTE *wrapped, CK_ULONG length, uint8_t *plain, size_t *plain_length)
{
    if (parameters->mechanism->family == KEY_WRAP)
        return aes_unwrap(with, is_padded(parameters), wrapped, length, plain, plain_length)
                   ? CKR_OK
                   : CKR_WRAPPED_KEY_INVALID;
    if (length != modulus_bytes(with)) return CKR_WRAPPED_KEY_LEN_RANGE;
    uint8_t *block = secure_new(length);
    if (block == NULL) return CKR_HOST_MEMORY;
    CK_RV result = device_private(with, wrapped, block, length);
    if (result == CKR_OK) result = unpad_oaep(parameters, block, length, plain, plain_length);
    if (result == CKR_DATA_INVALID || result == CKR_ENCRYPTED_DATA_INVALID)
        result = CKR_WRAPPED_KEY_INVALID;
    secure_free(block);
    return result;
}

/* A key object of what was encrypted. */
static CK_RV store_plain(struct session *session, const struct attributes *given,
                         const uint8_t *plain, size_t length, CK_OBJECT_HANDLE *handle)
{
    struct attributes set = *given;
    struct span numbers[RSA_NUMBERS];
    const CK_OBJECT_CLASS class = attributes_ulong(given, CKA_CLASS, UNKNOWN);
    bool well = true;
    if (class == CKO_SECRET_KEY) {
        well = attributes_put(&set, CKA_VALUE, plain, length);
    } else if (class == CKO_PRIVATE_KEY) {
        if (!pkcs8_read(plain, length, numbers)) return CKR_WRAPPED_KEY_INVALID;
        for (size_t i = 0; i < RSA_NUMBERS && well; i++)
            well = attributes_put(&set, rsa_types[i], numbers[i].bytes, numbers[i].length);
    } else {
        return CKR_TEMPLATE_INCONSISTENT;
    }
    if (!well) return CKR_TEMPLATE_INCONSISTENT;
    const CK_RV result = object_from_outside(session, given, &set, UNWRAPPED, handle);
    /* The template was right, so the key is not. */
    return result == CKR_ATTRIBUTE_VALUE_INVALID ? CKR_WRAPPED_KEY_INVALID : result;
}

static CK_RV check_template(const struct attributes *given)
{
    const CK_OBJECT_CLASS class = attributes_ulong(given, CKA_CLASS, UNKNOWN);
    const CK_KEY_TYPE type = attributes_ulong(given, CKA_KEY_TYPE, UNKNOWN);
    if (attributes_find(given, CKA_CLASS) == NULL || attributes_find(given, CKA_KEY_TYPE) == NULL)
        return CKR_TEMPLATE_INCOMPLETE;
    if (class == CKO_PRIVATE_KEY) return type == CKK_RSA ? CKR_OK : CKR_TEMPLATE_INCONSISTENT;
    if (class != CKO_SECRET_KEY) return CKR_TEMPLATE_INCONSISTENT;
    return CKR_OK;
}

static CK_RV unwrap(struct session *session, const struct object *with,
                    const struct parameters *parameters, const CK_BYTE *wrapped, CK_ULONG length,
                    const struct attributes *given, CK_OBJECT_HANDLE *handle)
{
    size_t plain_length = 0;
    CK_RV result = check_wrapping(with, parameters, false);
    if (result == CKR_OK) result = check_template(given);
    if (result != CKR_OK) return result;
    uint8_t *plain = secure_new(length + MAX_HASH);
    if (plain == NULL) return CKR_HOST_MEMORY;
    result = decrypt(with, parameters, wrapped, length, plain, &plain_length);
    if (result == CKR_OK) result = store_plain(session, given, plain, plain_length, handle);
    secure_free(plain);
    return result;
}

CK_RV C_UnwrapKey(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE unwrapping,
                  CK_BYTE *wrapped, CK_ULONG length, CK_ATTRIBUTE *template, CK_ULONG count,
                  CK_OBJECT_HANDLE *key)
{
    struct session *session;
    struct attributes given;
    struct parameters parameters = {.label = NULL};
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    struct object *with = session_object(session, unwrapping);
    if (mechanism == NULL || wrapped == NULL || key == NULL) result = CKR_ARGUMENTS_BAD;
    else if (with == NULL) result = CKR_UNWRAPPING_KEY_HANDLE_INVALID;
    else if (length > MAX_VALUE) result = CKR_WRAPPED_KEY_LEN_RANGE;
    else result = template_read(template, count, &given);
    if (result == CKR_OK) result = mechanism_read(mechanism, CKF_UNWRAP, &parameters);
    if (result == CKR_OK) result = unwrap(session, with, &parameters, wrapped, length, &given, key);
    free(parameters.label);
    object_release(with);
    return session_leave(session, result);
}
