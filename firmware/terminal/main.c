/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A terminal program on the soft-CPU system: asks for a mode and for values, works on the RSA IP with
 * key generation or, by libtotient, on the core behind the stream registers, if there is one, and
 * prints results, cycles and time.
 */
#include "console.h"
#include "sign_sha256.h"
#include "system.h"
#include "totient/registers.h"
#include "totient/rsa_keygen_registers.h"

enum { LINE = 1100, MOST = 256, DIGEST = 32 };

#ifdef SYSTEM_RSA
enum { LAST_MODE = 4 };
#else
enum { LAST_MODE = 3 };
#endif

/* Offset of a register of the IP with key generation; the low word comes first. */
#define AT(name) ((uint32_t)offsetof(rsa_keygen_registers_t, name))
enum {
    MODE_ENCRYPT = 0,
    MODE_GIVEN = RSA_KEYGEN_REGISTERS__MODE__L_MODE_bm,
    MODE_DECRYPT = RSA_KEYGEN_REGISTERS__MODE__L_ENCRYPT_DECRYPT_bm,
    START = RSA_KEYGEN_REGISTERS__CONTROL__SP_bm,
    ENDED = RSA_KEYGEN_REGISTERS__MOD_EXP_FINISH__MOD_EXP_FINISH_bm
};

static void write64(uint32_t offset, uint64_t value)
{
    volatile uint32_t *at = (volatile uint32_t *)(SYSTEM_KEYGEN + offset);
    at[0] = (uint32_t)value;
    at[1] = (uint32_t)(value >> 32);
}

static uint64_t read64(uint32_t offset)
{
    const volatile uint32_t *at = (const volatile uint32_t *)(SYSTEM_KEYGEN + offset);
    const uint32_t low = at[0];
    return (uint64_t)at[1] << 32 | low;
}

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
        console_print("That is no whole number from 0 to ");
        console_number(most);
        console_print(".\n");
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
    console_number(cycles * (1000000000 / SYSTEM_CLOCK_HZ));
    console_print(" ns\n");
}

static void run(uint64_t mode)
{
    static const char *const reasons[16] = {
        [4] = "a prime is 0", [5] = "the exponent is 0", [6] = "the modulus is even",
        [7] = "the modulus is 0 or 1", [8] = "the message is not below the modulus",
        [11] = "a prime is even or below 3, or both are the same",
        [12] = "no exponent is coprime to the totient"};
    write64(AT(MODE), mode);
    write64(AT(CONTROL), START);
    uint64_t state;
    do {
        state = read64(AT(MOD_EXP_FINISH));
    } while ((state & ENDED) == 0);
    const char *reason = reasons[state >> 4 & 15];
    if ((state >> 4 & 15) != 0) {
        console_print("Refused: ");
        console_print(reason != NULL ? reason : "an unknown error");
        console_print(".\n");
        return;
    }
    const uint64_t steps = read64(AT(STEP_COUNTS));
    if (mode != MODE_GIVEN) {
        tell("n", read64(AT(N_OUTPUT)));
        tell("e", read64(AT(DATA_ENCRYPT)));
        tell("d", read64(AT(DATA_DECRYPT)));
    }
    tell("result", read64(AT(DATA_MSG)));
    if (mode != MODE_GIVEN) tell_time("keys", (uint32_t)steps);
    tell_time("message", steps >> 32);
    tell_time("all", (uint32_t)read64(AT(CLK_COUNT)));
}

#ifdef SYSTEM_RSA /* The system has a core of the catalog. */
static bool ask_bytes(const char *what, uint8_t *bytes, size_t length, size_t *count)
{
    static char line[LINE];
    console_print(what);
    console_print("? ");
    const size_t got = console_line(line, sizeof line);
    *count = got == SIZE_MAX ? 0 : console_bytes(line, bytes, length);
    if (*count != 0) return true;
    console_print("That is no hexadecimal number of up to ");
    console_number(length);
    console_print(" bytes.\n");
    return false;
}

static void sign(void)
{
    static uint8_t modulus[MOST], exponent[MOST], signature[MOST];
    uint8_t digest[DIGEST], public_exponent[4];
    size_t length, count;
    if (!ask_bytes("n", modulus, MOST, &length) || !ask_bytes("d", exponent, MOST, &count)
        || !ask_bytes("e", public_exponent, 4, &count) || !ask_bytes("digest", digest, DIGEST, &count))
        return;
    struct totient core;
    struct totient_registers registers = {.read = totient_mapped_read,
                                          .write = totient_mapped_write,
                                          .bus = (void *)SYSTEM_RSA};
    totient_result result = totient_open(&core, &totient_over_registers, &registers);
    if (result == TOTIENT_OK) {
        const struct signing_key key = {modulus + MOST - length, exponent + MOST - length, length,
                                        (uint32_t)public_exponent[0] << 24
                                            | (uint32_t)public_exponent[1] << 16
                                            | (uint32_t)public_exponent[2] << 8
                                            | public_exponent[3]};
        result = sign_sha256(&core, &key, digest, signature);
    }
    for (size_t i = 0; i < MOST; i++) ((volatile uint8_t *)exponent)[i] = 0;
    if (result != TOTIENT_OK) {
        console_print("Refused: ");
        console_print(totient_text(result));
        console_print(".\n");
        return;
    }
    console_print("signature = ");
    console_hex(signature, length);
    console_print("\n");
}
#endif

int main(void)
{
    const uint64_t most32 = UINT32_MAX, most64 = UINT64_MAX;
    console_print("\nTotient RSA\n");
    for (;;) {
        console_print("1 make keys, encrypt; 2 make keys, decrypt; 3 given key");
#ifdef SYSTEM_RSA
        console_print("; 4 sign");
#endif
        console_print("\n");
        const uint64_t mode = ask("mode", LAST_MODE);
        if (mode == 1 || mode == 2) {
            write64(AT(P), ask("p", most32));
            write64(AT(Q), ask("q", most32));
            write64(AT(I_MSG), ask("message", most64));
            run(mode == 1 ? MODE_ENCRYPT : MODE_DECRYPT);
        } else if (mode == 3) {
            write64(AT(I_N), ask("n", most64));
            write64(AT(I_KEY), ask("key", most64));
            write64(AT(I_MSG), ask("message", most64));
            run(MODE_GIVEN);
#ifdef SYSTEM_RSA
        } else if (mode == 4) {
            sign();
#endif
        } else {
            console_print("There is no mode 0.\n");
        }
    }
}
