/* SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

#include "system.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
enum { UART_RECEIVED = 2 };

static void put(char character)
{
    while ((REGISTER(CSR_UART_TXFULL_ADDR) & 1) != 0) {}
    REGISTER(CSR_UART_RXTX_ADDR) = (uint8_t)character;
}

char console_character(void)
{
    while ((REGISTER(CSR_UART_RXEMPTY_ADDR) & 1) != 0) {}
    const char character = (char)REGISTER(CSR_UART_RXTX_ADDR);
    REGISTER(CSR_UART_EV_PENDING_ADDR) = UART_RECEIVED;
    return character;
}

void console_print(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n') put('\r');
        put(*text);
    }
}

void console_number(uint64_t number)
{
    /* By subtraction: the processor has no division of 64 bits. */
    uint64_t power = UINT64_C(10000000000000000000);
    static const uint64_t powers[] = {
        UINT64_C(1000000000000000000), UINT64_C(100000000000000000), UINT64_C(10000000000000000),
        UINT64_C(1000000000000000),    UINT64_C(100000000000000),    UINT64_C(10000000000000),
        UINT64_C(1000000000000),       UINT64_C(100000000000),       UINT64_C(10000000000),
        1000000000,                    100000000,                    10000000,
        1000000,                       100000,                       10000,
        1000,                          100,                          10,
        1};
    bool begun = false;
    for (size_t i = 0;; i++) {
        char digit = '0';
        while (number >= power) {
            number -= power;
            digit++;
        }
        begun = begun || digit != '0' || power == 1;
        if (begun) put(digit);
        if (power == 1) return;
        power = powers[i];
    }
}

void console_hex(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        put("0123456789abcdef"[bytes[i] >> 4]);
        put("0123456789abcdef"[bytes[i] & 15]);
    }
}

size_t console_line(char *line, size_t size)
{
    size_t length = 0;
    for (;;) {
        const char character = console_character();
        if (character == '\n') continue;
        if (character == '\r') break;
        if (character == '\b' || character == 0x7F) {
            if (length > 0) {
                length--;
                console_print("\b \b");
            }
        } else {
            if (length < size - 1) line[length] = character;
            length++;
            put(character);
        }
    }
    console_print("\n");
    const bool fits = length < size;
    line[fits ? length : 0] = '\0';
    return fits ? length : SIZE_MAX;
}

void console_refusal(totient_result result)
{
    console_print("Refused: ");
    console_print(totient_text(result));
    console_print(".\n");
}

void console_no_number(uint64_t most)
{
    console_print("That is no whole number from 0 to ");
    console_number(most);
    console_print(".\n");
}

static int digit_of(char character)
{
    if (character >= '0' && character <= '9') return character - '0';
    character |= 0x20;
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : 16;
}

bool console_parse(const char *text, uint64_t *number)
{
    const bool hexadecimal = text[0] == '0' && (text[1] | 0x20) == 'x';
    const unsigned base = hexadecimal ? 16 : 10;
    /* Largest number that takes a digit more, and the largest digit then. */
    const uint64_t most = hexadecimal ? UINT64_MAX >> 4 : UINT64_C(1844674407370955161);
    const unsigned last = hexadecimal ? 15 : 5;
    if (hexadecimal) text += 2;
    *number = 0;
    if (*text == '\0') return false;
    for (; *text != '\0'; text++) {
        const unsigned digit = (unsigned)digit_of(*text);
        if (digit >= base || *number > most || (*number == most && digit > last)) return false;
        *number = *number * base + digit;
    }
    return true;
}
