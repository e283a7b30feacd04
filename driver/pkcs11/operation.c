/* SPDX-License-Identifier: Apache-2.0 */
/* What signatures, encryption and digests have in common: their beginning, their input, their end.
 */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static bool is_rsa(enum family family)
{
    return family <= RSA_OAEP;
}

CK_RV check_mechanism(const struct object *key, CK_MECHANISM_TYPE mechanism)
{
    struct span list;
    if (!object_value(key, CKA_ALLOWED_MECHANISMS, &list) || list.length == 0) return CKR_OK;
    for (size_t i = 0; i + sizeof mechanism <= list.length; i += sizeof mechanism)
        if (memcmp(list.bytes + i, &mechanism, sizeof mechanism) == 0) return CKR_OK;
    return CKR_MECHANISM_INVALID;
}

/* Whether a key is of the right class and type, and may be used so. */
static CK_RV check_key(const struct object *key, const struct parameters *parameters, CK_FLAGS use,
                       CK_ATTRIBUTE_TYPE allowed)
{
    const CK_FLAGS private_uses = CKF_SIGN | CKF_SIGN_RECOVER | CKF_DECRYPT | CKF_UNWRAP;
    const CK_OBJECT_CLASS class = object_ulong(key, CKA_CLASS, UNKNOWN);
    const CK_KEY_TYPE type = object_ulong(key, CKA_KEY_TYPE, UNKNOWN);
    const CK_MECHANISM_TYPE mechanism = parameters->mechanism->type;
    if (class != CKO_PRIVATE_KEY && class != CKO_PUBLIC_KEY && class != CKO_SECRET_KEY)
        return CKR_KEY_HANDLE_INVALID;
    if (is_rsa(parameters->mechanism->family)) {
        const CK_OBJECT_CLASS wanted = (use & private_uses) != 0 ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY;
        if (class != wanted || type != CKK_RSA) return CKR_KEY_TYPE_INCONSISTENT;
    } else if (class != CKO_SECRET_KEY || type != secret_key_type(mechanism)) {
        return CKR_KEY_TYPE_INCONSISTENT;
    }
    if (!object_bool(key, allowed, false)) return CKR_KEY_FUNCTION_NOT_PERMITTED;
    return check_mechanism(key, mechanism);
}

/* Bytes of a number without leading zeros. */
static size_t number_bytes(const struct span *number)
{
    size_t zeros = 0;
    while (zeros < number->length && number->bytes[zeros] == 0) zeros++;
    return number->length - zeros;
}

static CK_RV prepare(struct operation *operation, CK_FLAGS use)
{
    const struct parameters *parameters = &operation->parameters;
    struct span modulus;
    if (parameters->mechanism->family == CIPHER)
        return cipher_begin(parameters, operation->key, use == CKF_ENCRYPT, &operation->cipher);
    if (!is_rsa(parameters->mechanism->family)) return CKR_OK;
    if (!object_value(operation->key, CKA_MODULUS, &modulus)) return CKR_KEY_TYPE_INCONSISTENT;
    operation->key_bytes = number_bytes(&modulus);
    if (8 * operation->key_bytes < MIN_RSA_BITS || operation->key_bytes > MAX_RSA_BYTES)
        return CKR_KEY_SIZE_RANGE;
    operation->key_bits = 8 * operation->key_bytes;
    for (uint8_t top = modulus.bytes[modulus.length - operation->key_bytes]; top < 0x80;
         top = (uint8_t)(top << 1))
        operation->key_bits--;
    if (parameters->mechanism->hash != UNKNOWN) {
        hash_begin(&operation->hash, parameters->hash);
        return CKR_OK;
    }
    operation->room = operation->key_bytes;
    operation->held = secure_new(operation->room);
    return operation->held != NULL ? CKR_OK : CKR_HOST_MEMORY;
}

static void operation_free(struct operation *operation)
{
    object_release(operation->key);
    cipher_end(operation->cipher);
    secure_free(operation->held);
    free(operation->parameters.label);
    sodium_memzero(operation, sizeof *operation);
    free(operation);
}

CK_RV operation_begin(struct session *session, const CK_MECHANISM *mechanism,
                      CK_OBJECT_HANDLE handle, CK_FLAGS use, CK_ATTRIBUTE_TYPE allowed,
                      struct operation **place)
{
    if (*place != NULL) {
        /* Without a mechanism the operation ends: PKCS #11 3.0 has it so. */
        if (mechanism == NULL) operation_end(place);
        return mechanism == NULL ? CKR_OK : CKR_OPERATION_ACTIVE;
    }
    struct operation *operation = calloc(1, sizeof *operation);
    if (operation == NULL) return CKR_HOST_MEMORY;
    CK_RV result = mechanism_read(mechanism, use, &operation->parameters);
    if (result == CKR_OK && use == CKF_DIGEST) {
        hash_begin(&operation->hash, operation->parameters.hash);
    } else if (result == CKR_OK) {
        operation->key = session_object(session, handle);
        result = operation->key == NULL
                     ? CKR_KEY_HANDLE_INVALID
                     : check_key(operation->key, &operation->parameters, use, allowed);
        if (result == CKR_OK) result = prepare(operation, use);
    }
    if (result == CKR_OK) {
        operation->needs_pin =
            operation->key != NULL && object_bool(operation->key, CKA_ALWAYS_AUTHENTICATE, false);
        operation->is_private = operation->key != NULL && operation->key->is_private;
        *place = operation;
    } else {
        operation_free(operation);
    }
    return result;
}

