/* SPDX-License-Identifier: Apache-2.0 */
/* A core in C that keeps the stream contract, the engine's packets among it: what libtotient is
   tested against without any RTL, in ways that a good core does not know. */
#ifndef MOCK_CORE_H
#define MOCK_CORE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"
#include "mock_numbers.h"

enum { MOST = 256, MOCK_LANES = 4, MOCK_SLOTS = 3, ENGINE_BITS = 512 };

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

enum kind { NO_KEY, PLAIN, RSA_PUBLIC, RSA_EXPONENT, RSA_PRIMES, PAIR };

/* What a slot holds. Of a pair p and q are the moduli, d_p and d_q the exponents. */
struct key {
    enum kind kind;
    uint32_t bits; /* stated of the modulus */
    struct number n, e, d, p, q, d_p, d_q, q_inverse;
};

struct core {
    uint32_t maximum;  /* bits */
    uint32_t slots;    /* that it says it has; 0: it is no engine */
    struct words request, response;
    struct key keys[MOCK_SLOTS];
    uint32_t options;  /* of the last private operation */
    uint32_t random_room; /* random words that it keeps, from packets; 0: it has a source of its own */
    uint32_t random_held;
    uint32_t random_last[MOST]; /* those of the last packet with any */
    uint32_t random_count;
    uint32_t lie;      /* xor of the next result: a fault */
    unsigned silent;   /* requests to swallow without an answer */
    uint32_t refusal;  /* error code of the next answer */
    int further;       /* words that the next answer has beside what it says; negative: fewer */
    int more;          /* the same, but it says so */
    unsigned requests; /* so far */
};

/* Everything but what it is and how it fails. */
static void core_reset(struct core *core)
{
    core->request = core->response = (struct words){.begin = 0};
    memset(core->keys, 0, sizeof core->keys);
    core->random_held = 0;
}

static void answer(struct core *core, uint32_t command, uint32_t error, const uint32_t *words,
                   uint32_t count)
{
    if (core->refusal != 0) {
        error = core->refusal;
        core->refusal = 0;
    }
    if (error != 0) count = 0;
    const int length = (int)count + core->further + core->more;
    const uint32_t told = (uint32_t)((int)count + core->more);
    core->further = core->more = 0;
    assert(length >= 0);
    put(&core->response, command | error << 8 | told << 16, length == 0);
    for (int i = 0; i < length; i++)
        put(&core->response, i < (int)count ? words[i] : 0x12345678, i == length - 1);
}

/* A request that is being read. */
struct reader {
    const uint32_t *data;
    size_t place, count;
    uint32_t error; /* the first one */
};

static void fault(struct reader *from, bool there, uint32_t error)
{
    if (there && from->error == 0) from->error = error;
}

static uint32_t read_word(struct reader *from)
{
    fault(from, from->place >= from->count, TOTIENT_PACKET_SHORT);
    return from->error == 0 ? from->data[from->place++] : 0;
}

static uint32_t read_length(struct reader *from, uint32_t most)
{
    const uint32_t bits = read_word(from);
    fault(from, bits > most, TOTIENT_LENGTH);
    return from->error == 0 ? bits : 0;
}

static struct number read_number(struct reader *from, uint32_t bits)
{
    struct number number = {{0}};
    for (uint32_t i = 0; i < (bits + 31) / 32; i++) number.word[i] = read_word(from);
    fault(from, number_bits(&number) > bits, TOTIENT_LENGTH);
    return number;
}

static struct number read_exact(struct reader *from, uint32_t bits)
{
    const struct number number = read_number(from, bits);
    fault(from, number_bits(&number) != bits, TOTIENT_LENGTH);
    return number;
}

static void end(struct reader *from)
{
    fault(from, from->place != from->count, TOTIENT_PACKET_LONG);
}

static void check_modulus(struct reader *from, const struct number *modulus)
{
    fault(from, number_bits(modulus) < 2, TOTIENT_MODULUS_SMALL);
    fault(from, !number_bit(modulus, 0), TOTIENT_MODULUS_EVEN);
}

static struct key load_key(struct core *core, struct reader *from)
{
    struct key key = {.kind = PLAIN};
    key.bits = read_length(from, core->maximum);
    const uint32_t exponent_bits = read_length(from, core->maximum);
    key.n = read_number(from, key.bits);
    key.e = read_number(from, exponent_bits);
    end(from);
    fault(from, exponent_bits == 0, TOTIENT_EXPONENT_EMPTY);
    check_modulus(from, &key.n);
    return key;
}

static struct key load_pair(struct core *core, struct reader *from)
{
    struct key key = {.kind = PAIR};
    key.bits = read_length(from, core->maximum / 2 + 8);
    const uint32_t exponent_bits = read_length(from, core->maximum / 2 + 8);
    key.p = read_number(from, key.bits);
    key.q = read_number(from, key.bits);
    key.d_p = read_number(from, exponent_bits);
    key.d_q = read_number(from, exponent_bits);
    end(from);
    fault(from, exponent_bits == 0, TOTIENT_EXPONENT_EMPTY);
    check_modulus(from, &key.p);
    check_modulus(from, &key.q);
    return key;
}

