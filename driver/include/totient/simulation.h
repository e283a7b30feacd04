/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A simulated core in this process: the shared library that `totient model` builds from the RTL. It has
 * a stream, or registers, or a serial line; for the last two this is the bus or the line of
 * totient/registers.h and totient/serial.h. A simulation is for one thread at a time; several are
 * independent. After fork, one of both processes uses it: both have an engine's random words.
 *
 *     struct totient_simulation simulation = {0};
 *     totient_result result = totient_simulation_open(&simulation, "model.so");
 *     if (result == TOTIENT_OK)
 *         result = totient_open(&core, &totient_over_simulation, &simulation);
 */
#ifndef TOTIENT_SIMULATION_H
#define TOTIENT_SIMULATION_H

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

struct totient_model;

/** Room for the reason of a failure, with the 0 at its end. A longer one is cut. */
enum { TOTIENT_REASON_BYTES = 1024 };

/** Clock cycles to wait for a response where no other limit is set: four times the longest operation. */
#define TOTIENT_DEFAULT_CYCLES UINT64_C(4294967296)

/** Context of totient_over_simulation. */
struct totient_simulation {
    /** Called every `chunk` clock cycles of waiting, if not NULL; false ends the waiting. */
    bool (*progress)(void *user, uint64_t cycles);
    void *user;
    uint64_t chunk;               /**< 0: 100,000. */
    uint64_t limit;               /**< Clock cycles to wait for a response at most; 0:
                                       TOTIENT_DEFAULT_CYCLES. */
    /* The library's own. */
    void *library;
    struct totient_model *model;
    void (*call[16])(void);
    char reason[TOTIENT_REASON_BYTES];
};

/**
 * Opens a model.
 *
 * @param simulation its first four fields are set by the caller, the others are 0.
 * @param path of the shared library, which runs in this process: a path from somebody else is not to be
 *             trusted. The tool in Python and totient_open_address check who can write to it.
 * @return TOTIENT_NO_CORE if it cannot be loaded or is no model; totient_simulation_reason says why.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_simulation_open(struct totient_simulation *simulation,
                                                          const char *path);

/**
 * Closes a model; one that is not open stays as it is.
 *
 * @threads one
 * @fork close
 */
void totient_simulation_close(struct totient_simulation *simulation);

/**
 * Why a model could not be opened, or why the RTL has stopped last: what a failed assertion has printed.
 *
 * @return a text of one line or more, "" if there is no reason; good until the next call with the simulation.
 * @threads one
 * @fork one
 */
const char *totient_simulation_reason(struct totient_simulation *simulation);

/**
 * Clock cycles since the model was opened.
 *
 * @threads one
 * @fork one
 */
uint64_t totient_simulation_cycles(struct totient_simulation *simulation);

/** Transport over a model with a stream. */
extern const struct totient_transport totient_over_simulation;

/**
 * Reads a register: `read` of struct totient_registers, whose `bus` is the simulation.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_simulation_read(void *bus, uint32_t offset,
                                                          uint32_t *value);

/**
 * Writes a register: `write` of struct totient_registers.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_simulation_write(void *bus, uint32_t offset,
                                                           uint32_t value);

/**
 * Takes a byte: `read` of struct totient_serial, whose `line` is the simulation.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_simulation_line_read(void *line, uint8_t *byte);

/**
 * Sends bytes: `write` of struct totient_serial.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_simulation_line_write(void *line, const uint8_t *bytes,
                                                                size_t count);

#ifdef __cplusplus
}
#endif

#endif
