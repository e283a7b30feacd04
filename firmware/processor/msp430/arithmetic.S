; SPDX-License-Identifier: Apache-2.0
; What compilers call for products and shifts, as there is no library: MSP430 EABI (TI SLAA534).
; Operands in r12 (r13:r12) and r14 (r15:r14, a shift's number in r13 or r14), result in r12 (r13:r12).
; Time depends on no value, but for shifts on their number, and for 32 bits on whether both upper halves
; are 0, as those of products of 16 bits always are.
#ifdef HARDWARE_MULTIPLIER
.set MPY, HARDWARE_MULTIPLIER
.set OP2, HARDWARE_MULTIPLIER + 8
.set RESLO, HARDWARE_MULTIPLIER + 10
.set RESHI, HARDWARE_MULTIPLIER + 12
#endif

.text
.balign 2
; uint32_t product16(uint16_t a, uint16_t b), a in r12, b in r13: what our own code calls.
.global product16
product16:
    mov r13, r14
    jmp unsigned_product

; r13:r12 = r12 * r14, 16 bits each.
.global __mspabi_mpyul
__mspabi_mpyul:
unsigned_product:
#ifdef HARDWARE_MULTIPLIER
    mov r12, &MPY
    mov r14, &OP2
    mov &RESLO, r12
    mov &RESHI, r13
    ret
#else
    ; From the top bit of r12 down: product = 2 * product + bit * r14. The bit comes out of r12 where the
    ; product's lower half goes in; no branch, so that time does not tell the bits.
    push r11
    push r10
    clr r13          ; upper half of the product
    clr r15          ; lower half
    mov #16, r11
1:  rla r15
    rlc r13
    rla r12          ; the next bit
    subc r10, r10    ; 0 if it was 1, -1 if it was 0
    inv r10
    and r14, r10
    add r10, r15
    adc r13
    dec r11
    jnz 1b
    mov r15, r12
    pop r10
    pop r11
    ret
#endif

; r12 = r12 * r13 or r14, 16 bits: the lower half of the product.
.global __mspabi_mpyi
__mspabi_mpyi:
    mov r13, r14
    jmp unsigned_product

; r13:r12 = r13:r12 * r15:r14, lower 32 bits.
.global __mspabi_mpyl
__mspabi_mpyl:
    push r15
    bis r13, 0(r1)
    tst 0(r1)
    jnz 2f
    incd r1
    jmp unsigned_product
2:  mov r15, 0(r1)
    push r10
    push r9
    push r8
    push r7
    mov r12, r7      ; a, low
    mov r13, r8      ; a, high
    mov r14, r9      ; b, low
    mov r15, r12     ; b, high
    mov r7, r14
    call #unsigned_product
    mov r12, r10     ; a low * b high
    mov r8, r12
    mov r9, r14
    call #unsigned_product
    add r12, r10     ; + a high * b low
    mov r7, r12
    mov r9, r14
    call #unsigned_product
    add r10, r13
    pop r7
    pop r8
    pop r9
    pop r10
    incd r1
    ret

; Shifts by r13 (16 bits) or r14 (32 bits) places.
.global __mspabi_slli
__mspabi_slli:
    tst r13
    jz 2f
1:  rla r12
    dec r13
    jnz 1b
2:  ret

.global __mspabi_srli
__mspabi_srli:
    tst r13
    jz 2f
1:  clrc
    rrc r12
    dec r13
    jnz 1b
2:  ret

.global __mspabi_slll
__mspabi_slll:
    tst r14
    jz 2f
1:  rla r12
    rlc r13
    dec r14
    jnz 1b
2:  ret

.global __mspabi_srll
__mspabi_srll:
    tst r14
    jz 2f
1:  clrc
    rrc r13
    rrc r12
    dec r14
    jnz 1b
2:  ret

.global __mspabi_sral
__mspabi_sral:
    tst r14
    jz 2f
1:  rra r13
    rrc r12
    dec r14
    jnz 1b
2:  ret

; r13:r12 = r13:r12 / r15:r14, 32 bits, by shifting and subtracting; time depends on the values.
.global __mspabi_divul
__mspabi_divul:
    push r10
    push r9
    push r8
    clr r9           ; remainder, low
    clr r10          ; high
    mov #32, r8
1:  rla r12
    rlc r13
    rlc r9
    rlc r10
    jc 2f
    cmp r15, r10
    jlo 3f
    jne 2f
    cmp r14, r9
    jlo 3f
2:  sub r14, r9
    subc r15, r10
    bis #1, r12
3:  dec r8
    jnz 1b
    pop r8
    pop r9
    pop r10
    ret
