/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main on RISC-V: stack, zeroed and initialised data. */
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
2:  la t0, _data_start
    la t1, _data_end
    la t2, _data_load
3:  bgeu t0, t1, 4f
    lw t3, 0(t2)
    sw t3, 0(t0)
    addi t0, t0, 4
    addi t2, t2, 4
    j 3b
4:  call main
5:  j 5b
