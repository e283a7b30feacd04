/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: created, copied, changed, read, found, destroyed. */
#include "operation.h"

#include <stdlib.h>
#include <string.h>

static CK_RV check_place(const struct session *session, enum login login,
                         const struct attributes *set)
{
    if (attributes_bool(set, CKA_TOKEN, false) && (session->flags & CKF_RW_SESSION) == 0)
        return CKR_SESSION_READ_ONLY;
    if (attributes_bool(set, CKA_PRIVATE, false) && login != USER) return CKR_USER_NOT_LOGGED_IN;
    return CKR_OK;
}

CK_RV session_check_template(struct session *session, const struct attributes *set)
{
    return check_place(session, client_login(session->client), set);
}

CK_RV session_store(struct session *session, const struct attributes *set, struct object **stored)
{
    CK_RV result = session_check_template(session, set);
    if (result != CKR_OK) return result;
    struct object *object = object_new(set);
    if (object == NULL) return CKR_HOST_MEMORY;
    result = object->is_token ? token_add(object) : session_add_object(session, object);
    if (result == CKR_OK) *stored = object;
    else object_release(object);
    return result;
}

/* The numbers that come from others, of an RSA key. */
static CK_RV finish_rsa(struct attributes *set, CK_ULONG *bits)
{
    const struct attribute *modulus = attributes_find(set, CKA_MODULUS);
    const struct attribute *exponent = attributes_find(set, CKA_PUBLIC_EXPONENT);
    const uint8_t *bytes = modulus->value;
    size_t length = modulus->length;
    while (length > 0 && *bytes == 0) {
        bytes++;
        length--;
    }
    *bits = 8 * length;
    for (uint8_t top = length > 0 ? *bytes : 0x80; top < 0x80; top = (uint8_t)(top << 1)) --*bits;
    if (*bits < MIN_RSA_BITS || length > MAX_RSA_BYTES || (bytes[length - 1] & 1) == 0
        || !rsa_odd_from_3(exponent->value, exponent->length))
        return CKR_ATTRIBUTE_VALUE_INVALID;
    if (attributes_ulong(set, CKA_CLASS, UNKNOWN) == CKO_PRIVATE_KEY)
        return rsa_consistent(set) ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
    return attributes_put(set, CKA_MODULUS_BITS, bits, sizeof *bits) ? CKR_OK
                                                                     : CKR_TEMPLATE_INCONSISTENT;
}

/* What an object from outside must be besides its template's rules. `number` outlives the call. */
static CK_RV finish(struct attributes *set, CK_ULONG *number)
{
    const CK_OBJECT_CLASS class = attributes_ulong(set, CKA_CLASS, UNKNOWN);
    const CK_KEY_TYPE type = attributes_ulong(set, CKA_KEY_TYPE, UNKNOWN);
    if (class == CKO_DATA) return CKR_OK;
    if (class == CKO_CERTIFICATE)
        return attributes_ulong(set, CKA_CERTIFICATE_TYPE, UNKNOWN) == CKC_X_509
                   ? CKR_OK
                   : CKR_ATTRIBUTE_VALUE_INVALID;
    if (class != CKO_SECRET_KEY)
        return type == CKK_RSA ? finish_rsa(set, number) : CKR_ATTRIBUTE_VALUE_INVALID;
    const size_t length = attributes_find(set, CKA_VALUE)->length;
    if (length == 0 || secret_key_length(type, length) == 0) return CKR_ATTRIBUTE_VALUE_INVALID;
    if (attributes_ulong(set, CKA_VALUE_LEN, length) != length) return CKR_TEMPLATE_INCONSISTENT;
    *number = length;
    return attributes_put(set, CKA_VALUE_LEN, number, sizeof *number) ? CKR_OK
                                                                      : CKR_TEMPLATE_INCONSISTENT;
}

CK_RV object_from_outside(struct session *session, const struct attributes *given,
                          struct attributes *set, enum origin origin, CK_OBJECT_HANDLE *handle)
{
    struct object *object = NULL;
    CK_ULONG number = 0;
    CK_RV result = template_complete(given, origin, client_login(session->client) == OFFICER, set);
    if (result == CKR_OK) result = finish(set, &number);
    if (result == CKR_OK) result = session_store(session, set, &object);
    if (result == CKR_OK) *handle = object->handle;
    object_release(object);
    return result;
}

