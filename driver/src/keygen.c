/* SPDX-License-Identifier: Apache-2.0 */
/* The IPs with key generation, by their registers (contract/rsa_keygen_registers.rdl,
   contract/rsa_stream_registers.rdl) and, of the second one, by its streams. */
#include "totient/keygen.h"

#include <string.h>

#include "internal.h"
#include "totient/rsa_keygen_registers.h"
#include "totient/rsa_stream_registers.h"

/* Offsets of registers by their names in the maps, where a written one and a read one may share an
   address. Of 64 bits the low word comes first. */
#define AT(name) ((uint32_t)offsetof(rsa_keygen_registers_t, name))
#define STREAM_AT(name) ((uint32_t)offsetof(rsa_stream_registers_t, name))

enum {
    WORD = 4, /* bytes */
    GIVEN_BITS = 64,
    PRIME_BITS = RSA_KEYGEN_REGISTERS__P__PRIME_bw,
    STREAM_PRIME_BITS = 1024,
    MODE_ENCRYPT = 0,
    MODE_GIVEN = RSA_KEYGEN_REGISTERS__MODE__L_MODE_bm,
    MODE_DECRYPT = RSA_KEYGEN_REGISTERS__MODE__L_ENCRYPT_DECRYPT_bm,
    ERROR_bm = 15
};

static totient_result read_word(const struct totient_keygen *ip, uint32_t offset, uint32_t *word)
{
    return ip->registers->read(ip->registers->bus, offset, word);
}

static totient_result write_word(const struct totient_keygen *ip, uint32_t offset, uint32_t word)
{
    return ip->registers->write(ip->registers->bus, offset, word);
}

static totient_result read_number(const struct totient_keygen *ip, uint32_t offset, uint8_t *number,
                                  size_t length, size_t words)
{
    totient_result result = TOTIENT_OK;
    uint32_t word = 0;
    for (size_t i = 0; i < words && result == TOTIENT_OK; i++) {
        result = read_word(ip, offset + WORD * (uint32_t)i, &word);
        put_word(number, length, i, word);
    }
    totient_wipe(&word, sizeof word);
    return result;
}

static totient_result write_number(const struct totient_keygen *ip, uint32_t offset,
                                   const uint8_t *number, size_t length, size_t words)
{
    totient_result result = TOTIENT_OK;
    for (size_t i = 0; i < words && result == TOTIENT_OK; i++)
        result = write_word(ip, offset + WORD * (uint32_t)i, word_at(number, length, i));
    return result;
}

/* What an IP's error code means. */
static totient_result refusal(uint32_t code)
{
    const bool known = code == TOTIENT_OK || code == TOTIENT_PACKET_SHORT
                       || (code >= TOTIENT_LENGTH && code <= TOTIENT_NO_KEY)
                       || code == TOTIENT_PRIME || code == TOTIENT_PUBLIC_EXPONENT;
    return known ? (totient_result)code : TOTIENT_PROTOCOL;
}

/* Registers: runs an operation on the operands that were written. */
static totient_result run(struct totient_keygen *ip, uint32_t mode)
{
    uint32_t state = 0;
    const uint32_t counts = AT(MODE_STEP_COUNTS.STEP_COUNTS);
    totient_result result = write_word(ip, AT(MODE_STEP_COUNTS.MODE), mode);
    if (result == TOTIENT_OK)
        result = write_word(ip, AT(CONTROL_MOD_EXP_FINISH.CONTROL),
                            RSA_KEYGEN_REGISTERS__CONTROL__SP_bm);
    if (result == TOTIENT_OK)
        result = totient_registers_wait(ip->registers, AT(CONTROL_MOD_EXP_FINISH.MOD_EXP_FINISH),
                                        RSA_KEYGEN_REGISTERS__MOD_EXP_FINISH__MOD_EXP_FINISH_bm,
                                        true, &state);
    if (result == TOTIENT_OK) result = read_word(ip, counts, &ip->key_cycles);
    if (result == TOTIENT_OK) result = read_word(ip, counts + WORD, &ip->message_cycles);
    if (result == TOTIENT_OK) result = read_word(ip, AT(I_N_CLK_COUNT.CLK_COUNT), &ip->cycles);
    if (result != TOTIENT_OK) return result;
    return refusal(state >> RSA_KEYGEN_REGISTERS__MOD_EXP_FINISH__ERROR_bp & ERROR_bm);
}

