/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an address. */
#include "totient/address.h"

#include <string.h>

#include "reason.h"

enum { MOST_DIGITS = 1234 }; /* 2^4096, for a key that is part of an IP, and a sign less */

static const struct {
    const char *name, *form, *missing;
} ways[] = {
    [TOTIENT_SIM] = {"sim", "sim:DESIGN", "design"},
    [TOTIENT_SIM_REGISTERS] = {"sim-registers", "sim-registers:DESIGN", "design"},
    [TOTIENT_SIM_SERIAL] = {"sim-serial", "sim-serial:DESIGN", "design"},
    [TOTIENT_SIM_RTL] = {"sim-rtl", "sim-rtl:DESIGN", "design"},
    [TOTIENT_UIO] = {"uio", "uio:PATH", "path"},
    [TOTIENT_TTY] = {"tty", "tty:PATH", "path"},
    [TOTIENT_UNIX] = {"unix", "unix:PATH", "path"},
};
enum { WAYS = sizeof ways / sizeof *ways };

bool totient_span_is(struct totient_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.text, text, span.length) == 0;
}

const char *totient_way_name(enum totient_way way)
{
    return ways[way].name;
}

static bool same_name(struct totient_span a, struct totient_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* The part of a text up to a mark, which `rest` begins after. */
static struct totient_span up_to(struct totient_span *rest, char mark, bool *found)
{
    const char *at = rest->length > 0 ? memchr(rest->text, mark, rest->length) : NULL;
    const struct totient_span part = {rest->text, at != NULL ? (size_t)(at - rest->text) : rest->length};
    *found = at != NULL;
    rest->text += part.length + (at != NULL ? 1 : 0);
    rest->length -= part.length + (at != NULL ? 1 : 0);
    return part;
}

static bool is_whole_number(struct totient_span value)
{
    const size_t sign = value.length > 0 && value.text[0] == '-' ? 1 : 0;
    if (value.length == sign || value.length > sign + MOST_DIGITS) return false;
    for (size_t i = sign; i < value.length; i++)
        if (value.text[i] < '0' || value.text[i] > '9') return false;
    return true;
}

static void add_device(struct reason *reason, struct totient_span text)
{
    totient_reason_add(reason, "device ");
    totient_reason_add_quoted(reason, text.text, text.length);
}

static totient_result parse_parameter(struct totient_address *address, struct totient_span part,
                                      struct totient_span text, struct reason *reason)
{
    bool equals;
    struct totient_parameter parameter;
    const struct totient_span whole = part;
    parameter.name = up_to(&part, '=', &equals);
    parameter.value = part;
    if (!equals || parameter.name.length == 0) {
        add_device(reason, text);
        totient_reason_add(reason, " has ");
        totient_reason_add_quoted(reason, whole.text, whole.length);
        totient_reason_add(reason, " where parameter=value is expected");
        return TOTIENT_ADDRESS;
    }
    for (size_t i = 0; i < address->count; i++) {
        if (!same_name(address->parameters[i].name, parameter.name)) continue;
        add_device(reason, text);
        totient_reason_add(reason, " gives ");
        totient_reason_add_given(reason, parameter.name.text, parameter.name.length);
        totient_reason_add(reason, " twice");
        return TOTIENT_ADDRESS;
    }
    if (!is_whole_number(parameter.value)) {
        totient_reason_add_given(reason, parameter.name.text, parameter.name.length);
        totient_reason_add(reason, " is ");
        totient_reason_add_quoted(reason, parameter.value.text, parameter.value.length);
        totient_reason_add(reason, ", allowed is a whole number");
        return TOTIENT_ADDRESS;
    }
    if (address->count == TOTIENT_ADDRESS_PARAMETERS) {
        add_device(reason, text);
        totient_reason_add(reason, " has too many parameters, allowed are 32");
        return TOTIENT_ADDRESS;
    }
    address->parameters[address->count++] = parameter;
    return TOTIENT_OK;
}

static totient_result parse_way(struct totient_address *address, bool colon, struct totient_span text,
                                struct reason *reason)
{
    for (size_t way = 0; colon && way < WAYS; way++) {
        if (!totient_span_is(address->transport, ways[way].name)) continue;
        address->way = (enum totient_way)way;
        return TOTIENT_OK;
    }
    if (colon) {
        totient_reason_add(reason, "unknown transport ");
        totient_reason_add_quoted(reason, address->transport.text, address->transport.length);
        totient_reason_add(reason, " of ");
    }
    add_device(reason, text);
    totient_reason_add(reason, colon ? ", known are " : " has no transport, allowed is ");
    for (size_t way = 0; way < WAYS; way++) {
        totient_reason_add(reason, way > 0 ? ", " : "");
        totient_reason_add(reason, colon ? ways[way].name : ways[way].form);
    }
    return TOTIENT_ADDRESS;
}

totient_result totient_parse_address(struct totient_address *address, const char *text, char *reason,
                                     size_t length)
{
    struct reason why = totient_reason(reason, length);
    bool colon, question, more = true;
    if (address == NULL || text == NULL) return TOTIENT_ARGUMENT;
    memset(address, 0, sizeof *address);
    const struct totient_span whole = {text, strlen(text)};
    struct totient_span rest = whole;
    address->transport = up_to(&rest, ':', &colon);
    totient_result result = parse_way(address, colon, whole, &why);
    if (result != TOTIENT_OK) return result;
    address->name = up_to(&rest, '?', &question);
    if (address->name.length == 0) {
        add_device(&why, whole);
        totient_reason_add(&why, " has no ");
        totient_reason_add(&why, ways[address->way].missing);
        totient_reason_add(&why, ", allowed is ");
        totient_reason_add(&why, ways[address->way].form);
        return TOTIENT_ADDRESS;
    }
    while (question && more && result == TOTIENT_OK) {
        const struct totient_span part = up_to(&rest, '&', &more);
        result = parse_parameter(address, part, whole, &why);
    }
    return result;
}
