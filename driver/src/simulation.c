/* SPDX-License-Identifier: Apache-2.0 */
/* A model in this process (totient/model.h), loaded at run time: its functions are found by name. */
#include "totient/simulation.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "totient/model.h"

enum { ACCESS_CYCLES = 10000 };

#define CHUNK UINT64_C(100000)

/* What a model exports, in the order of `call`. */
enum function {
    MODEL_OPEN,
    MODEL_CLOSE,
    MODEL_RESET,
    MODEL_CYCLES,
    MODEL_REASON,
    MODEL_SEND,
    MODEL_RUN,
    MODEL_RESPONSE_WORDS,
    MODEL_TAKE,
    MODEL_READ,
    MODEL_WRITE,
    MODEL_LINE_SEND,
    MODEL_LINE_RUN,
    MODEL_LINE_TAKE,
    FUNCTIONS
};
static const char *const names[FUNCTIONS] = {
    "open", "close",          "reset", "cycles", "reason",   "send",     "run",
    "response_words", "take", "read",  "write",  "line_send", "line_run", "line_take",
};

/* A function by its own type. */
#define CALL(simulation, function, name) ((__typeof__(&name))(simulation)->call[function])

static bool has(const struct totient_simulation *simulation, enum function function)
{
    return simulation != NULL && simulation->model != NULL && simulation->call[function] != NULL;
}

totient_result totient_simulation_open(struct totient_simulation *simulation, const char *path)
{
    if (simulation == NULL || path == NULL) return TOTIENT_ARGUMENT;
    simulation->model = NULL;
    simulation->reason[0] = '\0';
    simulation->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (simulation->library == NULL) {
        const char *why = dlerror();
        (void)snprintf(simulation->reason, sizeof simulation->reason, "%s",
                       why != NULL ? why : "it cannot be loaded");
        return TOTIENT_NO_CORE;
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "totient_model_%s", names[i]);
        void *symbol = dlsym(simulation->library, name);
        memcpy(&simulation->call[i], &symbol, sizeof symbol);
    }
    for (size_t i = MODEL_OPEN; i <= MODEL_REASON; i++) {
        if (simulation->call[i] == NULL) {
            (void)snprintf(simulation->reason, sizeof simulation->reason,
                           "%s is no model of a core: it has no function totient_model_%s", path,
                           names[i]);
            totient_simulation_close(simulation);
            return TOTIENT_NO_CORE;
        }
    }
    simulation->model = CALL(simulation, MODEL_OPEN, totient_model_open)();
    return TOTIENT_OK;
}

void totient_simulation_close(struct totient_simulation *simulation)
{
    if (simulation == NULL) return;
    if (simulation->model != NULL)
        CALL(simulation, MODEL_CLOSE, totient_model_close)(simulation->model);
    simulation->model = NULL;
    if (simulation->library != NULL) (void)dlclose(simulation->library);
    simulation->library = NULL;
}

const char *totient_simulation_reason(struct totient_simulation *simulation)
{
    if (simulation == NULL) return "";
    if (!has(simulation, MODEL_REASON)) return simulation->reason;
    const char *printed = CALL(simulation, MODEL_REASON, totient_model_reason)(simulation->model);
    return *printed != '\0' ? printed : simulation->reason;
}

uint64_t totient_simulation_cycles(struct totient_simulation *simulation)
{
    if (!has(simulation, MODEL_CYCLES)) return 0;
    return CALL(simulation, MODEL_CYCLES, totient_model_cycles)(simulation->model);
}

/* A model that is not open, or has not the functions of a face. */
static totient_result lacks(struct totient_simulation *simulation, const char *face)
{
    if (simulation->model != NULL)
        (void)snprintf(simulation->reason, sizeof simulation->reason, "the model has no %s", face);
    return TOTIENT_TRANSPORT;
}

/* Runs the clock until what is waited for is there. */
static totient_result wait_for(struct totient_simulation *simulation, enum function function)
{
    const uint64_t limit = simulation->limit != 0 ? simulation->limit : TOTIENT_DEFAULT_CYCLES;
    uint64_t done = 0;
    for (;;) {
        uint64_t cycles = simulation->chunk != 0 ? simulation->chunk : CHUNK;
        if (cycles > limit - done) cycles = limit - done;
        if (cycles == 0) return TOTIENT_TIMEOUT;
        const int outcome =
            CALL(simulation, function, totient_model_run)(simulation->model, cycles);
        if (outcome == TOTIENT_MODEL_READY) return TOTIENT_OK;
        if (outcome == TOTIENT_MODEL_STOPPED) return TOTIENT_TRANSPORT;
        done += cycles;
        if (simulation->progress != NULL && !simulation->progress(simulation->user, done))
            return TOTIENT_TIMEOUT;
    }
}

