/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main on an Xtensa with the call0 ABI; output and end by the simulator's calls. */
.section .reset, "ax" /* at the address that the processor starts from, constants behind it */
    j _start

.section .start, "ax"
.literal_position
.global _start
_start:
    movi a1, _stack
    movi a2, _bss_start
    movi a3, _bss_end
    movi a4, 0
1:  bgeu a2, a3, 2f
    s32i a4, a2, 0
    addi a2, a2, 4
    j 1b
2:  movi a0, 0
    call0 processor_start

.text
/* In assembly: nothing before their first instruction, which is where the count is taken. */
.align 4
.global mark_begin
mark_begin:
    ret
.align 4
.global mark_end
mark_end:
    ret

.align 4
.global processor_put
processor_put:
    addi a1, a1, -16
    s8i a2, a1, 0
    movi a2, 4 /* write */
    movi a3, 1 /* the standard output */
    mov a4, a1
    movi a5, 1
    simcall
    addi a1, a1, 16
    ret

.align 4
.global processor_stop
processor_stop:
    movi a2, 1 /* exit */
    movi a3, 0
    simcall
    j processor_stop
