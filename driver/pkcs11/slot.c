/* SPDX-License-Identifier: Apache-2.0 */
/* The slot and its token: what they are, initialisation, PINs, login. */
#include "token.h"

#include "operation.h"

#include <sodium.h>
#include <string.h>

enum { COUNT_LOW = 1 };

static void pad(CK_UTF8CHAR *field, size_t length, const char *text)
{
    memset(field, ' ', length);
    memcpy(field, text, strlen(text) < length ? strlen(text) : length);
}

/* What every function of a slot begins with. */
static CK_RV check_slot(CK_SLOT_ID slot)
{
    struct client *client;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    return slot == SLOT_ID ? CKR_OK : CKR_SLOT_ID_INVALID;
}

CK_RV C_GetSlotList(CK_BBOOL present, CK_SLOT_ID *list, CK_ULONG *count)
{
    (void)present;
    const CK_RV result = check_slot(SLOT_ID);
    if (result != CKR_OK) return result;
    if (count == NULL) return CKR_ARGUMENTS_BAD;
    const CK_ULONG room = *count;
    *count = 1;
    if (list == NULL) return CKR_OK;
    if (room < 1) return CKR_BUFFER_TOO_SMALL;
    list[0] = SLOT_ID;
    return CKR_OK;
}

CK_RV C_GetSlotInfo(CK_SLOT_ID slot, CK_SLOT_INFO *info)
{
    const CK_RV result = check_slot(slot);
    if (result != CKR_OK) return result;
    if (info == NULL) return CKR_ARGUMENTS_BAD;
    *info = (CK_SLOT_INFO){.flags = CKF_TOKEN_PRESENT | CKF_HW_SLOT};
    pad(info->slotDescription, sizeof info->slotDescription, "Totient core");
    pad(info->manufacturerID, sizeof info->manufacturerID, "Totient");
    return CKR_OK;
}

/* The flags of a PIN: those of the security officer are 16 times those of the user. */
static CK_FLAGS pin_flags(const struct sealed *sealed, bool officer)
{
    CK_FLAGS flags = 0;
    if (sealed->is_set == 0) return 0;
    if (sealed->failures >= COUNT_LOW) flags |= CKF_USER_PIN_COUNT_LOW;
    if (sealed->failures == MAX_FAILURES - 1) flags |= CKF_USER_PIN_FINAL_TRY;
    if (sealed->failures >= MAX_FAILURES) flags |= CKF_USER_PIN_LOCKED;
    return officer ? flags << 4 : flags | CKF_USER_PIN_INITIALIZED;
}

CK_RV C_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    struct client *client;
    struct token_file file;
    CK_RV result = check_slot(slot);
    if (result == CKR_OK) result = client_now(&client);
    if (result != CKR_OK) return result;
    if (info == NULL) return CKR_ARGUMENTS_BAD;
    CK_ULONG sessions, writing;
    client_counts(client, &sessions, &writing);
    *info = (CK_TOKEN_INFO){.flags = CKF_RNG | CKF_LOGIN_REQUIRED,
                            .ulMaxSessionCount = CK_EFFECTIVELY_INFINITE,
                            .ulSessionCount = sessions,
                            .ulMaxRwSessionCount = CK_EFFECTIVELY_INFINITE,
                            .ulRwSessionCount = writing,
                            .ulMaxPinLen = MAX_PIN,
                            .ulMinPinLen = MIN_PIN,
                            .ulTotalPublicMemory = UNKNOWN,
                            .ulFreePublicMemory = UNKNOWN,
                            .ulTotalPrivateMemory = UNKNOWN,
                            .ulFreePrivateMemory = UNKNOWN,
                            .firmwareVersion = {0, 1}};
    pad(info->label, sizeof info->label, "");
    pad(info->manufacturerID, sizeof info->manufacturerID, "Totient");
    pad(info->model, sizeof info->model, "Totient token");
    pad(info->serialNumber, sizeof info->serialNumber, "");
    memset(info->utcTime, '0', sizeof info->utcTime);
    result = store_read_token(&file);
    if (result == CKR_TOKEN_NOT_RECOGNIZED) return CKR_OK; /* not initialised */
    if (result == CKR_OK) {
        memcpy(info->label, file.label, sizeof info->label);
        memcpy(info->serialNumber, file.serial, sizeof info->serialNumber);
        info->flags |=
            CKF_TOKEN_INITIALIZED | pin_flags(&file.user, false) | pin_flags(&file.officer, true);
    }
    sodium_memzero(&file, sizeof file);
    return result;
}

CK_RV C_GetMechanismList(CK_SLOT_ID slot, CK_MECHANISM_TYPE *list, CK_ULONG *count)
{
    const CK_RV result = check_slot(slot);
    if (result != CKR_OK) return result;
    return count == NULL ? CKR_ARGUMENTS_BAD : mechanism_list(list, count);
}

CK_RV C_GetMechanismInfo(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info)
{
    const CK_RV result = check_slot(slot);
    if (result != CKR_OK) return result;
    return info == NULL ? CKR_ARGUMENTS_BAD : mechanism_info(type, info);
}

/* A token with new keys: all that its old ones have encrypted is lost. It keeps its serial number.
   `before`: the token that was there, or NULL. */
