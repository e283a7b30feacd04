/* SPDX-License-Identifier: Apache-2.0 */
/*
 * montgomery_row of montgomery.h for AVR processors with a multiplier, words of 32 bits.
 *
 * A step adds a b[j] + q n[j] to nine bytes z0 to z8, stores the lowest four and shifts. All 32 registers
 * are in use: the pointers, a and q, a word of b or n, z, a zero, two for a product that waits, and r1:r0.
 */
#if defined __AVR__ && defined RSA_ASSEMBLY
#include <avr/io.h>

.set zero, 2
.set w0, 4 /* a product that waits: r5:r4 */
.set w1, 5
.set f0, 6 /* the word of b or n */
.set z0, 10
.set z8, 3
.set a0, 18
.set q0, 22

/* z4 and so on: z0 to z7 are r10 to r17, z8 is r3. */
.macro accumulate operation, index, with
.if \index == 8
    \operation z8, \with
.else
    \operation z0 + \index, \with
.endif
.endm

/* Carry into z\from to z\to. */
.macro ripple from, to
.if \from <= \to
    accumulate adc, \from, zero
    ripple "(\from + 1)", \to
.endif
.endm

/* z += factor byte * f << 8 row; the sum ends in z\top. */
.macro row factor, row, top
    mul \factor, f0
    movw w0, r0
    mul \factor, f0 + 2
    accumulate add, \row, w0
    accumulate adc, "(\row + 1)", w1
    accumulate adc, "(\row + 2)", r0
    accumulate adc, "(\row + 3)", r1
    ripple "(\row + 4)", \top
    mul \factor, f0 + 1
    movw w0, r0
    mul \factor, f0 + 3
    accumulate add, "(\row + 1)", w0
    accumulate adc, "(\row + 2)", w1
    accumulate adc, "(\row + 3)", r0
    accumulate adc, "(\row + 4)", r1
    ripple "(\row + 5)", \top
.endm

    .text
    .global montgomery_row
    .type montgomery_row, @function
/* sum r25:r24, b r23:r22, n r21:r20, a r19:r16, q r15:r12, k r11:r10 (at most 255). */
montgomery_row:
    push r2
    push r3
    push r4
    push r5
    push r6
    push r7
    push r8
    push r9
    push r10
    push r11
    push r12
    push r13
    push r14
    push r15
    push r16
    push r17
    push r28
    push r29
    movw r28, r24        /* Y: the word of the sum that is stored, one below the one that is read */
    sbiw r28, 4
    movw r26, r22        /* X: b */
    movw r30, r20        /* Z: n */
    movw r22, r12        /* q: r25:r22 */
    movw r24, r14
    mov r0, r10
    movw r20, r18        /* a: r21:r18 */
    movw r18, r16
    push r0              /* steps left */
    clr zero
    clr z8
    clr z0
    clr z0 + 1
    movw z0 + 2, z0
    clr z0 + 4
1:  clr z0 + 5
    movw z0 + 6, zero    /* r3, which is z8, is 0 at this place, too */
    ldd w0, Y + 4
    add z0, w0
    ldd w0, Y + 5
    adc z0 + 1, w0
    ldd w0, Y + 6
    adc z0 + 2, w0
    ldd w0, Y + 7
    adc z0 + 3, w0
    adc z0 + 4, zero
    ld f0, X+
    ld f0 + 1, X+
    ld f0 + 2, X+
    ld f0 + 3, X+
    /* The sum is below 2^(40 + 8 row) before each row, and below 2^(48 + 8 row) after. */
    row a0, 0, 5
    row a0 + 1, 1, 6
    row a0 + 2, 2, 7
    row a0 + 3, 3, 8
    ld f0, Z+
    ld f0 + 1, Z+
    ld f0 + 2, Z+
    ld f0 + 3, Z+
    row q0, 0, 8
    row q0 + 1, 1, 8
    row q0 + 2, 2, 8
    row q0 + 3, 3, 8
    st Y+, z0
    st Y+, z0 + 1
    st Y+, z0 + 2
    st Y+, z0 + 3
    movw z0, z0 + 4
    movw z0 + 2, z0 + 6
    mov z0 + 4, z8
    clr z8
    pop r0
    dec r0
    push r0
    breq 2f
    rjmp 1b
    /* sum[k - 1] and sum[k]. */
2:  pop r0
    ldd w0, Y + 4
    add z0, w0
    ldd w0, Y + 5
    adc z0 + 1, w0
    ldd w0, Y + 6
    adc z0 + 2, w0
    ldd w0, Y + 7
    adc z0 + 3, w0
    adc z0 + 4, zero
    st Y+, z0
    st Y+, z0 + 1
    st Y+, z0 + 2
    st Y+, z0 + 3
    st Y+, z0 + 4
    st Y+, zero
    st Y+, zero
    st Y+, zero
    pop r29
    pop r28
    pop r17
    pop r16
    pop r15
    pop r14
    pop r13
    pop r12
    pop r11
    pop r10
    pop r9
    pop r8
    pop r7
    pop r6
    pop r5
    pop r4
    pop r3
    pop r2
    clr r1
    ret
    .size montgomery_row, . - montgomery_row
#endif
