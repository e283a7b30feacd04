/* SPDX-License-Identifier: Apache-2.0 */
/* Packets in frames on a serial line (docs/contracts.md). */
#include "totient/serial.h"

#include "internal.h"

/* What may be left on the line: answers that nobody has waited for, and words that no frame's end
   follows. */
enum { STALE_FRAMES = 64, STALE_WORDS = 65536 };

/* A line break, or a peer that is no core, may send ends of frames without a frame. */
enum { EMPTY_FRAMES = 64 };

#define CRC_START UINT32_C(0xFFFFFFFF)
#define CRC_RESIDUE UINT32_C(0xDEBB20E3)

static uint32_t crc_next(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1) != 0 ? UINT32_C(0xEDB88320) : 0);
    return crc;
}

static size_t escaped(uint8_t byte, uint8_t *out)
{
    if (byte != TOTIENT_FRAME_END && byte != TOTIENT_FRAME_ESCAPE) {
        out[0] = byte;
        return 1;
    }
    out[0] = TOTIENT_FRAME_ESCAPE;
    out[1] = byte == TOTIENT_FRAME_END ? TOTIENT_FRAME_ESCAPED_END : TOTIENT_FRAME_ESCAPED_ESCAPE;
    return 2;
}

static totient_result send_word(struct totient_serial *to, uint32_t word)
{
    uint8_t out[8];
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        const uint8_t byte = (uint8_t)(word >> 8 * i);
        to->send_crc = crc_next(to->send_crc, byte);
        count += escaped(byte, &out[count]);
    }
    const totient_result result = to->write(to->line, out, count);
    totient_wipe(out, sizeof out);
    return result;
}

static void start_timer(const struct totient_serial *to)
{
    if (to->start_timer != NULL) to->start_timer(to->line);
}

/* Sends words of a frame, on the timer that runs. */
static totient_result transmit(struct totient_serial *to, const uint32_t *words, size_t count,
                               bool last)
{
    const uint8_t end = TOTIENT_FRAME_END;
    totient_result result = TOTIENT_OK;
    if (!to->sending) {
        to->send_crc = CRC_START;
        to->sending = true;
        result = to->write(to->line, &end, 1);
    }
    for (size_t i = 0; i < count && result == TOTIENT_OK; i++) result = send_word(to, words[i]);
    if (last && result == TOTIENT_OK) {
        to->sending = false;
        result = send_word(to, ~to->send_crc);
        to->send_crc = CRC_START; /* a checksum tells of what it is of */
        if (result == TOTIENT_OK) result = to->write(to->line, &end, 1);
    }
    return result;
}

static totient_result send(void *context, const uint32_t *words, size_t count, bool last)
{
    struct totient_serial *to = context;
    if (to == NULL || to->write == NULL || words == NULL) return TOTIENT_ARGUMENT;
    if (!to->sending) start_timer(to);
    const totient_result result = transmit(to, words, count, last);
    if (last && result == TOTIENT_OK) start_timer(to); /* the answer's */
    return result;
}

/* The next byte of a frame; `end` if the frame ends instead. */
static totient_result next_byte(struct totient_serial *to, uint8_t *byte, bool *end)
{
    totient_result result = to->read(to->line, byte);
    *end = result == TOTIENT_OK && *byte == TOTIENT_FRAME_END;
    if (result != TOTIENT_OK || *end || *byte != TOTIENT_FRAME_ESCAPE) return result;
    result = to->read(to->line, byte);
    if (result != TOTIENT_OK) return result;
    if (*byte == TOTIENT_FRAME_ESCAPED_END) *byte = TOTIENT_FRAME_END;
    else if (*byte == TOTIENT_FRAME_ESCAPED_ESCAPE) *byte = TOTIENT_FRAME_ESCAPE;
    else return TOTIENT_TRANSPORT;
    return TOTIENT_OK;
}

