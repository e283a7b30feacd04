/* SPDX-License-Identifier: Apache-2.0 */
/* A core of 64 bits in C that keeps the stream contract: what libtotient is tested against without
 * any RTL, in ways that a good core does not know. */
#ifndef MOCK_CORE_H
#define MOCK_CORE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

enum { MOST = 256, MOCK_LANES = 4 };

struct words {
    uint32_t data[MOST];
    bool last[MOST];
    size_t begin, end;
};

static void put(struct words *to, uint32_t word, bool last)
{
    assert(to->end < MOST);
    to->data[to->end] = word;
    to->last[to->end++] = last;
}

struct core {
    struct words request, response;
    uint64_t modulus, exponent;
    bool key;
    uint32_t lie;   /* xor of the next result: a fault */
    unsigned silent; /* requests to swallow without an answer */
};

static void answer(struct core *core, uint32_t command, uint32_t error, const uint32_t *words,
                   uint32_t count)
{
    put(&core->response, command | error << 8 | count << 16, count == 0);
    for (uint32_t i = 0; i < count; i++) put(&core->response, words[i], i == count - 1);
}

static uint64_t number(const uint32_t *words, uint32_t bits)
{
    return (bits > 0 ? words[0] : 0) | (uint64_t)(bits > 32 ? words[1] : 0) << 32;
}

/* Works on a whole request. */
static void work(struct core *core)
{
    const uint32_t *word = core->request.data;
    const size_t count = core->request.end;
    core->request.end = 0;
    if (core->silent > 0) {
        core->silent--;
        return;
    }
    const uint32_t command = word[0] & 0xFF;
    switch (command) {
    case 1: {
        const uint32_t info[8] = {0x6B636F6D, 0x726F635F, 0x65, 0, 0x000100, 64, 1, MOCK_LANES};
        answer(core, command, 0, info, 8);
        break;
    }
    case 2: {
        const uint32_t m = word[1], k = word[2];
        const uint32_t m_words = (m + 31) / 32, k_words = (k + 31) / 32;
        const uint32_t cycles[2] = {123, 1};
        core->key = false;
        uint32_t error = m > 64 || k > 64 ? 4 : 0;
        if (error == 0 && count != 3 + m_words + k_words) error = count < 3 + m_words + k_words ? 2 : 3;
        if (error == 0) {
            core->modulus = number(&word[3], m);
            core->exponent = number(&word[3 + m_words], k);
            error = k == 0 ? 5 : core->modulus < 2 ? 7 : core->modulus % 2 == 0 ? 6 : 0;
        }
        core->key = error == 0;
        answer(core, command, error, cycles, error == 0 ? 2 : 0);
        break;
    }
    case 3: {
        const size_t b_words = (word[1] + 31) / 32, lanes = (word[0] >> 8) + 1;
        uint32_t error = lanes > MOCK_LANES ? 1
                         : !core->key       ? 9
                         : word[1] > 64     ? 4
                         : count != 2 + lanes * b_words ? 2 : 0;
        uint32_t result[2 + 2 * MOCK_LANES] = {77, 0};
        uint32_t filled = 2;
        for (size_t lane = 0; lane < lanes && error == 0; lane++) {
            const uint64_t base = number(&word[2 + lane * b_words], word[1]);
            if (base >= core->modulus) error = 8;
            const uint64_t value = power(base, core->exponent, core->modulus);
            result[filled++] = (uint32_t)value ^ core->lie;
            if (core->modulus >> 32 != 0) result[filled++] = (uint32_t)(value >> 32);
            core->lie = 0;
        }
        answer(core, command, error, result, error != 0 ? 0 : filled);
        break;
    }
    case 4:
        core->key = false;
        core->modulus = core->exponent = 0;
        answer(core, command, 0, NULL, 0);
        break;
    default: answer(core, command, 1, NULL, 0);
    }
}

static void give(struct core *core, uint32_t word, bool last)
{
    put(&core->request, word, last);
    if (last) work(core);
}

static bool take(struct core *core, uint32_t *word, bool *last)
{
    struct words *from = &core->response;
    if (from->begin == from->end) return false;
    *word = from->data[from->begin];
    *last = from->last[from->begin++];
    if (from->begin == from->end) from->begin = from->end = 0;
    return true;
}

#endif
