/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Montgomery multiplier for moduli of up to 64 bits behind registers
 * (rtl/ip/modmul_montgomery_axil.sv), a coprocessor: product = a b / 2^L mod n, L the bits of n.
 *
 * Its numbers are machine words and not byte strings, as a program has them that exponentiates with
 * it. Time: that of the bus and of L, no other value's; a refusal is sooner. The operands stay in
 * the multiplier until others are written or it is cleared.
 *
 *     struct totient_registers registers = {.read = totient_mapped_read,
 *                                           .write = totient_mapped_write, .bus = base};
 *     struct totient_modmul multiplier;
 *     totient_result result = totient_modmul_open(&multiplier, &registers);
 *     if (result == TOTIENT_OK) result = totient_modmul_load(&multiplier, n);
 *     if (result == TOTIENT_OK) result = totient_modmul_multiply(&multiplier, a, b, &product);
 */
#ifndef TOTIENT_MODMUL_H
#define TOTIENT_MODMUL_H

#include "totient/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A multiplier that has been opened. Its fields are read-only for the caller. */
struct totient_modmul {
    const struct totient_registers *registers;
    uint32_t version;      /**< 0x00MMmmpp. */
    uint32_t bits;         /**< Longest modulus. */
    uint32_t modulus_bits; /**< Of the modulus that is loaded; 0: there is none. */
};

/**
 * Opens the multiplier, and clears it. TOTIENT_NO_CORE: what is there is something else.
 *
 * @param registers must outlive the handle; `room` is not used.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_modmul_open(struct totient_modmul *multiplier,
                                                      const struct totient_registers *registers);

/**
 * Loads a modulus for the products to come.
 *
 * @param modulus odd, else TOTIENT_MODULUS_EVEN; TOTIENT_LENGTH for one that is too long. The one
 *                before is gone then, too.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_modmul_load(struct totient_modmul *multiplier,
                                                      uint64_t modulus);

/**
 * Forms a product.
 *
 * @param a, b below the modulus, else TOTIENT_BASE_NOT_BELOW; TOTIENT_NO_KEY before a modulus is
 *             loaded, and after the bus has failed or the product did not come in time.
 * @param product 0 on an error.
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_modmul_multiply(struct totient_modmul *multiplier,
                                                          uint64_t a, uint64_t b,
                                                          uint64_t *product);

/**
 * Clock cycles of the last product, by the multiplier's own count.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_modmul_cycles(const struct totient_modmul *multiplier,
                                                        uint32_t *cycles);

/**
 * Wipes operands, modulus and product; ends what is under way.
 *
 * @threads one
 * @fork one
 */
TOTIENT_MUST_CHECK totient_result totient_modmul_clear(struct totient_modmul *multiplier);

#ifdef __cplusplus
}
#endif

#endif
