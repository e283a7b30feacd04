/* SPDX-License-Identifier: Apache-2.0 */
/** A terminal on the serial port: text, whole numbers, hexadecimal strings. */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "totient/totient.h"

void console_print(const char *text);
/** Decimal. */
void console_number(uint64_t number);
/** Two digits a byte. */
void console_hex(const uint8_t *bytes, size_t length);

/** "Refused: " and the reason. */
void console_refusal(totient_result result);
/** That the answer is no whole number from 0 to `most`. */
void console_no_number(uint64_t most);

/** Waits for a character, and does not show it. */
char console_character(void);

/**
 * Reads a line, without its end and what Backspace takes away, and shows it.
 *
 * @return its length; SIZE_MAX if it is longer than the buffer, which is then empty.
 */
size_t console_line(char *line, size_t size);

/** A whole number of up to 64 bits, decimal or hexadecimal with 0x; false if it is none. */
bool console_parse(const char *text, uint64_t *number);

#endif
