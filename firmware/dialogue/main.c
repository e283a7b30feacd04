/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal program of row B3 with its paper's dialogue (figure 11 of Becannon et al.): modes 0 and 1, each
 * number of digits ended by `!`, times in microseconds. `firmware/terminal` is our own dialogue. Both use
 * libtotient on the RSA IP with key generation.
 */
#include "clock.h"
#include "console.h"
#include "keygen_work.h"

enum { DIGITS = 24, BACKSPACE = 0x7F };

static void show(char received)
{
    const char text[2] = {received, '\0'};
    console_print(text);
}

static void tell(const char *what, const uint8_t *bytes)
{
    console_print("-> ");
    console_print(what);
    console_print(": ");
    console_number(number_from_bytes(bytes));
    console_print("\n");
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
            const char next = console_character();
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
            number_to_bytes(number, bytes);
            tell("input", bytes);
            totient_wipe(digits, sizeof digits);
            return;
        }
        console_no_number(most);
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
            next = console_character();
        }
        show(next);
        console_print("\n");
        if (next == '0' || next == '1') return next == '1';
        console_print("Allowed are 0 and 1.\n");
    }
}

static void took(uint32_t cycles)
{
    /* The IP takes microseconds for each operation. */
    const uint32_t time = (uint32_t)clock_nanoseconds(cycles);
    const char thousandths[4] = {(char)('0' + time / 100 % 10), (char)('0' + time / 10 % 10),
                                 (char)('0' + time % 10), '\0'};
    console_print("-> Operation took: ");
    console_number(time / 1000);
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
    totient_result result = keygen_make_and_raise(&ip, p, q, exponent, message, &key);
    if (result == TOTIENT_OK) {
        console_print("Finished.\n");
        tell("Output message", message);
        number_to_bytes(key.public_exponent, e);
        tell("Encryption key, e", e);
        tell("Decryption key, d", d);
        tell("Modulus, n", n);
        took(ip.cycles);
        result = totient_keygen_clear(&ip);
    }
    if (result != TOTIENT_OK) console_refusal(result);
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
    totient_result result = keygen_raise_given(&ip, n, exponent, message);
    if (result == TOTIENT_OK) {
        console_print("Finished.\n");
        tell("Output message", message);
        took(ip.cycles);
        result = totient_keygen_clear(&ip);
    }
    if (result != TOTIENT_OK) console_refusal(result);
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
