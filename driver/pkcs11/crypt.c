/* SPDX-License-Identifier: Apache-2.0 */
/* Encryption and decryption. */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static CK_RV begin(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                   bool encrypts)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(
        session, operation_begin(session, mechanism, key, encrypts ? CKF_ENCRYPT : CKF_DECRYPT,
                                 encrypts ? CKA_ENCRYPT : CKA_DECRYPT,
                                 encrypts ? &session->encrypt : &session->decrypt));
}

CK_RV C_EncryptInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return begin(handle, mechanism, key, true);
}

CK_RV C_DecryptInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    return begin(handle, mechanism, key, false);
}

/* Decrypt what has been collected to `out`, of the modulus' length, by way of `block`. It may lack
 * leading zero bytes: so an OpenPGP message has it, and GnuPG passes it on. */
static CK_RV rsa_decrypt(struct operation *operation, uint8_t *block, uint8_t *out, size_t *length)
{
    const struct parameters *parameters = &operation->parameters;
    const size_t size = operation->key_bytes, held = operation->held_length;
    uint8_t number[MAX_RSA_BYTES] = {0};
    if (held == 0 || held > size || size > sizeof number) return CKR_ENCRYPTED_DATA_LEN_RANGE;
    memcpy(number + size - held, operation->held, held);
    CK_RV result = device_private(operation->key, number, block, size);
    if (result == CKR_DATA_INVALID) result = CKR_ENCRYPTED_DATA_INVALID;
    if (result == CKR_OK && parameters->mechanism->family == RSA_OAEP)
        result = unpad_oaep(parameters, block, size, out, length);
    else if (result == CKR_OK && parameters->mechanism->family == RSA_PKCS)
        result = unpad_pkcs(operation->key, number, block, size, out, length);
    else if (result == CKR_OK) memcpy(out, block, size);
    return result;
}

/* The result of an RSA operation on what has been collected, in `out` of the modulus' length. */
static CK_RV rsa(struct operation *operation, bool encrypts, uint8_t *out, size_t *length)
{
    const size_t size = operation->key_bytes;
    uint8_t *block = secure_new(size);
    if (block == NULL) return CKR_HOST_MEMORY;
    CK_RV result;
    *length = size;
    if (encrypts) {
        result = pad_encryption(&operation->parameters, operation->held, operation->held_length,
                                block, size);
        if (result == CKR_OK) result = device_public(operation->key, block, out, size);
    } else {
        result = rsa_decrypt(operation, block, out, length);
    }
    secure_free(block);
    return result;
}

/* Bytes that an RSA operation gives at most. */
static size_t rsa_most(const struct operation *operation, bool encrypts)
{
    const size_t size = operation->key_bytes;
    size_t overhead = 0;
    if (!encrypts && operation->parameters.mechanism->family == RSA_PKCS) overhead = 11;
    if (!encrypts && operation->parameters.mechanism->family == RSA_OAEP)
        overhead = 2 * operation->parameters.hash->length + 2;
    return size > overhead ? size - overhead : 0;
}

static CK_RV rsa_end(struct operation *operation, bool encrypts, const CK_BYTE *data,
                     CK_ULONG length, CK_BYTE *out, CK_ULONG *room)
{
    size_t produced = 0;
    const CK_ULONG there = *room;
    const size_t most = rsa_most(operation, encrypts), held = operation->held_length;
    if (out == NULL || (there < most && encrypts)) {
        *room = most;
        return out == NULL ? CKR_OK : CKR_BUFFER_TOO_SMALL;
    }
    CK_RV result = operation_add(operation, data, length);
    if (result == CKR_DATA_LEN_RANGE && !encrypts) result = CKR_ENCRYPTED_DATA_LEN_RANGE;
    if (result != CKR_OK) return result;
    uint8_t *made = secure_new(operation->key_bytes);
    if (made == NULL) return CKR_HOST_MEMORY;
    result = rsa(operation, encrypts, made, &produced);
    if (result == CKR_OK) {
        *room = produced;
        if (there < produced) {
            operation->held_length = held; /* the call may be made again */
            result = CKR_BUFFER_TOO_SMALL;
        } else {
            memcpy(out, made, produced);
        }
    }
    secure_free(made);
    return result;
}

