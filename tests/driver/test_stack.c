/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs libtotient on a stack of its own, and looks at what it has left there of primes, a private
 * exponent, a message, a result and random words. Built without sanitizers, which lay out stacks in their way. Exit status 0:
 * nothing.
 *
 * The core's answers are there beforehand; nothing but the library touches the stack.
 */
#include <pthread.h>
#include <string.h>

#include "bench.h"

enum { BYTES = 256, WORDS = BYTES / 4, STACK = 1 << 20, MOST = 4096, ESCAPES = 2 };

enum way { WORDS_ONLY, SERIAL, KEYGEN, ENGINE, WAYS };

static uint8_t modulus[BYTES], exponent[BYTES], message[BYTES], result[BYTES], sent_back[BYTES];
static uint8_t primes[BYTES]; /* two of half as many bytes */
static uint8_t chance[BYTES]; /* what random words begin with */

/* Answers: words, and the same in frames. */
static uint32_t words[MOST];
static bool ends[MOST];
static size_t filled, taken;
static uint8_t line[4 * MOST * ESCAPES];
static size_t line_filled, line_taken;

static void put_byte(uint8_t byte)
{
    CHECK(line_filled + 2 < sizeof line);
    if (byte == 0xC0 || byte == 0xDB) {
        line[line_filled++] = 0xDB;
        byte = byte == 0xC0 ? 0xDC : 0xDD;
    }
    line[line_filled++] = byte;
}

/* An answer of some words and, if it is not null, of a big-endian number. */
static void answer(const uint32_t *first, size_t count, const uint8_t *number)
{
    const size_t begin = filled;
    for (size_t i = 0; i < count; i++) words[filled++] = first[i];
    for (size_t i = 0; i < WORDS && number != NULL; i++) {
        const uint8_t *word = number + BYTES - 4 * (i + 1);
        words[filled++] = (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16
                          | (uint32_t)word[2] << 8 | word[3];
    }
    ends[filled - 1] = true;
    uint32_t crc = 0xFFFFFFFF;
    line[line_filled++] = 0xC0;
    for (size_t i = 4 * begin; i < 4 * filled; i++) {
        const uint8_t byte = (uint8_t)(words[i / 4] >> 8 * (i % 4));
        put_byte(byte);
        crc ^= byte;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc % 2 != 0 ? 0xEDB88320 : 0);
    }
    for (size_t i = 0; i < 4; i++) put_byte((uint8_t)(~crc >> 8 * i));
    line[line_filled++] = 0xC0;
}

static totient_result send_nowhere(void *context, const uint32_t *request, size_t count, bool last)
{
    (void)context, (void)request, (void)count, (void)last;
    return TOTIENT_OK;
}

static totient_result receive(void *context, uint32_t *to, size_t count, bool *last)
{
    (void)context;
    memcpy(to, words + taken, 4 * count);
    taken += count;
    *last = ends[taken - 1];
    return TOTIENT_OK;
}

static totient_result write_nowhere(void *context, const uint8_t *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
    return TOTIENT_OK;
}

static totient_result read_byte(void *context, uint8_t *byte)
{
    (void)context;
    if (line_taken == line_filled) return TOTIENT_TIMEOUT;
    *byte = line[line_taken++];
    return TOTIENT_OK;
}

static const struct totient_transport to_words = {send_nowhere, receive, NULL};
static struct totient_serial to_line = {.read = read_byte, .write = write_nowhere};

/* Registers of the IP with streams that has made a key of the primes. */
static totient_result read_register(void *context, uint32_t offset, uint32_t *value)
{
    (void)context;
    *value = 0;
    if (offset == 0) *value = 0x52534B53;
    if (offset == 8) *value = 2 | WORDS << 8;
    if (offset >= 0x300) {
        const uint8_t *word = (offset < 0x400 ? modulus : exponent) + BYTES - 4 - offset % 0x100;
        *value = (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8 | word[3];
    }
    return TOTIENT_OK;
}

static totient_result write_nothing(void *context, uint32_t offset, uint32_t value)
{
    (void)context, (void)offset, (void)value;
    return TOTIENT_OK;
}

static void make_and_raise(void)
{
    static uint8_t n[BYTES], d[BYTES];
    static const struct totient_registers registers = {
        .read = read_register, .write = write_nothing};
    struct totient_keygen ip;
    struct totient_key key = {n, BYTES, d, BYTES, 0};
    const uint8_t *q = primes + BYTES / 2;
    CHECK(totient_keygen_open_stream(&ip, &registers, &to_words, NULL) == TOTIENT_OK);
    CHECK(totient_keygen_make(&ip, primes, BYTES / 2, q, BYTES / 2, 65537, &key) == TOTIENT_OK);
    CHECK(memcmp(n, modulus, BYTES) == 0 && memcmp(d, exponent, BYTES) == 0);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PRIVATE, message, BYTES, sent_back, BYTES)
          == TOTIENT_OK);
}

static bool known_numbers(void *user, uint8_t *bytes, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++) bytes[i] = chance[i % BYTES];
    return true;
}

