/* SPDX-License-Identifier: Apache-2.0 */
/* Packets through the registers of the AXI4-Lite face (contract/stream_registers.rdl). */
#include "internal.h"
#include "totient/stream_registers.h"

/* Offset of a register by its name in the map. */
#define AT(name) ((uint32_t)offsetof(stream_registers_t, name))

totient_result totient_registers_wait(const struct totient_registers *way, uint32_t offset,
                                      uint32_t mask, bool set, uint32_t *value)
{
    const uint32_t most = way->polls != 0 ? way->polls : TOTIENT_DEFAULT_POLLS;
    for (uint32_t polls = 0; polls < most; polls++) {
        const totient_result result = way->read(way->bus, offset, value);
        if (result != TOTIENT_OK) return result;
        if (((*value & mask) != 0) == set) return TOTIENT_OK;
    }
    return TOTIENT_TIMEOUT;
}

static totient_result send(void *context, const uint32_t *words, size_t count, bool last)
{
    struct totient_registers *to = context;
    if (to == NULL || to->read == NULL || to->write == NULL || words == NULL)
        return TOTIENT_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        if (to->room == 0) {
            uint32_t value;
            const totient_result result = totient_registers_wait(
                to, AT(WORDS), STREAM_REGISTERS__WORDS__REQUEST_FREE_bm, true, &value);
            if (result != TOTIENT_OK) return result;
            to->room = value & STREAM_REGISTERS__WORDS__REQUEST_FREE_bm;
        }
        to->room--;
        const bool ends = last && i == count - 1;
        const totient_result result =
            to->write(to->bus, ends ? AT(REQUEST_LAST) : AT(REQUEST), words[i]);
        if (result != TOTIENT_OK) return result;
    }
    return TOTIENT_OK;
}

/* Waits until RESPONSE has a word. Where the caller waits for the interrupt, its event is cleared first,
   and the status is read again: what came in between would raise no interrupt. */
static totient_result await_response(const struct totient_registers *to, uint32_t *status)
{
    const uint32_t valid = STREAM_REGISTERS__STATUS__RESPONSE_VALID_bm;
    if (to->wait == NULL) return totient_registers_wait(to, AT(STATUS), valid, true, status);
    totient_result result = to->read(to->bus, AT(STATUS), status);
    for (bool first = true; result == TOTIENT_OK && (*status & valid) == 0; first = false) {
        result = to->write(to->bus, AT(EVENTS), STREAM_REGISTERS__EVENTS__RESPONSE_bm);
        if (result == TOTIENT_OK)
            result = to->write(to->bus, AT(INTERRUPT_ENABLE),
                               STREAM_REGISTERS__INTERRUPT_ENABLE__RESPONSE_bm);
        if (result == TOTIENT_OK) result = to->read(to->bus, AT(STATUS), status);
        if (result != TOTIENT_OK || (*status & valid) != 0) return result;
        result = to->wait(to->waiter, first);
        if (result == TOTIENT_OK) result = to->read(to->bus, AT(STATUS), status);
    }
    return result;
}

static totient_result receive(void *context, uint32_t *words, size_t count, bool *last)
{
    struct totient_registers *to = context;
    if (to == NULL || to->read == NULL || words == NULL || last == NULL) return TOTIENT_ARGUMENT;
    *last = false;
    for (size_t i = 0; i < count; i++) {
        if (*last) return TOTIENT_PROTOCOL;
        uint32_t status;
        totient_result result = await_response(to, &status);
        if (result == TOTIENT_OK) result = to->read(to->bus, AT(RESPONSE), &words[i]);
        if (result != TOTIENT_OK) return result;
        *last = (status & STREAM_REGISTERS__STATUS__RESPONSE_LAST_bm) != 0;
    }
    return TOTIENT_OK;
}

static totient_result reset(void *context)
{
    struct totient_registers *to = context;
    uint32_t value = 0;
    if (to == NULL || to->read == NULL || to->write == NULL) return TOTIENT_ARGUMENT;
    to->room = 0;
    totient_result result = to->read(to->bus, AT(IDENTIFICATION), &value);
    if (result != TOTIENT_OK) return result;
    if (value != STREAM_REGISTERS__IDENTIFICATION__ID_reset) return TOTIENT_NO_CORE;
    result = to->write(to->bus, AT(CONTROL), STREAM_REGISTERS__CONTROL__CLEAR_bm);
    if (result == TOTIENT_OK)
        result = totient_registers_wait(to, AT(STATUS), STREAM_REGISTERS__STATUS__CLEARING_bm, false,
                                        &value);
    if (result == TOTIENT_OK) result = to->write(to->bus, AT(EVENTS), ~UINT32_C(0));
    return result;
}

const struct totient_transport totient_over_registers = {send, receive, reset};

totient_result totient_mapped_read(void *bus, uint32_t offset, uint32_t *value)
{
    if (bus == NULL || value == NULL) return TOTIENT_ARGUMENT;
    *value = ((volatile const uint32_t *)bus)[offset / 4];
    return TOTIENT_OK;
}

totient_result totient_mapped_write(void *bus, uint32_t offset, uint32_t value)
{
    if (bus == NULL) return TOTIENT_ARGUMENT;
    ((volatile uint32_t *)bus)[offset / 4] = value;
    return TOTIENT_OK;
}
