/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal program of row B3 with its paper's dialogue (figure 11 of Becannon et al.): modes 0 and 1, each
 * number of digits ended by `!`, times in microseconds. `firmware/terminal` is our own dialogue. Both work by
 * libtotient on the RSA IP with key generation.
 */
#include "console.h"
#include "system.h"
#include "totient/keygen.h"
#include "totient/registers.h"

enum { NUMBER = 8 /* bytes */, DIGITS = 24, UART_RECEIVED = 2, BACKSPACE = 0x7F };

#define REGISTER(address) (*(volatile uint32_t *)(address))

static const struct totient_registers keygen_registers = {
    .read = totient_mapped_read, .write = totient_mapped_write, .bus = (void *)SYSTEM_KEYGEN};

/* A character; the console of firmware/common gives whole lines only. */
static char character(void)
{
    while ((REGISTER(CSR_UART_RXEMPTY_ADDR) & 1) != 0) {}
    const char received = (char)REGISTER(CSR_UART_RXTX_ADDR);
    REGISTER(CSR_UART_EV_PENDING_ADDR) = UART_RECEIVED;
    return received;
}

static void show(char received)
{
    const char text[2] = {received, '\0'};
    console_print(text);
}

static void to_bytes(uint64_t number, uint8_t *bytes)
{
    for (int i = NUMBER - 1; i >= 0; i--) {
        bytes[i] = (uint8_t)number;
        number >>= 8;
    }
}

static void tell(const char *what, const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < NUMBER; i++) number = number << 8 | bytes[i];
    console_print("-> ");
    console_print(what);
    console_print(": ");
    console_number(number);
    console_print("\n");
}

static void tell_refusal(totient_result result)
{
    if (result == TOTIENT_OK) return;
    console_print("Refused: ");
    console_print(totient_text(result));
    console_print(".\n");
}

/* Asks until digits and a `!` have come that are a number of at most `most`. White space is not looked at. */
static void ask(const char *what, uint64_t most, uint8_t *bytes)
{
    char digits[DIGITS + 1];
    for (;;) {
        size_t length = 0;
        uint64_t number = 0;
        console_print(what);
        console_print(" (digits, then !)? ");
        for (;;) {
            const char next = character();
            if (next == ' ' || next == '\t' || next == '\r' || next == '\n') continue;
            if (next == '\b' || next == BACKSPACE) {
                if (length > 0) console_print("\b \b");
                length -= length > 0;
                continue;
            }
            show(next);
            if (next == '!') break;
            if (length <= DIGITS) {
                if (length < DIGITS) digits[length] = next;
                length++;
            }
        }
        console_print("\n");
        bool is_decimal = length > 0 && length < DIGITS;
        for (size_t i = 0; is_decimal && i < length; i++) {
            is_decimal = digits[i] >= '0' && digits[i] <= '9';
        }
        digits[length < DIGITS ? length : 0] = '\0';
        if (is_decimal && console_parse(digits, &number) && number <= most) {
            to_bytes(number, bytes);
            tell("input", bytes);
            totient_wipe(digits, sizeof digits);
            return;
        }
        console_print("That is no whole number from 0 to ");
        console_number(most);
        console_print(".\n");
    }
}

/* A digit, 0 or 1, which needs no end. A `!` after it and white space are not looked at. */
static bool choose(const char *what)
{
    for (;;) {
        console_print(what);
        console_print("? ");
        char next = ' ';
        while (next == ' ' || next == '\t' || next == '\r' || next == '\n' || next == '!') {
            next = character();
        }
        show(next);
        console_print("\n");
        if (next == '0' || next == '1') return next == '1';
        console_print("Allowed are 0 and 1.\n");
    }
}

static void took(uint32_t cycles)
{
    const uint32_t nanoseconds = cycles * (1000000000 / SYSTEM_CLOCK_HZ);
    const char thousandths[4] = {(char)('0' + nanoseconds / 100 % 10),
                                 (char)('0' + nanoseconds / 10 % 10),
                                 (char)('0' + nanoseconds % 10), '\0'};
    console_print("-> Operation took: ");
    console_number(nanoseconds / 1000);
    console_print(".");
    console_print(thousandths);
    console_print(" us\n");
}

static void keys_and_message(void)
{
    uint8_t p[NUMBER], q[NUMBER], message[NUMBER], n[NUMBER], d[NUMBER], e[NUMBER];
    struct totient_key key = {n, NUMBER, d, NUMBER, 0};
    struct totient_keygen ip;
    ask("Message", UINT64_MAX, message);
    ask("First prime, p", UINT32_MAX, p);
    ask("Second prime, q", UINT32_MAX, q);
    const enum totient_exponent exponent =
        choose("0 encrypt, 1 decrypt") ? TOTIENT_PRIVATE : TOTIENT_PUBLIC;
    totient_result result = totient_keygen_open(&ip, &keygen_registers);
    if (result == TOTIENT_OK) result = totient_keygen_make(&ip, p, NUMBER, q, NUMBER, 0, &key);
    if (result == TOTIENT_OK)
        result = totient_keygen_raise(&ip, exponent, message, NUMBER, message, NUMBER);
    if (result == TOTIENT_OK) {
        console_print("Finished.\n");
        tell("Output message", message);
        to_bytes(key.public_exponent, e);
        tell("Encryption key, e", e);
        tell("Decryption key, d", d);
        tell("Modulus, n", n);
        took(ip.cycles);
        result = totient_keygen_clear(&ip);
    }
    tell_refusal(result);
    uint8_t *const secrets[] = {p, q, d, message};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) totient_wipe(secrets[i], NUMBER);
}

static void message_only(void)
{
    uint8_t n[NUMBER], exponent[NUMBER], message[NUMBER];
    struct totient_keygen ip;
    ask("Message", UINT64_MAX, message);
    ask("Modulus, n", UINT64_MAX, n);
    ask("Key", UINT64_MAX, exponent);
    totient_result result = totient_keygen_open(&ip, &keygen_registers);
    if (result == TOTIENT_OK)
        result = totient_keygen_raise_given(&ip, n, NUMBER, exponent, NUMBER, message, NUMBER,
                                            message, NUMBER);
    if (result == TOTIENT_OK) {
        console_print("Finished.\n");
        tell("Output message", message);
        took(ip.cycles);
        result = totient_keygen_clear(&ip);
    }
    tell_refusal(result);
    totient_wipe(exponent, NUMBER);
    totient_wipe(message, NUMBER);
}

int main(void)
{
    console_print("\nTotient RSA, row B3\n");
    for (;;) {
        console_print("0 key generation with message generation\n"
                      "1 message generation only\n");
        if (choose("Mode")) message_only();
        else keys_and_message();
    }
}
