/* SPDX-License-Identifier: Apache-2.0 */
/*
 * montgomery_row of montgomery.h for ARM Cortex-M3 and M4 (Thumb-2), words of 32 bits.
 *
 * A step makes the sum's word the lower word of itself + a b[j] + q n[j] + what is carried. The M4's UMAAL
 * adds two words to a product at once, so that each product has a carry of its own. The M3 carries
 * high 2^32 + low, which is at most 2 (2^32 - 1), as follows from one step to the next; so neither UMLAL
 * overflows.
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
left .req r5

#if defined __ARM_FEATURE_DSP
carry_a .req r6
carry_q .req r7
.macro step word, bj, nj
    umaal \word, carry_a, a, \bj
    umaal \word, carry_q, q, \nj
.endm
#else
low .req r6
high .req r7
zero .req r8
/* \bj is free after its product. */
.macro step word, bj, nj
    umlal low, high, a, \bj
    mov \bj, #0
    umlal \word, \bj, q, \nj
    adds \word, \word, low
    adcs low, high, \bj
    adc high, zero, #0
.endm
#endif

    .p2align 2
    .globl montgomery_row
    .type montgomery_row, %function
    .thumb_func
montgomery_row:
    push {r4-r11, lr}
    ldrd q, left, [sp, #36]
    mov r6, #0
    mov r7, #0
    mov r8, #0
    /* The word that falls out, and as many as leave a multiple of four. */
1:  ldr r9, [sum]
    ldr r11, [bs], #4
    ldr lr, [ns], #4
    step r9, r11, lr
    str r9, [sum, #-4]
    subs left, #1
    add sum, #4
    tst left, #3
    bne 1b
    sub sum, #4
    cmp left, #0
    beq 3f
2:
.rept 2
    ldrd r9, r10, [sum, #4]
    ldrd r11, r12, [bs], #8
    ldr lr, [ns], #4
    step r9, r11, lr
    ldr lr, [ns], #4
    step r10, r12, lr
    strd r9, r10, [sum], #8
.endr
    subs left, #4
    bne 2b
    /* sum[k - 1] and sum[k]. */
3:  ldr r9, [sum, #4]
    mov r10, #0
#if defined __ARM_FEATURE_DSP
    umaal carry_a, carry_q, r10, r10
    adds r9, r9, carry_a
    adc r10, carry_q, #0
#else
    adds r9, r9, low
    adc r10, high, #0
#endif
    strd r9, r10, [sum]
    pop {r4-r11, pc}
    .size montgomery_row, . - montgomery_row
#endif
