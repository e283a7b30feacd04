/* SPDX-License-Identifier: Apache-2.0 */
/* The Montgomery multiplier by its registers (contract/modmul_registers.rdl). */
#include "totient/modmul.h"

#include <string.h>

#include "internal.h"
#include "totient/modmul_registers.h"

#define AT(name) ((uint32_t)offsetof(modmul_registers_t, name))

enum { WORD = 4 /* bytes */, ERROR_bm = 15 };

static totient_result read_word(const struct totient_modmul *multiplier, uint32_t offset,
                                uint32_t *word)
{
    return multiplier->registers->read(multiplier->registers->bus, offset, word);
}

static totient_result write_word(const struct totient_modmul *multiplier, uint32_t offset,
                                 uint32_t word)
{
    return multiplier->registers->write(multiplier->registers->bus, offset, word);
}

/* The low word comes first. */
static totient_result write_number(const struct totient_modmul *multiplier, uint32_t offset,
                                   uint64_t number)
{
    const totient_result result = write_word(multiplier, offset, (uint32_t)number);
    if (result != TOTIENT_OK) return result;
    return write_word(multiplier, offset + WORD, (uint32_t)(number >> 32));
}

totient_result totient_modmul_clear(struct totient_modmul *multiplier)
{
    if (multiplier == NULL || multiplier->registers == NULL) return TOTIENT_ARGUMENT;
    multiplier->modulus_bits = 0;
    return write_word(multiplier, AT(CONTROL), MODMUL_REGISTERS__CONTROL__CLEAR_bm);
}

totient_result totient_modmul_open(struct totient_modmul *multiplier,
                                   const struct totient_registers *registers)
{
    uint32_t id = 0;
    if (multiplier == NULL) return TOTIENT_ARGUMENT;
    memset(multiplier, 0, sizeof *multiplier);
    if (registers == NULL || registers->read == NULL || registers->write == NULL)
        return TOTIENT_ARGUMENT;
    multiplier->registers = registers;
    totient_result result = read_word(multiplier, AT(IDENTIFICATION), &id);
    if (result == TOTIENT_OK && id != MODMUL_REGISTERS__IDENTIFICATION__ID_reset)
        result = TOTIENT_NO_CORE;
    if (result == TOTIENT_OK)
        result = read_word(multiplier, AT(IDENTIFICATION) + WORD, &multiplier->version);
    if (result == TOTIENT_OK) result = read_word(multiplier, AT(WIDTH), &multiplier->bits);
    if (result == TOTIENT_OK && (multiplier->bits == 0 || multiplier->bits > 64))
        result = TOTIENT_PROTOCOL;
    if (result == TOTIENT_OK) result = totient_modmul_clear(multiplier);
    if (result != TOTIENT_OK) memset(multiplier, 0, sizeof *multiplier); /* it refuses everything */
    return result;
}

totient_result totient_modmul_load(struct totient_modmul *multiplier, uint64_t modulus)
{
    uint32_t bits = 0;
    if (multiplier == NULL || multiplier->registers == NULL) return TOTIENT_ARGUMENT;
    multiplier->modulus_bits = 0;
    for (uint64_t left = modulus; left != 0; left >>= 1) bits++;
    if (bits > multiplier->bits) return TOTIENT_LENGTH;
    if ((modulus & 1) == 0) return TOTIENT_MODULUS_EVEN;
    /* A product that was not waited for ends here. */
    totient_result result = totient_modmul_clear(multiplier);
    if (result == TOTIENT_OK) result = write_number(multiplier, AT(MODULUS), modulus);
    if (result == TOTIENT_OK) multiplier->modulus_bits = bits;
    return result;
}

static totient_result multiply(const struct totient_modmul *multiplier, uint64_t a, uint64_t b,
                               uint64_t *product)
{
    uint32_t state = 0, low = 0, high = 0;
    totient_result result = write_number(multiplier, AT(A), a);
    if (result == TOTIENT_OK) result = write_number(multiplier, AT(B), b);
    if (result == TOTIENT_OK)
        result = write_word(multiplier, AT(CONTROL), MODMUL_REGISTERS__CONTROL__START_bm);
    if (result == TOTIENT_OK)
        result = totient_registers_wait(multiplier->registers, AT(STATUS),
                                        MODMUL_REGISTERS__STATUS__COMPLETE_bm, true, &state);
    if (result != TOTIENT_OK) return result;
    switch (state >> MODMUL_REGISTERS__STATUS__ERROR_bp & ERROR_bm) {
    case TOTIENT_OK:
        break;
    case TOTIENT_LENGTH: /* an operand is longer than any modulus */
    case TOTIENT_BASE_NOT_BELOW:
        return TOTIENT_BASE_NOT_BELOW;
    default:
        return TOTIENT_PROTOCOL;
    }
    result = read_word(multiplier, AT(PRODUCT), &low);
    if (result == TOTIENT_OK) result = read_word(multiplier, AT(PRODUCT) + WORD, &high);
    if (result == TOTIENT_OK) *product = (uint64_t)high << 32 | low;
    return result;
}

totient_result totient_modmul_multiply(struct totient_modmul *multiplier, uint64_t a, uint64_t b,
                                       uint64_t *product)
{
    if (product != NULL) *product = 0;
    if (multiplier == NULL || multiplier->registers == NULL || product == NULL)
        return TOTIENT_ARGUMENT;
    if (multiplier->modulus_bits == 0) return TOTIENT_NO_KEY;
    const totient_result result = multiply(multiplier, a, b, product);
    /* After a failure on the way a product may still be formed: the next one begins with a load. */
    if (result > TOTIENT_ARGUMENT) multiplier->modulus_bits = 0;
    return result;
}

totient_result totient_modmul_cycles(const struct totient_modmul *multiplier, uint32_t *cycles)
{
    if (multiplier == NULL || multiplier->registers == NULL || cycles == NULL)
        return TOTIENT_ARGUMENT;
    return read_word(multiplier, AT(CYCLES), cycles);
}