CK_RV C_CreateObject(CK_SESSION_HANDLE handle, CK_ATTRIBUTE *template, CK_ULONG count,
                     CK_OBJECT_HANDLE *object)
{
    struct session *session;
    struct attributes given = {.count = 0}, set;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    result = object == NULL ? CKR_ARGUMENTS_BAD : template_read(template, count, &given);
    set = given;
    if (result == CKR_OK) result = object_from_outside(session, &given, &set, CREATED, object);
    return session_leave(session, result);
}

/* Attributes that a session changes, of an object or of its copy. */
struct change {
    const struct session *session;
    enum login login;
    struct attributes list;
    bool copy;
};

/* An object with changed attributes, which is not stored yet. The token calls it in its lock. */
static CK_RV changed(void *user, const struct object *old, struct object **new)
{
    const struct change *change = user;
    struct attributes set = {.count = 0};
    const CK_ATTRIBUTE_TYPE allows = change->copy ? CKA_COPYABLE : CKA_MODIFIABLE;
    if (!object_bool(old, allows, true)) return CKR_ACTION_PROHIBITED;
    if (!object_attributes(old, &set)) return CKR_GENERAL_ERROR;
    for (size_t i = 0; i < change->list.count; i++) {
        const struct attribute *each = &change->list.list[i];
        const CK_RV result =
            template_may_change(old, each, change->login == OFFICER, change->copy);
        if (result != CKR_OK) return result;
        if (!attributes_put(&set, each->type, each->value, each->length)) return CKR_HOST_MEMORY;
    }
    const CK_RV result = check_place(change->session, change->login, &set);
    if (result != CKR_OK) return result;
    *new = object_new(&set);
    return *new != NULL ? CKR_OK : CKR_HOST_MEMORY;
}

static CK_RV copy(struct session *session, const struct object *old, struct change *change,
                  CK_OBJECT_HANDLE *handle)
{
    struct object *new = NULL;
    CK_RV result = changed(change, old, &new);
    if (result != CKR_OK) return result;
    result = new->is_token ? token_add(new) : session_add_object(session, new);
    if (result == CKR_OK) *handle = new->handle;
    object_release(new);
    return result;
}

CK_RV C_CopyObject(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template,
                   CK_ULONG count, CK_OBJECT_HANDLE *new)
{
    struct session *session;
    struct change change = {.copy = true};
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    result = new == NULL ? CKR_ARGUMENTS_BAD : template_read(template, count, &change.list);
    if (result == CKR_OK) result = token_refresh(); /* a copy of what other processes have left */
    if (result != CKR_OK) return session_leave(session, result);
    struct object *old = session_object(session, object);
    change.session = session;
    change.login = client_login(session->client);
    result = old == NULL ? CKR_OBJECT_HANDLE_INVALID : copy(session, old, &change, new);
    object_release(old);
    return session_leave(session, result);
}

CK_RV C_SetAttributeValue(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template,
                          CK_ULONG count)
{
    struct session *session;
    struct change change = {.copy = false};
    struct object *new = NULL;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    result = template_read(template, count, &change.list);
    if (result != CKR_OK) return session_leave(session, result);
    struct object *old = session_object(session, object);
    change.session = session;
    change.login = client_login(session->client);
    if (old == NULL) result = CKR_OBJECT_HANDLE_INVALID;
    else if (old->is_token) result = token_replace(object, changed, &change);
    else result = changed(&change, old, &new);
    if (new != NULL && !session_replace_object(session, old, new))
        result = CKR_OBJECT_HANDLE_INVALID;
    object_release(new);
    object_release(old);
    return session_leave(session, result);
}

static CK_RV destroy(struct session *session, struct object *object)
{
    if (!object_bool(object, CKA_DESTROYABLE, true)) return CKR_ACTION_PROHIBITED;
    if (!object->is_token)
        return session_remove_object(session, object) ? CKR_OK : CKR_OBJECT_HANDLE_INVALID;
    if ((session->flags & CKF_RW_SESSION) == 0) return CKR_SESSION_READ_ONLY;
    return token_remove(object);
}

CK_RV C_DestroyObject(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    struct object *found = session_object(session, object);
    result = found == NULL ? CKR_OBJECT_HANDLE_INVALID : destroy(session, found);
    object_release(found);
    return session_leave(session, result);
}

