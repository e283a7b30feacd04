/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module of the token, its sessions, and private operations.
 *
 * A child after fork initialises the module again, as PKCS #11 has it. If the token's daemon ends
 * and another one starts, or the device is gone and there again, an operation is tried once more.
 */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_mutex_t */
#include "token.h"

#include <dlfcn.h>
#include <openssl/crypto.h>
#include <p11-kit/p11-kit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fail_token(const struct provider *provider, const char *function, CK_RV result)
{
    return fail(provider, REASON_TOKEN, "%s: %s (0x%lx)", function, p11_kit_strerror(result), result);
}

void lock(struct provider *provider)
{
    /* A thread that is not in this process may have held the lock when it was forked. */
    const pid_t here = getpid(), being_made = -here;
    pid_t maker = __atomic_load_n(&provider->lock_process, __ATOMIC_ACQUIRE);
    while (maker != here) {
        if (maker != being_made &&
            __atomic_compare_exchange_n(&provider->lock_process, &maker, being_made, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            (void)pthread_mutex_init(&provider->lock, NULL);
            __atomic_store_n(&provider->lock_process, here, __ATOMIC_RELEASE);
        }
        maker = __atomic_load_n(&provider->lock_process, __ATOMIC_ACQUIRE);
    }
    (void)pthread_mutex_lock(&provider->lock);
}

void unlock(struct provider *provider)
{
    (void)pthread_mutex_unlock(&provider->lock);
}

/* Sessions of another state of the module have no meaning: only their memory is freed. */
static void sessions_free(struct provider *provider)
{
    while (provider->sessions != NULL) {
        struct session *first = provider->sessions;
        provider->sessions = first->next;
        free(first);
    }
    provider->generation++;
}

void sessions_forget(struct provider *provider)
{
    for (const struct session *each = provider->sessions; each != NULL; each = each->next)
        (void)provider->functions->C_CloseSession(each->handle);
    sessions_free(provider);
}

static int module_load(struct provider *provider)
{
    CK_C_GetFunctionList get = NULL;
    if (provider->module == NULL) provider->module = dlopen(provider->module_path, RTLD_NOW);
    if (provider->module == NULL) return fail(provider, REASON_MODULE, "%s", dlerror());
    void *symbol = dlsym(provider->module, "C_GetFunctionList");
    if (symbol == NULL)
        return fail(provider, REASON_MODULE, "%s has no function C_GetFunctionList",
                    provider->module_path);
    memcpy(&get, &symbol, sizeof get);
    const CK_RV result = get(&provider->functions);
    if (result == CKR_OK) return 1;
    provider->functions = NULL;
    return fail_token(provider, "C_GetFunctionList", result);
}

static int module_initialise(struct provider *provider)
{
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    sessions_free(provider);
    provider->lost = false;
    const CK_RV result = provider->functions->C_Initialize(&arguments);
    provider->initialised = result == CKR_OK;
    if (result != CKR_OK && result != CKR_CRYPTOKI_ALREADY_INITIALIZED)
        return fail_token(provider, "C_Initialize", result);
    provider->process = getpid();
    return 1;
}

int module_again(struct provider *provider)
{
    /* If the program itself initialised the module, it is not ours to finalise. */
    if (provider->initialised)
        (void)provider->functions->C_Finalize(NULL);
    else
        sessions_forget(provider);
    provider->process = 0;
    return module_initialise(provider);
}

int module_ready(struct provider *provider)
{
    if (provider->functions == NULL && !module_load(provider)) return 0;
    if (provider->process != getpid()) return module_initialise(provider);
    return !provider->lost || module_again(provider);
}

struct session *session_of(struct provider *provider, CK_SLOT_ID slot, const CK_TOKEN_INFO *token)
{
    for (struct session *each = provider->sessions; each != NULL; each = each->next)
        if (each->slot == slot) {
            each->token = *token; /* Its flags change. */
            return each;
        }
    struct session *made = calloc(1, sizeof *made);
    if (made == NULL) {
        (void)fail(provider, REASON_MEMORY, "a session");
        return NULL;
    }
    CK_RV result = provider->functions->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION,
                                                      NULL, NULL, &made->handle);
    if (result == CKR_TOKEN_WRITE_PROTECTED)
        result = provider->functions->C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL,
                                                    &made->handle);
    if (result != CKR_OK) {
        free(made);
        (void)fail_token(provider, "C_OpenSession", result);
        return NULL;
    }
    made->slot = slot;
    made->token = *token;
    made->next = provider->sessions;
    provider->sessions = made;
    return made;
}

