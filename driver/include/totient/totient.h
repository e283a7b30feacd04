/* SPDX-License-Identifier: Apache-2.0 */
/**
 * libtotient: RSA on a Totient core, whatever it is reached by.
 *
 * What is constant time: what this library does with an exponent, a message or a result (copying,
 * byte order, comparing with what comes back) depends on lengths only; so does the core's time, if
 * its timing class is TOTIENT_TIME_EXPONENT_LENGTH. What is not: the lengths themselves, the length of the
 * modulus in bits, whether an operation failed and with which code, and every transport's waiting.
 *
 * Numbers are big-endian byte strings with their length; leading zeros are allowed. Buffers belong
 * to the caller, nothing is allocated, there are no globals and no locks.
 *
 * Each function states who may call it:
 *
 * - `@threads any`: any number of threads at a time. `@threads one`: one at a time on the object of its first
 *   argument, and on all that this refers to: the context of a transport, a bus, a line. Objects that share
 *   nothing are independent. Functions that the library calls back run in the thread of the operation, and
 *   call nothing with the same object.
 * - `@fork any`: parent and child process. `@fork one`: one of both processes uses an object that was there
 *   before the fork, the other one does not: they share the device, or have the same random words.
 *   `@fork close`: the other process calls it to close its copy.
 *
 * Every function that can fail says so by its result, which is not to be ignored; on failure the output
 * holds zeros, but that of a call with a null pointer or a number of messages that is out of range stays
 * as it is. Buffers of the library's own are wiped.
 *
 *     struct totient core;
 *     struct totient_registers registers = {.read = read, .write = write, .bus = bus, .polls = 1000000};
 *     totient_result result = totient_open(&core, &totient_over_registers, &registers);
 *     if (result == TOTIENT_OK) result = totient_load_private(&core, n, 256, d, 256);
 *     if (result == TOTIENT_OK) result = totient_raise(&core, message, 256, signature, 256);
 */
#ifndef TOTIENT_H
#define TOTIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "totient/contract.h"
#include "totient/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TOTIENT_MUST_CHECK __attribute__((warn_unused_result))
#else
#define TOTIENT_MUST_CHECK
#endif

/**
 * A way to a core: packets of 32-bit words, in pieces. A transport is a table of functions that are
 * called with the context given to totient_open.
 */
struct totient_transport {
    /** Sends words of a request; `last` ends it. */
    totient_result (*send)(void *context, const uint32_t *words, size_t count, bool last);
    /** Takes the next words of a response; `last` tells whether the response ends with them. */
    totient_result (*receive)(void *context, uint32_t *words, size_t count, bool *last);
    /** Brings core and way to their first state, and wipes keys and buffers. */
    totient_result (*reset)(void *context);
};

/** Key slots of an engine that this library serves, at most. */
enum { TOTIENT_MAX_SLOTS = 8 };

/**
 * A source of random numbers: fills `bytes` with fresh, uniformly distributed, independent bits.
 *
 * @param user what it was given with.
 * @return whether it could.
 */
typedef bool (*totient_random_source)(void *user, uint8_t *bytes, size_t count);

/** A core that has been opened. Its fields are read-only for the caller. */
struct totient {
    const struct totient_transport *transport;
    void *context;
    char name[17];             /**< The design. */
    uint32_t version;          /**< 0x00MMmmpp. */
    uint32_t maximum_bits;     /**< Longest modulus. */
    enum totient_timing timing;
    uint32_t lanes;            /**< Messages that it raises at once. */
    uint32_t modulus_bits;     /**< Of the key that is loaded; 0: none is. */
    uint32_t slots;            /**< Of keys for totient/engine.h; 0: the core is no engine. */
    uint32_t slot_bits[TOTIENT_MAX_SLOTS]; /**< Modulus of such a key, by slot; 0: there is none. */
    bool slot_pair[TOTIENT_MAX_SLOTS];     /**< It is a pair, and that is its longer modulus. */
    uint32_t slot_random[TOTIENT_MAX_SLOTS]; /**< Random words that a private operation with it takes
                                                  at most. */
    bool random_known;         /**< Whether the next one is; it is from the first private key on. */
    uint32_t random_words;     /**< Random words that it keeps; 0: it gets none from here. */
    totient_random_source random_source; /**< Where they come from; null: the operating system. */
    void *random_user;         /**< What that is called with. */
    uint64_t cycles;           /**< Clock cycles of the last operation, as the core counted them. */
    bool out_of_step;          /**< Answers to earlier requests may still come. */
};

/**
 * Opens a core: asks for its info packet and fills the handle.
 *
 * @param core handle to fill.
 * @param transport table of functions; it must outlive the handle.
 * @param context what they are called with.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_open(struct totient *core,
                                               const struct totient_transport *transport,
                                               void *context);

/**
 * Loads modulus and public exponent.
 *
 * @param modulus odd, `modulus_length` bytes.
 * @param exponent 1 or more.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_load_public(struct totient *core, const uint8_t *modulus,
                                                      size_t modulus_length, uint32_t exponent);

/**
 * Loads modulus and private exponent. The exponent's length is stated as that of the modulus, so
 * that the time does not tell it.
 *
 * @param exponent below the modulus, `exponent_length` bytes.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_load_private(struct totient *core, const uint8_t *modulus,
                                                       size_t modulus_length,
                                                       const uint8_t *exponent,
                                                       size_t exponent_length);

/**
 * Loads any odd modulus of 3 or more and any exponent of a stated length.
 *
 * @param exponent_bits stated length, 1 up to the core's maximum: leading zeros count for the time of
 *                      cores whose time depends on the length.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_load_key(struct totient *core, const uint8_t *modulus,
                                                   size_t modulus_length, const uint8_t *exponent,
                                                   size_t exponent_length, size_t exponent_bits);

/**
 * Raises a message to the loaded exponent.
 *
 * @param message below the modulus, `message_length` bytes.
 * @param result `result_length` bytes, at least as many as the modulus has; leading ones are 0.
 *               It may be the same buffer as `message`.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_raise(struct totient *core, const uint8_t *message,
                                                size_t message_length, uint8_t *result,
                                                size_t result_length);

/**
 * Raises several messages to the loaded exponent at once, in the time of one.
 *
 * @param count 1 to `lanes` of the core.
 * @param messages one after another, each below the modulus, `message_length` bytes.
 * @param results the same, `result_length` bytes each; it may be the same buffer.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_raise_all(struct totient *core, size_t count,
                                                    const uint8_t *messages, size_t message_length,
                                                    uint8_t *results, size_t result_length);

/**
 * A private operation whose result is checked with the public exponent before it is released: a
 * fault in the core would otherwise give the key away. Leaves the public key loaded.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_private_checked(
    struct totient *core, const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent,
    size_t exponent_length, uint32_t public_exponent, const uint8_t *message, size_t message_length,
    uint8_t *result, size_t result_length);

/**
 * Wipes keys and intermediate values; returns when that is done. Ends what is under way.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_clear(struct totient *core);

/**
 * Overwrites a buffer with zeros, also where a compiler sees that nobody reads it any more.
 *
 * @threads any
 * @fork any
 */
void totient_wipe(void *buffer, size_t length);

/**
 * The version of the library that the program runs with, as TOTIENT_VERSION: 0x00MMmmpp.
 *
 * @threads any
 * @fork any
 */
uint32_t totient_version(void);

/**
 * What a result means, in English; never NULL.
 *
 * @threads any
 * @fork any
 */
const char *totient_text(totient_result result);

#ifdef __cplusplus
}
#endif

#endif
