/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a program that is counted on a simulated processor finds there, without an operating system.
 *
 * A program has `int main(void)`, whose result is its exit status; it is called once, with zeroed and
 * initialised data. Its input are constants or variables that the runner overwrites in the program's
 * file (`totient.processor`), its output is text.
 */
#ifndef PROCESSOR_H
#define PROCESSOR_H

#include <stddef.h>
#include <stdint.h>

/** What is between the two is counted; there may be several pairs, none inside another. */
void mark_begin(void);
void mark_end(void);

void print_text(const char *text);
/** A number as two hexadecimal digits a byte of `bytes`, the most significant first; at most 8. */
void print_number(uint64_t number, int bytes);
/** Bytes in their order, two hexadecimal digits each. */
void print_bytes(const uint8_t *bytes, size_t length);

/* What each processor has its own form of. */

/** Gives a character out. */
void processor_put(char character);
/** Ends the simulation. */
__attribute__((noreturn)) void processor_stop(void);
/** Ends the simulation after telling status and stack; what `processor_start` and faults call. */
__attribute__((noreturn)) void processor_end(int status);
/** From the reset code, data being ready: fills the stack, calls main, ends. */
__attribute__((noreturn)) void processor_start(void);

#endif
