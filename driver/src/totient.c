/* SPDX-License-Identifier: Apache-2.0 */
/* A core: opening it, its keys, exponentiations, checked private operations, clearing. */
#include "internal.h"

#include <string.h>

enum { INFO_WORDS = 8, ENGINE_INFO_WORDS = 9, SLOTS_MOST = 256 };

static totient_result reset(struct totient *core)
{
    totient_result result = TOTIENT_OK;
    if (core->transport->reset != NULL) result = core->transport->reset(core->context);
    core->out_of_step = result != TOTIENT_OK;
    return result;
}

totient_result totient_in_step(struct totient *core)
{
    return core->out_of_step ? reset(core) : TOTIENT_OK;
}

static void forget_keys(struct totient *core)
{
    core->modulus_bits = 0;
    memset(core->slot_bits, 0, sizeof core->slot_bits);
    memset(core->slot_pair, 0, sizeof core->slot_pair);
    memset(core->slot_random, 0, sizeof core->slot_random);
}

/* After a failure on the way, words of an old response may still come. Where the reset fails too,
   nothing is asked of the core before one has succeeded. */
totient_result totient_finished(struct totient *core, totient_result result)
{
    if (result > TOTIENT_ARGUMENT) {
        forget_keys(core);
        (void)reset(core);
    }
    return result;
}

totient_result totient_open(struct totient *core, const struct totient_transport *transport,
                            void *context)
{
    if (core == NULL) return TOTIENT_ARGUMENT;
    memset(core, 0, sizeof *core); /* also where it is not opened: it then refuses everything */
    if (transport == NULL || transport->send == NULL || transport->receive == NULL)
        return TOTIENT_ARGUMENT;
    core->transport = transport;
    core->context = context;
    totient_result result = reset(core);
    uint32_t info[ENGINE_INFO_WORDS];
    size_t words = 0;
    bool last = false;
    if (result == TOTIENT_OK) result = totient_ask(core, TOTIENT_CMD_INFO, &words);
    const bool engine = words == ENGINE_INFO_WORDS;
    if (result == TOTIENT_OK && words != INFO_WORDS && !engine) result = TOTIENT_NO_CORE;
    if (result == TOTIENT_OK) result = transport->receive(context, info, words, &last);
    if (result == TOTIENT_OK && (!last || info[5] == 0 || info[6] > TOTIENT_TIME_OPERANDS))
        result = TOTIENT_NO_CORE;
    if (result == TOTIENT_OK && engine && (info[8] == 0 || info[8] > SLOTS_MOST))
        result = TOTIENT_NO_CORE;
    if (result == TOTIENT_PROTOCOL || (result != TOTIENT_OK && result < TOTIENT_ARGUMENT))
        result = TOTIENT_NO_CORE;
    if (result != TOTIENT_OK) return totient_finished(core, result);
    for (size_t i = 0; i < 16; i++) core->name[i] = (char)(info[i / 4] >> (8 * (i % 4)) & 0xFF);
    core->version = info[4];
    core->maximum_bits = info[5];
    core->timing = (enum totient_timing)info[6];
    core->lanes = info[7];
    if (engine) core->slots = info[8] < TOTIENT_MAX_SLOTS ? info[8] : TOTIENT_MAX_SLOTS;
    return TOTIENT_OK;
}

totient_result totient_load_key(struct totient *core, const uint8_t *modulus, size_t modulus_length,
                                const uint8_t *exponent, size_t exponent_length,
                                size_t exponent_bits)
{
    if (core == NULL || core->transport == NULL || modulus == NULL || exponent == NULL)
        return TOTIENT_ARGUMENT;
    const size_t bits = bit_length(modulus, modulus_length);
    core->modulus_bits = 0;
    core->slot_bits[0] = core->slot_random[0] = 0; /* an engine has the key in slot 0 */
    if (bits > core->maximum_bits || exponent_bits > core->maximum_bits
        || reaches(exponent, exponent_length, exponent_bits))
        return TOTIENT_LENGTH;
    const uint32_t header[3] = {TOTIENT_CMD_LOAD_KEY, (uint32_t)bits, (uint32_t)exponent_bits};
    const struct stated_number numbers[2] = {{modulus, modulus_length, bits},
                                             {exponent, exponent_length, exponent_bits}};
    const totient_result result = totient_load(core, header, 3, numbers, 2);
    if (result == TOTIENT_OK) core->modulus_bits = (uint32_t)bits;
    return result;
}

