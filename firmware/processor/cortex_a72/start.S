/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main on a Cortex-A72 (A64); output and end by semihosting; marks. QEMU zeroes memory. */
.section .text.start, "ax"
.globl _start
_start:
    ldr   x0, =_stack
    mov   sp, x0
    b     processor_start

.text
.globl processor_put
.type processor_put, %function
processor_put:
    sub   sp, sp, #16
    strb  w0, [sp]
    mov   x1, sp
    mov   w0, #3                /* SYS_WRITEC */
    hlt   #0xf000
    add   sp, sp, #16
    ret

.globl processor_stop
.type processor_stop, %function
processor_stop:
    adr   x1, ended
    mov   w0, #0x18             /* SYS_EXIT */
    hlt   #0xf000
    b     processor_stop
.balign 8
ended:
    .quad 0x20026, 0            /* the application ended, with status 0 */

.globl mark_begin
.type mark_begin, %function
mark_begin:
    ret

.globl mark_end
.type mark_end, %function
mark_end:
    ret
