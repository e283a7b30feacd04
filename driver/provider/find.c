/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of tokens, by URIs of PKCS #11 (RFC 7512). */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_mutex_t */
#include "token.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64, FOUND = 64, ATTRIBUTES = 16 };

P11KitUri *uri_parse(const struct provider *provider, const char *text)
{
    P11KitUri *uri = p11_kit_uri_new();
    if (uri == NULL) {
        (void)fail(provider, REASON_MEMORY, "a URI");
        return NULL;
    }
    const int result = p11_kit_uri_parse(text, P11_KIT_URI_FOR_ANY, uri);
    /* The text itself may hold a PIN: it is not in the message. */
    if (result == P11_KIT_URI_OK && !p11_kit_uri_any_unrecognized(uri)) return uri;
    (void)fail(provider, REASON_URI, "%s",
               result == P11_KIT_URI_OK ? "it has an unknown attribute"
                                        : p11_kit_uri_message(result));
    p11_kit_uri_free(uri);
    return NULL;
}

/* The slots with a token; 0 with an error added. */
static int slots_of(struct provider *provider, CK_SLOT_ID *slots, CK_ULONG *count)
{
    CK_RV result = CKR_OK;
    sessions_check(provider);
    for (int left = 2; left > 0; left--) {
        *count = SLOTS;
        result = provider->functions->C_GetSlotList(CK_TRUE, slots, count);
        if (result == CKR_OK) return 1;
        if (!mended(provider, result)) break;
    }
    return fail_token(provider, "C_GetSlotList", result);
}

/* Leaves of the slots those whose token a URI names; how many. `tokens` are described then. */
static CK_ULONG named_slots(const struct provider *provider, P11KitUri *uri, CK_SLOT_ID *slots,
                            CK_ULONG count, CK_TOKEN_INFO *tokens)
{
    const CK_SLOT_ID wanted = p11_kit_uri_get_slot_id(uri);
    CK_ULONG named = 0;
    for (CK_ULONG i = 0; i < count; i++) {
        if (wanted != (CK_SLOT_ID)-1 && wanted != slots[i]) continue;
        if (provider->functions->C_GetTokenInfo(slots[i], &tokens[named]) != CKR_OK) continue;
        if ((tokens[named].flags & CKF_TOKEN_INITIALIZED) == 0) continue;
        if (p11_kit_uri_match_token_info(uri, &tokens[named])) slots[named++] = slots[i];
    }
    return named;
}

int for_each_token(struct provider *provider, P11KitUri *uri,
                   bool (*call)(struct session *session, void *argument), void *argument)
{
    CK_SLOT_ID slots[SLOTS];
    CK_TOKEN_INFO tokens[SLOTS];
    CK_ULONG count = 0;
    if (!module_ready(provider) || !slots_of(provider, slots, &count)) return 0;
    const CK_ULONG named = named_slots(provider, uri, slots, count, tokens);
    int answer = -1;
    provider->one_token = named == 1;
    for (CK_ULONG i = 0; i < named; i++) {
        struct session *session = session_of(provider, slots[i], &tokens[i]);
        if (session == NULL)
            answer = 0; /* The others are searched as well. */
        else if (call(session, argument))
            return 1;
    }
    if (named > 0) return answer;
    /* p11-kit's client starts without its daemon, and then does not see that one has come. */
    provider->lost = count == 0;
    return fail(provider, REASON_NOT_FOUND, "a token of this URI, %lu slots have a token", count);
}

/* Reads an attribute of at most `size` bytes; its length, 0 without it. */
static size_t attribute(const struct provider *provider, const struct session *session,
                        CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type, void *value, size_t size)
{
    CK_ATTRIBUTE read = {type, value, size};
    const CK_RV result =
        provider->functions->C_GetAttributeValue(session->handle, object, &read, 1);
    return result == CKR_OK && read.ulValueLen <= size ? read.ulValueLen : 0;
}

static size_t without_zeros(unsigned char *number, size_t length)
{
    size_t zeros = 0;
    while (zeros < length && number[zeros] == 0) zeros++;
    memmove(number, number + zeros, length - zeros);
    return length - zeros;
}

static bool read_rsa(struct key *key, const struct session *session)
{
    struct provider *provider = key->provider;
    CK_KEY_TYPE type = 0;
    CK_BBOOL always = CK_FALSE;
    if (attribute(provider, session, key->object, CKA_KEY_TYPE, &type, sizeof type) == 0 ||
        type != CKK_RSA)
        return false;
    const size_t modulus = attribute(provider, session, key->object, CKA_MODULUS, key->modulus,
                                     sizeof key->modulus);
    const size_t exponent = attribute(provider, session, key->object, CKA_PUBLIC_EXPONENT,
                                      key->exponent, sizeof key->exponent);
    key->modulus_length = without_zeros(key->modulus, modulus);
    key->exponent_length = without_zeros(key->exponent, exponent);
    (void)attribute(provider, session, key->object, CKA_ALWAYS_AUTHENTICATE, &always,
                    sizeof always);
    key->asks_always = key->class == CKO_PRIVATE_KEY && always != CK_FALSE;
    return key->modulus_length > 0 && key->exponent_length > 0;
}

static bool read_certificate(struct key *key, const struct session *session)
{
    CK_ATTRIBUTE value = {CKA_VALUE, NULL, 0};
    const CK_FUNCTION_LIST *functions = key->provider->functions;
    if (functions->C_GetAttributeValue(session->handle, key->object, &value, 1) != CKR_OK ||
        value.ulValueLen == 0 || value.ulValueLen == CK_UNAVAILABLE_INFORMATION)
        return false;
    value.pValue = key->certificate = malloc(value.ulValueLen);
    if (key->certificate == NULL) return false;
    key->certificate_length = value.ulValueLen;
    return functions->C_GetAttributeValue(session->handle, key->object, &value, 1) == CKR_OK;
}