totient_result totient_load_public(struct totient *core, const uint8_t *modulus,
                                   size_t modulus_length, uint32_t exponent)
{
    uint8_t bytes[4];
    for (size_t i = 0; i < 4; i++) bytes[i] = (uint8_t)(exponent >> (24 - 8 * i));
    return totient_load_key(core, modulus, modulus_length, bytes, 4, bit_length(bytes, 4));
}

totient_result totient_load_private(struct totient *core, const uint8_t *modulus,
                                    size_t modulus_length, const uint8_t *exponent,
                                    size_t exponent_length)
{
    if (modulus == NULL) return TOTIENT_ARGUMENT;
    return totient_load_key(core, modulus, modulus_length, exponent, exponent_length,
                            bit_length(modulus, modulus_length));
}

totient_result totient_raise_all(struct totient *core, size_t count, const uint8_t *messages,
                                 size_t message_length, uint8_t *results, size_t result_length)
{
    if (core == NULL || core->transport == NULL || messages == NULL || results == NULL
        || count == 0 || count > core->lanes)
        return TOTIENT_ARGUMENT;
    const uint32_t option = (uint32_t)(count - 1) << TOTIENT_REQUEST_OPTION_bp;
    return totient_operate(core, TOTIENT_CMD_EXPONENTIATE | option, core->modulus_bits,
                           core->maximum_bits, count, messages, message_length, results,
                           result_length);
}

totient_result totient_raise(struct totient *core, const uint8_t *message, size_t message_length,
                             uint8_t *result, size_t result_length)
{
    return totient_raise_all(core, 1, message, message_length, result, result_length);
}

totient_result totient_private_checked(struct totient *core, const uint8_t *modulus,
                                       size_t modulus_length, const uint8_t *exponent,
                                       size_t exponent_length, uint32_t public_exponent,
                                       const uint8_t *message, size_t message_length,
                                       uint8_t *result, size_t result_length)
{
    uint8_t given[TOTIENT_MAX_RSA_BITS / 8], again[TOTIENT_MAX_RSA_BITS / 8];
    if (core == NULL || modulus == NULL || exponent == NULL || message == NULL || result == NULL)
        return TOTIENT_ARGUMENT;
    if (message_length > sizeof given || result_length > sizeof again) {
        totient_wipe(result, result_length);
        return TOTIENT_ARGUMENT;
    }
    memcpy(given, message, message_length); /* the result may go over it */
    totient_result code =
        totient_load_private(core, modulus, modulus_length, exponent, exponent_length);
    if (code == TOTIENT_OK)
        code = totient_raise(core, given, message_length, result, result_length);
    if (code == TOTIENT_OK)
        code = totient_load_public(core, modulus, modulus_length, public_exponent);
    if (code == TOTIENT_OK) code = totient_raise(core, result, result_length, again, result_length);
    if (code == TOTIENT_OK && !same(given, message_length, again, result_length))
        code = TOTIENT_WRONG_RESULT;
    if (code != TOTIENT_OK) totient_wipe(result, result_length);
    totient_wipe(given, sizeof given);
    totient_wipe(again, sizeof again);
    return code;
}

totient_result totient_clear(struct totient *core)
{
    if (core == NULL || core->transport == NULL) return TOTIENT_ARGUMENT;
    forget_keys(core);
    core->cycles = 0;
    totient_result result = reset(core);
    size_t words = 0;
    if (result == TOTIENT_OK) result = totient_ask(core, TOTIENT_CMD_CLEAR, &words);
    if (result == TOTIENT_OK && words != 0) result = TOTIENT_PROTOCOL;
    core->out_of_step = result != TOTIENT_OK;
    return result;
}

void totient_wipe(void *buffer, size_t length)
{
    if (buffer == NULL) return;
    for (volatile uint8_t *byte = buffer; length > 0; length--) *byte++ = 0;
}

const char *totient_text(totient_result result)
{
#define TEXT(name, text) \
    case TOTIENT_##name: return text;
    switch (result) {
        TOTIENT_RESULTS(TEXT)
    }
#undef TEXT
    return "unknown result";
}