static CK_RV initialise(const CK_UTF8CHAR *pin, CK_ULONG length, const CK_UTF8CHAR *label,
                        const struct token_file *before)
{
    static const char digits[] = "0123456789abcdef";
    struct token_file file = {.zero = 0};
    uint8_t *key = secure_new(KEY_LENGTH);
    if (key == NULL) return CKR_HOST_MEMORY;
    randombytes_buf(key, KEY_LENGTH);
    randombytes_buf(file.public_key, sizeof file.public_key);
    randombytes_buf(file.instance, sizeof file.instance);
    for (size_t i = 0; i < sizeof file.serial; i++)
        file.serial[i] =
            before != NULL ? before->serial[i] : (uint8_t)digits[randombytes_uniform(16)];
    memcpy(file.label, label, sizeof file.label);
    CK_RV result = pin_seal(&file, true, pin, length, key);
    secure_free(key);
    if (result == CKR_OK) result = token_begin(&file, before != NULL ? before->instance : NULL);
    sodium_memzero(&file, sizeof file);
    return result;
}

CK_RV C_InitToken(CK_SLOT_ID slot, CK_UTF8CHAR *pin, CK_ULONG length, CK_UTF8CHAR *label)
{
    struct token_file before;
    struct opened opened;
    CK_RV result = check_slot(slot);
    if (result != CKR_OK) return result;
    if (pin == NULL || label == NULL) return CKR_ARGUMENTS_BAD;
    if (all_sessions() > 0) return CKR_SESSION_EXISTS;
    result = store_read_token(&before);
    if (result == CKR_OK) {
        result = pin_open(true, pin, length, &opened);
        if (result == CKR_OK) result = initialise(pin, length, label, &before);
        sodium_memzero(&opened, sizeof opened);
    } else if (result == CKR_TOKEN_NOT_RECOGNIZED) {
        result = pin_check_new(pin, length) == CKR_OK ? initialise(pin, length, label, NULL)
                                                      : CKR_PIN_INCORRECT;
    }
    sodium_memzero(&before, sizeof before);
    return result;
}

/* Encrypts the token's key with a new PIN, unless the token has another key by now. */
static CK_RV reseal(bool officer, const CK_UTF8CHAR *pin, CK_ULONG length,
                    const struct opened *opened)
{
    struct token_file file;
    if (!store_lock(true)) return CKR_DEVICE_ERROR;
    CK_RV result = store_read_token(&file);
    if (result == CKR_OK && memcmp(file.instance, opened->instance, INSTANCE_LENGTH) != 0)
        result = CKR_USER_NOT_LOGGED_IN;
    if (result == CKR_OK) result = pin_seal(&file, officer, pin, length, opened->key);
    if (result == CKR_OK) result = store_write_token(&file);
    sodium_memzero(&file, sizeof file);
    store_unlock();
    return result;
}

CK_RV C_InitPIN(CK_SESSION_HANDLE handle, CK_UTF8CHAR *pin, CK_ULONG length)
{
    struct session *session;
    struct opened opened;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (client_login(session->client) != OFFICER)
        return session_leave(session, CKR_USER_NOT_LOGGED_IN);
    result = pin_check_new(pin, length);
    if (result == CKR_OK && !officer_key(session->client, &opened)) result = CKR_USER_NOT_LOGGED_IN;
    if (result == CKR_OK) result = reseal(false, pin, length, &opened);
    sodium_memzero(&opened, sizeof opened);
    return session_leave(session, result);
}

CK_RV C_SetPIN(CK_SESSION_HANDLE handle, CK_UTF8CHAR *old, CK_ULONG old_length, CK_UTF8CHAR *new,
               CK_ULONG new_length)
{
    struct session *session;
    struct opened opened;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if ((session->flags & CKF_RW_SESSION) == 0)
        return session_leave(session, CKR_SESSION_READ_ONLY);
    const bool officer = client_login(session->client) == OFFICER;
    result = old == NULL ? CKR_ARGUMENTS_BAD : pin_check_new(new, new_length);
    if (result == CKR_OK) result = pin_open(officer, old, old_length, &opened);
    if (result == CKR_OK) result = reseal(officer, new, new_length, &opened);
    sodium_memzero(&opened, sizeof opened);
    return session_leave(session, result);
}

/* The PIN once more, for one operation with a key that asks for it at each use. */
static CK_RV login_for_operation(struct session *session, const CK_UTF8CHAR *pin, CK_ULONG length)
{
    struct opened opened;
    struct operation *waiting = NULL;
    if (session->sign != NULL && session->sign->needs_pin) waiting = session->sign;
    else if (session->decrypt != NULL && session->decrypt->needs_pin) waiting = session->decrypt;
    if (waiting == NULL) return CKR_OPERATION_NOT_INITIALIZED;
    const CK_RV result = pin_open(false, pin, length, &opened);
    sodium_memzero(&opened, sizeof opened);
    if (result == CKR_OK) waiting->needs_pin = false;
    return result;
}

static CK_RV login(struct client *client, bool officer, const CK_UTF8CHAR *pin, CK_ULONG length)
{
    struct opened opened;
    unsigned long life = 0;
    const enum login who = officer ? OFFICER : USER;
    CK_RV result = client_may_log_in(client, who);
    if (result == CKR_OK) result = pin_open(officer, pin, length, &opened);
    if (result == CKR_OK)
        result = officer ? token_officer(&opened, &life) : token_login(&opened, &life);
    if (result == CKR_OK) {
        result = client_log_in(client, who, &opened, life);
        if (result != CKR_OK && !officer) token_logout(life);
    }
    sodium_memzero(&opened, sizeof opened);
    return result;
}

CK_RV C_Login(CK_SESSION_HANDLE handle, CK_USER_TYPE type, CK_UTF8CHAR *pin, CK_ULONG length)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (type == CKU_CONTEXT_SPECIFIC) result = login_for_operation(session, pin, length);
    else if (type != CKU_USER && type != CKU_SO) result = CKR_USER_TYPE_INVALID;
    else result = login(session->client, type == CKU_SO, pin, length);
    return session_leave(session, result);
}

CK_RV C_Logout(CK_SESSION_HANDLE handle)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    return session_leave(session, client_log_out(session->client));
}
