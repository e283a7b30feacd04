/* SPDX-License-Identifier: Apache-2.0 */
/* Copies by words where both sides begin at one, as any C library's do. */
#include <string.h>

#include <stdint.h>

typedef unsigned __attribute__((may_alias)) word;

static int by_words(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & (sizeof(word) - 1)) == 0;
}

static void *copy_up(unsigned char *to, const unsigned char *from, size_t length)
{
    void *const result = to;
    if (by_words(to, from)) {
        for (; length >= sizeof(word); length -= sizeof(word)) {
            *(word *)to = *(const word *)from;
            to += sizeof(word);
            from += sizeof(word);
        }
    }
    while (length-- > 0) *to++ = *from++;
    return result;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
    return copy_up(to, from, length);
}

void *memmove(void *to, const void *from, size_t length)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    if (out <= in || out >= in + length) return copy_up(to, from, length);
    if (by_words(out, in)) {
        for (; length % sizeof(word) != 0; length--) out[length - 1] = in[length - 1];
        for (; length > 0; length -= sizeof(word)) {
            *(word *)(out + length - sizeof(word)) = *(const word *)(in + length - sizeof(word));
        }
    }
    for (; length > 0; length--) out[length - 1] = in[length - 1];
    return to;
}

void *memset(void *to, int value, size_t length)
{
    unsigned char *out = to;
    if (value == 0 && by_words(out, out)) {
        for (; length >= sizeof(word); length -= sizeof(word)) {
            *(word *)out = 0;
            out += sizeof(word);
        }
    }
    while (length-- > 0) *out++ = (unsigned char)value;
    return to;
}
