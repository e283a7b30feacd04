/* SPDX-License-Identifier: Apache-2.0 */
/*
 * firmware/montgomery on this machine. Reads lines `FUNCTION FORM A B N`, numbers in hexadecimal: FUNCTION
 * is multiply, raise or raise_montgomery, FORM its name or `-` for a null pointer, N may have `!` before it
 * for a null pointer in the result's place. FUNCTION `make` computes the table of A and N, `look_up` raises
 * to B by the last one. Answers with the code and the result, a line each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montgomery.h"

static montgomery_form *form_of(const char *name)
{
    static const struct {
        const char *name;
        montgomery_form *form;
    } forms[] = {{"plain", montgomery_plain},       {"optimised", montgomery_optimised},
                 {"words", montgomery_words},       {"table", power_table},
                 {"remainder", power_remainder},    {"remainder-short", power_remainder_short}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(name, forms[i].name) == 0) return forms[i].form;
    return NULL;
}

int main(void)
{
    static struct power_squares squares;
    char function[32], form[32], modulus[32];
    uint64_t a, b;
    while (scanf("%31s %31s %" SCNx64 " %" SCNx64 " %31s", function, form, &a, &b, modulus) == 5) {
        const int hidden = modulus[0] == '!';
        const uint64_t n = strtoull(modulus + hidden, NULL, 16);
        uint64_t result = 5, *const to = hidden ? NULL : &result;
        struct power_squares *const table = form[0] == '-' ? NULL : &squares;
        totient_result code = TOTIENT_PROTOCOL;
        if (strcmp(function, "multiply") == 0) code = montgomery_multiply(form_of(form), a, b, n, to);
        if (strcmp(function, "raise") == 0) code = power_raise(form_of(form), a, b, n, to);
        if (strcmp(function, "make") == 0) code = power_squares_make(table, a, n);
        if (strcmp(function, "look_up") == 0) code = power_squares_raise(table, b, to);
        if (strcmp(function, "raise_montgomery") == 0)
            code = power_raise_montgomery(form_of(form), a, b, n, to);
        printf("%d %" PRIx64 "\n", (int)code, result);
    }
    return 0;
}
