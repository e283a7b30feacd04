/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses a premaster secret while Valgrind takes message and length for undefined. With an
 * argument, a comparison that leaks is made: Valgrind must report it.
 */
#include <string.h>
#include <valgrind/memcheck.h>

#include "provider.h"

static volatile int seen;

/* Of provider.c, which is not here. */
int fail(const struct provider *provider, enum reason reason, const char *format, ...)
{
    (void)provider;
    (void)reason;
    (void)format;
    return 0;
}

int main(int count, char **words)
{
    unsigned char message[PREMASTER] = {3, 3}, random[PREMASTER] = {9}, out[PREMASTER];
    size_t length = PREMASTER;
    unsigned good = ~0u;
    (void)words;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(message, sizeof message);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(&length, sizeof length);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(&good, sizeof good);
    choose_premaster(message, length, good, 0x0303, 0x0302, random, out);
    if (count > 1 && out[3] == 7) seen = 1;
    return (int)VALGRIND_COUNT_ERRORS;
}
