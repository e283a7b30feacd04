/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The engine: whole RSA operations, and key slots, where a core has them (`slots` of its handle is not
 * 0). It does the Chinese remainder theorem, blinds private operations and raises their result to the
 * public exponent before it lets it out: here nothing is computed. The library checks the result of a
 * private operation once more, by a public operation on the engine: a fault behind the engine's own
 * check, in its output or on the transport, would otherwise give the key away.
 *
 * Numbers, results, handles and what is constant time are as totient/totient.h says. Not constant time
 * besides: the lengths in bits of the public exponent, of the primes and of the moduli of a pair.
 * Every function gives TOTIENT_COMMAND on a core that is no engine, and TOTIENT_ARGUMENT for a slot
 * that it has not. TOTIENT_FAULT says that a check inside the core failed; its keys stay.
 *
 * A core that is an engine serves totient/totient.h, too: its key is then in slot 0, and takes the
 * place of the one that is there.
 *
 *     const struct totient_rsa_key key = {.modulus = {n, 256}, .public_exponent = {e, 3},
 *                                         .p = {p, 128}, .q = {q, 128}, .d_p = {d_p, 128},
 *                                         .d_q = {d_q, 128}, .q_inverse = {q_inverse, 128}};
 *     totient_result result = totient_engine_load_key(&core, 0, &key);
 *     if (result == TOTIENT_OK)
 *         result = totient_engine_private(&core, 0, 0, message, 256, signature, 256);
 */
#ifndef TOTIENT_ENGINE_H
#define TOTIENT_ENGINE_H

#include "totient/totient.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A number of a key. */
struct totient_number {
    const uint8_t *bytes;
    size_t length;
};

/**
 * An RSA key. Null pointers say what it is without: of a public key all but the first two, of a key
 * without primes the last five. With the primes the private exponent is not used.
 */
struct totient_rsa_key {
    struct totient_number modulus;          /**< Odd, 512 bits to the core's maximum. */
    struct totient_number public_exponent;  /**< Odd, 3 or more, no longer than the modulus. */
    struct totient_number private_exponent; /**< No longer than the modulus. */
    struct totient_number p, q;             /**< Primes; together they have the modulus' bits, each
                                                 64 to half the core's maximum and 8 more. */
    struct totient_number d_p, d_q;         /**< Private exponent modulo p - 1 and modulo q - 1. */
    struct totient_number q_inverse;        /**< 1/q modulo p. */
};

/**
 * Says where random numbers for the core come from, if it gets them from here (`random_words` of its
 * handle is not 0): behind registers or a serial line it has no source of its own. Before each private
 * operation that is blinded it is sent as many as are missing. They come from the operating system
 * unless another source is given; where there is none, blinded operations are TOTIENT_NO_RANDOM.
 *
 * @param source null for the operating system's.
 * @param user what it is called with.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_random_source(struct totient *core,
                                                               totient_random_source source,
                                                               void *user);

/**
 * Loads an RSA key; a refused one leaves none in the slot. Numbers of the last private operation stay in
 * the core until totient_clear: no operation uses them.
 *
 * @param slot 0 to `slots` of the core less one.
 * @return TOTIENT_LENGTH where a length is not as struct totient_rsa_key has it, TOTIENT_PRIME where
 *         a prime is even or the primes' product is not the modulus, TOTIENT_PUBLIC_EXPONENT where
 *         that is even or below 3, TOTIENT_ARGUMENT where only some of the last five numbers are
 *         there. That numbers do not belong together otherwise, a private operation finds.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_load_key(struct totient *core, uint32_t slot,
                                                          const struct totient_rsa_key *key);

/**
 * The private operation of the RSA key in a slot. Its result is checked before it is released: the
 * public operation of the same key must give the message again, which is compared in constant time.
 *
 * The check costs a public operation: its clock cycles, and a message and a result on the transport.
 * With the exponent 65537 that is little beside a private operation. With an exponent as long as the
 * modulus it is more than one by the primes. `cycles` of the handle is without it.
 *
 * @param options sum of members of enum totient_private_option; 0: with base blinding, without
 *                exponent blinding. Exponent blinding with a key without primes is TOTIENT_COMMAND.
 * @param message below the modulus, `message_length` bytes.
 * @param result `result_length` bytes, at least as many as the modulus has; leading ones are 0.
 *               It may be the same buffer as `message`.
 * @return TOTIENT_WRONG_RESULT where the check here failed; the keys stay.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_private(struct totient *core, uint32_t slot,
                                                         uint32_t options, const uint8_t *message,
                                                         size_t message_length, uint8_t *result,
                                                         size_t result_length);

/**
 * The private operation of the RSA key in a slot, without the check: for a caller that checks the result
 * before anybody else sees it, as the tool does in Python. One wrong result gives away the primes of a key.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_private_unchecked(
    struct totient *core, uint32_t slot, uint32_t options, const uint8_t *message,
    size_t message_length, uint8_t *result, size_t result_length);

/**
 * The public operation of the RSA key in a slot; as totient_engine_private.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_public(struct totient *core, uint32_t slot,
                                                        const uint8_t *message,
                                                        size_t message_length, uint8_t *result,
                                                        size_t result_length);

/**
 * Loads two moduli with an exponent each, which are raised to at once; as totient_engine_load_key.
 *
 * @param moduli two, odd, 3 or more, each of at most half the core's maximum bits and 8 more.
 * @param exponents two.
 * @param exponent_bits stated length of both, at most the same.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_load_pair(struct totient *core, uint32_t slot,
                                                           const struct totient_number *moduli,
                                                           const struct totient_number *exponents,
                                                           size_t exponent_bits);

/**
 * Raises two messages, each to the exponent of its own modulus of the pair in a slot.
 *
 * @param messages one after the other, each below its modulus, `message_length` bytes.
 * @param results the same, `result_length` bytes each, at least as many as the longer modulus has;
 *                it may be the same buffer.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_raise_pair(struct totient *core, uint32_t slot,
                                                            const uint8_t *messages,
                                                            size_t message_length, uint8_t *results,
                                                            size_t result_length);

/**
 * Lets the core test itself: TOTIENT_FAULT where it finds something wrong.
 *
 * @param slot where it puts a key of its own, in the place of the one that is there.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_engine_self_test(struct totient *core, uint32_t slot);

#ifdef __cplusplus
}
#endif

#endif
