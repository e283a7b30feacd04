/* SPDX-License-Identifier: Apache-2.0 */
/*
 * montgomery_row of montgomery.h for MSP430 with a hardware multiplier, words of 16 bits.
 * HARDWARE_MULTIPLIER is the address of its registers: 0x130 in the families 1xx to 4xx, 0x4C0 in 5xx and 6xx.
 * An interrupt that multiplies must leave the multiplier as it was.
 *
 * The multiplier keeps its first factor, so that a row is two passes: sum += a b, then sum = (sum + q n) / 2^16,
 * each a word a step. A step's word is that of the sum plus the lower half of the product plus what is
 * carried; the upper half plus the two carries of that is carried on, and never overflows.
 */
#if defined __MSP430__ && defined RSA_ASSEMBLY
#ifndef HARDWARE_MULTIPLIER
#error "HARDWARE_MULTIPLIER is the address of the multiplier's registers"
#endif
.set MPY, HARDWARE_MULTIPLIER
.set OP2, HARDWARE_MULTIPLIER + 8
.set RESLO, HARDWARE_MULTIPLIER + 10
.set RESHI, HARDWARE_MULTIPLIER + 12
/* q and k on the stack, above four registers and the return address. */
.set Q, 10
.set K, 12

/* \factors: number of the register that points to them; \carry: what is carried in, then the sum's word;
   \next: what is carried on. mov @rN+, &OP2 is in words, as LLVM's assembler does not know it. */
.macro multiply factors, carry, next
    .word 0x40b2 | \factors << 8, OP2
    add &RESLO, \carry
    mov &RESHI, \next
    adc \next
.endm
.macro add_step place, carry, next
    multiply 13, \carry, \next
    add \carry, \place(r12)
    adc \next
.endm
.macro reduce_step carry, next
    multiply 14, \carry, \next
    add @r12+, \carry
    adc \next
    mov \carry, -4(r12)
.endm

.text
.balign 2
.global montgomery_row
/* sum r12, b r13, n r14, a r15, q and k on the stack. */
montgomery_row:
    push r10
    push r9
    push r8
    push r7
    mov r12, r8
    mov r15, &MPY
    clr r11
    /* As many words as leave a multiple of four, and four at a time. */
    mov K(r1), r9
    and #3, r9
    jz 2f
1:  add_step 0, r11, r10
    mov r10, r11
    incd r12
    dec r9
    jnz 1b
2:  mov K(r1), r9
    rra r9
    rra r9
    jz 4f
3:  add_step 0, r11, r10
    add_step 2, r10, r11
    add_step 4, r11, r10
    add_step 6, r10, r11
    add #8, r12
    dec r9
    jnz 3b
4:  mov r11, r7
    mov r8, r12
    mov Q(r1), &MPY
    clr r11
    mov K(r1), r9
    and #3, r9
    jz 6f
5:  reduce_step r11, r10
    mov r10, r11
    dec r9
    jnz 5b
6:  mov K(r1), r9
    rra r9
    rra r9
    jz 8f
7:  reduce_step r11, r10
    reduce_step r10, r11
    reduce_step r11, r10
    reduce_step r10, r11
    dec r9
    jnz 7b
    /* sum[k - 1] and sum[k]. */
8:  clr r10
    add r7, r11
    adc r10
    add @r12, r11
    adc r10
    mov r11, -2(r12)
    mov r10, 0(r12)
    pop r7
    pop r8
    pop r9
    pop r10
    ret
#endif
