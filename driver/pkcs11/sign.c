/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures: made, verified, and with recovery of what was signed. */
#include "operation.h"

#include <sodium.h>
#include <string.h>

static CK_RV begin(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                   CK_FLAGS use)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    const bool signs = use == CKF_SIGN || use == CKF_SIGN_RECOVER;
    const bool recover = use == CKF_SIGN_RECOVER || use == CKF_VERIFY_RECOVER;
    const CK_ATTRIBUTE_TYPE allowed = use == CKF_SIGN           ? CKA_SIGN
                                      : use == CKF_SIGN_RECOVER ? CKA_SIGN_RECOVER
                                      : use == CKF_VERIFY       ? CKA_VERIFY
                                                                : CKA_VERIFY_RECOVER;
    struct operation **place = signs ? &session->sign : &session->verify;
    result = operation_begin(session, mechanism, key, use, allowed, place);
    if (result == CKR_OK && *place != NULL) (*place)->recover = recover;
    return session_leave(session, result);
}

CK_RV C_SignInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return begin(handle, mechanism, key, CKF_SIGN);
}

CK_RV C_SignRecoverInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return begin(handle, mechanism, key, CKF_SIGN_RECOVER);
}

CK_RV C_VerifyInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return begin(handle, mechanism, key, CKF_VERIFY);
}

CK_RV C_VerifyRecoverInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return begin(handle, mechanism, key, CKF_VERIFY_RECOVER);
}

/* What is signed: the digest, or what a mechanism without a hash has got. */
static const uint8_t *signed_data(struct operation *operation, uint8_t *digest, size_t *length)
{
    if (operation->held != NULL) {
        *length = operation->held_length;
        return operation->held;
    }
    *length = operation->parameters.hash->length;
    hash_end(&operation->hash, digest);
    return digest;
}

/* What is called at the end of an operation. */
struct call {
    bool at_once, recover;
    const CK_BYTE *data;
    CK_ULONG length;
};

/* Whether an operation is there for a call. */
static CK_RV check_call(struct session *session, struct operation *operation,
                        const struct call *call)
{
    if (operation == NULL || operation->recover != call->recover)
        return CKR_OPERATION_NOT_INITIALIZED;
    if (!operation_fits(operation, call->at_once ? AT_ONCE : IN_PARTS)) return CKR_OPERATION_ACTIVE;
    return operation_check(session, operation);
}

static CK_RV sign(struct operation *operation, const struct call *call, CK_BYTE *signature)
{
    uint8_t digest[MAX_HASH];
    size_t length = 0;
    const size_t size = operation->key_bytes;
    CK_RV result = operation_add(operation, call->data, call->length);
    if (result != CKR_OK) return result;
    uint8_t *block = secure_new(size);
    if (block == NULL) return CKR_HOST_MEMORY;
    const uint8_t *data = signed_data(operation, digest, &length);
    result = pad_signature(operation, data, length, block, size);
    if (result == CKR_OK) result = device_private(operation->key, block, block, size);
    if (result == CKR_OK) memcpy(signature, block, size);
    secure_free(block);
    return result;
}

static CK_RV sign_end(struct session *session, const struct call *call, CK_BYTE *signature,
                      CK_ULONG *room)
{
    bool done = false;
    struct operation *operation = session->sign;
    CK_RV result = check_call(session, operation, call);
    if (result == CKR_OPERATION_NOT_INITIALIZED) return result;
    if (result == CKR_OK)
        result = room == NULL || (call->data == NULL && call->length > 0)
                     ? CKR_ARGUMENTS_BAD
                     : give_length(signature, room, operation->key_bytes, &done);
    if (result == CKR_BUFFER_TOO_SMALL || (result == CKR_OK && done)) return result;
    if (result == CKR_OK) result = sign(operation, call, signature);
    operation_end(&session->sign);
    return result;
}

static CK_RV sign_call(CK_SESSION_HANDLE handle, const struct call *call, CK_BYTE *signature,
                       CK_ULONG *room)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, sign_end(session, call, signature, room));
}

CK_RV C_Sign(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG length, CK_BYTE *signature,
             CK_ULONG *room)
{
    return sign_call(handle, &(struct call){true, false, data, length}, signature, room);
}

CK_RV C_SignFinal(CK_SESSION_HANDLE handle, CK_BYTE *signature, CK_ULONG *room)
{
    return sign_call(handle, &(struct call){false, false, NULL, 0}, signature, room);
}

CK_RV C_SignRecover(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG length, CK_BYTE *signature,
                    CK_ULONG *room)
{
    return sign_call(handle, &(struct call){true, true, data, length}, signature, room);
}

