/* SPDX-License-Identifier: Apache-2.0 */
/* Output, end and marks on the soft-CPU system: serial port, and the timer's cycles. */
#include "../../loader/loader.h"
#include "processor.h"

enum { PAIRS = 64 + 2 /* of processor_start */ };
#define REGISTER(address) (*(volatile uint32_t *)(address))

static struct loader_registers at;
static uint32_t since, counts[PAIRS];
static unsigned pairs;

__attribute__((noreturn)) void processor_reset(const struct loader_registers *registers);

void processor_reset(const struct loader_registers *registers)
{
    at = *registers;
    processor_start();
}

/* Both take the count after the same instructions, and at the same place of a line of the cache. */
static inline uint32_t now(void)
{
    REGISTER(at.latch) = 1;
    return REGISTER(at.cycles);
}

__attribute__((noinline, aligned(32))) void mark_begin(void)
{
    since = now();
}

__attribute__((noinline, aligned(32))) void mark_end(void)
{
    const uint32_t cycles = now() - since;
    if (pairs < PAIRS) counts[pairs] = cycles;
    pairs++;
}

void processor_put(char character)
{
    while ((REGISTER(at.transmit_full) & 1) != 0) {}
    REGISTER(at.transmit) = (uint8_t)character;
}

/* Counts are told at the end, so that nothing is printed between two marks. */
void processor_stop(void)
{
    for (unsigned i = 0; i < pairs && i < PAIRS; i++) {
        print_text("#count ");
        print_number(counts[i], 4);
        print_text("\n");
    }
    print_text(pairs <= PAIRS ? "#stop\n" : "#many\n");
    for (;;) {}
}