static totient_result clear_registers(struct totient_keygen *ip)
{
    const uint32_t control = AT(CONTROL_MOD_EXP_FINISH.CONTROL);
    totient_result result =
        write_word(ip, control, RSA_KEYGEN_REGISTERS__CONTROL__RESET_MOD_bm);
    if (result == TOTIENT_OK) result = write_word(ip, control, 0);
    /* No register tells when the memories are wiped, but an operation waits for it: one without
       operands, which is refused. */
    if (result == TOTIENT_OK) result = run(ip, MODE_GIVEN);
    return result < TOTIENT_ARGUMENT ? TOTIENT_OK : result;
}

static totient_result clear_stream(struct totient_keygen *ip)
{
    uint32_t status;
    totient_result result = TOTIENT_OK;
    if (ip->stream->reset != NULL) result = ip->stream->reset(ip->context);
    if (result == TOTIENT_OK)
        result = write_word(ip, STREAM_AT(CONTROL), RSA_STREAM_REGISTERS__CONTROL__CLEAR_bm);
    if (result == TOTIENT_OK)
        result = totient_registers_wait(ip->registers, STREAM_AT(STATUS),
                                        RSA_STREAM_REGISTERS__STATUS__BUSY_bm, false, &status);
    return result;
}

static totient_result clear(struct totient_keygen *ip)
{
    const totient_result result = ip->stream == NULL ? clear_registers(ip) : clear_stream(ip);
    ip->key_bits = ip->key_cycles = ip->message_cycles = ip->cycles = 0;
    ip->out_of_step = result != TOTIENT_OK;
    return result;
}

/* After a failure on the way an operation may still run: begin anew. Where that fails too, the next
   operation begins with it. */
static totient_result finished(struct totient_keygen *ip, totient_result result)
{
    if (result > TOTIENT_ARGUMENT) (void)clear(ip);
    return result;
}

static totient_result begin(struct totient_keygen *ip)
{
    return ip->out_of_step ? clear(ip) : TOTIENT_OK;
}

static totient_result open_at(struct totient_keygen *ip, const struct totient_registers *registers,
                              const struct totient_transport *stream, void *context,
                              uint32_t offset, uint32_t expected)
{
    uint32_t id = 0;
    ip->registers = registers;
    ip->stream = stream;
    ip->context = context;
    totient_result result = read_word(ip, offset, &id);
    if (result == TOTIENT_OK && id != expected) result = TOTIENT_NO_CORE;
    if (result == TOTIENT_OK && stream == NULL) result = read_word(ip, offset + WORD, &ip->version);
    if (result == TOTIENT_OK) result = clear(ip);
    if (result != TOTIENT_OK) memset(ip, 0, sizeof *ip); /* it refuses everything */
    return result;
}

static bool usable(const struct totient_registers *registers)
{
    return registers != NULL && registers->read != NULL && registers->write != NULL;
}

totient_result totient_keygen_open(struct totient_keygen *ip,
                                   const struct totient_registers *registers)
{
    if (ip == NULL) return TOTIENT_ARGUMENT;
    memset(ip, 0, sizeof *ip);
    if (!usable(registers)) return TOTIENT_ARGUMENT;
    return open_at(ip, registers, NULL, NULL, AT(IDENTIFICATION),
                   RSA_KEYGEN_REGISTERS__IDENTIFICATION__ID_reset);
}

totient_result totient_keygen_open_stream(struct totient_keygen *ip,
                                          const struct totient_registers *registers,
                                          const struct totient_transport *stream, void *context)
{
    if (ip == NULL) return TOTIENT_ARGUMENT;
    memset(ip, 0, sizeof *ip);
    if (!usable(registers) || stream == NULL || stream->send == NULL || stream->receive == NULL)
        return TOTIENT_ARGUMENT;
    return open_at(ip, registers, stream, context, STREAM_AT(IDENTIFICATION),
                   RSA_STREAM_REGISTERS__IDENTIFICATION__ID_reset);
}

/* Streams: passes a message of so many words, and looks at what became of it. */
static totient_result pass(struct totient_keygen *ip, const uint8_t *message, size_t message_length,
                           uint8_t *result, size_t result_length, size_t words, uint32_t *status)
{
    totient_result code =
        totient_send_number(ip->stream, ip->context, message, message_length, words, true);
    if (result != NULL) totient_wipe(result, result_length);
    if (code == TOTIENT_OK)
        code = totient_receive_number(ip->stream, ip->context, result, result_length, words, true);
    if (code == TOTIENT_OK) code = read_word(ip, STREAM_AT(STATUS), status);
    if (code == TOTIENT_OK) code = read_word(ip, STREAM_AT(MESSAGE_CYCLES), &ip->message_cycles);
    if (code != TOTIENT_OK) return code;
    return refusal(*status >> RSA_STREAM_REGISTERS__STATUS__ERROR_bp & ERROR_bm);
}