static struct key load_rsa_key(struct core *core, struct reader *from, uint32_t option)
{
    struct key key = {.kind = (enum kind)(RSA_PUBLIC + option)};
    uint32_t p_bits = 0, q_bits = 0;
    key.bits = read_length(from, core->maximum);
    fault(from, key.bits < 512, TOTIENT_LENGTH);
    const uint32_t e_bits = read_length(from, key.bits);
    fault(from, e_bits < 2, TOTIENT_PUBLIC_EXPONENT);
    if (key.kind == RSA_PRIMES) {
        p_bits = read_length(from, core->maximum / 2 + 8);
        q_bits = read_length(from, core->maximum / 2 + 8);
        fault(from, p_bits + q_bits != key.bits, TOTIENT_LENGTH);
    }
    key.n = read_exact(from, key.bits);
    key.e = read_exact(from, e_bits);
    if (key.kind == RSA_EXPONENT) key.d = read_number(from, key.bits);
    key.p = read_exact(from, p_bits);
    key.q = read_exact(from, q_bits);
    key.d_p = read_number(from, p_bits);
    key.d_q = read_number(from, q_bits);
    key.q_inverse = read_number(from, p_bits);
    end(from);
    check_modulus(from, &key.n);
    fault(from, !number_bit(&key.e, 0), TOTIENT_PUBLIC_EXPONENT);
    if (key.kind == RSA_PRIMES && from->error == 0) {
        /* As they have as many bits as n together, a multiple of n is n. */
        const struct number product = number_times(&key.p, &key.q, &key.n);
        fault(from, !number_bit(&key.p, 0) || !number_bit(&key.q, 0) || number_bits(&product) > 0,
              TOTIENT_PRIME);
    }
    return key;
}

static struct number privately(const struct key *key, const struct number *input)
{
    if (key->kind == RSA_EXPONENT) return number_power(input, &key->d, &key->n);
    const struct number by_p = number_modulo(input, &key->p), by_q = number_modulo(input, &key->q);
    const struct number m_p = number_power(&by_p, &key->d_p, &key->p);
    const struct number m_q = number_power(&by_q, &key->d_q, &key->q);
    const struct number there = number_modulo(&m_q, &key->p);
    struct number factor = number_minus(&key->p, &there);
    factor = number_plus(&m_p, &factor, &key->p);
    factor = number_times(&factor, &key->q_inverse, &key->p);
    factor = number_times(&factor, &key->q, &key->n);
    return number_plus(&m_q, &factor, &key->n);
}

/* The result of one input; `place` is 1 for the second one of a pair. */
static struct number operate(struct core *core, struct reader *from, const struct key *key,
                             uint32_t command, size_t place, const struct number *input)
{
    const bool second = place == 1, pair = key->kind == PAIR;
    const struct number *modulus = !pair ? &key->n : second ? &key->q : &key->p;
    fault(from, !number_below(input, modulus), TOTIENT_BASE_NOT_BELOW);
    if (from->error != 0) return number_small(0);
    if (command != 6) {
        const struct number *exponent = !pair ? &key->e : second ? &key->d_q : &key->d_p;
        return number_power(input, exponent, modulus);
    }
    struct number result = privately(key, input);
    result.word[0] ^= core->lie;
    core->lie = 0;
    const struct number again = number_power(&result, &key->e, &key->n);
    fault(from, memcmp(&again, input, sizeof again) != 0, TOTIENT_FAULT);
    return result;
}

/* Random words of a private operation: one for a digit of 17 bits. */
static void take_random(struct core *core, struct reader *from, const struct key *key,
                        uint32_t option)
{
    if (core->random_room == 0 || from->error != 0 || option == 1) return;
    const uint32_t p_bits = number_bits(&key->p), q_bits = number_bits(&key->q);
    const uint32_t bits = key->kind != RSA_PRIMES ? key->bits : p_bits > q_bits ? p_bits : q_bits;
    const uint32_t numbers = key->kind == RSA_PRIMES ? 2 : 1, digits = (bits + 2 + 16) / 17;
    const uint32_t count = ((option & 1) == 0 ? numbers * (digits - 2) : 0)
                           + ((option & 2) != 0 ? numbers * 2 : 0);
    fault(from, core->random_held < count, TOTIENT_RANDOM);
    if (from->error == 0) core->random_held -= count;
}

/* A packet of random words. */
static void keep_random(struct core *core, struct reader *from)
{
    const uint32_t count = (uint32_t)(from->count - from->place);
    fault(from, count > core->random_room - core->random_held, TOTIENT_LENGTH);
    if (from->error == 0 && count > 0) {
        core->random_held += count;
        core->random_count = count;
        memcpy(core->random_last, from->data + from->place, count * sizeof *from->data);
    }
    const uint32_t told[2] = {core->random_held, core->random_room - core->random_held};
    answer(core, 10, from->error, told, 2);
}

