/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons: one line of text, written into a buffer and cut at its end. */
#define _POSIX_C_SOURCE 200809L /* strerror_r that returns a number */
#include "reason.h"

#include <string.h>

/* Longest part of a text of somebody else that is shown. */
enum { SHOWN = 300 };

static void add(struct reason *reason, const char *text, size_t length)
{
    if (reason->room == 0) return;
    for (size_t i = 0; i < length && reason->length + 1 < reason->room; i++)
        reason->text[reason->length++] = text[i];
    reason->text[reason->length] = '\0';
}

struct reason totient_reason(char *buffer, size_t room)
{
    const struct reason reason = {buffer, 0, buffer != NULL ? room : 0};
    if (reason.room > 0) buffer[0] = '\0';
    return reason;
}

void totient_reason_add(struct reason *reason, const char *words)
{
    add(reason, words, strlen(words));
}

/* Bytes of the character of UTF-8 that a text begins with; 0: it is none, or one that controls. */
static size_t character(const uint8_t *text, size_t length)
{
    static const uint32_t least[] = {0x20, 0xA0, 0x800, 0x10000};
    const uint8_t first = text[0];
    const size_t more = first < 0x80 ? 0 : first < 0xC2 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t point = more == 0 ? first : first & (0x3Fu >> more);
    if (more > 3 || more >= length || first > 0xF4 || first == 0x7F) return 0;
    for (size_t i = 1; i <= more; i++) {
        if (text[i] < 0x80 || text[i] > 0xBF) return 0;
        point = point << 6 | (text[i] & 0x3Fu);
    }
    const bool half = point >= 0xD800 && point < 0xE000;
    /* Marks and ends of lines, and those that turn the direction of writing. */
    const bool turns = (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E)
                       || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
    return point < least[more] || point > 0x10FFFF || half || turns ? 0 : more + 1;
}

void totient_reason_add_given(struct reason *reason, const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t at = 0; at < length;) {
        const uint8_t byte = (uint8_t)text[at];
        const size_t count = character((const uint8_t *)text + at, length - at);
        if (at + count > SHOWN) {
            totient_reason_add(reason, "...");
            return;
        }
        if (count > 0) {
            add(reason, text + at, count);
            at += count;
        } else {
            const char escaped[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            add(reason, escaped, sizeof escaped);
            at++;
        }
    }
}

void totient_reason_add_quoted(struct reason *reason, const char *text, size_t length)
{
    totient_reason_add(reason, "'");
    totient_reason_add_given(reason, text, length);
    totient_reason_add(reason, "'");
}

void totient_reason_add_number(struct reason *reason, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    add(reason, digits + at, sizeof digits - at);
}

void totient_reason_add_error(struct reason *reason, int error)
{
    char text[128];
    if (strerror_r(error, text, sizeof text) != 0) {
        totient_reason_add(reason, "error ");
        totient_reason_add_number(reason, (uint64_t)error);
        return;
    }
    totient_reason_add(reason, text);
}