static totient_result make_by_registers(struct totient_keygen *ip, const uint8_t *p,
                                        size_t p_length, const uint8_t *q, size_t q_length,
                                        struct totient_key *key)
{
    const size_t words = words_of(2 * PRIME_BITS);
    totient_result result = write_number(ip, AT(P_DATA_MSG.P), p, p_length, words_of(PRIME_BITS));
    if (result == TOTIENT_OK)
        result = write_number(ip, AT(Q_DATA_ENCRYPT.Q), q, q_length, words_of(PRIME_BITS));
    if (result == TOTIENT_OK) result = write_number(ip, AT(I_MSG_DATA_DECRYPT.I_MSG), p, 0, words);
    if (result == TOTIENT_OK) result = run(ip, MODE_ENCRYPT);
    if (result == TOTIENT_OK)
        result = read_word(ip, AT(Q_DATA_ENCRYPT.DATA_ENCRYPT), &key->public_exponent);
    if (result == TOTIENT_OK)
        result = read_number(ip, AT(I_KEY_N_OUTPUT.N_OUTPUT), key->modulus, key->modulus_length,
                             words);
    if (result == TOTIENT_OK)
        result = read_number(ip, AT(I_MSG_DATA_DECRYPT.DATA_DECRYPT), key->exponent,
                             key->exponent_length, words);
    return result;
}

static totient_result make_by_stream(struct totient_keygen *ip, const uint8_t *p, size_t p_length,
                                     const uint8_t *q, size_t q_length, uint32_t public_exponent,
                                     size_t words, struct totient_key *key)
{
    const size_t prime_words = words_of(STREAM_PRIME_BITS);
    uint32_t status = 0;
    totient_result result = write_word(ip, STREAM_AT(DIRECTION), TOTIENT_PUBLIC);
    if (result == TOTIENT_OK) result = write_word(ip, STREAM_AT(EXPONENT), public_exponent);
    if (result == TOTIENT_OK)
        result = write_number(ip, STREAM_AT(PRIME1), p, p_length, prime_words);
    if (result == TOTIENT_OK)
        result = write_number(ip, STREAM_AT(PRIME2), q, q_length, prime_words);
    /* Without a key each of these words is a message, and answered by one. */
    if (result == TOTIENT_OK) result = pass(ip, p, 0, NULL, 0, words, &status);
    const uint32_t there = RSA_STREAM_REGISTERS__STATUS__KEY_bm
                           | (uint32_t)words << RSA_STREAM_REGISTERS__STATUS__WORDS_bp;
    const uint32_t mask =
        RSA_STREAM_REGISTERS__STATUS__KEY_bm | RSA_STREAM_REGISTERS__STATUS__WORDS_bm;
    if (result == TOTIENT_OK && (status & mask) != there) result = TOTIENT_PROTOCOL;
    if (result == TOTIENT_OK) result = read_word(ip, STREAM_AT(KEY_CYCLES), &ip->key_cycles);
    if (result == TOTIENT_OK)
        result = read_word(ip, STREAM_AT(KEY_EXPONENT), &key->public_exponent);
    if (result == TOTIENT_OK)
        result = read_number(ip, STREAM_AT(MODULUS), key->modulus, key->modulus_length, words);
    if (result == TOTIENT_OK)
        result = read_number(ip, STREAM_AT(PRIVATE), key->exponent, key->exponent_length, words);
    return result;
}

totient_result totient_keygen_make(struct totient_keygen *ip, const uint8_t *p, size_t p_length,
                                   const uint8_t *q, size_t q_length, uint32_t public_exponent,
                                   struct totient_key *key)
{
    if (ip == NULL || ip->registers == NULL || p == NULL || q == NULL || key == NULL
        || key->modulus == NULL || key->exponent == NULL)
        return TOTIENT_ARGUMENT;
    const size_t p_bits = bit_length(p, p_length), q_bits = bit_length(q, q_length);
    const size_t bits = p_bits + q_bits, bytes = (bits + 7) / 8;
    const size_t most = ip->stream == NULL ? PRIME_BITS : STREAM_PRIME_BITS;
    ip->key_bits = ip->key_cycles = ip->message_cycles = ip->cycles = 0;
    totient_wipe(key->modulus, key->modulus_length);
    totient_wipe(key->exponent, key->exponent_length);
    key->public_exponent = 0;
    if (p_bits > most || q_bits > most) return TOTIENT_LENGTH;
    if (p_bits == 0 || q_bits == 0) return TOTIENT_PRIME; /* the IPs call it a length of 0 */
    if (key->modulus_length < bytes || key->exponent_length < bytes) return TOTIENT_ARGUMENT;
    if (ip->stream == NULL && public_exponent != 0) return TOTIENT_COMMAND;
    totient_result result = begin(ip);
    if (result != TOTIENT_OK) return result;
    if (ip->stream == NULL)
        result = make_by_registers(ip, p, p_length, q, q_length, key);
    else
        result = make_by_stream(ip, p, p_length, q, q_length, public_exponent, words_of(bits), key);
    if (result == TOTIENT_OK) {
        ip->key_bits = (uint32_t)bits;
    } else {
        totient_wipe(key->modulus, key->modulus_length);
        totient_wipe(key->exponent, key->exponent_length);
        key->public_exponent = 0;
    }
    return finished(ip, result);
}

