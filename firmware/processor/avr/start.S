/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main on an AVR; the sections' order is the linker's, libgcc fills .init4 with data. */
#include <avr/io.h>

.section .vectors, "ax", @progbits
    jmp __init
    .rept (_VECTORS_SIZE / 4) - 1
    jmp unexpected
    .endr

.section .init0, "ax", @progbits
.global __init
__init:
    clr r1
    out _SFR_IO_ADDR(SREG), r1
    ldi r28, lo8(RAMEND)
    ldi r29, hi8(RAMEND)
    out _SFR_IO_ADDR(SPH), r29
    out _SFR_IO_ADDR(SPL), r28

.section .init9, "ax", @progbits
    call processor_start

.text
.global _stack
.set _stack, 0x800000 + RAMEND + 1

/* In assembly: nothing before their first instruction, which is where the count is taken. */
.global mark_begin
mark_begin:
    ret
.global mark_end
mark_end:
    ret

/* Output goes through a register for general purposes, which the simulator watches. */
.global processor_put
processor_put:
    out _SFR_IO_ADDR(GPIOR0), r24
    ret

.global processor_stop
processor_stop:
    cli
    sleep
    rjmp processor_stop

unexpected:
    ldi r24, 255
    clr r25
    call processor_end
