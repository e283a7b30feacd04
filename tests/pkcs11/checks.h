/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the checks share. */
#ifndef TOTIENT_TESTS_PKCS11_CHECKS_H
#define TOTIENT_TESTS_PKCS11_CHECKS_H

#include <p11-kit/pkcs11.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"

enum { ROOM = 4096 };
#define WILD ((CK_ULONG) - 1)

extern CK_FUNCTION_LIST *p11;
extern CK_UTF8CHAR pin[7];
extern CK_BBOOL yes, no;

CK_SESSION_HANDLE open_session(void);
/* A session of a module that this begins, with the user's login. */
CK_SESSION_HANDLE logged_in(void);
/* An object with an attribute; 0: there is none. */
CK_OBJECT_HANDLE find_object(CK_SESSION_HANDLE session, CK_ATTRIBUTE wanted);
void make_pair(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *public, CK_OBJECT_HANDLE *private);
CK_OBJECT_HANDLE make_secret(CK_SESSION_HANDLE session);
/* The same for one mechanism alone; NULL: for any. */
CK_OBJECT_HANDLE make_secret_for(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE *allowed);
/* Destroys all objects but those in a list. */
void destroy_others(const CK_OBJECT_HANDLE *kept, size_t count);
/* Random calls by a generator's numbers; calls by numbers that a fuzzer chooses. */
void check_fuzz(unsigned long count, uint64_t seed);
void fuzz_calls(const uint8_t *bytes, size_t length);
/* processes.c: two processes on one token. */
bool folder_is_locked(void);
void check_lock(void);
void check_changes(void);
void check_initialised(void);
void check_starts(void);
/* races.c: calls that end too late. */
void check_races(void);
/* board.c: the device of a process, and its end. */
void check_inherited(void);
void check_ended(void);

#endif
