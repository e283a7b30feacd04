/* SPDX-License-Identifier: Apache-2.0 */
/* What the library's files share: big-endian numbers as words, the least significant one first. */
#ifndef TOTIENT_INTERNAL_H
#define TOTIENT_INTERNAL_H

#include "totient/registers.h"

static inline size_t words_of(size_t bits) { return (bits + 31) / 32; }

/* Bits of a number up to its highest 1; of one whose length is no secret. */
static inline size_t bit_length(const uint8_t *number, size_t length)
{
    while (length > 0 && *number == 0) {
        number++;
        length--;
    }
    if (length == 0) return 0;
    size_t bits = 8 * (length - 1);
    for (uint8_t top = *number; top != 0; top >>= 1) bits++;
    return bits;
}

/* Whether a number has bits at and above a place, without a look at where they are. */
static inline bool reaches(const uint8_t *number, size_t length, size_t bits)
{
    uint8_t above = 0;
    for (size_t place = 0; place < length; place++) {
        const uint8_t byte = number[length - 1 - place];
        if (8 * place >= bits) above |= byte;
        else if (8 * place + 8 > bits) above |= (uint8_t)(byte >> (bits - 8 * place));
    }
    return above != 0;
}

/* Word `index` of a number, 0 above it. */
static inline uint32_t word_at(const uint8_t *number, size_t length, size_t index)
{
    uint32_t word = 0;
    for (size_t i = 0; i < 4; i++) {
        const size_t place = 4 * index + i;
        if (place < length) word |= (uint32_t)number[length - 1 - place] << (8 * i);
    }
    return word;
}

/* Puts word `index` into a number, as far as it has bytes there. */
static inline void put_word(uint8_t *number, size_t length, size_t index, uint32_t word)
{
    for (size_t i = 0; i < 4; i++) {
        const size_t place = 4 * index + i;
        if (place < length) number[length - 1 - place] = (uint8_t)(word >> 8 * i);
    }
}

/* Sends so many words of a number; `last` ends the packet. */
totient_result totient_send_number(const struct totient_transport *transport, void *context,
                                   const uint8_t *number, size_t length, size_t words, bool last);

/* Takes a number of so many words; TOTIENT_PROTOCOL unless the packet ends with it if `ends`. */
totient_result totient_receive_number(const struct totient_transport *transport, void *context,
                                      uint8_t *number, size_t length, size_t words, bool ends);

/* Reads a register until one of the bits of `mask` is set, or until none is. */
totient_result totient_registers_wait(const struct totient_registers *way, uint32_t offset,
                                      uint32_t mask, bool set, uint32_t *value);

#endif
