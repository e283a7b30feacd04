/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes a program over the serial line, its length first (32 bits, least significant byte first), and
 * calls it with the addresses of the registers that it needs.
 */
#include "console.h"
#include "loader.h"
#include "system.h"

static uint8_t get(void) { return (uint8_t)console_character(); }

int main(void)
{
    static const struct loader_registers registers = {
        .transmit = CSR_UART_RXTX_ADDR,
        .transmit_full = CSR_UART_TXFULL_ADDR,
        .latch = CSR_TIMER0_UPTIME_LATCH_ADDR,
        .cycles = CSR_TIMER0_UPTIME_CYCLES_ADDR + 4,
    };
    uint32_t length = 0;
    for (int i = 0; i < 4; i++) length |= (uint32_t)get() << 8 * i;
    volatile uint8_t *const memory = (uint8_t *)LOADER_MEMORY;
    for (uint32_t i = 0; i < length; i++) memory[i] = get();
    __asm__ volatile("fence.i" ::: "memory");
    ((void (*)(const struct loader_registers *))LOADER_MEMORY)(&registers);
    for (;;) {}
}