static totient_result send(void *context, const uint32_t *words, size_t count, bool last)
{
    struct totient_simulation *simulation = context;
    if (simulation == NULL || words == NULL) return TOTIENT_ARGUMENT;
    if (!has(simulation, MODEL_SEND)) return lacks(simulation, "stream");
    CALL(simulation, MODEL_SEND, totient_model_send)(simulation->model, words, count, last);
    return TOTIENT_OK;
}

static totient_result receive(void *context, uint32_t *words, size_t count, bool *last)
{
    struct totient_simulation *simulation = context;
    if (simulation == NULL || words == NULL || last == NULL) return TOTIENT_ARGUMENT;
    *last = false;
    if (!has(simulation, MODEL_TAKE) || !has(simulation, MODEL_RESPONSE_WORDS))
        return lacks(simulation, "stream");
    const totient_result result = wait_for(simulation, MODEL_RUN);
    if (result != TOTIENT_OK) return result;
    const size_t there =
        CALL(simulation, MODEL_RESPONSE_WORDS, totient_model_response_words)(simulation->model);
    if (there < count) return TOTIENT_PROTOCOL;
    CALL(simulation, MODEL_TAKE, totient_model_take)(simulation->model, words, count);
    *last = there == count;
    return TOTIENT_OK;
}

static totient_result reset(void *context)
{
    struct totient_simulation *simulation = context;
    if (simulation == NULL) return TOTIENT_ARGUMENT;
    if (!has(simulation, MODEL_RESET)) return lacks(simulation, "reset");
    CALL(simulation, MODEL_RESET, totient_model_reset)(simulation->model);
    return TOTIENT_OK;
}

const struct totient_transport totient_over_simulation = {send, receive, reset};

/* A program that polls a register lets time pass this way only: so progress is told from here. */
static totient_result answered(struct totient_simulation *simulation, int answer, uint64_t before)
{
    if (answer != 0) return TOTIENT_TRANSPORT;
    const uint64_t chunk = simulation->chunk != 0 ? simulation->chunk : CHUNK;
    const uint64_t now = totient_simulation_cycles(simulation);
    if (simulation->progress == NULL || now / chunk == before / chunk) return TOTIENT_OK;
    return simulation->progress(simulation->user, now) ? TOTIENT_OK : TOTIENT_TIMEOUT;
}

totient_result totient_simulation_read(void *bus, uint32_t offset, uint32_t *value)
{
    struct totient_simulation *simulation = bus;
    if (simulation == NULL || value == NULL) return TOTIENT_ARGUMENT;
    if (!has(simulation, MODEL_READ)) return lacks(simulation, "registers");
    const uint64_t before = totient_simulation_cycles(simulation);
    const int answer = CALL(simulation, MODEL_READ, totient_model_read)(simulation->model, offset,
                                                                        value, ACCESS_CYCLES);
    return answered(simulation, answer, before);
}

totient_result totient_simulation_write(void *bus, uint32_t offset, uint32_t value)
{
    struct totient_simulation *simulation = bus;
    if (simulation == NULL) return TOTIENT_ARGUMENT;
    if (!has(simulation, MODEL_WRITE)) return lacks(simulation, "registers");
    const uint64_t before = totient_simulation_cycles(simulation);
    const int answer = CALL(simulation, MODEL_WRITE, totient_model_write)(
        simulation->model, offset, value, 0xF, ACCESS_CYCLES);
    return answered(simulation, answer, before);
}

totient_result totient_simulation_line_read(void *line, uint8_t *byte)
{
    struct totient_simulation *simulation = line;
    if (simulation == NULL || byte == NULL) return TOTIENT_ARGUMENT;
    if (!has(simulation, MODEL_LINE_RUN) || !has(simulation, MODEL_LINE_TAKE))
        return lacks(simulation, "serial line");
    const totient_result result = wait_for(simulation, MODEL_LINE_RUN);
    if (result != TOTIENT_OK) return result;
    (void)CALL(simulation, MODEL_LINE_TAKE, totient_model_line_take)(simulation->model, byte, 1);
    return TOTIENT_OK;
}

totient_result totient_simulation_line_write(void *line, const uint8_t *bytes, size_t count)
{
    struct totient_simulation *simulation = line;
    if (simulation == NULL || bytes == NULL) return TOTIENT_ARGUMENT;
    if (!has(simulation, MODEL_LINE_SEND)) return lacks(simulation, "serial line");
    CALL(simulation, MODEL_LINE_SEND, totient_model_line_send)(simulation->model, bytes, count);
    return TOTIENT_OK;
}
