/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as an address: a target for libFuzzer, AFL++ or `mutate.c`. The first byte is the room for the
   reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "totient/address.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) abort(); \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_span(struct totient_span span, const char *text, size_t length)
{
    CHECK(span.text >= text && span.length <= length);
    CHECK((size_t)(span.text - text) <= length - span.length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct totient_address address;
    if (size == 0) return 0;
    const size_t room = data[0], length = size - 1;
    char *text = malloc(length + 1), *reason = malloc(room > 0 ? room : 1);
    CHECK(text != NULL && reason != NULL);
    memcpy(text, data + 1, length);
    text[length] = '\0';
    const size_t known = strlen(text);
    const totient_result result = totient_parse_address(&address, text, reason, room);
    CHECK(result == TOTIENT_OK || result == TOTIENT_ADDRESS);
    if (result == TOTIENT_OK) {
        CHECK(address.name.length > 0 && address.count <= TOTIENT_ADDRESS_PARAMETERS);
        check_span(address.transport, text, known);
        check_span(address.name, text, known);
        for (size_t i = 0; i < address.count; i++) {
            check_span(address.parameters[i].name, text, known);
            check_span(address.parameters[i].value, text, known);
        }
    }
    if (room > 0) {
        CHECK(memchr(reason, 0, room) != NULL);
        CHECK((reason[0] != '\0') == (result != TOTIENT_OK) || room == 1);
        for (const char *at = reason; *at != '\0'; at++) CHECK((uint8_t)*at >= ' ' && *at != 0x7F);
    }
    free(reason);
    free(text);
    return 0;
}
