/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uint64_t montgomery_assembly(uint64_t a, uint64_t b, uint64_t n), for ARMv7-M (Thumb-2) and, the same
 * text, for A32 from ARMv5TE up, where `it` is no instruction.
 *
 * All numbers stay in registers: p in r11:r10:r9, b in r3:r2, n in r5:r4, b + n in r8:r7:r6, the
 * word of a whose bits are used up in r0, the other one in r1, bits left in lr. A carry goes from
 * one addition or shift into the next one by the flag alone. n without bits counts as one bit.
 */
#if defined(__arm__)
.syntax unified

/* lr steps, at least one, with the bits of r0. */
.macro steps
1:  lsrs  r0, r0, #1            /* carry = bit of a */
    bcc   3f
    eor   r12, r9, r2
    lsls  r12, r12, #31
    bne   2f
    adds  r9, r9, r2            /* p + b is even */
    adcs  r10, r10, r3
    adc   r11, r11, #0
    b     4f
3:  lsls  r12, r9, #31
    beq   4f
    adds  r9, r9, r4            /* p is odd */
    adcs  r10, r10, r5
    adc   r11, r11, #0
    b     4f
2:  adds  r9, r9, r6            /* p + b is odd */
    adcs  r10, r10, r7
    adc   r11, r11, r8
4:  lsrs  r11, r11, #1
    rrxs  r10, r10
    rrx   r9, r9
    subs  lr, lr, #1
    bne   1b
.endm

.section .text.montgomery_assembly, "ax"
.globl montgomery_assembly
.type montgomery_assembly, %function
montgomery_assembly:
    push  {r4-r11, lr}
    ldrd  r4, r5, [sp, #36]
    mov   r9, #0
    mov   r10, #0
    mov   r11, #0
    adds  r6, r2, r4
    adcs  r7, r3, r5
    adc   r8, r11, #0
    clz   r12, r4
    rsbs  lr, r12, #32          /* bits of the low word */
    it    eq
    moveq lr, #1
    cmp   r5, #0
    it    ne
    movne lr, #32
    steps
    clz   r12, r5
    rsbs  lr, r12, #32          /* bits of the high word */
    beq   5f
    mov   r0, r1
    steps
5:  subs  r0, r9, r4            /* p - n, if p is not below n */
    sbcs  r1, r10, r5
    sbcs  r11, r11, #0
    itt   cc
    movcc r0, r9
    movcc r1, r10
    pop   {r4-r11, pc}
.size montgomery_assembly, . - montgomery_assembly
#endif
