/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs libtotient on a stack of its own, and looks at what it has left there of primes, a private
 * exponent, a message, a result and random words. Built without sanitizers, which lay out stacks in
 * their way. Exit status 0: nothing.
 *
 *     stack WAY < INPUT
 *
 * The input has the numbers and the core's answers (test_stack.py): nothing but the library touches
 * the stack.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "totient/engine.h"
#include "totient/keygen.h"
#include "totient/serial.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

enum { BYTES = 256, WORDS = BYTES / 4, STACK = 1 << 20, MOST = 4096 };

enum way { WORDS_ONLY, SERIAL, KEYGEN, ENGINE };

/* Numbers; primes are two of half as many bytes, chance is what random words begin with. */
static struct {
    uint8_t modulus[BYTES], exponent[BYTES], message[BYTES], result[BYTES], primes[BYTES],
        chance[BYTES];
} given;
static uint8_t sent_back[BYTES];

/* Answers: words, each followed by whether a packet ends with it; on a line, bytes. */
static uint32_t answers[2 * MOST];
static uint8_t *const line = (uint8_t *)answers;
static size_t size, taken; /* in bytes */

static totient_result send_nowhere(void *context, const uint32_t *request, size_t count, bool last)
{
    (void)context, (void)request, (void)count, (void)last;
    return TOTIENT_OK;
}

static totient_result receive(void *context, uint32_t *to, size_t count, bool *last)
{
    (void)context;
    for (size_t i = 0; i < count; i++, taken += 8) {
        to[i] = answers[taken / 4];
        *last = answers[taken / 4 + 1] != 0;
    }
    return taken <= size ? TOTIENT_OK : TOTIENT_TIMEOUT;
}

static totient_result write_nowhere(void *context, const uint8_t *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
    return TOTIENT_OK;
}

static totient_result read_byte(void *context, uint8_t *byte)
{
    (void)context;
    if (taken == size) return TOTIENT_TIMEOUT;
    *byte = line[taken++];
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
        const uint8_t *number = offset < 0x400 ? given.modulus : given.exponent;
        const uint8_t *word = number + BYTES - 4 - offset % 0x100;
        *value = (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8
                 | word[3];
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
    const uint8_t *q = given.primes + BYTES / 2;
    CHECK(totient_keygen_open_stream(&ip, &registers, &to_words, NULL) == TOTIENT_OK);
    CHECK(totient_keygen_make(&ip, given.primes, BYTES / 2, q, BYTES / 2, 65537, &key)
          == TOTIENT_OK);
    CHECK(memcmp(n, given.modulus, BYTES) == 0 && memcmp(d, given.exponent, BYTES) == 0);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PRIVATE, given.message, BYTES, sent_back, BYTES)
          == TOTIENT_OK);
}

static bool known_numbers(void *user, uint8_t *bytes, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++) bytes[i] = given.chance[i % BYTES];
    return true;
}

/* A whole key, and both kinds of operations on several numbers. */
static void work_on_engine(struct totient *core)
{
    static const uint8_t e[] = {1, 0, 1};
    const uint8_t *q = given.primes + BYTES / 2, *d_q = given.exponent + BYTES / 2;
    const struct totient_rsa_key key = {.modulus = {given.modulus, BYTES},
                                        .public_exponent = {e, sizeof e},
                                        .p = {given.primes, BYTES / 2},
                                        .q = {q, BYTES / 2},
                                        .d_p = {given.exponent, BYTES / 2},
                                        .d_q = {d_q, BYTES / 2},
                                        .q_inverse = {given.message, BYTES / 2}};
    CHECK(totient_engine_random_source(core, known_numbers, NULL) == TOTIENT_OK);
    CHECK(totient_engine_load_key(core, 0, &key) == TOTIENT_OK);
    CHECK(totient_engine_private(core, 0, 0, given.message, BYTES, sent_back, BYTES) == TOTIENT_OK);
    CHECK(memcmp(sent_back, given.result, BYTES) == 0);
    const struct totient_number moduli[2] = {key.p, key.q}, exponents[2] = {key.d_p, key.d_q};
    CHECK(totient_engine_load_pair(core, 0, moduli, exponents, 4 * BYTES) == TOTIENT_OK);
    CHECK(totient_engine_raise_pair(core, 0, given.message, BYTES / 2, sent_back, BYTES / 2)
          == TOTIENT_OK);
}

static void *work(void *argument)
{
    struct totient core;
    const enum way way = *(const enum way *)argument;
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
    CHECK(totient_private_checked(&core, given.modulus, BYTES, given.exponent, BYTES, 65537,
                                  given.message, BYTES, sent_back, BYTES)
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

int main(int count, char **words)
{
    static uint8_t stack[STACK] __attribute__((aligned(4096)));
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(count == 2 && fread(&given, sizeof given, 1, stdin) == 1);
    size = fread(answers, 1, sizeof answers, stdin);
    enum way way = (enum way)atoi(words[1]);
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    CHECK(pthread_create(&thread, &attributes, work, &way) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    CHECK(memcmp(sent_back, given.result, BYTES) == 0 && taken == size);
    CHECK(!holds(stack, given.primes));
    CHECK(!holds(stack, given.exponent));
    CHECK(!holds(stack, given.message));
    CHECK(!holds(stack, given.result));
    CHECK(!holds(stack, given.chance));
    return 0;
}
