/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that take times share. */
#ifndef TOTIENT_TESTS_PKCS11_TIMES_H
#define TOTIENT_TESTS_PKCS11_TIMES_H

#include <p11-kit/pkcs11.h>
#include <time.h>

#include "../require.h"

/* Nanoseconds since some moment. */
static long long now(void)
{
    struct timespec time;
    REQUIRE(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* The private key with an ID of one byte. */
static CK_OBJECT_HANDLE private_key(const CK_FUNCTION_LIST *p11, CK_SESSION_HANDLE session, CK_BYTE id)
{
    CK_OBJECT_CLASS private = CKO_PRIVATE_KEY;
    CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &private, sizeof private}, {CKA_ID, &id, 1}};
    CK_OBJECT_HANDLE key = 0;
    CK_ULONG found = 0;
    REQUIRE(p11->C_FindObjectsInit(session, wanted, 2) == CKR_OK);
    REQUIRE(p11->C_FindObjects(session, &key, 1, &found) == CKR_OK && found == 1);
    REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
    return key;
}

#endif