CK_RV operation_check(struct session *session, const struct operation *operation)
{
    if (operation == NULL) return CKR_OPERATION_NOT_INITIALIZED;
    if (operation->needs_pin || (operation->is_private && client_login(session->client) != USER))
        return CKR_USER_NOT_LOGGED_IN;
    return CKR_OK;
}

CK_RV operation_add(struct operation *operation, const uint8_t *bytes, CK_ULONG length)
{
    if (bytes == NULL && length > 0) return CKR_ARGUMENTS_BAD;
    if (length > SANE_LENGTH) return CKR_DATA_LEN_RANGE;
    if (operation->held == NULL) {
        hash_add(&operation->hash, bytes, length);
        return CKR_OK;
    }
    if (length > operation->room - operation->held_length) return CKR_DATA_LEN_RANGE;
    if (length > 0) memcpy(operation->held + operation->held_length, bytes, length);
    operation->held_length += length;
    return CKR_OK;
}

bool operation_fits(struct operation *operation, enum parts parts)
{
    const bool fits = operation->parts == UNDECIDED || operation->parts == parts;
    operation->parts = parts;
    return fits;
}

void operation_end(struct operation **place)
{
    if (*place != NULL) operation_free(*place);
    *place = NULL;
}

CK_RV give_length(const CK_BYTE *result, CK_ULONG *room, size_t length, bool *done)
{
    const CK_ULONG there = *room;
    *done = result == NULL;
    *room = length;
    if (result == NULL) return CKR_OK;
    return there < length ? CKR_BUFFER_TOO_SMALL : CKR_OK;
}

/* --- digests
 * --- */

CK_RV C_DigestInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session,
                         operation_begin(session, mechanism, 0, CKF_DIGEST, 0, &session->digest));
}

/* The result of a digest; an error ends the operation, but that of a small buffer. */
static CK_RV digest_end(struct session *session, const CK_BYTE *data, CK_ULONG length, bool at_once,
                        CK_BYTE *digest, CK_ULONG *room)
{
    bool done = false;
    struct operation *operation = session->digest;
    if (operation == NULL) return CKR_OPERATION_NOT_INITIALIZED;
    CK_RV result = CKR_OPERATION_ACTIVE;
    if (operation_fits(operation, at_once ? AT_ONCE : IN_PARTS))
        result = room == NULL || (data == NULL && length > 0)
                     ? CKR_ARGUMENTS_BAD
                     : give_length(digest, room, operation->hash.kind->length, &done);
    if (result == CKR_BUFFER_TOO_SMALL || done) return result;
    if (result == CKR_OK) result = operation_add(operation, data, length);
    if (result == CKR_OK) hash_end(&operation->hash, digest);
    operation_end(&session->digest);
    return result;
}

CK_RV C_Digest(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG length, CK_BYTE *digest,
               CK_ULONG *room)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, digest_end(session, data, length, true, digest, room));
}

CK_RV C_DigestFinal(CK_SESSION_HANDLE handle, CK_BYTE *digest, CK_ULONG *room)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, digest_end(session, NULL, 0, false, digest, room));
}

static CK_RV digest_update(struct session *session, const CK_BYTE *part, CK_ULONG length)
{
    if (session->digest == NULL) return CKR_OPERATION_NOT_INITIALIZED;
    const CK_RV result = operation_fits(session->digest, IN_PARTS)
                             ? operation_add(session->digest, part, length)
                             : CKR_OPERATION_ACTIVE;
    if (result != CKR_OK) operation_end(&session->digest);
    return result;
}

CK_RV C_DigestUpdate(CK_SESSION_HANDLE handle, CK_BYTE *part, CK_ULONG length)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, digest_update(session, part, length));
}

/* The value of a secret key. */
static CK_RV digest_key(struct session *session, CK_OBJECT_HANDLE handle)
{
    struct span value;
    if (session->digest == NULL) return CKR_OPERATION_NOT_INITIALIZED;
    struct object *key = session_object(session, handle);
    if (key == NULL) return CKR_KEY_HANDLE_INVALID;
    /* The digest of a key that may not leave would give a short one away. */
    CK_RV result = CKR_KEY_INDIGESTIBLE;
    if (object_ulong(key, CKA_CLASS, UNKNOWN) == CKO_SECRET_KEY
        && !template_is_secret(key, CKA_VALUE) && object_value(key, CKA_VALUE, &value))
        result = digest_update(session, value.bytes, value.length);
    object_release(key);
    return result;
}

CK_RV C_DigestKey(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE key)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, digest_key(session, key));
}
