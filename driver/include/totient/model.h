/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the shared library of a simulated core exports (`totient model` builds one). A model has
 * some of three faces: the functions of one that it does not have are missing.
 *
 * One thread at a time on a model; several models, of one library or of several, are independent.
 */
#ifndef TOTIENT_MODEL_H
#define TOTIENT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct totient_model;

/** What became of a run of the clock. */
enum totient_model_run {
    TOTIENT_MODEL_STOPPED = -1, /**< The RTL has stopped: an assertion failed. */
    TOTIENT_MODEL_WAITS = 0,    /**< The cycles have passed. */
    TOTIENT_MODEL_READY = 1     /**< What was waited for is there. */
};

/** A model that has been reset. */
struct totient_model *totient_model_open(void);
/** The same of a netlist: what it leaves unknown is drawn by this seed, 1 to 2^31 - 1. */
struct totient_model *totient_model_open_unknown(uint32_t seed);
void totient_model_close(struct totient_model *model);
/** Resets the core for two cycles, and drops what is under way. */
void totient_model_reset(struct totient_model *model);
/** Clock cycles since the model was opened. */
uint64_t totient_model_cycles(struct totient_model *model);
/** Pauses at random on all handshakes, by this seed; 0 never pauses. */
void totient_model_pauses(struct totient_model *model, uint64_t seed);
/** Whether an IP that asks for random words gets any, from the operating system; it does at first. */
void totient_model_randomness(struct totient_model *model, bool there);
/** Random words from a generator with this seed, from its beginning; 0: from the operating system. */
void totient_model_seed(struct totient_model *model, uint32_t seed);
/** Lets so many clock cycles pass; TOTIENT_MODEL_WAITS, or TOTIENT_MODEL_STOPPED. */
int totient_model_advance(struct totient_model *model, uint64_t cycles);
/** Every signal, register and memory word as it is now: a waveform of one moment, in the format VCD
    (IEEE 1800). It stays until the next call. Only models that were built to be seen have it. */
const char *totient_model_state(struct totient_model *model);
/** Of a model built to be seen: every cycle from now on is recorded, with its handshakes settled. */
void totient_model_record(struct totient_model *model);
/** The recording as a waveform (VCD), whose times are clock cycles; it ends. Good until the next one. */
const char *totient_model_recorded(struct totient_model *model);
/** What models have that were built to be probed, a line each: `state` or `watched`, the name, bits
    of a word, words, bytes that a word is kept in. State are the registers and memories; watched are signals that are looked at in
    every cycle of an operation. */
const char *totient_model_elements(struct totient_model *model);
/** Probed: changes a bit of the state; the element's number counts lines of state from 0 on. */
void totient_model_flip(struct totient_model *model, size_t element, size_t word, size_t bit);
/** Probed: the words of an element of the state, each lowest byte first. */
void totient_model_peek(struct totient_model *model, size_t element, uint8_t *into);
/** Probed: whether signals are watched from the next request on; they are not at first. */
void totient_model_watch(struct totient_model *model, bool wanted);
/** Probed: clock cycles from the first word of the last request to the last one of its response, and
    for each watched signal a hash of the values that it had in them, in the order of the lines. */
uint64_t totient_model_watched(struct totient_model *model, uint64_t *hashes);
/** Why the RTL has stopped last: what it had printed since its reset. */
const char *totient_model_reason(struct totient_model *model);

/** Stream: queues words of a request; `last` ends it. */
void totient_model_send(struct totient_model *model, const uint32_t *words, size_t count,
                        bool last);
/** Stream: runs until a response is complete. */
int totient_model_run(struct totient_model *model, uint64_t cycles);
/** Stream: words, not taken yet, of the first response that is complete; 0: there is none. */
size_t totient_model_response_words(struct totient_model *model);
/** Stream: takes so many words. */
void totient_model_take(struct totient_model *model, uint32_t *words, size_t count);

/** Registers: reads, in at most `cycles`; the bus' answer (0: well, 2: refused), or
    -1: the RTL has stopped, -2: no answer came. */
int totient_model_read(struct totient_model *model, uint32_t offset, uint32_t *value,
                       uint64_t cycles);
/** Registers: writes the byte lanes of `lanes`; as for reading. */
int totient_model_write(struct totient_model *model, uint32_t offset, uint32_t value,
                        uint32_t lanes, uint64_t cycles);
/** Registers: lets the clock run until the interrupt is raised. */
int totient_model_wait(struct totient_model *model, uint64_t cycles);

/** Serial line: queues bytes. */
void totient_model_line_send(struct totient_model *model, const uint8_t *bytes, size_t count);
/** Serial line: runs until a byte has come. */
int totient_model_line_run(struct totient_model *model, uint64_t cycles);
/** Serial line: takes up to `count` of the bytes that have come; how many. */
size_t totient_model_line_take(struct totient_model *model, uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
