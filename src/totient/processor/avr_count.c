/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program on simavr and counts clock cycles between two addresses.
 *
 * Arguments: PROCESSOR CLOCK_HZ PROGRAM.elf BEGIN END OUTPUT COUNTS. Each time the program counter reaches BEGIN
 * (bytes) the cycle is noted, each time it reaches END the cycles since then are written to the file
 * COUNTS as a line. What the program writes to GPIOR0 goes to the file OUTPUT; it ends by sleeping with
 * interrupts off. Exit status 1, with a line on the standard error, if it crashes.
 */
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPIOR0 = 0x3E /* data address on all ATmega of the family */ };

static void put(struct avr_t *avr, avr_io_addr_t address, uint8_t value, void *parameter)
{
    (void)avr;
    (void)address;
    putc(value, parameter);
}

int main(int count, char **arguments)
{
    if (count != 8) return 2;
    const avr_flashaddr_t begin = strtoul(arguments[4], NULL, 0), end = strtoul(arguments[5], NULL, 0);
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(arguments[3], &firmware) != 0) return 2;
    avr_t *const avr = avr_make_mcu_by_name(arguments[1]);
    FILE *const text = fopen(arguments[6], "w"), *const out = fopen(arguments[7], "w");
    if (avr == NULL || text == NULL || out == NULL || avr_init(avr) != 0) return 2;
    avr->log = LOG_ERROR;
    avr->frequency = strtoul(arguments[2], NULL, 0);
    avr_load_firmware(avr, &firmware);
    avr_register_io_write(avr, GPIOR0, put, text);
    avr_cycle_count_t since = 0;
    for (;;) {
        if (avr->pc == begin) since = avr->cycle;
        if (avr->pc == end) fprintf(out, "%llu\n", (unsigned long long)(avr->cycle - since));
        const int state = avr_run(avr);
        if (state == cpu_Done) break;
        if (state == cpu_Crashed) {
            fprintf(stderr, "the program crashed at %#x\n", (unsigned)avr->pc);
            return 1;
        }
    }
    fclose(text);
    fclose(out);
    return 0;
}
