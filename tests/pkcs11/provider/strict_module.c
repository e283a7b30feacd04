/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module with the token of the module MODULE twice, in slots of their own. It signs in processes
 * alone that have initialised it themselves, and elsewhere does not say why it does not. While there
 * is a file `last-try` in the process' folder, the next wrong PIN is the last one.
 */
#include <p11-kit/pkcs11.h>

#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

static CK_FUNCTION_LIST shown;
static CK_FUNCTION_LIST *module;
static pid_t process;

static CK_RV initialize(void *arguments)
{
    process = getpid();
    return module->C_Initialize(arguments);
}

static CK_RV sign_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    if (process != getpid()) return CKR_FUNCTION_FAILED;
    return module->C_SignInit(session, mechanism, key);
}

static CK_RV slot_list(CK_BBOOL with_token, CK_SLOT_ID *slots, CK_ULONG *count)
{
    const CK_ULONG room = *count;
    (void)with_token;
    *count = 2;
    if (slots == NULL) return CKR_OK;
    if (room < 2) return CKR_BUFFER_TOO_SMALL;
    slots[0] = 0;
    slots[1] = 1;
    return CKR_OK;
}

static CK_RV slot_info(CK_SLOT_ID slot, CK_SLOT_INFO *info)
{
    (void)slot;
    return module->C_GetSlotInfo(0, info);
}

static CK_RV token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    const CK_RV result = module->C_GetTokenInfo(0, info);
    if (slot == 1) info->serialNumber[0] = 'x';
    if (access("last-try", F_OK) == 0) info->flags |= CKF_USER_PIN_FINAL_TRY;
    return result;
}

static CK_RV open_session(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                          CK_SESSION_HANDLE *session)
{
    (void)slot;
    return module->C_OpenSession(0, flags, application, notify, session);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **functions)
{
    void *library = dlopen(MODULE, RTLD_NOW);
    if (library == NULL) return CKR_GENERAL_ERROR;
    CK_RV (*get)(CK_FUNCTION_LIST **) = NULL;
    *(void **)&get = dlsym(library, "C_GetFunctionList");
    if (get == NULL || get(&module) != CKR_OK) return CKR_GENERAL_ERROR;
    shown = *module;
    shown.C_Initialize = initialize;
    shown.C_SignInit = sign_init;
    shown.C_GetSlotList = slot_list;
    shown.C_GetSlotInfo = slot_info;
    shown.C_GetTokenInfo = token_info;
    shown.C_OpenSession = open_session;
    *functions = &shown;
    return CKR_OK;
}
