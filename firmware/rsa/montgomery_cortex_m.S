/* SPDX-License-Identifier: Apache-2.0 */
/*
 * montgomery_row of montgomery.h for ARM Cortex-M3 and M4 (Thumb-2), words of 32 bits.
 *
 * One step adds a b[j] and q n[j] with a carry each. The M4's UMAAL adds two words to a product at once;
 * the M3 takes UMLAL and carries the second word by itself.
 */
#if defined __arm__ && defined RSA_ASSEMBLY
    .syntax unified
    .thumb
    .text

sum .req r0
bs .req r1
ns .req r2
a .req r3
q .req r4
carry_a .req r5
carry_q .req r6
left .req r7

/* The sum's word in \word becomes the lower half of \word + a \b + q \n + carries; \high is free after. */
#if defined __ARM_FEATURE_DSP
.macro step word, bj, nj, high
    umaal \word, carry_a, a, \bj
    umaal \word, carry_q, q, \nj
.endm
#else
.macro step word, bj, nj, high
    mov \high, #0
    umlal \word, \high, a, \bj
    adds \word, \word, carry_a
    adc carry_a, \high, #0
    mov \high, #0
    umlal \word, \high, q, \nj
    adds \word, \word, carry_q
    adc carry_q, \high, #0
.endm
#endif

    .p2align 2
    .globl montgomery_row
    .type montgomery_row, %function
    .thumb_func
montgomery_row:
    push {r4-r11, lr}
    ldrd q, left, [sp, #36]
    mov carry_a, #0
    mov carry_q, #0
    ldr r8, [sum]
    ldr r9, [bs], #4
    ldr r10, [ns], #4
    step r8, r9, r10, r11
    str r8, [sum, #-4]
    subs left, #1
    /* One at a time until a multiple of four is left. */
1:  tst left, #3
    beq 2f
    ldr r8, [sum, #4]
    ldr r9, [bs], #4
    ldr r10, [ns], #4
    step r8, r9, r10, r11
    str r8, [sum], #4
    subs left, #1
    b 1b
2:  cmp left, #0
    beq 4f
3:
.rept 2
    ldrd r8, r9, [sum, #4]
    ldrd r10, r11, [bs], #8
    ldr r12, [ns], #4
    step r8, r10, r12, lr
    ldr r12, [ns], #4
    step r9, r11, r12, lr
    strd r8, r9, [sum], #8
.endr
    subs left, #4
    bne 3b
    /* sum[k - 1] and sum[k]. */
4:  ldr r8, [sum, #4]
    mov r9, #0
    adds r8, r8, carry_a
    adc r9, r9, #0
    adds r8, r8, carry_q
    adc r9, r9, #0
    strd r8, r9, [sum]
    pop {r4-r11, pc}
    .size montgomery_row, . - montgomery_row
#endif