/* A word whose first byte is there, and the byte after it. */
static totient_result next_word(struct totient_serial *to, uint32_t *word)
{
    uint8_t byte = to->next;
    *word = 0;
    for (int i = 0; i < 4; i++) {
        /* No whole word: the other end refused our frame (one byte, four of checksum). */
        if (to->ended) return TOTIENT_TRANSPORT;
        to->receive_crc = crc_next(to->receive_crc, byte);
        *word |= (uint32_t)byte << 8 * i;
        const totient_result result = next_byte(to, &byte, &to->ended);
        if (result != TOTIENT_OK) return result;
    }
    to->next = byte;
    return TOTIENT_OK;
}

/* The word that the frame ends with is its checksum: so one is always read ahead. */
static totient_result begin(struct totient_serial *to)
{
    totient_result result = TOTIENT_OK;
    to->ended = true;
    for (int empty = 0; to->ended && result == TOTIENT_OK; empty++) {
        if (empty > EMPTY_FRAMES) return TOTIENT_TRANSPORT;
        result = next_byte(to, &to->next, &to->ended);
    }
    to->receive_crc = CRC_START;
    if (result == TOTIENT_OK) result = next_word(to, &to->ahead);
    if (result == TOTIENT_OK && to->ended) result = TOTIENT_TRANSPORT;
    return result;
}

/* Between two responses nothing of one is kept. */
static void forget(struct totient_serial *to)
{
    to->receiving = false;
    to->ahead = 0;
    to->next = 0;
    to->receive_crc = CRC_START;
}

static totient_result receive(void *context, uint32_t *words, size_t count, bool *last)
{
    struct totient_serial *to = context;
    totient_result result = TOTIENT_OK;
    if (to == NULL || to->read == NULL || words == NULL || last == NULL) return TOTIENT_ARGUMENT;
    *last = false;
    if (!to->receiving) result = begin(to);
    to->receiving = result == TOTIENT_OK;
    for (size_t i = 0; i < count && result == TOTIENT_OK; i++) {
        if (*last) return TOTIENT_PROTOCOL;
        words[i] = to->ahead;
        to->ahead = 0;
        result = next_word(to, &to->ahead);
        if (result == TOTIENT_OK && to->ended) {
            *last = true;
            if (to->receive_crc != CRC_RESIDUE) result = TOTIENT_TRANSPORT;
        }
    }
    if (result != TOTIENT_OK || *last) forget(to);
    return result;
}

/* Whether what came instead of a word is the other end's refusal of a frame that came while it was
   still dropping the one before: the byte 3, and three of its checksum's bytes. */
static bool is_busy(uint32_t word)
{
    const uint8_t busy = 3;
    return word == (busy | ~crc_next(CRC_START, busy) << 8);
}

/* A clear request: the core wipes itself, and its answer shows where the stream is. It is sent again
   where the other end was busy with what an earlier sender has left behind. One timer is for all of it. */
static totient_result reset(void *context)
{
    struct totient_serial *to = context;
    const uint8_t end = TOTIENT_FRAME_END;
    const uint32_t request = TOTIENT_CMD_CLEAR;
    if (to == NULL || to->read == NULL || to->write == NULL) return TOTIENT_ARGUMENT;
    to->sending = false;
    forget(to);
    start_timer(to);
    totient_result result = to->write(to->line, &end, 1);
    if (result == TOTIENT_OK) result = transmit(to, &request, 1, true);
    int frames = 0;
    for (long words = 0; words < STALE_WORDS && frames < STALE_FRAMES; words++) {
        uint32_t word = 0;
        bool last = false;
        if (result != TOTIENT_OK && result != TOTIENT_TRANSPORT) return result;
        result = receive(to, &word, 1, &last);
        if (result == TOTIENT_TRANSPORT && is_busy(word)) result = transmit(to, &request, 1, true);
        if (result == TOTIENT_OK && last && word == TOTIENT_CMD_CLEAR) return TOTIENT_OK;
        if (result != TOTIENT_OK || last) frames++;
    }
    return result == TOTIENT_OK ? TOTIENT_TRANSPORT : result;
}

const struct totient_transport totient_over_serial = {send, receive, reset};