/* Registers: a message of up to 64 bits, and its result. */
static totient_result raise_by_registers(struct totient_keygen *ip, uint32_t mode,
                                         const uint8_t *message, size_t message_length,
                                         uint8_t *result, size_t result_length)
{
    const size_t words = words_of(GIVEN_BITS);
    totient_result code =
        write_number(ip, AT(I_MSG_DATA_DECRYPT.I_MSG), message, message_length, words);
    totient_wipe(result, result_length);
    if (code == TOTIENT_OK) code = run(ip, mode);
    if (code == TOTIENT_OK)
        code = read_number(ip, AT(P_DATA_MSG.DATA_MSG), result, result_length, words);
    return code;
}

totient_result totient_keygen_raise(struct totient_keygen *ip, enum totient_exponent exponent,
                                    const uint8_t *message, size_t message_length, uint8_t *result,
                                    size_t result_length)
{
    if (ip == NULL || ip->registers == NULL || message == NULL || result == NULL)
        return TOTIENT_ARGUMENT;
    const bool private = exponent == TOTIENT_PRIVATE;
    const size_t words = words_of(ip->key_bits);
    uint32_t status = 0;
    totient_result code = private || exponent == TOTIENT_PUBLIC ? TOTIENT_OK : TOTIENT_ARGUMENT;
    if (code == TOTIENT_OK && ip->key_bits == 0) code = TOTIENT_NO_KEY;
    if (code == TOTIENT_OK && result_length < (ip->key_bits + 7) / 8) code = TOTIENT_ARGUMENT;
    if (code == TOTIENT_OK && reaches(message, message_length, 32 * words))
        code = TOTIENT_BASE_NOT_BELOW;
    if (code == TOTIENT_OK && ip->stream == NULL) {
        code = raise_by_registers(ip, private ? MODE_DECRYPT : MODE_ENCRYPT, message,
                                  message_length, result, result_length);
    } else if (code == TOTIENT_OK) {
        ip->key_cycles = 0;
        code = write_word(ip, STREAM_AT(DIRECTION), (uint32_t)exponent);
        if (code == TOTIENT_OK)
            code = pass(ip, message, message_length, result, result_length, words, &status);
    }
    if (code != TOTIENT_OK) totient_wipe(result, result_length);
    return finished(ip, code);
}

totient_result totient_keygen_raise_given(struct totient_keygen *ip, const uint8_t *modulus,
                                          size_t modulus_length, const uint8_t *exponent,
                                          size_t exponent_length, const uint8_t *message,
                                          size_t message_length, uint8_t *result,
                                          size_t result_length)
{
    if (ip == NULL || ip->registers == NULL || modulus == NULL || exponent == NULL
        || message == NULL || result == NULL)
        return TOTIENT_ARGUMENT;
    const size_t bits = bit_length(modulus, modulus_length), words = words_of(GIVEN_BITS);
    totient_result code = ip->stream != NULL ? TOTIENT_COMMAND : begin(ip);
    if (code == TOTIENT_OK
        && (bits > GIVEN_BITS || reaches(exponent, exponent_length, GIVEN_BITS)))
        code = TOTIENT_LENGTH;
    if (code == TOTIENT_OK && result_length < (bits + 7) / 8) code = TOTIENT_ARGUMENT;
    if (code == TOTIENT_OK && reaches(message, message_length, GIVEN_BITS))
        code = TOTIENT_BASE_NOT_BELOW;
    if (code == TOTIENT_OK)
        code = write_number(ip, AT(I_N_CLK_COUNT.I_N), modulus, modulus_length, words);
    if (code == TOTIENT_OK)
        code = write_number(ip, AT(I_KEY_N_OUTPUT.I_KEY), exponent, exponent_length, words);
    if (code == TOTIENT_OK)
        code = raise_by_registers(ip, MODE_GIVEN, message, message_length, result, result_length);
    if (code != TOTIENT_OK) totient_wipe(result, result_length);
    return finished(ip, code);
}

totient_result totient_keygen_clear(struct totient_keygen *ip)
{
    if (ip == NULL || ip->registers == NULL) return TOTIENT_ARGUMENT;
    return clear(ip);
}
