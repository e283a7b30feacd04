/* SPDX-License-Identifier: Apache-2.0 */
/* Packets: requests are written, responses are parsed and checked (docs/contracts.md). */
#include "internal.h"

enum { PIECE = 32, CYCLE_WORDS = 2, LATE_ANSWERS = 16 };

totient_result totient_send_number(const struct totient_transport *transport, void *context,
                                   const uint8_t *number, size_t length, size_t words, bool last)
{
    uint32_t piece[PIECE];
    totient_result result = TOTIENT_OK;
    for (size_t done = 0; done < words && result == TOTIENT_OK;) {
        const size_t count = words - done < PIECE ? words - done : PIECE;
        for (size_t i = 0; i < count; i++) piece[i] = word_at(number, length, done + i);
        done += count;
        result = transport->send(context, piece, count, last && done == words);
    }
    totient_wipe(piece, sizeof piece);
    return result;
}

totient_result totient_receive_number(const struct totient_transport *transport, void *context,
                                      uint8_t *number, size_t length, size_t words, bool ends)
{
    totient_result code = TOTIENT_OK;
    for (size_t index = 0; index < words && code == TOTIENT_OK; index++) {
        uint32_t word = 0;
        bool last = false;
        code = transport->receive(context, &word, 1, &last);
        if (code == TOTIENT_OK && last != (ends && index == words - 1)) code = TOTIENT_PROTOCOL;
        put_word(number, length, index, word);
        totient_wipe(&word, sizeof word);
    }
    return code;
}

/* Whether an error code is one that a core has. */
static bool is_refusal(const struct totient *core, uint32_t code)
{
    return code < (core->slots != 0 ? TOTIENT_ENGINE_RESULTS : TOTIENT_MODEXP_RESULTS);
}

totient_result totient_receive_header(struct totient *core, uint32_t command, size_t *words)
{
    uint32_t header = TOTIENT_CMD_CLEAR;
    bool last = true;
    /* A clear that was given up earlier may be answered as late as now. */
    for (int i = 0; i < LATE_ANSWERS && last && header == TOTIENT_CMD_CLEAR; i++) {
        const totient_result result = core->transport->receive(core->context, &header, 1, &last);
        if (result != TOTIENT_OK) return result;
        if (command == TOTIENT_CMD_CLEAR) break;
    }
    const uint32_t code = header >> 8 & 0xFF;
    *words = header >> 16;
    if ((header & 0xFF) != command || last != (*words == 0)) return TOTIENT_PROTOCOL;
    if (code == 0) return TOTIENT_OK;
    if (*words != 0 || !is_refusal(core, code)) return TOTIENT_PROTOCOL;
    return (totient_result)code;
}

static totient_result receive_cycles(struct totient *core, bool ends)
{
    uint32_t words[CYCLE_WORDS];
    bool last = false;
    const totient_result result =
        core->transport->receive(core->context, words, CYCLE_WORDS, &last);
    if (result != TOTIENT_OK) return result;
    if (last != ends) return TOTIENT_PROTOCOL;
    core->cycles = (uint64_t)words[1] << 32 | words[0];
    return TOTIENT_OK;
}

totient_result totient_ask(struct totient *core, uint32_t header, size_t *words)
{
    const totient_result result = core->transport->send(core->context, &header, 1, true);
    return result == TOTIENT_OK ? totient_receive_header(core, header & 0xFF, words) : result;
}

totient_result totient_load(struct totient *core, const uint32_t *header, size_t header_words,
                            const struct stated_number *numbers, size_t count)
{
    size_t left = 0, words = 0;
    totient_result result = totient_in_step(core);
    if (result != TOTIENT_OK) return result;
    for (size_t i = 0; i < count; i++) left += words_of(numbers[i].bits);
    result = core->transport->send(core->context, header, header_words, left == 0);
    for (size_t i = 0; i < count && result == TOTIENT_OK; i++) {
        const size_t own = words_of(numbers[i].bits);
        left -= own;
        result = totient_send_number(core->transport, core->context, numbers[i].bytes,
                                     numbers[i].length, own, left == 0);
    }
    if (result == TOTIENT_OK) result = totient_receive_header(core, header[0] & 0xFF, &words);
    if (result == TOTIENT_OK && words != CYCLE_WORDS) result = TOTIENT_PROTOCOL;
    if (result == TOTIENT_OK) result = receive_cycles(core, true);
    return totient_finished(core, result);
}

totient_result totient_operate(struct totient *core, uint32_t header, size_t bits,
                               size_t maximum_bits, size_t count, const uint8_t *messages,
                               size_t message_length, uint8_t *results, size_t result_length)
{
    const size_t words = words_of(bits);
    const size_t stated = 32 * words < maximum_bits ? 32 * words : maximum_bits;
    totient_result code = bits == 0 ? TOTIENT_NO_KEY : TOTIENT_OK;
    if (code == TOTIENT_OK && result_length < (bits + 7) / 8) code = TOTIENT_ARGUMENT;
    for (size_t i = 0; i < count && code == TOTIENT_OK; i++)
        if (reaches(messages + i * message_length, message_length, stated))
            code = TOTIENT_BASE_NOT_BELOW;
    if (code != TOTIENT_OK) {
        totient_wipe(results, count * result_length);
        return code;
    }
    const uint32_t request[2] = {header, (uint32_t)stated};
    size_t answered = 0;
    code = core->transport->send(core->context, request, 2, false);
    for (size_t i = 0; i < count && code == TOTIENT_OK; i++)
        code = totient_send_number(core->transport, core->context, messages + i * message_length,
                                   message_length, words, i == count - 1);
    totient_wipe(results, count * result_length);
    if (code == TOTIENT_OK) code = totient_receive_header(core, header & 0xFF, &answered);
    if (code == TOTIENT_OK && answered != CYCLE_WORDS + count * words) code = TOTIENT_PROTOCOL;
    if (code == TOTIENT_OK) code = receive_cycles(core, false);
    for (size_t i = 0; i < count && code == TOTIENT_OK; i++)
        code = totient_receive_number(core->transport, core->context, results + i * result_length,
                                      result_length, words, i == count - 1);
    if (code != TOTIENT_OK) totient_wipe(results, count * result_length);
    return totient_finished(core, code);
}
