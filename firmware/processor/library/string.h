/* SPDX-License-Identifier: Apache-2.0 */
/** The part of the C library's header that compilers and counted programs want, for processors whose
 *  compiler comes without one. */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);

#endif