/* A whole key, and both kinds of operations on several numbers. */
static void work_on_engine(struct totient *core)
{
    static const uint8_t e[] = {1, 0, 1};
    const uint8_t *q = primes + BYTES / 2, *d_q = exponent + BYTES / 2;
    const struct totient_rsa_key key = {.modulus = {modulus, BYTES},
                                        .public_exponent = {e, sizeof e},
                                        .p = {primes, BYTES / 2},
                                        .q = {q, BYTES / 2},
                                        .d_p = {exponent, BYTES / 2},
                                        .d_q = {d_q, BYTES / 2},
                                        .q_inverse = {message, BYTES / 2}};
    CHECK(totient_engine_random_source(core, known_numbers, NULL) == TOTIENT_OK);
    CHECK(totient_engine_load_key(core, 0, &key) == TOTIENT_OK);
    CHECK(totient_engine_private(core, 0, 0, message, BYTES, sent_back, BYTES) == TOTIENT_OK);
    CHECK(memcmp(sent_back, result, BYTES) == 0);
    const struct totient_number moduli[2] = {key.p, key.q}, exponents[2] = {key.d_p, key.d_q};
    CHECK(totient_engine_load_pair(core, 0, moduli, exponents, 4 * BYTES) == TOTIENT_OK);
    CHECK(totient_engine_raise_pair(core, 0, message, BYTES / 2, sent_back, BYTES / 2)
          == TOTIENT_OK);
}

static void *work(void *given)
{
    struct totient core;
    const enum way way = *(const enum way *)given;
    const bool serial = way == SERIAL;
    if (way == KEYGEN) {
        make_and_raise();
        return NULL;
    }
    CHECK(totient_open(&core, serial ? &totient_over_serial : &to_words, serial ? &to_line : NULL)
          == TOTIENT_OK);
    if (way == ENGINE) {
        work_on_engine(&core);
        return NULL;
    }
    CHECK(totient_private_checked(&core, modulus, BYTES, exponent, BYTES, 65537, message, BYTES,
                                  sent_back, BYTES)
          == TOTIENT_OK);
    return NULL;
}

/* Whether 8 bytes in a row of a number are there, in any order in which it is handled. */
static bool holds(const uint8_t *stack, const uint8_t *number)
{
    uint8_t turned[BYTES];
    for (size_t i = 0; i < BYTES; i++) turned[i] = number[BYTES - 1 - i];
    for (size_t at = 0; at + 8 <= STACK; at++) {
        if (stack[at] == 0 && stack[at + 4] == 0) continue;
        for (size_t i = 0; i + 8 <= BYTES; i += 4)
            if (memcmp(stack + at, number + i, 8) == 0 || memcmp(stack + at, turned + i, 8) == 0)
                return true;
    }
    return false;
}

static void run(enum way way)
{
    static uint8_t stack[STACK] __attribute__((aligned(4096)));
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, 0, sizeof stack);
    taken = line_taken = 0;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    CHECK(pthread_create(&thread, &attributes, work, &way) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    CHECK(memcmp(sent_back, result, BYTES) == 0);
    CHECK(!holds(stack, primes));
    CHECK(!holds(stack, exponent));
    CHECK(!holds(stack, message));
    CHECK(!holds(stack, result));
    CHECK(!holds(stack, chance));
}

int main(void)
{
    uint32_t state = 1;
    uint8_t *const numbers[] = {modulus, exponent, message, result, primes, chance};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < BYTES; j++)
            numbers[i][j] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
    modulus[0] = primes[0] = primes[BYTES / 2] = 0xFF;
    exponent[0] = message[0] = result[0] = 0x7F;
    static const uint8_t zeros[BYTES];
    const uint32_t clear[] = {4}, loaded[] = {2 | 2 << 16, 9, 0};
    const uint32_t raised[] = {3 | (2 + WORDS) << 16, 9, 0};
    const uint32_t info[] = {1 | 8 << 16, 0x65726F63, 0, 0, 0, 0x100, 8 * BYTES, 1, 1};
    const uint32_t engine[] = {1 | 9 << 16, 0x65726F63, 0, 0, 0, 0x100, 8 * BYTES, 1, 1, 1};
    const uint32_t loaded_rsa[] = {5 | 2 << 16, 9, 0}, loaded_pair[] = {8 | 2 << 16, 9, 0};
    const uint32_t room[] = {10 | 2 << 16, 0, 512}, filled_up[] = {10 | 2 << 16, 400, 112};
    const uint32_t privately[] = {6 | (2 + WORDS) << 16, 9, 0};
    /* Of a pair the first result's words come first. */
    static uint8_t swapped[BYTES];
    memcpy(swapped, result + BYTES / 2, BYTES / 2);
    memcpy(swapped + BYTES / 2, result, BYTES / 2);
    for (enum way way = WORDS_ONLY; way < WAYS; way++) {
        filled = line_filled = 0;
        memset(ends, 0, sizeof ends);
        if (way == KEYGEN) {
            answer(NULL, 0, zeros);
            answer(NULL, 0, result);
        } else if (way == ENGINE) {
            answer(engine, 10, NULL);
            answer(loaded_rsa, 3, NULL);
            answer(room, 3, NULL);
            answer(room, 3, NULL);
            answer(filled_up, 3, NULL);
            answer(privately, 3, result);
            answer(loaded_pair, 3, NULL);
            answer(raised, 3, swapped);
        } else {
            if (way == SERIAL) answer(clear, 1, NULL);
            answer(info, 9, NULL);
            answer(loaded, 3, NULL);
            answer(raised, 3, result);
            answer(loaded, 3, NULL);
            answer(raised, 3, message);
        }
        run(way);
    }
    return 0;
}