/* Part of a cipher's input, or with `ends` the last one. */
static CK_RV cipher_step(struct cipher *cipher, const CK_BYTE *data, CK_ULONG length, bool ends,
                         CK_BYTE *out, CK_ULONG *room)
{
    const size_t updated = cipher_update_length(cipher, length);
    const size_t most = ends ? cipher_final_length(cipher, length) : updated;
    const CK_ULONG there = *room;
    size_t last = 0;
    *room = most;
    if (out == NULL) return CKR_OK;
    if (there < most) return CKR_BUFFER_TOO_SMALL;
    /* Input and output may be the same buffer. */
    uint8_t *made = malloc(updated + MAX_HASH);
    if (made == NULL) return CKR_HOST_MEMORY;
    cipher_update(cipher, data, length, made);
    CK_RV result = ends ? cipher_final(cipher, made + updated, &last) : CKR_OK;
    if (result == CKR_OK && updated + last > 0) memcpy(out, made, updated + last);
    *room = updated + last;
    sodium_memzero(made, updated + MAX_HASH);
    free(made);
    return result;
}

/* An RSA operation's input is collected: all of its output comes at the end. */
static CK_RV step(struct operation *operation, bool encrypts, const CK_BYTE *data, CK_ULONG length,
                  bool ends, CK_BYTE *out, CK_ULONG *room)
{
    if (room == NULL || (data == NULL && length > 0)) return CKR_ARGUMENTS_BAD;
    if (length > SANE_LENGTH) return encrypts ? CKR_DATA_LEN_RANGE : CKR_ENCRYPTED_DATA_LEN_RANGE;
    if (operation->cipher != NULL)
        return cipher_step(operation->cipher, data, length, ends, out, room);
    if (ends) return rsa_end(operation, encrypts, data, length, out, room);
    *room = 0;
    return out == NULL ? CKR_OK : operation_add(operation, data, length);
}

/* A call: `single` has all of the input. */
static CK_RV call(CK_SESSION_HANDLE handle, bool encrypts, const struct span *data, bool ends,
                  bool single, CK_BYTE *out, CK_ULONG *room)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    struct operation **place = encrypts ? &session->encrypt : &session->decrypt;
    if (*place == NULL) return session_leave(session, CKR_OPERATION_NOT_INITIALIZED);
    result = operation_fits(*place, single ? AT_ONCE : IN_PARTS) ? operation_check(session, *place)
                                                                 : CKR_OPERATION_ACTIVE;
    if (result == CKR_OK)
        result = step(*place, encrypts, data->bytes, data->length, ends, out, room);
    const bool asked = result == CKR_BUFFER_TOO_SMALL || (result == CKR_OK && out == NULL);
    if ((ends && !asked) || (result != CKR_OK && !asked)) operation_end(place);
    return session_leave(session, result);
}

CK_RV C_Encrypt(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG length, CK_BYTE *out,
                CK_ULONG *room)
{
    return call(handle, true, &(struct span){data, length}, true, true, out, room);
}

CK_RV C_EncryptUpdate(CK_SESSION_HANDLE handle, CK_BYTE *part, CK_ULONG length, CK_BYTE *out,
                      CK_ULONG *room)
{
    return call(handle, true, &(struct span){part, length}, false, false, out, room);
}

CK_RV C_EncryptFinal(CK_SESSION_HANDLE handle, CK_BYTE *out, CK_ULONG *room)
{
    return call(handle, true, &(struct span){NULL, 0}, true, false, out, room);
}

CK_RV C_Decrypt(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG length, CK_BYTE *out,
                CK_ULONG *room)
{
    return call(handle, false, &(struct span){data, length}, true, true, out, room);
}

CK_RV C_DecryptUpdate(CK_SESSION_HANDLE handle, CK_BYTE *part, CK_ULONG length, CK_BYTE *out,
                      CK_ULONG *room)
{
    return call(handle, false, &(struct span){part, length}, false, false, out, room);
}

CK_RV C_DecryptFinal(CK_SESSION_HANDLE handle, CK_BYTE *out, CK_ULONG *room)
{
    return call(handle, false, &(struct span){NULL, 0}, true, false, out, room);
}