struct key *object_read(struct session *session, struct provider *provider, const char *uri,
                        CK_OBJECT_HANDLE object)
{
    struct key *key = key_new(provider);
    if (key == NULL) return NULL;
    key->uri = strdup(uri);
    key->object = object;
    key->session = session;
    key->generation = provider->generation;
    key->token = session->token;
    key->id_length = attribute(provider, session, object, CKA_ID, key->id, sizeof key->id);
    key->label_length =
        attribute(provider, session, object, CKA_LABEL, key->label, sizeof key->label);
    bool taken = key->uri != NULL && attribute(provider, session, object, CKA_CLASS, &key->class,
                                               sizeof key->class) != 0;
    if (taken && key->class == CKO_CERTIFICATE)
        taken = read_certificate(key, session);
    else if (taken)
        taken = (key->class == CKO_PRIVATE_KEY || key->class == CKO_PUBLIC_KEY) &&
                read_rsa(key, session);
    if (taken) return key;
    key_free(key);
    return NULL;
}

/* The objects that have some attributes: how many, at most `limit`; -1 with an error added. */
static int objects(struct provider *provider, const struct session *session,
                   CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_HANDLE *found,
                   CK_ULONG limit)
{
    const CK_FUNCTION_LIST *functions = provider->functions;
    CK_ULONG there = 0;
    CK_RV result = functions->C_FindObjectsInit(session->handle, attributes, count);
    if (result == CKR_OK) {
        result = functions->C_FindObjects(session->handle, found, limit, &there);
        (void)functions->C_FindObjectsFinal(session->handle);
    }
    if (result == CKR_OK) return (int)there;
    (void)fail_token(provider, "C_FindObjects", result);
    return -1;
}

struct search {
    struct provider *provider;
    P11KitUri *uri;
    const char *text;
    CK_OBJECT_CLASS class;
    const struct asker *asker;
    struct key **found;
    int count, limit;
    bool failed; /* a token did not let us search; the error is added */
};

/* Adds what one token has. Other tokens are searched as well. */
static bool search_token(struct session *session, void *argument)
{
    struct search *search = argument;
    CK_ATTRIBUTE attributes[ATTRIBUTES];
    CK_OBJECT_HANDLE handles[FOUND];
    CK_ULONG count = 0;
    const CK_ATTRIBUTE *given = p11_kit_uri_get_attributes(search->uri, &count);
    if (count >= ATTRIBUTES) count = ATTRIBUTES - 1; /* a URI has three at most */
    if (count > 0) memcpy(attributes, given, count * sizeof *given);
    if (search->class != CKO_ANY && p11_kit_uri_get_attribute(search->uri, CKA_CLASS) == NULL)
        attributes[count++] = (CK_ATTRIBUTE){CKA_CLASS, &search->class, sizeof search->class};
    const bool is_public = search->class == CKO_CERTIFICATE || search->class == CKO_PUBLIC_KEY;
    const bool ready = is_public || log_in(search->provider, session, search->uri, search->asker);
    const int there =
        ready ? objects(search->provider, session, attributes, count, handles, FOUND) : -1;
    for (int i = 0; i < there && search->count < search->limit; i++) {
        struct key *key = object_read(session, search->provider, search->text, handles[i]);
        if (key != NULL) search->found[search->count++] = key;
    }
    search->failed |= there < 0;
    return search->count == search->limit;
}

/* The class that a URI names, else the expected one. */
static CK_OBJECT_CLASS class_of(P11KitUri *uri, CK_OBJECT_CLASS expected)
{
    const CK_ATTRIBUTE *named = p11_kit_uri_get_attribute(uri, CKA_CLASS);
    CK_OBJECT_CLASS class = expected;
    if (named != NULL && named->ulValueLen == sizeof class)
        memcpy(&class, named->pValue, sizeof class);
    return class;
}

int token_find(struct provider *provider, const char *uri, CK_OBJECT_CLASS expected,
               const struct asker *asker, struct key **found, int limit)
{
    struct search search = {.provider = provider,
                            .uri = uri_parse(provider, uri),
                            .text = uri,
                            .asker = asker,
                            .found = found,
                            .limit = limit};
    if (search.uri == NULL) return 0;
    search.class = class_of(search.uri, expected);
    lock(provider);
    const int result = for_each_token(provider, search.uri, search_token, &search);
    unlock(provider);
    p11_kit_uri_free(search.uri);
    if (search.count > 0) return search.count;
    return search.failed ? 0 : result;
}

/* Finds a key in one token; whether it is there. */
static bool search_key(struct session *session, void *argument)
{
    struct key *key = argument;
    struct provider *provider = key->provider;
    if (!same_token(&session->token, &key->token)) return false;
    CK_ATTRIBUTE attributes[] = {{CKA_CLASS, &key->class, sizeof key->class},
                                 {CKA_MODULUS, key->modulus, key->modulus_length}};
    P11KitUri *uri = uri_parse(provider, key->uri);
    const bool found = uri != NULL && log_in(provider, session, uri, NULL) &&
                       objects(provider, session, attributes, 2, &key->object, 1) == 1;
    p11_kit_uri_free(uri);
    if (found) {
        key->session = session;
        key->generation = provider->generation;
    }
    return found;
}

int find_again(struct key *key)
{
    P11KitUri *uri = uri_parse(key->provider, key->uri);
    if (uri == NULL) return 0;
    const int result = for_each_token(key->provider, uri, search_key, key);
    p11_kit_uri_free(uri);
    return result == -1 ? fail(key->provider, REASON_NOT_FOUND, "this key in its token") : result;
}
