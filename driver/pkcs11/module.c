/* SPDX-License-Identifier: Apache-2.0 */
/* The module as a whole: its beginning and end, what a fork does to it, and its table of functions.
 */
#define _GNU_SOURCE /* MADV_WIPEONFORK, MAP_ANONYMOUS */
#include "token.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A page that the kernel clears in a forked child: without it the process number says the same. */
struct mark {
    bool is_ready;
    pid_t process;
};

static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;
static pid_t beginning_of; /* the process of that lock; negative while it makes the lock */
static struct mark *mark;
static bool wiped_by_kernel;
static struct client *own; /* of this process */

static bool make_mark(void)
{
    if (mark == NULL) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return false;
#ifdef MADV_WIPEONFORK
        wiped_by_kernel = madvise(memory, page, MADV_WIPEONFORK) == 0;
#endif
        __atomic_store_n(&mark, memory, __ATOMIC_RELEASE);
    }
    return true;
}

bool module_ready(void)
{
    const struct mark *here = __atomic_load_n(&mark, __ATOMIC_ACQUIRE);
    if (here == NULL || !__atomic_load_n(&here->is_ready, __ATOMIC_ACQUIRE)) return false;
    return wiped_by_kernel || here->process == getpid();
}

CK_RV client_now(struct client **client)
{
    if (!module_ready()) return CKR_CRYPTOKI_NOT_INITIALIZED;
    *client = client_of_thread != NULL ? client_of_thread() : own;
    return *client != NULL ? CKR_OK : CKR_CRYPTOKI_NOT_INITIALIZED;
}

/* A child has copies of its parent's keys, sessions and device, maybe in the middle of an
   operation. It uses none of them: it begins anew. */
static void abandon(void)
{
    own = NULL;
    store_abandon();
    sessions_abandon();
    pin_abandon();
    token_abandon();
    device_abandon();
}

CK_RV module_begin(void)
{
    if (sodium_init() < 0) return CKR_GENERAL_ERROR;
    if (!make_mark()) return CKR_HOST_MEMORY;
    if (mark->process != getpid()) abandon();
    mark->process = getpid();
    __atomic_store_n(&mark->is_ready, true, __ATOMIC_RELEASE);
    return CKR_OK;
}

void module_end(void)
{
    __atomic_store_n(&mark->is_ready, false, __ATOMIC_RELEASE);
    token_forget();
    device_close();
}

/* What an application asks for at its beginning. */
static CK_RV check_arguments(const CK_C_INITIALIZE_ARGS *given)
{
    if (given == NULL) return CKR_OK;
    const int functions = (given->CreateMutex != NULL) + (given->DestroyMutex != NULL)
                          + (given->LockMutex != NULL) + (given->UnlockMutex != NULL);
    if (given->pReserved != NULL || (functions != 0 && functions != 4)) return CKR_ARGUMENTS_BAD;
    /* Locks of the application's own are not used; those of the system must do. */
    return functions != 0 && (given->flags & CKF_OS_LOCKING_OK) == 0 ? CKR_CANT_LOCK : CKR_OK;
}

/* In a child, a thread of the parent may have held the lock: one of its own makes another lock. */
static void lock_beginning(void)
{
    const pid_t here = getpid();
    pid_t found = __atomic_load_n(&beginning_of, __ATOMIC_ACQUIRE);
    while (found != here) {
        if (found != -here
            && __atomic_compare_exchange_n(&beginning_of, &found, -here, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE)) {
            beginning = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
            __atomic_store_n(&beginning_of, here, __ATOMIC_RELEASE);
        }
        found = __atomic_load_n(&beginning_of, __ATOMIC_ACQUIRE);
    }
    (void)pthread_mutex_lock(&beginning);
}

CK_RV C_Initialize(void *arguments)
{
    CK_RV result = check_arguments(arguments);
    if (result != CKR_OK) return result;
    lock_beginning();
    if (client_of_thread != NULL) {
        result = client_of_thread() != NULL ? CKR_OK : CKR_GENERAL_ERROR; /* the daemon's client */
    } else if (module_ready()) {
        result = CKR_CRYPTOKI_ALREADY_INITIALIZED;
    } else {
        store_choose(NULL);
        own = client_new();
        struct client *fresh = own;
        result = own != NULL ? module_begin() : CKR_HOST_MEMORY;
        own = fresh; /* also where a child has abandoned its parent's */
    }
    (void)pthread_mutex_unlock(&beginning);
    return result;
}

CK_RV C_Finalize(void *reserved)
{
    struct client *client;
    if (reserved != NULL) return CKR_ARGUMENTS_BAD;
    CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    if (client_of_thread != NULL) return C_CloseAllSessions(SLOT_ID);
    lock_beginning();
    if (module_ready()) {
        own = NULL;
        client_free(client);
        module_end();
    } else {
        result = CKR_CRYPTOKI_NOT_INITIALIZED;
    }
    (void)pthread_mutex_unlock(&beginning);
    return result;
}

static void pad(CK_UTF8CHAR *field, size_t length, const char *text)
{
    memset(field, ' ', length);
    memcpy(field, text, strlen(text) < length ? strlen(text) : length);
}

