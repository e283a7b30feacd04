/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes paddings from blocks that Valgrind takes for undefined: it reports each branch and each
 * address that depends on one. With an argument, a comparison that leaks is made: Valgrind must
 * report it.
 */
#include <sodium.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "operation.h"

enum { SIZE = 256 };

static volatile int seen;

int main(int count, char **words)
{
    uint8_t derived[32], chosen[SIZE], message[SIZE], block[SIZE];
    struct parameters parameters = {.hash = hash_of(CKM_SHA256), .mgf = hash_of(CKM_SHA256)};
    size_t length = 0;
    memset(block, 7, sizeof block);
    memset(derived, 9, sizeof derived);
    (void)words;
    if (sodium_init() < 0) return 2;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(block, sizeof block);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(derived, sizeof derived);
    const uint32_t chosen_length = choose_message(derived, block, SIZE, chosen);
    if (count > 1 && block[3] == chosen[3]) seen = (int)chosen_length;
    /* Of OAEP, only the one answer is known to the caller: good or bad. */
    const CK_RV result = unpad_oaep(&parameters, block, SIZE, message, &length);
    return (int)VALGRIND_COUNT_ERRORS + (result == CKR_HOST_MEMORY);
}
