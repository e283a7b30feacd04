/* SPDX-License-Identifier: Apache-2.0 */
/* What compilers call by themselves, for systems without a C library. */
#include "string.h"

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    while (length-- > 0) *out++ = *in++;
    return to;
}

void *memset(void *to, int value, size_t length)
{
    unsigned char *out = to;
    while (length-- > 0) *out++ = (unsigned char)value;
    return to;
}
