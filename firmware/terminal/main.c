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

enum { LINE = 2 * SIGN_MOST + 1 };

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