bool mended(struct provider *provider, CK_RV result)
{
    switch (result) {
    case CKR_SESSION_HANDLE_INVALID:
    case CKR_SESSION_CLOSED:
    case CKR_KEY_HANDLE_INVALID:
    case CKR_OBJECT_HANDLE_INVALID:
    case CKR_OPERATION_ACTIVE:
    case CKR_USER_NOT_LOGGED_IN: sessions_forget(provider); return true;
    case CKR_CRYPTOKI_NOT_INITIALIZED:
    case CKR_DEVICE_ERROR:
    case CKR_DEVICE_REMOVED:
    case CKR_TOKEN_NOT_PRESENT: return module_again(provider) != 0;
    default: return false;
    }
}

void sessions_check(struct provider *provider)
{
    CK_SESSION_INFO state;
    for (const struct session *each = provider->sessions; each != NULL; each = each->next) {
        const CK_RV result = provider->functions->C_GetSessionInfo(each->handle, &state);
        if (result != CKR_OK) {
            /* A daemon that is gone and has come back is not the one that gave the handles. */
            if (!mended(provider, result)) sessions_forget(provider);
            return;
        }
    }
}

void token_close(struct provider *provider)
{
    /* In a child that never used the module there is nothing of its own to end. */
    if (provider->functions != NULL && provider->process == getpid()) {
        sessions_forget(provider);
        if (provider->initialised) (void)provider->functions->C_Finalize(NULL);
    } else {
        sessions_free(provider);
    }
    if (provider->module != NULL) (void)dlclose(provider->module);
    OPENSSL_cleanse(&provider->entered, sizeof provider->entered);
    OPENSSL_cleanse(provider->refused, sizeof provider->refused);
}

static CK_RV call(struct key *key, enum operation operation, CK_MECHANISM *mechanism,
                  const unsigned char *in, size_t in_length, unsigned char *out, size_t *length)
{
    const CK_FUNCTION_LIST *functions = key->provider->functions;
    const CK_SESSION_HANDLE session = key->session->handle;
    CK_ULONG written = *length;
    CK_RV result = operation == OPERATION_SIGN
                       ? functions->C_SignInit(session, mechanism, key->object)
                       : functions->C_DecryptInit(session, mechanism, key->object);
    if (result != CKR_OK) return result;
    if (key->asks_always && (result = log_in_once(key)) != CKR_OK) {
        sessions_forget(key->provider); /* The operation that has begun ends with its session. */
        return result;
    }
    /* The module reads `in` only; its type in PKCS #11 does not say so. */
    result = operation == OPERATION_SIGN
                 ? functions->C_Sign(session, (CK_BYTE *)in, in_length, out, &written)
                 : functions->C_Decrypt(session, (CK_BYTE *)in, in_length, out, &written);
    *length = written;
    return result;
}

CK_RV token_operate(struct key *key, enum operation operation, CK_MECHANISM *mechanism,
                    const unsigned char *in, size_t in_length, unsigned char *out, size_t *length)
{
    struct provider *provider = key->provider;
    const size_t size = *length;
    CK_RV result = CKR_TOKEN_NOT_PRESENT;
    lock(provider);
    for (int left = 2; left > 0; left--) {
        if (!module_ready(provider)) break;
        if (key->generation != provider->generation && !find_again(key)) break;
        *length = size;
        result = call(key, operation, mechanism, in, in_length, out, length);
        if (result == CKR_OK || !mended(provider, result)) break;
    }
    unlock(provider);
    return result;
}
