/* SPDX-License-Identifier: Apache-2.0 */
/* A token in the folder TOTIENT_TOKEN for a process that fuzzes. */
#ifndef TOTIENT_TESTS_PKCS11_FRESH_TOKEN_H
#define TOTIENT_TESTS_PKCS11_FRESH_TOKEN_H

#include "../checks.h"

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list);

/* Takes the module's functions and initialises the token anew, once in a process. */
static void fresh_token(void)
{
    CK_UTF8CHAR label[32] = "                               ", so_pin[] = "87654321";
    CK_SESSION_HANDLE session = 0;
    if (p11 != NULL) return;
    label[31] = ' ';
    REQUIRE(C_GetFunctionList(&p11) == CKR_OK && p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(p11->C_InitToken(0, so_pin, sizeof so_pin - 1, label) == CKR_OK);
    session = open_session();
    REQUIRE(p11->C_Login(session, CKU_SO, so_pin, sizeof so_pin - 1) == CKR_OK);
    REQUIRE(p11->C_InitPIN(session, pin, sizeof pin - 1) == CKR_OK);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

#endif
