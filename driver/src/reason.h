/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of addresses share: reasons, which are one line of text, written into a buffer and cut
   at its end; parts of addresses; the file of a model. */
#ifndef TOTIENT_REASON_H
#define TOTIENT_REASON_H

#include <stddef.h>

#include "totient/address.h"

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

struct reason {
    char *text;
    size_t length, room; /* of the text, of the buffer */
};

/* An empty one; a buffer that is NULL or has no bytes takes nothing. */
struct reason totient_reason(char *buffer, size_t room);

/* Appends words of our own. */
void totient_reason_add(struct reason *reason, const char *words);

/* Appends a text of somebody else on one line: what is no printable character becomes \xNN. */
void totient_reason_add_given(struct reason *reason, const char *text, size_t length);

/* The same in quotation marks. */
void totient_reason_add_quoted(struct reason *reason, const char *text, size_t length);

/* Appends a number. */
void totient_reason_add_number(struct reason *reason, uint64_t number);

/* Appends what `errno` means. */
void totient_reason_add_error(struct reason *reason, int error);

/* Whether a part of an address is a text. */
bool totient_span_is(struct totient_span span, const char *text);

/* The transport in an address, without a colon. */
const char *totient_way_name(enum totient_way way);

/* Finds the file of a model: by its path, or by its address as totient/address.h says. It is checked
   whether somebody else can have written it. `path` has TOTIENT_PATH_BYTES. */
totient_result totient_find_model(const char *address, const struct totient_address *parts, char *path,
                                  struct reason *reason);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