CK_RV C_GetObjectSize(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ULONG *size)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (size == NULL) return session_leave(session, CKR_ARGUMENTS_BAD);
    struct object *found = session_object(session, object);
    if (found == NULL) return session_leave(session, CKR_OBJECT_HANDLE_INVALID);
    *size = found->size;
    object_release(found);
    return session_leave(session, CKR_OK);
}

/* One attribute; where it cannot be given its length says so. */
static CK_RV get(const struct object *object, CK_ATTRIBUTE *wanted)
{
    struct span value;
    const CK_ULONG room = wanted->ulValueLen;
    wanted->ulValueLen = UNKNOWN;
    if (!object_value(object, wanted->type, &value)) return CKR_ATTRIBUTE_TYPE_INVALID;
    if (template_is_secret(object, wanted->type)) return CKR_ATTRIBUTE_SENSITIVE;
    if (wanted->pValue != NULL && room < value.length) return CKR_BUFFER_TOO_SMALL;
    wanted->ulValueLen = value.length;
    if (wanted->pValue != NULL && value.length > 0)
        memcpy(wanted->pValue, value.bytes, value.length);
    return CKR_OK;
}

CK_RV C_GetAttributeValue(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template,
                          CK_ULONG count)
{
    struct session *session;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (template == NULL || count > MAX_ATTRIBUTES)
        return session_leave(session, CKR_ARGUMENTS_BAD);
    struct object *found = session_object(session, object);
    if (found == NULL) return session_leave(session, CKR_OBJECT_HANDLE_INVALID);
    for (CK_ULONG i = 0; i < count; i++) {
        const CK_RV one = get(found, &template[i]);
        if (one != CKR_OK) result = one;
    }
    object_release(found);
    return session_leave(session, result);
}

/* --- searches
 * --- */

struct search {
    struct session *session;
    const CK_ATTRIBUTE *template;
    CK_ULONG count;
    size_t room;
    bool user, failed;
};

static bool look_at(void *user, struct object *object)
{
    struct search *search = user;
    struct session *session = search->session;
    if ((object->is_private && !search->user)
        || !object_matches(object, search->template, search->count))
        return true;
    if (session->found_count == search->room) {
        const size_t room = search->room > 0 ? 2 * search->room : 32;
        CK_OBJECT_HANDLE *found = realloc(session->found, room * sizeof *found);
        search->failed = found == NULL;
        if (found == NULL) return false;
        session->found = found;
        search->room = room;
    }
    session->found[session->found_count++] = object->handle;
    return true;
}

static void end_search(struct session *session)
{
    free(session->found);
    session->found = NULL;
    session->found_count = session->found_next = 0;
    session->finding = false;
}

CK_RV C_FindObjectsInit(CK_SESSION_HANDLE handle, CK_ATTRIBUTE *template, CK_ULONG count)
{
    struct session *session;
    struct attributes given;
    CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (session->finding) return session_leave(session, CKR_OPERATION_ACTIVE);
    result = template_read(template, count, &given);
    if (result == CKR_OK) result = token_refresh();
    if (result != CKR_OK) return session_leave(session, result);
    struct search search = {.session = session,
                            .template = template,
                            .count = count,
                            .user = client_login(session->client) == USER};
    session->finding = true;
    session_each_object(session, look_at, &search);
    if (!search.failed) token_each(look_at, &search);
    if (!search.failed) return session_leave(session, CKR_OK);
    end_search(session);
    return session_leave(session, CKR_HOST_MEMORY);
}

CK_RV C_FindObjects(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE *objects, CK_ULONG most,
                    CK_ULONG *count)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (!session->finding) return session_leave(session, CKR_OPERATION_NOT_INITIALIZED);
    if (count == NULL || (objects == NULL && most > 0))
        return session_leave(session, CKR_ARGUMENTS_BAD);
    const size_t left = session->found_count - session->found_next;
    *count = most < left ? most : left;
    if (*count > 0) memcpy(objects, session->found + session->found_next, *count * sizeof *objects);
    session->found_next += *count;
    return session_leave(session, CKR_OK);
}

CK_RV C_FindObjectsFinal(CK_SESSION_HANDLE handle)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (!session->finding) return session_leave(session, CKR_OPERATION_NOT_INITIALIZED);
    end_search(session);
    return session_leave(session, CKR_OK);
}
