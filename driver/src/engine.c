/* SPDX-License-Identifier: Apache-2.0 */
/* The requests that only an engine takes (docs/contracts.md). */
#include "totient/engine.h"

#include "internal.h"

#include <string.h>

enum { OPTIONS = TOTIENT_NO_BASE_BLINDING | TOTIENT_EXPONENT_BLINDING };

/* Whether a slot of an engine is meant. */
static totient_result check_slot(const struct totient *core, uint32_t slot)
{
    if (core->slots == 0) return TOTIENT_COMMAND;
    return slot < core->slots ? TOTIENT_OK : TOTIENT_ARGUMENT;
}

static uint32_t header_of(uint32_t command, uint32_t option, uint32_t slot)
{
    return command | option << TOTIENT_REQUEST_OPTION_bp | slot << TOTIENT_REQUEST_SLOT_bp;
}

/* A number that is stated as long as it is. */
static struct stated_number exact(struct totient_number number)
{
    return (struct stated_number){number.bytes, number.length,
                                  bit_length(number.bytes, number.length)};
}

/* A number that is stated as long as another one, which it may not be longer than. */
static struct stated_number as_long_as(struct stated_number other, struct totient_number number)
{
    return (struct stated_number){number.bytes, number.length, other.bits};
}

/* The slot's key is about to be another one, or none. */
static void forget(struct totient *core, uint32_t slot)
{
    core->slot_bits[slot] = 0;
    core->slot_pair[slot] = false;
    core->slot_random[slot] = 0;
    if (slot == 0) core->modulus_bits = 0;
}

/* Random words that a private operation takes at most (docs/contracts.md, "engine"): for n, or for
   each of the primes, which follow n and e. */
static uint32_t random_words_of(const struct stated_number *numbers, uint32_t option)
{
    if (option != TOTIENT_KEY_PRIMES) return RANDOM_WORDS(numbers[0].bits);
    const size_t longer = numbers[2].bits > numbers[3].bits ? numbers[2].bits : numbers[3].bits;
    return 2 * RANDOM_WORDS(longer);
}

/* Loads a key whose numbers are no longer than stated, nor than the core takes. */
static totient_result load(struct totient *core, uint32_t slot, const uint32_t *header,
                           size_t header_words, const struct stated_number *numbers, size_t count,
                           size_t modulus_bits)
{
    forget(core, slot);
    for (size_t i = 0; i < count; i++)
        if (numbers[i].bits > core->maximum_bits
            || reaches(numbers[i].bytes, numbers[i].length, numbers[i].bits))
            return TOTIENT_LENGTH;
    const totient_result result = totient_load(core, header, header_words, numbers, count);
    if (result == TOTIENT_OK) core->slot_bits[slot] = (uint32_t)modulus_bits;
    return result;
}

totient_result totient_engine_load_key(struct totient *core, uint32_t slot,
                                       const struct totient_rsa_key *key)
{
    if (core == NULL || core->transport == NULL || key == NULL || key->modulus.bytes == NULL
        || key->public_exponent.bytes == NULL)
        return TOTIENT_ARGUMENT;
    const totient_result refused = check_slot(core, slot);
    if (refused != TOTIENT_OK) return refused;
    const bool whole = key->p.bytes != NULL && key->q.bytes != NULL && key->d_p.bytes != NULL
                       && key->d_q.bytes != NULL && key->q_inverse.bytes != NULL;
    const bool some = key->p.bytes != NULL || key->q.bytes != NULL || key->d_p.bytes != NULL
                      || key->d_q.bytes != NULL || key->q_inverse.bytes != NULL;
    if (some != whole) return TOTIENT_ARGUMENT;
    const uint32_t option = whole                                 ? TOTIENT_KEY_PRIMES
                            : key->private_exponent.bytes != NULL ? TOTIENT_KEY_EXPONENT
                                                                  : TOTIENT_KEY_PUBLIC;
    struct stated_number numbers[7] = {exact(key->modulus), exact(key->public_exponent)};
    size_t count = 2, header_words = 3;
    if (option == TOTIENT_KEY_EXPONENT) {
        numbers[count++] = as_long_as(numbers[0], key->private_exponent);
    } else if (option == TOTIENT_KEY_PRIMES) {
        const struct stated_number p = exact(key->p), q = exact(key->q);
        numbers[count++] = p;
        numbers[count++] = q;
        numbers[count++] = as_long_as(p, key->d_p);
        numbers[count++] = as_long_as(q, key->d_q);
        numbers[count++] = as_long_as(p, key->q_inverse);
        header_words = 5;
    }
    const uint32_t header[5] = {header_of(TOTIENT_CMD_LOAD_RSA_KEY, option, slot),
                                (uint32_t)numbers[0].bits, (uint32_t)numbers[1].bits,
                                (uint32_t)numbers[2].bits, (uint32_t)numbers[3].bits};
    const totient_result result =
        load(core, slot, header, header_words, numbers, count, numbers[0].bits);
    if (result != TOTIENT_OK || option == TOTIENT_KEY_PUBLIC) return result;
    core->slot_random[slot] = random_words_of(numbers, option);
    return totient_find_random(core);
}