static CK_RV update(CK_SESSION_HANDLE handle, bool signs, const CK_BYTE *part, CK_ULONG length)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    struct operation **place = signs ? &session->sign : &session->verify;
    result = check_call(session, *place, &(struct call){false, false, part, length});
    if (result == CKR_OPERATION_NOT_INITIALIZED) return session_leave(session, result);
    if (result == CKR_OK) result = operation_add(*place, part, length);
    if (result != CKR_OK) operation_end(place);
    return session_leave(session, result);
}

CK_RV C_SignUpdate(CK_SESSION_HANDLE handle, CK_BYTE *part, CK_ULONG length)
{
    return update(handle, true, part, length);
}

CK_RV C_VerifyUpdate(CK_SESSION_HANDLE handle, CK_BYTE *part, CK_ULONG length)
{
    return update(handle, false, part, length);
}

/* The number that a signature encodes. */
static CK_RV open_signature(const struct operation *operation, const CK_BYTE *signature,
                            CK_ULONG length, uint8_t *block)
{
    if (signature == NULL) return CKR_ARGUMENTS_BAD;
    if (length != operation->key_bytes) return CKR_SIGNATURE_LEN_RANGE;
    const CK_RV result = device_public(operation->key, signature, block, length);
    return result == CKR_DATA_INVALID ? CKR_SIGNATURE_INVALID : result;
}

static CK_RV verify(struct operation *operation, const struct call *call, const CK_BYTE *signature,
                    CK_ULONG signature_length)
{
    uint8_t digest[MAX_HASH], block[MAX_RSA_BYTES], expected[MAX_RSA_BYTES];
    size_t length = 0;
    const size_t size = operation->key_bytes;
    CK_RV result = operation_add(operation, call->data, call->length);
    if (result == CKR_OK) result = open_signature(operation, signature, signature_length, block);
    if (result != CKR_OK) return result;
    const uint8_t *data = signed_data(operation, digest, &length);
    if (operation->parameters.mechanism->family == RSA_PSS) {
        if (length != operation->parameters.hash->length) return CKR_DATA_LEN_RANGE;
        return check_pss(operation, data, length, block, size) ? CKR_OK : CKR_SIGNATURE_INVALID;
    }
    result = pad_signature(operation, data, length, expected, size);
    if (result != CKR_OK) return result;
    return memcmp(block, expected, size) == 0 ? CKR_OK : CKR_SIGNATURE_INVALID;
}

static CK_RV verify_call(CK_SESSION_HANDLE handle, const struct call *call,
                         const CK_BYTE *signature, CK_ULONG length)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    result = check_call(session, session->verify, call);
    if (result == CKR_OPERATION_NOT_INITIALIZED) return session_leave(session, result);
    if (result == CKR_OK) result = verify(session->verify, call, signature, length);
    operation_end(&session->verify);
    return session_leave(session, result);
}

CK_RV C_Verify(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG length, CK_BYTE *signature,
               CK_ULONG signature_length)
{
    return verify_call(handle, &(struct call){true, false, data, length}, signature,
                       signature_length);
}

CK_RV C_VerifyFinal(CK_SESSION_HANDLE handle, CK_BYTE *signature, CK_ULONG length)
{
    return verify_call(handle, &(struct call){false, false, NULL, 0}, signature, length);
}

/* What was signed, at the end of a block: 0, 1, ones, 0, data. */
static size_t find_data(const uint8_t *block, size_t size)
{
    size_t place = 2;
    if (block[0] != 0 || block[1] != 1) return size;
    while (place < size && block[place] == 0xff) place++;
    return place < 10 || place == size || block[place] != 0 ? size : place + 1;
}

static CK_RV recover(struct session *session, const CK_BYTE *signature, CK_ULONG length,
                     CK_BYTE *data, CK_ULONG *room)
{
    uint8_t block[MAX_RSA_BYTES];
    bool done = false;
    struct operation *operation = session->verify;
    CK_RV result = check_call(session, operation, &(struct call){true, true, NULL, 0});
    if (result == CKR_OPERATION_NOT_INITIALIZED) return result;
    if (result == CKR_OK) result = room == NULL ? CKR_ARGUMENTS_BAD : CKR_OK;
    if (result == CKR_OK) result = open_signature(operation, signature, length, block);
    if (result == CKR_OK) {
        const size_t size = operation->key_bytes;
        const bool raw = operation->parameters.mechanism->family == RSA_RAW;
        const size_t place = raw ? 0 : find_data(block, size);
        result =
            place == size ? CKR_SIGNATURE_INVALID : give_length(data, room, size - place, &done);
        if (result == CKR_BUFFER_TOO_SMALL || (result == CKR_OK && done)) return result;
        if (result == CKR_OK) memcpy(data, block + place, size - place);
    }
    operation_end(&session->verify);
    return result;
}

CK_RV C_VerifyRecover(CK_SESSION_HANDLE handle, CK_BYTE *signature, CK_ULONG length, CK_BYTE *data,
                      CK_ULONG *room)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, recover(session, signature, length, data, room));
}
