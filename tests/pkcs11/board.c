/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the device that a process has, and of its end. They need a private key of 1024 bits. */
#define _GNU_SOURCE
#include "checks.h"
#include "token.h"

#include <pthread.h>
#include <unistd.h>

enum { SIGNERS = 4 };

static CK_OBJECT_HANDLE find(CK_SESSION_HANDLE session)
{
    CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
    const CK_OBJECT_HANDLE found =
        find_object(session, (CK_ATTRIBUTE){CKA_CLASS, &class, sizeof class});
    REQUIRE(found != 0);
    return found;
}

static CK_RV sign(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key)
{
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_BYTE data[] = "data", signature[ROOM];
    CK_ULONG length = sizeof signature;
    const CK_RV result = p11->C_SignInit(session, &mechanism, key);
    return result == CKR_OK ? p11->C_Sign(session, data, sizeof data, signature, &length) : result;
}

/* --- inherited: a child outlives the process that has opened the device
 * --- */

void check_inherited(void)
{
    CK_SESSION_HANDLE session = logged_in();
    const pid_t parent = getpid();
    REQUIRE(sign(session, find(session)) == CKR_OK);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child > 0) _exit(0); /* as a killed process: the device stays as it is */
    while (getppid() == parent) (void)usleep(1000);
    session = logged_in();
    REQUIRE(sign(session, find(session)) == CKR_OK);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
    (void)printf("signed\n");
}

/* --- ended: threads that wait for the device never get it
 * --- */

static unsigned long signatures;

static void *sign_for_ever(void *argument)
{
    const CK_SESSION_HANDLE session = open_session();
    const CK_OBJECT_HANDLE key = find(session);
    (void)argument;
    for (;;) {
        REQUIRE(sign(session, key) == CKR_OK);
        (void)__atomic_add_fetch(&signatures, 1, __ATOMIC_RELAXED);
    }
}

static unsigned long signatures_now(void)
{
    return __atomic_load_n(&signatures, __ATOMIC_RELAXED);
}

void check_ended(void)
{
    pthread_t thread;
    (void)logged_in();
    for (size_t i = 0; i < SIGNERS; i++)
        REQUIRE(pthread_create(&thread, NULL, sign_for_ever, NULL) == 0);
    while (signatures_now() < SIGNERS) (void)usleep(1000);
    device_end();
    (void)usleep(100000); /* signatures that the device had finished */
    const unsigned long before = signatures_now();
    (void)usleep(1000000);
    REQUIRE(signatures_now() == before);
    _exit(0);
}
