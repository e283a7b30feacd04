; SPDX-License-Identifier: Apache-2.0
; From reset to main on an MSP430. Output goes to memory of its own, which the simulator's runner reads.
.set OUTPUT, 0x0A00
.set OUTPUT_END, 0x1C00

.data
.balign 2
.global output_end
output_end: .word OUTPUT

.section .reset, "a"
    .word start

.text
.balign 2
.global start
start:
    mov #_stack, r1
    mov #_bss_start, r12
    mov #_bss_end, r13
1:  cmp r13, r12
    jhs 2f
    mov.b #0, 0(r12)
    inc r12
    jmp 1b
2:  mov #_data_start, r12
    mov #_data_end, r13
    mov #_data_load, r14
3:  cmp r13, r12
    jhs 4f
    mov.b @r14+, r15
    mov.b r15, 0(r12)
    inc r12
    jmp 3b
4:  call #processor_start

; In assembly: nothing before their first instruction, which is where the count is taken.
.global mark_begin
mark_begin:
    ret
.global mark_end
mark_end:
    ret

.global processor_put
processor_put:
    mov &output_end, r13
    cmp #OUTPUT_END, r13
    jhs 1f
    mov.b r12, 0(r13)
    inc &output_end
1:  ret

; The simulator stops here.
.global processor_stop
processor_stop:
    jmp processor_stop
