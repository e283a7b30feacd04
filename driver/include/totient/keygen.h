/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Key generation in hardware: the IPs that make a key from two primes, and raise messages with it.
 *
 * | IP | opened by | primes | public exponent | messages |
 * | --- | --- | --- | --- | --- |
 * | rsa_keygen_axil | totient_keygen_open | 32 bits | the first coprime one | by registers |
 * | rsa_keygen_axis | totient_keygen_open_stream | up to 1024 bits | or any of 32 bits | by streams |
 *
 * Both make a key when there is a message for it, so totient_keygen_make gives them a message of 0.
 * rsa_keygen_axil makes it anew with each message. Nobody looks at whether a number is prime.
 *
 * Numbers, results and handles are as totient/totient.h says; the primes stay in the IP until it
 * is cleared. What is not constant time: beside what is said there, the lengths of the primes, the
 * public exponent and, in totient_keygen_raise_given, the length of the exponent.
 *
 *     struct totient_registers registers = {.read = read, .write = write, .bus = bus};
 *     struct totient_keygen ip;
 *     struct totient_key key = {n, 8, d, 8, 0};
 *     totient_result result = totient_keygen_open(&ip, &registers);
 *     if (result == TOTIENT_OK) result = totient_keygen_make(&ip, p, 4, q, 4, 0, &key);
 *     if (result == TOTIENT_OK)
 *         result = totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 8, cipher, 8);
 */
#ifndef TOTIENT_KEYGEN_H
#define TOTIENT_KEYGEN_H

#include "totient/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An IP that has been opened. Its fields are read-only for the caller. */
struct totient_keygen {
    const struct totient_registers *registers;
    const struct totient_transport *stream; /**< NULL: the IP has registers only. */
    void *context;
    uint32_t version;          /**< 0x00MMmmpp; 0 where the IP does not tell. */
    uint32_t key_bits;         /**< Lengths of the key's primes together; 0: there is no key. */
    uint32_t key_cycles;       /**< Clock cycles of making a key; 0: none was made last. */
    uint32_t message_cycles;   /**< Of the last message. */
    uint32_t cycles;           /**< Of the last operation, where the IP counts them; else 0. */
    bool out_of_step;          /**< An operation may still run. */
};

/** Where the numbers of a key go. */
struct totient_key {
    uint8_t *modulus;
    size_t modulus_length;     /**< At least as many bytes as both primes' lengths in bits need. */
    uint8_t *exponent;         /**< The private one. */
    size_t exponent_length;    /**< As for the modulus. */
    uint32_t public_exponent;  /**< 0 if no key was made. */
};

/** Which exponent of a key. */
enum totient_exponent { TOTIENT_PUBLIC = 0, TOTIENT_PRIVATE = 1 };

/**
 * Opens the IP with registers only (rtl/ip/rsa_keygen_axil.sv), and clears it.
 *
 * @param registers must outlive the handle; `room` is not used.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_keygen_open(struct totient_keygen *ip,
                                                      const struct totient_registers *registers);

/**
 * Opens the IP with streams (rtl/ip/rsa_keygen_axis.sv), and clears it.
 *
 * @param registers as for totient_keygen_open.
 * @param stream passes words of messages and of results, for instance by a DMA engine: a packet
 *               that is received ends where the one that was sent has ended. Its `reset`, if it has
 *               one, drops what is under way. It must outlive the handle.
 * @param context what its functions are called with.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_keygen_open_stream(
    struct totient_keygen *ip, const struct totient_registers *registers,
    const struct totient_transport *stream, void *context);

/**
 * Makes a key. A refused one leaves none.
 *
 * @param p, q different odd primes of `p_length` and `q_length` bytes; TOTIENT_LENGTH for one that
 *             is too long.
 * @param public_exponent odd and 3 or more; 0: the first such one that is coprime to the totient.
 *                        TOTIENT_COMMAND for another than 0 where the IP takes none.
 * @param key gets the numbers.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_keygen_make(struct totient_keygen *ip, const uint8_t *p,
                                                      size_t p_length, const uint8_t *q,
                                                      size_t q_length, uint32_t public_exponent,
                                                      struct totient_key *key);

/**
 * Raises a message with the key that was made last.
 *
 * @param message below the modulus, `message_length` bytes.
 * @param result `result_length` bytes, as many as a modulus needs; it may be the message's buffer.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_keygen_raise(struct totient_keygen *ip,
                                                       enum totient_exponent exponent,
                                                       const uint8_t *message, size_t message_length,
                                                       uint8_t *result, size_t result_length);

/**
 * Raises a message with a given key, of 64 bits at most; the one that was made stays.
 * TOTIENT_COMMAND where the IP takes none.
 *
 * @param modulus odd, 3 or more.
 * @param exponent 1 or more.
 * @param result `result_length` bytes, at least as many as the modulus has.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_keygen_raise_given(
    struct totient_keygen *ip, const uint8_t *modulus, size_t modulus_length,
    const uint8_t *exponent, size_t exponent_length, const uint8_t *message, size_t message_length,
    uint8_t *result, size_t result_length);

/**
 * Wipes primes, keys and messages; returns when that is done. Ends what is under way.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_keygen_clear(struct totient_keygen *ip);

#ifdef __cplusplus
}
#endif

#endif