/* An operation on one number or on more; its words. */
static uint32_t work_on(struct core *core, struct reader *from, uint32_t command, uint32_t option,
                        const struct key *key, uint32_t *result)
{
    const uint32_t count = command == TOTIENT_CMD_EXPONENTIATE ? option + 1 : 1;
    const bool private_key = key->kind == RSA_EXPONENT || key->kind == RSA_PRIMES;
    const bool raised = key->kind == PLAIN || (key->kind == PAIR && count == 2);
    const bool fits = command == TOTIENT_CMD_EXPONENTIATE ? raised
                      : command == TOTIENT_CMD_PRIVATE    ? private_key
                                                          : private_key || key->kind == RSA_PUBLIC;
    fault(from, count > MOCK_LANES, TOTIENT_COMMAND);
    const uint32_t bits =
        read_length(from, key->kind == PAIR ? core->maximum / 2 + 8 : core->maximum);
    struct number inputs[MOCK_LANES] = {{{0}}};
    for (uint32_t i = 0; i < count && from->error == 0; i++) inputs[i] = read_number(from, bits);
    end(from);
    fault(from, !fits, TOTIENT_NO_KEY);
    fault(from,
          command == TOTIENT_CMD_PRIVATE && (option & 2) != 0 && key->kind != RSA_PRIMES,
          TOTIENT_COMMAND);
    if (command == TOTIENT_CMD_PRIVATE) take_random(core, from, key, option);
    uint32_t filled = 0;
    result[filled++] = 77;
    result[filled++] = 0;
    for (uint32_t i = 0; i < count && from->error == 0; i++) {
        struct number value = operate(core, from, key, command, i, &inputs[i]);
        value.word[0] ^= core->lie;
        core->lie = 0;
        for (uint32_t word = 0; word < (key->bits + 31) / 32; word++)
            result[filled++] = value.word[word];
    }
    return filled;
}

/* Works on a whole request. */
static void work(struct core *core)
{
    struct reader from = {core->request.data, 1, core->request.end, 0};
    core->request.end = 0;
    core->requests++;
    if (core->silent > 0) {
        core->silent--;
        return;
    }
    const uint32_t first = core->request.data[0];
    const uint32_t command = first & 0xFF, option = first >> 8 & 0xFF, slot = first >> 16 & 0xFF;
    const uint32_t cycles[2] = {123, 1};
    uint32_t result[2 + NUMBER_WORDS * MOCK_LANES] = {0};
    const uint32_t most_option = command == TOTIENT_CMD_EXPONENTIATE   ? 255
                                 : command == TOTIENT_CMD_LOAD_RSA_KEY ? 2
                                 : command == TOTIENT_CMD_PRIVATE      ? 3
                                                                       : 0;
    fault(&from, first >> 24 != 0 || option > most_option || (slot > 0 && slot >= core->slots),
          TOTIENT_COMMAND);
    const uint32_t most = core->slots == 0         ? TOTIENT_CMD_CLEAR
                          : core->random_room == 0 ? TOTIENT_CMD_SELF_TEST
                                                   : TOTIENT_CMD_RANDOM_WORDS;
    fault(&from, command == 0 || command > most, TOTIENT_COMMAND);
    struct key *key = &core->keys[slot < MOCK_SLOTS ? slot : 0];
    switch (from.error != 0 ? 0 : command) {
    case TOTIENT_CMD_INFO: {
        const uint32_t info[9] = {0x6B636F6D, 0x726F635F, 0x65, 0,         0x000100,
                                  core->maximum, 1,       MOCK_LANES, core->slots};
        end(&from);
        answer(core, command, from.error, info, core->slots > 0 ? 9 : 8);
        break;
    }
    case TOTIENT_CMD_LOAD_KEY:
    case TOTIENT_CMD_LOAD_RSA_KEY:
    case TOTIENT_CMD_LOAD_PAIR: {
        const struct key loaded = command == TOTIENT_CMD_LOAD_KEY       ? load_key(core, &from)
                                  : command == TOTIENT_CMD_LOAD_RSA_KEY
                                      ? load_rsa_key(core, &from, option)
                                      : load_pair(core, &from);
        memset(key, 0, sizeof *key);
        if (from.error == 0) *key = loaded;
        answer(core, command, from.error, cycles, 2);
        break;
    }
    case TOTIENT_CMD_EXPONENTIATE:
    case TOTIENT_CMD_PRIVATE:
    case TOTIENT_CMD_PUBLIC: {
        const uint32_t count = work_on(core, &from, command, option, key, result);
        if (command == TOTIENT_CMD_PRIVATE) core->options = option;
        answer(core, command, from.error, result, count);
        break;
    }
    case TOTIENT_CMD_CLEAR:
        memset(core->keys, 0, sizeof core->keys);
        core->random_held = 0;
        answer(core, command, 0, NULL, 0);
        break;
    case TOTIENT_CMD_RANDOM_WORDS: keep_random(core, &from); break;
    default:
        if (command == TOTIENT_CMD_SELF_TEST) {
            end(&from);
            memset(key, 0, sizeof *key);
        }
        answer(core, command, from.error, NULL, 0);
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
