/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main on an ARM926 (A32); output and end by semihosting; marks. QEMU zeroes memory. */
.syntax unified
.arm
.section .text.start, "ax"
.globl _start
_start:
    ldr   sp, =_stack
    b     processor_start

.text
.globl processor_put
.type processor_put, %function
processor_put:
    push  {r0, lr}
    mov   r1, sp
    mov   r0, #3                /* SYS_WRITEC */
    svc   0x123456
    pop   {r0, pc}

.globl processor_stop
.type processor_stop, %function
processor_stop:
    ldr   r1, =0x20026          /* the application ended */
    mov   r0, #0x18             /* SYS_EXIT */
    svc   0x123456
    b     processor_stop

.globl mark_begin
.type mark_begin, %function
mark_begin:
    bx    lr

.globl mark_end
.type mark_end, %function
mark_end:
    bx    lr
