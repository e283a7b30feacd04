/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a client sends to the daemon: p11-kit reads it, and calls the module. Logins, which take
 * long by design, and calls that would end the state of the process answer without being made.
 */
#define _GNU_SOURCE                 /* memfd_create */
#define P11_KIT_FUTURE_UNSTABLE_API /* the server */
#include "fresh_token.h"

#include <fcntl.h>
#include <p11-kit/remote.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static CK_FUNCTION_LIST served;
static CK_SESSION_HANDLE keeper;
static CK_OBJECT_HANDLE keys[3];
static CK_SESSION_HANDLE opened[4096]; /* by an input; more are refused */
static size_t open_count;

static CK_RV initialize(void *arguments)
{
    (void)arguments;
    return CKR_OK;
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR *text, CK_ULONG length)
{
    (void)session;
    (void)user;
    (void)text;
    (void)length;
    return CKR_USER_ALREADY_LOGGED_IN;
}

static CK_RV logout(CK_SESSION_HANDLE session)
{
    (void)session;
    return CKR_OK;
}

static CK_RV init_token(CK_SLOT_ID slot, CK_UTF8CHAR *text, CK_ULONG length, CK_UTF8CHAR *label)
{
    (void)slot;
    (void)text;
    (void)length;
    (void)label;
    return CKR_PIN_INCORRECT;
}

static CK_RV init_pin(CK_SESSION_HANDLE session, CK_UTF8CHAR *text, CK_ULONG length)
{
    (void)session;
    (void)text;
    (void)length;
    return CKR_USER_NOT_LOGGED_IN;
}

static CK_RV set_pin(CK_SESSION_HANDLE session, CK_UTF8CHAR *old, CK_ULONG old_length,
                     CK_UTF8CHAR *text, CK_ULONG length)
{
    (void)session;
    (void)old;
    (void)old_length;
    (void)text;
    (void)length;
    return CKR_PIN_INCORRECT;
}

static CK_RV open_another(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                          CK_SESSION_HANDLE *session)
{
    if (open_count == sizeof opened / sizeof *opened) return CKR_SESSION_COUNT;
    const CK_RV result = p11->C_OpenSession(slot, flags, application, notify, session);
    if (result == CKR_OK) opened[open_count++] = *session;
    return result;
}

static CK_RV close_session(CK_SESSION_HANDLE session)
{
    return session == keeper ? CKR_OK : p11->C_CloseSession(session);
}

static CK_RV close_all(CK_SLOT_ID slot)
{
    (void)slot;
    return CKR_OK;
}

static void begin(void)
{
    if (keeper != 0) return;
    fresh_token();
    served = *p11;
    served.C_Initialize = served.C_Finalize = initialize;
    served.C_Login = login;
    served.C_Logout = logout;
    served.C_InitToken = init_token;
    served.C_InitPIN = init_pin;
    served.C_SetPIN = set_pin;
    served.C_OpenSession = open_another;
    served.C_CloseSession = close_session;
    served.C_CloseAllSessions = close_all;
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    keeper = open_session();
    REQUIRE(p11->C_Login(keeper, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    make_pair(keeper, &keys[0], &keys[1]);
    keys[2] = make_secret(keeper);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    CK_SESSION_INFO state;
    begin();
    const int in = memfd_create("in", MFD_CLOEXEC), out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    REQUIRE(in >= 0 && out >= 0 && write(in, bytes, length) == (ssize_t)length);
    REQUIRE(lseek(in, 0, SEEK_SET) == 0);
    (void)p11_kit_remote_serve_module(&served, in, out);
    (void)close(in);
    (void)close(out);
    while (open_count > 0) (void)p11->C_CloseSession(opened[--open_count]);
    REQUIRE(p11->C_GetSessionInfo(keeper, &state) == CKR_OK);
    destroy_others(keys, 3);
    return 0;
}
