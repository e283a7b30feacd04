/* SPDX-License-Identifier: Apache-2.0 */
/* What the library's files share: big-endian numbers as words, the least significant one first. */
#ifndef TOTIENT_INTERNAL_H
#define TOTIENT_INTERNAL_H

#include "totient/registers.h"

/* Random words for a number below one of so many bits, at most: one for each of its digits, two
   bits being spare. */
#define RANDOM_WORDS(bits) \
    ((uint32_t)(((bits) + 2 + TOTIENT_RANDOM_WORD_DIGIT_BITS - 1) / TOTIENT_RANDOM_WORD_DIGIT_BITS))

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

/* Whether two numbers are the same, in a time that does not tell where they differ. */
static inline bool same(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length)
{
    const size_t length = a_length > b_length ? a_length : b_length;
    uint8_t differ = 0;
    for (size_t place = 0; place < length; place++) {
        const uint8_t x = place < a_length ? a[a_length - 1 - place] : 0;
        const uint8_t y = place < b_length ? b[b_length - 1 - place] : 0;
        differ |= x ^ y;
    }
    return differ == 0;
}

/* These are shared by the library's files, and no program calls them. */
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* Sends so many words of a number; `last` ends the packet. */
totient_result totient_send_number(const struct totient_transport *transport, void *context,
                                   const uint8_t *number, size_t length, size_t words, bool last);

/* Takes a number of so many words; TOTIENT_PROTOCOL unless the packet ends with it if `ends`. */
totient_result totient_receive_number(const struct totient_transport *transport, void *context,
                                      uint8_t *number, size_t length, size_t words, bool ends);

/* Resets core and way where the last failure has left them out of step. */
totient_result totient_in_step(struct totient *core);

/* What a request ends with: after a failure on the way core and way begin anew, without keys. */
totient_result totient_finished(struct totient *core, totient_result result);

/* Sends a request of one word; `words` is how many follow the first one of the response. */
totient_result totient_ask(struct totient *core, uint32_t header, size_t *words);

/* Takes the first word of the response to a command; `words` is how many follow it. */
totient_result totient_receive_header(struct totient *core, uint32_t command, size_t *words);

/* Finds out, once, whether an engine gets its random words by packets: `random_words` of its handle;
   as totient_finished. */
totient_result totient_find_random(struct totient *core);

/* Sends fresh random words to an engine that gets them by packets, until it has so many; as
   totient_finished, but that TOTIENT_NO_RANDOM leaves all as it is. */
totient_result totient_give_random(struct totient *core, size_t wanted);

/* A number with the length in bits that is stated of it. */
struct stated_number {
    const uint8_t *bytes;
    size_t length, bits;
};

/* Sends a request of words and numbers that loads a key, and takes the answer; as totient_finished. */
totient_result totient_load(struct totient *core, const uint32_t *header, size_t header_words,
                            const struct stated_number *numbers, size_t count);

/* Sends a request on `count` messages for a key whose modulus has `bits` bits, 0: there is none, of
   `maximum_bits` at most, and takes the results; as totient_finished. */
totient_result totient_operate(struct totient *core, uint32_t header, size_t bits,
                               size_t maximum_bits, size_t count, const uint8_t *messages,
                               size_t message_length, uint8_t *results, size_t result_length);

/* Reads a register until one of the bits of `mask` is set, or until none is. */
totient_result totient_registers_wait(const struct totient_registers *way, uint32_t offset,
                                      uint32_t mask, bool set, uint32_t *value);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
