/* SPDX-License-Identifier: Apache-2.0 */
/* The module's functions, and keys, for checks and for fuzzing. */
#include "checks.h"

CK_FUNCTION_LIST *p11;
CK_UTF8CHAR pin[] = "123456";
CK_BBOOL yes = CK_TRUE, no = CK_FALSE;

CK_SESSION_HANDLE open_session(void)
{
    CK_SESSION_HANDLE session = 0;
    REQUIRE(p11->C_OpenSession(0, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session)
            == CKR_OK);
    return session;
}

CK_SESSION_HANDLE logged_in(void)
{
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    const CK_SESSION_HANDLE session = open_session();
    REQUIRE(p11->C_Login(session, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    return session;
}

CK_OBJECT_HANDLE find_object(CK_SESSION_HANDLE session, CK_ATTRIBUTE wanted)
{
    CK_OBJECT_HANDLE found = 0;
    CK_ULONG count = 0;
    REQUIRE(p11->C_FindObjectsInit(session, &wanted, 1) == CKR_OK);
    REQUIRE(p11->C_FindObjects(session, &found, 1, &count) == CKR_OK);
    REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
    return count == 1 ? found : 0;
}

void make_pair(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *public, CK_OBJECT_HANDLE *private)
{
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_ULONG bits = 1024;
    CK_ATTRIBUTE outer[] = {{CKA_MODULUS_BITS, &bits, sizeof bits}, {CKA_WRAP, &yes, 1}};
    CK_ATTRIBUTE inner[] = {
        {CKA_PRIVATE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    REQUIRE(p11->C_GenerateKeyPair(session, &mechanism, outer, 2, inner, 3, public, private)
            == CKR_OK);
}

CK_OBJECT_HANDLE make_secret(CK_SESSION_HANDLE session)
{
    return make_secret_for(session, NULL);
}

CK_OBJECT_HANDLE make_secret_for(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE *allowed)
{
    CK_MECHANISM mechanism = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG length = 32;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &length, sizeof length},
                               {CKA_PRIVATE, &no, 1},
                               {CKA_WRAP, &yes, 1},
                               {CKA_UNWRAP, &yes, 1},
                               {CKA_EXTRACTABLE, &yes, 1},
                               {CKA_ALLOWED_MECHANISMS, allowed, sizeof *allowed}};
    const CK_ULONG count = allowed != NULL ? 6 : 5;
    REQUIRE(p11->C_GenerateKey(session, &mechanism, template, count, &key) == CKR_OK);
    return key;
}

void destroy_others(const CK_OBJECT_HANDLE *kept, size_t count)
{
    const CK_SESSION_HANDLE session = open_session();
    CK_OBJECT_HANDLE found[256];
    CK_ULONG there = 0;
    REQUIRE(p11->C_FindObjectsInit(session, NULL, 0) == CKR_OK);
    REQUIRE(p11->C_FindObjects(session, found, 256, &there) == CKR_OK);
    REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
    for (CK_ULONG i = 0; i < there; i++) {
        size_t place = 0;
        while (place < count && kept[place] != found[i]) place++;
        if (place == count) (void)p11->C_DestroyObject(session, found[i]);
    }
    REQUIRE(p11->C_CloseSession(session) == CKR_OK);
}
