/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of calls that end after another thread has closed their session, or logged out. */
#define _GNU_SOURCE
#include "checks.h"
#include "token.h"

#include <pthread.h>
#include <unistd.h>

/* A call in a thread. */
struct call {
    CK_SESSION_HANDLE session;
    CK_BBOOL is_private;
    bool begun;
    CK_RV result;
    pthread_t thread;
};

static void *log_in(void *argument)
{
    struct call *call = argument;
    call->result = p11->C_Login(call->session, CKU_USER, pin, sizeof pin - 1);
    return NULL;
}

static void *generate(void *argument)
{
    struct call *call = argument;
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_ULONG bits = 4096;
    CK_OBJECT_HANDLE public, private;
    CK_ATTRIBUTE outer = {CKA_MODULUS_BITS, &bits, sizeof bits};
    CK_ATTRIBUTE inner = {CKA_PRIVATE, &call->is_private, 1};
    __atomic_store_n(&call->begun, true, __ATOMIC_RELEASE);
    call->result = p11->C_GenerateKeyPair(call->session, &mechanism, &outer, 1, &inner, 1, &public,
                                          &private);
    return NULL;
}

static size_t session_objects(CK_SESSION_HANDLE session)
{
    CK_ATTRIBUTE wanted = {CKA_TOKEN, &no, 1};
    CK_OBJECT_HANDLE found[8];
    CK_ULONG count = 0;
    REQUIRE(p11->C_FindObjectsInit(session, &wanted, 1) == CKR_OK);
    REQUIRE(p11->C_FindObjects(session, found, 8, &count) == CKR_OK);
    REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
    return count;
}

/* The last session closes while its login is under way. */
static void close_in_login(void)
{
    struct call call = {.session = open_session()};
    CK_SESSION_INFO info;
    REQUIRE(pthread_create(&call.thread, NULL, log_in, &call) == 0);
    while (!folder_is_locked()) (void)usleep(1000);
    REQUIRE(p11->C_CloseSession(call.session) == CKR_OK);
    (void)pthread_join(call.thread, NULL);
    REQUIRE(call.result == CKR_SESSION_CLOSED);
    const CK_SESSION_HANDLE session = open_session();
    REQUIRE(p11->C_GetSessionInfo(session, &info) == CKR_OK);
    REQUIRE(info.state == CKS_RW_PUBLIC_SESSION);
    REQUIRE(p11->C_CloseSession(session) == CKR_OK);
}

static void begin(struct call *call)
{
    REQUIRE(pthread_create(&call->thread, NULL, generate, call) == 0);
    while (!__atomic_load_n(&call->begun, __ATOMIC_ACQUIRE)) (void)usleep(1000);
    (void)usleep(20000);
}

/* A session closes, or the user logs out, while it generates a key. */
static void end_in_generation(void)
{
    const CK_SESSION_HANDLE other = open_session();
    struct call call = {.session = open_session(), .is_private = CK_FALSE};
    begin(&call);
    REQUIRE(p11->C_CloseSession(call.session) == CKR_OK);
    (void)pthread_join(call.thread, NULL);
    REQUIRE(call.result == CKR_SESSION_CLOSED);
    REQUIRE(session_objects(other) == 0);
    REQUIRE(p11->C_Login(other, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    call = (struct call){.session = open_session(), .is_private = CK_TRUE};
    begin(&call);
    REQUIRE(p11->C_Logout(other) == CKR_OK);
    (void)pthread_join(call.thread, NULL);
    REQUIRE(call.result == CKR_USER_NOT_LOGGED_IN);
    REQUIRE(p11->C_Login(other, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    REQUIRE(session_objects(other) == 0);
}

/* The last step of a call whose user has logged out since its first one. */
static void add_after_logout(void)
{
    const CK_SESSION_HANDLE handle = open_session();
    struct session *session;
    struct attributes set = {.count = 0};
    REQUIRE(attributes_put(&set, CKA_PRIVATE, &yes, 1));
    REQUIRE(session_enter(handle, &session) == CKR_OK);
    struct object *object = object_new(&set);
    REQUIRE(object != NULL && session_add_object(session, object) == CKR_USER_NOT_LOGGED_IN);
    object_release(object);
    REQUIRE(session_leave(session, CKR_OK) == CKR_OK);
    REQUIRE(p11->C_CloseSession(handle) == CKR_OK);
}

void check_races(void)
{
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    add_after_logout();
    close_in_login();
    end_in_generation();
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}
