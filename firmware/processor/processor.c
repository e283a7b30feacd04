/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the run-time system that is the same on all processors: text, stack, begin and end. */
#include "processor.h"

extern int main(void);
/* From the linker: the end of the static data, and the first address above the stack. */
extern uint8_t _bss_end[], _stack[];

#define PAINT 0xA5u
#define OWN_FRAME 48 /* bytes below the frame that may be in use already */

static void digit(unsigned value)
{
    processor_put((char)(value < 10 ? '0' + value : 'a' - 10 + value));
}

void print_text(const char *text)
{
    while (*text != '\0') processor_put(*text++);
}

void print_bytes(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        digit(bytes[i] >> 4);
        digit(bytes[i] & 15u);
    }
}

void print_number(uint64_t number, int bytes)
{
    /* By bytes in memory: shifting 64 bits by a variable wants a library on small processors. */
    uint8_t text[8];
    for (int i = 0; i < 8; i++) {
        text[7 - i] = (uint8_t)number;
        number >>= 8;
    }
    print_bytes(text + 8 - bytes, (size_t)bytes);
}

void processor_end(int status)
{
    const uint8_t *at = _bss_end;
    while (at < _stack && *at == PAINT) at++;
    const size_t used = (size_t)(_stack - at);
    print_text("\n#stack ");
    print_number(used, 4);
    print_text("\n#status ");
    print_number((uint64_t)(uint8_t)status, 1);
    print_text("\n");
    processor_stop();
}

void processor_start(void)
{
    uint8_t *const top = (uint8_t *)__builtin_frame_address(0) - OWN_FRAME;
    for (volatile uint8_t *at = _bss_end; at < top; at++) *at = PAINT;
    /* The second pair tells what the marks themselves cost, which is taken off the others; the first may
       wait for memory that is in a cache later. */
    for (int i = 0; i < 2; i++) {
        mark_begin();
        mark_end();
    }
    processor_end(main());
}