CK_RV C_GetInfo(CK_INFO *info)
{
    struct client *client;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    if (info == NULL) return CKR_ARGUMENTS_BAD;
    *info = (CK_INFO){.cryptokiVersion = {2, 40}, .libraryVersion = {0, 1}};
    pad(info->manufacturerID, sizeof info->manufacturerID, "Totient");
    pad(info->libraryDescription, sizeof info->libraryDescription, "Totient RSA accelerator");
    return CKR_OK;
}

__attribute__((visibility("default"))) CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list)
{
    if (list == NULL) return CKR_ARGUMENTS_BAD;
    *list = &function_list;
    return CKR_OK;
}

/* --- functions that no token of this kind has
 * --- */

CK_RV C_WaitForSlotEvent(CK_FLAGS flags, CK_SLOT_ID *slot, void *reserved)
{
    struct client *client;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    if (slot == NULL || reserved != NULL) return CKR_ARGUMENTS_BAD;
    /* The token is never taken out: there would be nothing to wait for. */
    return (flags & CKF_DONT_BLOCK) != 0 ? CKR_NO_EVENT : CKR_FUNCTION_NOT_SUPPORTED;
}

/* A function of a session that answers always the same. */
static CK_RV always(CK_SESSION_HANDLE handle, CK_RV answer)
{
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    return result == CKR_OK ? session_leave(session, answer) : result;
}

CK_RV C_GetFunctionStatus(CK_SESSION_HANDLE handle)
{
    return always(handle, CKR_FUNCTION_NOT_PARALLEL);
}

CK_RV C_CancelFunction(CK_SESSION_HANDLE handle)
{
    return always(handle, CKR_FUNCTION_NOT_PARALLEL);
}

CK_RV C_GetOperationState(CK_SESSION_HANDLE handle, CK_BYTE *state, CK_ULONG *length)
{
    (void)state, (void)length;
    return always(handle, CKR_FUNCTION_NOT_SUPPORTED);
}

CK_RV C_SetOperationState(CK_SESSION_HANDLE handle, CK_BYTE *state, CK_ULONG length,
                          CK_OBJECT_HANDLE encryption, CK_OBJECT_HANDLE authentication)
{
    (void)state, (void)length, (void)encryption, (void)authentication;
    return always(handle, CKR_FUNCTION_NOT_SUPPORTED);
}

CK_RV C_DeriveKey(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE base,
                  CK_ATTRIBUTE *template, CK_ULONG count, CK_OBJECT_HANDLE *key)
{
    (void)mechanism, (void)base, (void)template, (void)count, (void)key;
    return always(handle, CKR_FUNCTION_NOT_SUPPORTED);
}

#define DUAL(name)                                                                                 \
    CK_RV name(CK_SESSION_HANDLE handle, CK_BYTE *in, CK_ULONG in_length, CK_BYTE *out,            \
               CK_ULONG *out_length)                                                               \
    {                                                                                              \
        (void)in, (void)in_length, (void)out, (void)out_length;                                    \
        return always(handle, CKR_FUNCTION_NOT_SUPPORTED);                                         \
    }

DUAL(C_DigestEncryptUpdate)
DUAL(C_DecryptDigestUpdate)
DUAL(C_SignEncryptUpdate)
DUAL(C_DecryptVerifyUpdate)

CK_FUNCTION_LIST function_list = {
    {2, 40},
    C_Initialize,
    C_Finalize,
    C_GetInfo,
    C_GetFunctionList,
    C_GetSlotList,
    C_GetSlotInfo,
    C_GetTokenInfo,
    C_GetMechanismList,
    C_GetMechanismInfo,
    C_InitToken,
    C_InitPIN,
    C_SetPIN,
    C_OpenSession,
    C_CloseSession,
    C_CloseAllSessions,
    C_GetSessionInfo,
    C_GetOperationState,
    C_SetOperationState,
    C_Login,
    C_Logout,
    C_CreateObject,
    C_CopyObject,
    C_DestroyObject,
    C_GetObjectSize,
    C_GetAttributeValue,
    C_SetAttributeValue,
    C_FindObjectsInit,
    C_FindObjects,
    C_FindObjectsFinal,
    C_EncryptInit,
    C_Encrypt,
    C_EncryptUpdate,
    C_EncryptFinal,
    C_DecryptInit,
    C_Decrypt,
    C_DecryptUpdate,
    C_DecryptFinal,
    C_DigestInit,
    C_Digest,
    C_DigestUpdate,
    C_DigestKey,
    C_DigestFinal,
    C_SignInit,
    C_Sign,
    C_SignUpdate,
    C_SignFinal,
    C_SignRecoverInit,
    C_SignRecover,
    C_VerifyInit,
    C_Verify,
    C_VerifyUpdate,
    C_VerifyFinal,
    C_VerifyRecoverInit,
    C_VerifyRecover,
    C_DigestEncryptUpdate,
    C_DecryptDigestUpdate,
    C_SignEncryptUpdate,
    C_DecryptVerifyUpdate,
    C_GenerateKey,
    C_GenerateKeyPair,
    C_WrapKey,
    C_UnwrapKey,
    C_DeriveKey,
    C_SeedRandom,
    C_GenerateRandom,
    C_GetFunctionStatus,
    C_CancelFunction,
    C_WaitForSlotEvent,
};