/* An operation on `count` messages with the key in a slot. */
static totient_result operate(struct totient *core, uint32_t command, uint32_t option,
                              uint32_t options, uint32_t slot, size_t count,
                              const uint8_t *messages, size_t message_length, uint8_t *results,
                              size_t result_length)
{
    if (core == NULL || core->transport == NULL || messages == NULL || results == NULL)
        return TOTIENT_ARGUMENT;
    totient_result refused = check_slot(core, slot);
    if (refused == TOTIENT_OK && (option & ~options) != 0) refused = TOTIENT_ARGUMENT;
    if (refused == TOTIENT_OK && command == TOTIENT_CMD_PRIVATE
        && option != TOTIENT_NO_BASE_BLINDING)
        refused = totient_give_random(core, core->slot_random[slot]);
    if (refused != TOTIENT_OK) {
        totient_wipe(results, count * result_length);
        return refused;
    }
    const bool fits = core->slot_pair[slot] == (count == 2);
    const size_t half = core->maximum_bits / 2 + TOTIENT_LONGER_HALF_BITS;
    const size_t most = count == 2 ? half : core->maximum_bits;
    return totient_operate(core, header_of(command, option, slot), fits ? core->slot_bits[slot] : 0,
                           most, count, messages, message_length, results, result_length);
}

totient_result totient_engine_private_unchecked(struct totient *core, uint32_t slot,
                                                uint32_t options, const uint8_t *message,
                                                size_t message_length, uint8_t *result,
                                                size_t result_length)
{
    return operate(core, TOTIENT_CMD_PRIVATE, options, OPTIONS, slot, 1, message, message_length,
                   result, result_length);
}

totient_result totient_engine_private(struct totient *core, uint32_t slot, uint32_t options,
                                      const uint8_t *message, size_t message_length,
                                      uint8_t *result, size_t result_length)
{
    uint8_t given[TOTIENT_MAX_RSA_BITS / 8], again[TOTIENT_MAX_RSA_BITS / 8];
    if (core == NULL || core->transport == NULL || message == NULL || result == NULL)
        return TOTIENT_ARGUMENT;
    /* The result may go over the message. Bytes above the core's length are zeros, or refused. */
    const size_t length = message_length < sizeof given ? message_length : sizeof given;
    if (length > 0) memcpy(given, message + (message_length - length), length);
    totient_result code = totient_engine_private_unchecked(core, slot, options, message,
                                                           message_length, result, result_length);
    const uint64_t cycles = core->cycles;
    if (code == TOTIENT_OK) {
        const size_t size = result_length < sizeof again ? result_length : sizeof again;
        code = totient_engine_public(core, slot, result, result_length, again, size);
        if (code == TOTIENT_OK && !same(given, length, again, size))
            code = TOTIENT_WRONG_RESULT;
        core->cycles = cycles;
        if (code != TOTIENT_OK) totient_wipe(result, result_length);
    }
    totient_wipe(given, sizeof given);
    totient_wipe(again, sizeof again);
    return code;
}

totient_result totient_engine_public(struct totient *core, uint32_t slot, const uint8_t *message,
                                     size_t message_length, uint8_t *result, size_t result_length)
{
    return operate(core, TOTIENT_CMD_PUBLIC, 0, 0, slot, 1, message, message_length, result,
                   result_length);
}

totient_result totient_engine_load_pair(struct totient *core, uint32_t slot,
                                        const struct totient_number *moduli,
                                        const struct totient_number *exponents,
                                        size_t exponent_bits)
{
    if (core == NULL || core->transport == NULL || moduli == NULL || exponents == NULL
        || moduli[0].bytes == NULL || moduli[1].bytes == NULL || exponents[0].bytes == NULL
        || exponents[1].bytes == NULL)
        return TOTIENT_ARGUMENT;
    const totient_result refused = check_slot(core, slot);
    if (refused != TOTIENT_OK) return refused;
    struct stated_number numbers[4] = {exact(moduli[0]), exact(moduli[1])};
    const size_t bits = numbers[0].bits > numbers[1].bits ? numbers[0].bits : numbers[1].bits;
    for (size_t i = 0; i < 2; i++) {
        numbers[i].bits = bits;
        numbers[2 + i] =
            (struct stated_number){exponents[i].bytes, exponents[i].length, exponent_bits};
    }
    const uint32_t header[3] = {header_of(TOTIENT_CMD_LOAD_PAIR, 0, slot), (uint32_t)bits,
                                (uint32_t)exponent_bits};
    const totient_result result = load(core, slot, header, 3, numbers, 4, bits);
    core->slot_pair[slot] = result == TOTIENT_OK;
    return result;
}

totient_result totient_engine_raise_pair(struct totient *core, uint32_t slot,
                                         const uint8_t *messages, size_t message_length,
                                         uint8_t *results, size_t result_length)
{
    /* The option is the number of messages less one. */
    return operate(core, TOTIENT_CMD_EXPONENTIATE, 1, 1, slot, 2, messages, message_length, results,
                   result_length);
}

totient_result totient_engine_self_test(struct totient *core, uint32_t slot)
{
    if (core == NULL || core->transport == NULL) return TOTIENT_ARGUMENT;
    totient_result result = check_slot(core, slot);
    if (result != TOTIENT_OK) return result;
    forget(core, slot);
    size_t words = 0;
    result = totient_in_step(core);
    if (result != TOTIENT_OK) return result;
    result = totient_ask(core, header_of(TOTIENT_CMD_SELF_TEST, 0, slot), &words);
    if (result == TOTIENT_OK && words != 0) result = TOTIENT_PROTOCOL;
    return totient_finished(core, result);
}
