/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the module's limits: keys with a list of mechanisms, counts, and a lack of memory. It is
 * linked with --wrap=secure_new and --wrap=realloc. TOTIENT_TOKEN names a token with a public object.
 */
#define _POSIX_C_SOURCE 200809L /* alarm */
#include "../checks.h"

#include <unistd.h>

enum { SESSION_OBJECTS = 40, PATIENCE = 60 };

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list);

/* Locked memory of more bytes is not there. */
static size_t most_secure = SIZE_MAX;
/* Which call of realloc from now on fails; 0: none. */
static unsigned failing;

void *__real_secure_new(size_t size);
void *__wrap_secure_new(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_secure_new(size_t size)
{
    return size > most_secure ? NULL : __real_secure_new(size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (failing > 0 && --failing == 0) return NULL;
    return __real_realloc(memory, size);
}

/* A key's list of mechanisms holds for other keys that it encrypts, too. */
static void check_allowed(CK_SESSION_HANDLE session)
{
    CK_MECHANISM_TYPE wrapping = CKM_AES_KEY_WRAP, encryption = CKM_AES_ECB;
    const CK_OBJECT_HANDLE wraps = make_secret_for(session, &wrapping);
    const CK_OBJECT_HANDLE encrypts = make_secret_for(session, &encryption);
    CK_MECHANISM mechanism = {CKM_AES_KEY_WRAP, NULL, 0};
    CK_BYTE wrapped[64];
    CK_ULONG length = sizeof wrapped;
    CK_OBJECT_CLASS class = CKO_SECRET_KEY;
    CK_KEY_TYPE type = CKK_AES;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {
        {CKA_CLASS, &class, sizeof class}, {CKA_KEY_TYPE, &type, sizeof type}, {CKA_PRIVATE, &no, 1}};
    REQUIRE(p11->C_WrapKey(session, &mechanism, encrypts, wraps, wrapped, &length)
            == CKR_MECHANISM_INVALID);
    REQUIRE(p11->C_WrapKey(session, &mechanism, wraps, encrypts, wrapped, &length) == CKR_OK);
    REQUIRE(p11->C_UnwrapKey(session, &mechanism, encrypts, wrapped, length, template, 3, &key)
            == CKR_MECHANISM_INVALID);
    REQUIRE(p11->C_UnwrapKey(session, &mechanism, wraps, wrapped, length, template, 3, &key)
            == CKR_OK);
}

static void check_count(CK_SESSION_HANDLE session)
{
    CK_ATTRIBUTE wanted[97];
    for (size_t i = 0; i < 97; i++) wanted[i] = (CK_ATTRIBUTE){CKA_CLASS, NULL, 0};
    const CK_OBJECT_HANDLE key = make_secret(session);
    REQUIRE(p11->C_GetAttributeValue(session, key, wanted, 96) == CKR_OK);
    REQUIRE(p11->C_GetAttributeValue(session, key, wanted, 97) == CKR_ARGUMENTS_BAD);
}

/* A search that lacks memory for the session's objects does not go on with the token's. */
static void check_search(CK_SESSION_HANDLE session)
{
    CK_OBJECT_HANDLE found[ROOM];
    CK_ULONG count = 0;
    for (int i = 0; i < SESSION_OBJECTS; i++) (void)make_secret(session);
    failing = 2;
    REQUIRE(p11->C_FindObjectsInit(session, NULL, 0) == CKR_HOST_MEMORY);
    REQUIRE(p11->C_FindObjectsInit(session, NULL, 0) == CKR_OK);
    REQUIRE(p11->C_FindObjects(session, found, ROOM, &count) == CKR_OK && count > SESSION_OBJECTS);
    REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
}

/* A key that cannot be completed for a lack of memory is not looked for again without an end. */
static void check_generation(CK_SESSION_HANDLE session)
{
    static const size_t limits[] = {12 << 10, 8 << 10}; /* of a whole key, of a square */
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_ULONG bits = 1024;
    CK_OBJECT_HANDLE public, private;
    CK_ATTRIBUTE outer = {CKA_MODULUS_BITS, &bits, sizeof bits};
    CK_ATTRIBUTE inner = {CKA_PRIVATE, &no, 1};
    for (size_t i = 0; i < 2; i++) {
        most_secure = limits[i];
        REQUIRE(p11->C_GenerateKeyPair(session, &mechanism, &outer, 1, &inner, 1, &public, &private)
                == CKR_HOST_MEMORY);
    }
    most_secure = SIZE_MAX;
}

int main(void)
{
    (void)alarm(PATIENCE);
    REQUIRE(C_GetFunctionList(&p11) == CKR_OK && p11->C_Initialize(NULL) == CKR_OK);
    const CK_SESSION_HANDLE session = open_session();
    check_allowed(session);
    check_count(session);
    check_search(session);
    check_generation(session);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
    return 0;
}
