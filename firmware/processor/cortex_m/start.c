/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main on an ARM Cortex-M; output and end by semihosting. */
#include "processor.h"

extern uint32_t _stack[], _data_load[], _data_start[], _data_end[], _bss_start[], _bss_end[];

static uint32_t semihosting(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void processor_put(char character)
{
    enum { SYS_WRITEC = 3 };
    semihosting(SYS_WRITEC, &character);
}

void processor_stop(void)
{
    enum { SYS_EXIT = 0x18 };
    for (;;) semihosting(SYS_EXIT, (const void *)0x20026 /* the application ended */);
}

static void reset(void)
{
    const uint32_t *from = _data_load;
    for (uint32_t *to = _data_start; to < _data_end;) *to++ = *from++;
    for (uint32_t *to = _bss_start; to < _bss_end;) *to++ = 0;
    processor_start();
}

static void fault(void)
{
    print_text("\nprocessor fault");
    processor_end(255);
}

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = {_stack, {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
                      fault, fault, fault, fault}};

/* In assembly: nothing before their first instruction, which is where the count is taken. */
__asm__(".text\n.syntax unified\n.thumb\n"
        ".globl mark_begin\n.type mark_begin, %function\n.thumb_func\nmark_begin: bx lr\n"
        ".globl mark_end\n.type mark_end, %function\n.thumb_func\nmark_end: bx lr\n");
