/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signs the SHA-256 digest on the standard input, and writes the signature to the standard output.
 *
 *     sign WAY PATH KEYFILE < digest > signature
 *
 * WAY is `model` (PATH: what `totient model` prints), `tty` (a serial line, 115,200 baud) or `uio`.
 * The key file has three lines in hexadecimal: modulus, private exponent, public exponent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sign_sha256.h"
#include "totient/posix.h"
#include "totient/registers.h"
#include "totient/serial.h"
#include "totient/simulation.h"

enum { MOST = TOTIENT_MAX_BITS / 8, DIGEST = 32, BAUD = 115200, PATIENCE_MS = 60000 };

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "sign: %s: %s\n", what, why);
    return 2;
}

/* A line of hexadecimal digits, right-aligned in `bytes`; 0: there is none. */
static size_t read_number(FILE *file, uint8_t *bytes, size_t length)
{
    char line[2 * MOST + 2];
    if (fgets(line, sizeof line, file) == NULL) return 0;
    const size_t digits = strspn(line, "0123456789abcdefABCDEF");
    const size_t count = (digits + 1) / 2;
    if (count > length || (line[digits] != '\n' && line[digits] != '\0')) return 0;
    memset(bytes, 0, length);
    for (size_t i = 0; i < digits; i++) {
        const char digit[2] = {line[digits - 1 - i], '\0'};
        bytes[length - 1 - i / 2] |= (uint8_t)(strtoul(digit, NULL, 16) << 4 * (i % 2));
    }
    totient_wipe(line, sizeof line);
    return count;
}

int main(int count, char **words)
{
    static uint8_t modulus[MOST], exponent[MOST], signature[MOST];
    uint8_t digest[DIGEST], public_exponent[4];
    if (count != 4) return fail("usage", "sign model|tty|uio PATH KEYFILE < digest > signature");
    FILE *file = fopen(words[3], "r");
    if (file == NULL) return fail(words[3], "cannot be read");
    const size_t length = read_number(file, modulus, MOST);
    const bool whole = length > 0 && read_number(file, exponent, MOST) > 0
                       && read_number(file, public_exponent, 4) > 0;
    (void)fclose(file);
    if (!whole) return fail(words[3], "is no key: modulus, private and public exponent in hex");
    if (fread(digest, 1, DIGEST, stdin) != DIGEST) return fail("digest", "has less than 32 bytes");

    struct totient core;
    struct totient_simulation simulation = {0};
    struct totient_tty tty = {.file = -1};
    struct totient_uio uio = {.file = -1};
    struct totient_serial serial = {
        .read = totient_tty_read, .write = totient_tty_write, .line = &tty};
    struct totient_registers registers = {
        .read = totient_mapped_read, .write = totient_mapped_write};
    totient_result result = TOTIENT_ARGUMENT;
    if (strcmp(words[1], "model") == 0) {
        result = totient_simulation_open(&simulation, words[2]);
        if (result == TOTIENT_OK) result = totient_open(&core, &totient_over_simulation, &simulation);
    } else if (strcmp(words[1], "tty") == 0) {
        result = totient_tty_open(&tty, words[2], BAUD, PATIENCE_MS);
        if (result == TOTIENT_OK) result = totient_open(&core, &totient_over_serial, &serial);
    } else if (strcmp(words[1], "uio") == 0) {
        result = totient_uio_open(&uio, words[2]);
        registers.bus = uio.registers;
        if (result == TOTIENT_OK) result = totient_open(&core, &totient_over_registers, &registers);
    }
    if (result == TOTIENT_OK) {
        const struct signing_key key = {
            modulus + MOST - length, exponent + MOST - length, length,
            (uint32_t)public_exponent[0] << 24 | (uint32_t)public_exponent[1] << 16
                | (uint32_t)public_exponent[2] << 8 | public_exponent[3]};
        result = sign_sha256(&core, &key, digest, signature);
    }
    totient_simulation_close(&simulation);
    totient_tty_close(&tty);
    totient_uio_close(&uio);
    totient_wipe(exponent, sizeof exponent);
    if (result != TOTIENT_OK) return fail(words[2], totient_text(result));
    return fwrite(signature, 1, length, stdout) == length ? 0 : fail("signature", "not written");
}
