/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A terminal program on the soft-CPU system: asks for a mode and for values, uses libtotient on the
 * RSA IP with key generation or on the core behind the stream registers, if there is one, and prints
 * results, cycles and time.
 */
#include "clock.h"
#include "console.h"
#include "keygen_work.h"
#include "sign_sha256.h"
#include "system.h"
#include "totient/registers.h"

enum { LINE = 2 * SIGN_MOST + 1 };

#ifdef SYSTEM_RSA
enum { LAST_MODE = 4 };
#else
enum { LAST_MODE = 3 };
#endif

/* Asks until a number comes that is at most `most`. */
static uint64_t ask(const char *what, uint64_t most)
{
    char line[40];
    for (;;) {
        uint64_t number;
        console_print(what);
        console_print("? ");
        const size_t length = console_line(line, sizeof line);
        if (length != SIZE_MAX && console_parse(line, &number) && number <= most) return number;
        console_no_number(most);
    }
}

static void tell(const char *what, uint64_t number)
{
    console_print(what);
    console_print(" = ");
    console_number(number);
    console_print("\n");
}

static void tell_time(const char *what, uint64_t cycles)
{
    console_print(what);
    console_print(": ");
    console_number(cycles);
    console_print(" cycles, ");
    console_number(clock_nanoseconds(cycles));
    console_print(" ns\n");
}

/* Makes a key, and raises a message to one of its exponents. */
static void make_and_raise(enum totient_exponent exponent)
{
    uint8_t p[NUMBER], q[NUMBER], message[NUMBER], n[NUMBER], d[NUMBER];
    struct totient_key key = {n, NUMBER, d, NUMBER, 0};
    struct totient_keygen ip;
    number_to_bytes(ask("p", UINT32_MAX), p);
    number_to_bytes(ask("q", UINT32_MAX), q);
    number_to_bytes(ask("message", UINT64_MAX), message);
    totient_result result = keygen_make_and_raise(&ip, p, q, exponent, message, &key);
    if (result == TOTIENT_OK) {
        tell("n", number_from_bytes(n));
        tell("e", key.public_exponent);
        tell("d", number_from_bytes(d));
        tell("result", number_from_bytes(message));
        tell_time("keys", ip.key_cycles);
        tell_time("message", ip.message_cycles);
        tell_time("all", ip.cycles);
        result = totient_keygen_clear(&ip);
    }
    if (result != TOTIENT_OK) console_refusal(result);
    uint8_t *const secrets[] = {p, q, d, message};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) totient_wipe(secrets[i], NUMBER);
}

static void raise_given(void)
{
    uint8_t n[NUMBER], exponent[NUMBER], message[NUMBER];
    struct totient_keygen ip;
    number_to_bytes(ask("n", UINT64_MAX), n);
    number_to_bytes(ask("key", UINT64_MAX), exponent);
    number_to_bytes(ask("message", UINT64_MAX), message);
    totient_result result = keygen_raise_given(&ip, n, exponent, message);
    if (result == TOTIENT_OK) {
        tell("result", number_from_bytes(message));
        tell_time("message", ip.message_cycles);
        tell_time("all", ip.cycles);
        result = totient_keygen_clear(&ip);
    }
    if (result != TOTIENT_OK) console_refusal(result);
    totient_wipe(exponent, NUMBER);
    totient_wipe(message, NUMBER);
}

#ifdef SYSTEM_RSA /* The system has a core of the catalog. */
/* Asks for a number in hexadecimal digits; its length in bytes, 0 if there came none. */
static size_t ask_bytes(const char *what, uint8_t *bytes, size_t length)
{
    static char line[LINE];
    console_print(what);
    console_print("? ");
    const size_t count = console_line(line, sizeof line) == SIZE_MAX
                             ? 0
                             : sign_number(line, bytes, length);
    totient_wipe(line, sizeof line);
    if (count == 0) {
        console_print("That is no hexadecimal number of up to ");
        console_number(length);
        console_print(" bytes.\n");
    }
    return count;
}

static totient_result sign_here(const struct signing_key *key, const uint8_t *digest,
                                uint8_t *signature)
{
    struct totient core;
    struct totient_registers registers = {.read = totient_mapped_read,
                                          .write = totient_mapped_write,
                                          .bus = (void *)SYSTEM_RSA};
    const totient_result result = totient_open(&core, &totient_over_registers, &registers);
    return result == TOTIENT_OK ? sign_sha256(&core, key, digest, signature) : result;
}

/* What driver/examples/sign.c does on a host. */
static void sign(void)
{
    static struct signing_key key;
    static uint8_t signature[SIGN_MOST];
    uint8_t digest[SIGN_DIGEST];
    totient_result result = TOTIENT_OK;
    key.length = ask_bytes("n", key.modulus, sizeof key.modulus);
    const size_t length = key.length;
    bool whole = length > 0 && ask_bytes("d", key.exponent, sizeof key.exponent) > 0
                 && ask_bytes("e", key.public_exponent, sizeof key.public_exponent) > 0;
    const size_t count = whole ? ask_bytes("digest", digest, sizeof digest) : 0;
    if (count > 0 && count < SIGN_DIGEST) console_print("That is no digest of 32 bytes.\n");
    whole = count == SIGN_DIGEST;
    if (whole) result = sign_here(&key, digest, signature);
    totient_wipe(&key, sizeof key);
    if (!whole) return;
    if (result != TOTIENT_OK) {
        console_refusal(result);
        return;
    }
    console_print("signature = ");
    console_hex(signature, length);
    console_print("\n");
}
#endif

int main(void)
{
    console_print("\nTotient RSA\n");
    for (;;) {
        console_print("1 make keys, encrypt; 2 make keys, decrypt; 3 given key");
#ifdef SYSTEM_RSA
        console_print("; 4 sign");
#endif
        console_print("\n");
        const uint64_t mode = ask("mode", LAST_MODE);
        if (mode == 1 || mode == 2) {
            make_and_raise(mode == 1 ? TOTIENT_PUBLIC : TOTIENT_PRIVATE);
        } else if (mode == 3) {
            raise_given();
#ifdef SYSTEM_RSA
        } else if (mode == 4) {
            sign();
#endif
        } else {
            console_print("There is no mode 0.\n");
        }
    }
}
