/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A device by its address: one text names the transport, and a path or a design.
 *
 * | address | device |
 * | --- | --- |
 * | sim:DESIGN, sim:DESIGN?width=2048 | a simulated core in this process |
 * | sim-registers:DESIGN, sim-serial:DESIGN | the same behind registers, or on a serial line |
 * | sim-rtl:DESIGN | a simulated engine with all of its RTL |
 * | sim:/PATH | a model by its file, also with the three other transports |
 * | uio:/dev/uio0?timeout=60 | registers of a UIO device |
 * | tty:/dev/ttyUSB0?baud=115200&timeout=60 | a serial line |
 * | unix:/PATH?timeout=60 | a stream socket that carries the bytes of a serial line |
 *
 * Parameters are optional, those above are their defaults. The time limit is 1 to 86400 seconds.
 *
 * A program finds the model of a design by the address itself: `totient model DESIGN` builds it, and
 * leaves a link CACHE/addresses/ADDRESS to it. CACHE is TOTIENT_CACHE of the environment, else totient in
 * XDG_CACHE_HOME, else in .cache of HOME. A model is code: it must belong to the user or to root, and
 * nobody else may write to it or to a folder above it.
 *
 *     static struct totient_device device;
 *     totient_result result = totient_open_address(&device, "sim:engine-62");
 *     if (result != TOTIENT_OK) fputs(totient_device_reason(&device, result), stderr);
 *     else result = totient_load_private(&device.core, n, 256, d, 256);
 *     ...
 *     totient_close_device(&device);
 */
#ifndef TOTIENT_ADDRESS_H
#define TOTIENT_ADDRESS_H

#include "totient/posix.h"
#include "totient/registers.h"
#include "totient/serial.h"
#include "totient/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Transports of addresses. */
enum totient_way {
    TOTIENT_SIM,
    TOTIENT_SIM_REGISTERS,
    TOTIENT_SIM_SERIAL,
    TOTIENT_SIM_RTL,
    TOTIENT_UIO,
    TOTIENT_TTY,
    TOTIENT_UNIX
};

/** Parameters of an address, at most. */
enum { TOTIENT_ADDRESS_PARAMETERS = 32 };

/** Longest path in an address, with the 0 at its end. */
enum { TOTIENT_PATH_BYTES = 1024 };

/** A part of a text, without a 0 at its end. */
struct totient_span {
    const char *text;
    size_t length;
};

/** A parameter of an address. Its value is a whole number of at most 1234 digits. */
struct totient_parameter {
    struct totient_span name, value;
};

/** The parts of an address, which point into its text. */
struct totient_address {
    enum totient_way way;
    struct totient_span transport; /**< For instance `tty`. */
    struct totient_span name;      /**< Design or path. */
    size_t count;                  /**< Of parameters. */
    struct totient_parameter parameters[TOTIENT_ADDRESS_PARAMETERS];
};

/**
 * A device that is opened by its address, with all that its transport needs. The caller gives the memory;
 * it stays where it is while the device is open.
 */
struct totient_device {
    struct totient core; /**< For the functions of totient/totient.h and totient/engine.h. */
    const struct totient_transport *transport; /**< NULL: the device is not open. */
    void *context;                             /**< Of the transport. */
    enum totient_way way;
    struct totient_simulation simulation;
    struct totient_uio uio;
    struct totient_tty line;
    struct totient_registers registers;
    struct totient_serial serial;
    /* The library's own. */
    char name[TOTIENT_PATH_BYTES];
    char reason[TOTIENT_REASON_BYTES];
};

/**
 * Finds the parts of an address. Which designs and parameters exist is not looked at.
 *
 * @param address gets them; `text` must outlive it.
 * @param reason gets one line about what is wrong, or ""; NULL for none.
 * @param length of `reason`, in bytes.
 * @return TOTIENT_ADDRESS where it is malformed.
 * @threads any
 * @fork any
 */
TOTIENT_MUST_CHECK totient_result totient_parse_address(struct totient_address *address,
                                                        const char *text, char *reason,
                                                        size_t length);

/**
 * Opens a device and the core behind it: totient_connect_address, then totient_open.
 *
 * @param device what it held before is not looked at.
 * @return TOTIENT_ADDRESS for an address that is malformed or has a value out of range, TOTIENT_IN_USE where
 *         another program has the device, TOTIENT_NO_CORE where a model cannot be loaded or no core answers,
 *         TOTIENT_TRANSPORT where a device cannot be opened, TOTIENT_TIMEOUT where nothing answers in time.
 *         totient_device_reason says why in one line. The device is closed then.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_open_address(struct totient_device *device,
                                                       const char *address);

/**
 * Opens a device without a word to the core behind it: `transport` and `context` are for totient_open, or
 * `registers` for totient/keygen.h and totient/modmul.h. In between a program sets limits, or functions that
 * are called while the device waits. Results as for totient_open_address.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_connect_address(struct totient_device *device,
                                                          const char *address);

/**
 * What a result of a function with this device means, in one line with the device's name: why it could not
 * be opened, how long it was waited for, why a simulated core has stopped.
 *
 * @return never NULL; good until the next call with the device. Each device has its own: no other thread
 *         changes it.
 * @threads one
 * @fork one
 */
const char *totient_device_reason(struct totient_device *device, totient_result result);

/**
 * Closes a device; one that is not open stays as it is. The keys in a core stay: totient_clear wipes them.
 *
 * @threads one
 * @fork close
 */
void totient_close_device(struct totient_device *device);

#ifdef __cplusplus
}
#endif

#endif
