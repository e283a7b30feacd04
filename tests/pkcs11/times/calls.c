/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of calls of a PKCS#11 module.
 *
 *     calls MODULE COUNT
 *
 * The token has the user PIN 123456 and a private key with the ID 01. Prints the nanoseconds of
 * COUNT calls of each kind, a line a call: the kind, and the time. A signature and a digest are two
 * calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times.h"

static CK_FUNCTION_LIST *p11;
static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE key;

static void begin(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CK_C_GetFunctionList list = NULL;
    CK_UTF8CHAR pin[] = "123456";
    CK_SLOT_ID slot = 0;
    CK_ULONG slots = 1;
    REQUIRE(library != NULL);
    void *symbol = dlsym(library, "C_GetFunctionList");
    memcpy(&list, &symbol, sizeof list);
    REQUIRE(list != NULL && list(&p11) == CKR_OK && p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(p11->C_GetSlotList(CK_TRUE, &slot, &slots) == CKR_OK && slots == 1);
    REQUIRE(p11->C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL, &session) == CKR_OK);
    REQUIRE(p11->C_Login(session, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    key = private_key(p11, session, 1);
}

static void session_info(void)
{
    CK_SESSION_INFO info;
    REQUIRE(p11->C_GetSessionInfo(session, &info) == CKR_OK);
}

static void random_bytes(void)
{
    CK_BYTE bytes[256];
    REQUIRE(p11->C_GenerateRandom(session, bytes, sizeof bytes) == CKR_OK);
}

static void digest(void)
{
    CK_MECHANISM mechanism = {CKM_SHA256, NULL, 0};
    CK_BYTE message[256] = {0}, result[32];
    CK_ULONG length = sizeof result;
    REQUIRE(p11->C_DigestInit(session, &mechanism) == CKR_OK);
    REQUIRE(p11->C_Digest(session, message, sizeof message, result, &length) == CKR_OK);
}

static void signature(void)
{
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_BYTE message[256] = {0}, result[512];
    CK_ULONG length = sizeof result;
    REQUIRE(p11->C_SignInit(session, &mechanism, key) == CKR_OK);
    REQUIRE(p11->C_Sign(session, message, sizeof message, result, &length) == CKR_OK);
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } kinds[] = {{"C_GetSessionInfo", session_info},
                 {"C_GenerateRandom", random_bytes},
                 {"C_Digest", digest},
                 {"C_Sign", signature}};
    REQUIRE(count == 3);
    begin(words[1]);
    for (long left = strtol(words[2], NULL, 10); left > 0; left--) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const long long start = now();
            kinds[i].call();
            (void)printf("%s %lld\n", kinds[i].name, now() - start);
        }
    }
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
    return 0;
}
