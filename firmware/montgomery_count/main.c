/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts a form on a simulated processor: each operation between its own marks, each result a line
 * of 16 digits. Form 0 does nothing; what its call takes is taken off the others' (its one
 * instruction is the return, which they have, too).
 */
#include "montgomery.h"
#include "processor.h"

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
static uint64_t power_assembly(uint64_t a, uint64_t b, uint64_t n)
{
    return power_montgomery(montgomery_assembly, a, b, n);
}

/* In the order of `totient.reproduce.diemert_counts`. */
static montgomery_form *const forms[] = {
    nothing,         montgomery_plain,      montgomery_optimised, montgomery_words,
    montgomery_assembly, power_table,       power_remainder,      power_remainder_short,
    power_plain,     power_optimised,       power_words,          power_assembly};

/* Written by whoever runs the program. */
uint32_t form = 1, count = 1;
uint64_t operands[3 * MOST] = {1};

/* One instruction on any processor: the number that comes first is the result. */
__attribute__((naked, noinline)) static uint64_t nothing(uint64_t a, uint64_t b, uint64_t n)
{
    __asm__("bx lr");
}

int main(void)
{
    if (form >= sizeof forms / sizeof *forms || count > MOST) return 1;
    montgomery_form *const chosen = forms[form];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t a = operands[3 * i], b = operands[3 * i + 1], n = operands[3 * i + 2];
        mark_begin();
        const uint64_t result = chosen(a, b, n);
        mark_end();
        print_number(result, 8);
        print_text("\n");
    }
    return 0;
}
