/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts a form on a simulated processor: each operation between its own marks, each result a line
 * of 16 digits. Form 0 does nothing; what its call takes is taken off the others' (its one
 * instruction is the return, which they have, too).
 */
#include "montgomery.h"
#include "processor.h"
#include "totient/modmul.h"
#include "totient/modmul_registers.h"

enum { MOST = 256 };

static uint64_t nothing(uint64_t a, uint64_t b, uint64_t n);
static uint64_t power_plain(uint64_t a, uint64_t b, uint64_t n)
{
    return power_montgomery(montgomery_plain, a, b, n);
}
static uint64_t power_optimised(uint64_t a, uint64_t b, uint64_t n)
{
    return power_montgomery(montgomery_optimised, a, b, n);
}
static uint64_t power_words(uint64_t a, uint64_t b, uint64_t n)
{
    return power_montgomery(montgomery_words, a, b, n);
}

/* In assembly, or by the coprocessor, where there is one. */
#ifdef COPROCESSOR
static const struct totient_registers registers = {
    .read = totient_mapped_read, .write = totient_mapped_write, .bus = (void *)COPROCESSOR};
static struct totient_modmul multiplier;
static uint64_t modulus;

static uint64_t montgomery_best(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t product = 0;
    totient_result result = TOTIENT_OK;
    if (n != modulus) result = totient_modmul_load(&multiplier, modulus = n);
    if (result == TOTIENT_OK) result = totient_modmul_multiply(&multiplier, a, b, &product);
    if (result != TOTIENT_OK) print_text("refused ");
    return product;
}

/* The same without the driver: the registers at their addresses. It wants good operands. */
static uint64_t montgomery_direct(uint64_t a, uint64_t b, uint64_t n)
{
    volatile modmul_registers_t *const at = (volatile modmul_registers_t *)COPROCESSOR;
    volatile uint32_t *const first = (volatile uint32_t *)&at->A;
    volatile uint32_t *const second = (volatile uint32_t *)&at->B;
    volatile const uint32_t *const product = (volatile const uint32_t *)&at->PRODUCT;
    if (n != modulus) return montgomery_best(a, b, n);
    first[0] = (uint32_t)a;
    first[1] = (uint32_t)(a >> 32);
    second[0] = (uint32_t)b;
    second[1] = (uint32_t)(b >> 32);
    at->CONTROL = MODMUL_REGISTERS__CONTROL__START_bm;
    while ((at->STATUS & MODMUL_REGISTERS__STATUS__COMPLETE_bm) == 0) {}
    return (uint64_t)product[1] << 32 | product[0];
}
#elif defined(__arm__)
#define montgomery_best montgomery_assembly
#else
#define montgomery_best montgomery_optimised
#endif
#ifndef COPROCESSOR
#define montgomery_direct montgomery_best
#endif
static uint64_t power_best(uint64_t a, uint64_t b, uint64_t n)
{
    return power_montgomery(montgomery_best, a, b, n);
}
static uint64_t power_direct(uint64_t a, uint64_t b, uint64_t n)
{
    return power_montgomery(montgomery_direct, a, b, n);
}

/* RISC-V's compiler brings no division of 64 bits. Look-up tables are counted on ARM. */
#ifdef __riscv
#define power_remainder_short nothing
#else
/* Making a look-up table, whose last entry is the result, and a power by it. */
static struct power_squares squares;
static uint64_t table_make(uint64_t a, uint64_t b, uint64_t n)
{
    (void)b;
    return power_squares_make(&squares, a, n) == TOTIENT_OK ? squares.square[POWER_SQUARES - 1] : 0;
}
static uint64_t table_raise(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t result = 0;
    (void)a;
    (void)n;
    return power_squares_raise(&squares, b, &result) == TOTIENT_OK ? result : 0;
}
static void prepare(montgomery_form *chosen, uint64_t a, uint64_t n)
{
    if (chosen == table_raise && power_squares_make(&squares, a, n) != TOTIENT_OK)
        print_text("refused ");
}
#endif

/* In the order of FORMS in src/totient/reproduce/diemert_counts.py. */
static montgomery_form *const forms[] = {
    nothing,     montgomery_plain, montgomery_optimised,  montgomery_words, montgomery_best,
    power_table, power_remainder,  power_remainder_short, power_plain,      power_optimised,
    power_words, power_best,       montgomery_direct,     power_direct,
#ifndef __riscv
    table_make,  table_raise,
#endif
};

/* Written by whoever runs the program. */
uint32_t form = 1, count = 1;
uint64_t operands[3 * MOST] = {1};

/* One instruction: the number that comes first is the result. */
__attribute__((naked, noinline)) static uint64_t nothing(uint64_t a, uint64_t b, uint64_t n)
{
#ifdef __riscv
    __asm__("ret");
#else
    __asm__("bx lr");
#endif
}

int main(void)
{
    if (form >= sizeof forms / sizeof *forms || count > MOST) return 1;
    montgomery_form *const chosen = forms[form];
#ifdef COPROCESSOR
    if (totient_modmul_open(&multiplier, &registers) != TOTIENT_OK) return 2;
#endif
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t a = operands[3 * i], b = operands[3 * i + 1], n = operands[3 * i + 2];
#ifndef __riscv
        prepare(chosen, a, n);
#endif
        mark_begin();
        const uint64_t result = chosen(a, b, n);
        mark_end();
        print_number(result, 8);
        print_text("\n");
    }
    return 0;
}
