/* SPDX-License-Identifier: Apache-2.0 */
/* A power by repeated multiplication: as many steps as `input[1]` says, counted. */
#include "processor.h"

volatile uint32_t input[2] = {3, 5};

int main(void)
{
    uint32_t power = 1;
    mark_begin();
    for (uint32_t left = input[1]; left > 0; left--) power *= input[0];
    mark_end();
    print_text("power ");
    print_number(power, 4);
    mark_begin();
    mark_end();
    return 7;
}
