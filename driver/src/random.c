/* SPDX-License-Identifier: Apache-2.0 */
/* Random words for an engine that gets them by packets (docs/contracts.md, "random words"). */
#define _DEFAULT_SOURCE /* getentropy */
#include "internal.h"

#include "totient/engine.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/random.h>
#include <unistd.h>

enum { AT_ONCE = 256 }; /* bytes that getentropy gives at most */

static bool from_system(void *user, uint8_t *bytes, size_t count)
{
    (void)user;
    for (size_t done = 0; done < count; done += AT_ONCE)
        if (getentropy(bytes + done, count - done < AT_ONCE ? count - done : AT_ONCE) != 0)
            return false;
    return true;
}
#else
static bool from_system(void *user, uint8_t *bytes, size_t count)
{
    (void)user, (void)bytes, (void)count;
    return false;
}
#endif

enum { HALF_BITS = TOTIENT_MAX_RSA_BITS / 2 + TOTIENT_LONGER_HALF_BITS };
enum { ANSWER_WORDS = 2, MOST_WORDS = 2 * RANDOM_WORDS(HALF_BITS) };

totient_result totient_engine_random_source(struct totient *core, totient_random_source source,
                                            void *user)
{
    if (core == NULL || core->transport == NULL) return TOTIENT_ARGUMENT;
    if (core->slots == 0) return TOTIENT_COMMAND;
    core->random_source = source;
    core->random_user = user;
    return TOTIENT_OK;
}

/* Takes the answer to a packet of random words: how many are held, and how many more fit. */
static totient_result answered(struct totient *core, totient_result result, size_t words,
                               uint32_t *answer)
{
    bool last = false;
    if (result != TOTIENT_OK) return result;
    if (words != ANSWER_WORDS) return TOTIENT_PROTOCOL;
    result = core->transport->receive(core->context, answer, ANSWER_WORDS, &last);
    return result == TOTIENT_OK && !last ? TOTIENT_PROTOCOL : result;
}

/* What a request for or of random words ends with: there is no reason to refuse it. */
static totient_result in_order(struct totient *core, totient_result result)
{
    const bool refused = result != TOTIENT_OK && result < TOTIENT_ARGUMENT;
    return totient_finished(core, refused ? TOTIENT_PROTOCOL : result);
}

static totient_result ask(struct totient *core, uint32_t *answer)
{
    size_t words = 0;
    const totient_result result = totient_ask(core, TOTIENT_CMD_RANDOM_WORDS, &words);
    return answered(core, result, words, answer);
}

totient_result totient_find_random(struct totient *core)
{
    uint32_t answer[ANSWER_WORDS];
    if (core->random_known) return TOTIENT_OK;
    const totient_result result = ask(core, answer);
    core->random_known = result == TOTIENT_OK || result == TOTIENT_COMMAND;
    if (result == TOTIENT_OK) core->random_words = answer[0] + answer[1];
    return core->random_known ? TOTIENT_OK : in_order(core, result);
}

totient_result totient_give_random(struct totient *core, size_t wanted)
{
    uint32_t answer[ANSWER_WORDS] = {0, 0}, fresh[MOST_WORDS];
    if (core->random_words == 0 || wanted == 0) return TOTIENT_OK;
    totient_result result = ask(core, answer);
    size_t count = result == TOTIENT_OK && answer[0] < wanted ? wanted - answer[0] : 0;
    if (count > MOST_WORDS) count = MOST_WORDS;
    if (count > answer[1]) count = answer[1];
    if (result == TOTIENT_OK && count > 0) {
        const totient_random_source source =
            core->random_source != NULL ? core->random_source : from_system;
        if (!source(core->random_user, (uint8_t *)fresh, count * sizeof *fresh)) {
            totient_wipe(fresh, sizeof fresh);
            return TOTIENT_NO_RANDOM;
        }
        const uint32_t header = TOTIENT_CMD_RANDOM_WORDS;
        size_t words = 0;
        result = core->transport->send(core->context, &header, 1, false);
        if (result == TOTIENT_OK)
            result = core->transport->send(core->context, fresh, count, true);
        totient_wipe(fresh, sizeof fresh);
        if (result == TOTIENT_OK) result = totient_receive_header(core, header, &words);
        result = answered(core, result, words, answer);
    }
    return in_order(core, result);
}
