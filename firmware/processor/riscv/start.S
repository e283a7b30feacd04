/* SPDX-License-Identifier: Apache-2.0 */
/* From the loader to main on RISC-V; a0 has the addresses of registers (firmware/loader/loader.h). */
.section .text.start, "ax"
.globl _start
_start:
    la sp, _stack
    la t0, _bss_start
    la t1, _bss_end
1:  bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:  call processor_reset
