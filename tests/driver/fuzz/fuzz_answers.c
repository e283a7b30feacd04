/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core, or what poses as one, that answers anything: a target for libFuzzer, AFL++ or `mutate.c`.
 *
 * The first byte says what the rest is: bytes of a serial line, or words of answers, before each piece of
 * which a byte says whether the answer ends with it or fails. Another byte chooses each operation.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "totient/engine.h"
#include "totient/serial.h"
#include "totient/totient.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) abort(); \
    } while (0)

enum { BYTES = 8, LANES = 4, OPERATIONS = 12 };

struct script {
    const uint8_t *at;
    size_t left;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool next_byte(struct script *script, uint8_t *byte)
{
    if (script->left == 0) return false;
    *byte = *script->at++;
    script->left--;
    return true;
}

static totient_result send_words(void *context, const uint32_t *words, size_t count, bool last)
{
    uint32_t sum = 0;
    (void)context;
    for (size_t i = 0; i < count; i++) sum += words[i]; /* each one may be read */
    (void)sum;
    (void)last;
    return TOTIENT_OK;
}

static totient_result receive_words(void *context, uint32_t *words, size_t count, bool *last)
{
    struct script *const script = context;
    uint8_t how;
    if (!next_byte(script, &how)) return TOTIENT_TIMEOUT;
    if (how == 0xFF) return TOTIENT_TRANSPORT;
    for (size_t i = 0; i < count; i++) {
        words[i] = 0;
        for (unsigned place = 0; place < 32; place += 8) {
            uint8_t byte;
            if (!next_byte(script, &byte)) return TOTIENT_TIMEOUT;
            words[i] |= (uint32_t)byte << place;
        }
    }
    *last = (how & 1) != 0;
    return TOTIENT_OK;
}

static totient_result reset_words(void *context)
{
    (void)context;
    return TOTIENT_OK;
}

static totient_result read_line(void *context, uint8_t *byte)
{
    return next_byte(context, byte) ? TOTIENT_OK : TOTIENT_TIMEOUT;
}

static totient_result write_line(void *context, const uint8_t *bytes, size_t count)
{
    uint8_t sum = 0;
    (void)context;
    for (size_t i = 0; i < count; i++) sum = (uint8_t)(sum + bytes[i]);
    (void)sum;
    return TOTIENT_OK;
}

static bool some_random(void *user, uint8_t *bytes, size_t count)
{
    (void)user;
    memset(bytes, 0x5A, count);
    return true;
}

static totient_result operate(struct totient *core, uint8_t choice)
{
    static const uint8_t modulus[BYTES] = {0xE3, 1, 2, 3, 4, 5, 6, 0x47}, exponent[BYTES] = {0x11, 3};
    static const uint8_t p[BYTES / 2] = {0xFF, 0, 0, 1}, q[BYTES / 2] = {0xE4, 0, 0, 0x47};
    static const uint8_t e[] = {1, 0, 1};
    const struct totient_rsa_key key = {.modulus = {modulus, BYTES},
                                        .public_exponent = {e, sizeof e},
                                        .private_exponent = {exponent, BYTES},
                                        .p = {p, sizeof p},
                                        .q = {q, sizeof q},
                                        .d_p = {p, sizeof p},
                                        .d_q = {q, sizeof q},
                                        .q_inverse = {p, sizeof p}};
    const struct totient_number pair[] = {{p, sizeof p}, {q, sizeof q}};
    const size_t count = 1 + choice / 16 % LANES;
    const uint32_t slot = choice / 64, options = choice / 16 % 4;
    uint8_t *const message = calloc(count, BYTES), *const result = malloc(count * BYTES);
    totient_result done = TOTIENT_OK;
    CHECK(message != NULL && result != NULL);
    switch (choice % 16) {
    case 0: done = totient_load_public(core, modulus, BYTES, 65537); break;
    case 1: done = totient_load_private(core, modulus, BYTES, exponent, BYTES); break;
    case 2: done = totient_load_key(core, modulus, BYTES, exponent, BYTES, 61); break;
    case 3: done = totient_raise(core, message, BYTES, result, BYTES); break;
    case 4: done = totient_raise_all(core, count, message, BYTES, result, BYTES); break;
    case 5:
        done = totient_private_checked(core, modulus, BYTES, exponent, BYTES, 3, message, BYTES, result, BYTES);
        break;
    case 6: done = totient_clear(core); break;
    case 7: done = totient_engine_load_key(core, slot, &key); break;
    case 8: done = totient_engine_private(core, slot, options, message, BYTES, result, BYTES); break;
    case 9: done = totient_engine_private_unchecked(core, slot, options, message, BYTES, result, BYTES); break;
    case 10: done = totient_engine_public(core, slot, message, BYTES, result, BYTES); break;
    case 11: done = totient_engine_load_pair(core, slot, pair, pair, 31); break;
    case 12:
        if (count > 1) done = totient_engine_raise_pair(core, slot, message, BYTES / 2, result, BYTES / 2);
        break;
    case 13: done = totient_engine_self_test(core, slot); break;
    case 14: done = totient_engine_random_source(core, some_random, NULL); break;
    default: done = totient_raise(core, message, 1, result, BYTES); break;
    }
    free(message);
    free(result);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct totient_transport words = {send_words, receive_words, reset_words};
    struct script script = {data, size};
    struct totient_serial line = {.read = read_line, .write = write_line, .line = &script};
    struct totient core;
    uint8_t kind = 0, choice;
    (void)next_byte(&script, &kind);
    memset(&core, 0xA5, sizeof core);
    const totient_result opened = (kind & 1) != 0 ? totient_open(&core, &totient_over_serial, &line)
                                                  : totient_open(&core, &words, &script);
    CHECK(totient_text(opened) != NULL);
    if (opened != TOTIENT_OK) return 0;
    CHECK(memchr(core.name, 0, sizeof core.name) != NULL);
    CHECK(core.slots <= TOTIENT_MAX_SLOTS);
    for (int i = 0; i < OPERATIONS && next_byte(&script, &choice); i++) {
        const totient_result done = operate(&core, choice);
        CHECK(totient_text(done) != NULL && totient_text(done)[0] != '\0');
        CHECK(core.slots <= TOTIENT_MAX_SLOTS);
    }
    return 0;
}
