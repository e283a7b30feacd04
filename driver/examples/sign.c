/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signs the SHA-256 digest on the standard input, and writes the signature to the standard output.
 *
 *     sign WAY PATH KEYFILE < digest > signature
 *
 * WAY is `model` (PATH: what `totient model` prints), `tty` (a serial line, 115,200 baud) or `uio`.
 * The key file has three lines in hexadecimal: modulus, private exponent, public exponent.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sign_sha256.h"
#include "totient/posix.h"
#include "totient/registers.h"
#include "totient/serial.h"
#include "totient/simulation.h"

enum { BAUD = 115200, PATIENCE_MS = 60000 };

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "sign: %s: %s\n", what, why);
    return 2;
}

/* The next line's number, right-aligned in `bytes`; 0: there is none. */
static size_t read_number(FILE *file, uint8_t *bytes, size_t length)
{
    char line[2 * SIGN_MOST + 2];
    const size_t count = fgets(line, sizeof line, file) == NULL ? 0
                                                                : sign_number(line, bytes, length);
    totient_wipe(line, sizeof line);
    return count;
}

int main(int count, char **words)
{
    static struct signing_key key;
    static uint8_t signature[SIGN_MOST];
    uint8_t digest[SIGN_DIGEST];
    if (count != 4) return fail("usage", "sign model|tty|uio PATH KEYFILE < digest > signature");
    const bool is_model = strcmp(words[1], "model") == 0, is_tty = strcmp(words[1], "tty") == 0;
    if (!is_model && !is_tty && strcmp(words[1], "uio") != 0) {
        fprintf(stderr, "sign: way is '%s', allowed are model, tty, uio\n", words[1]);
        return 2;
    }
    FILE *file = fopen(words[3], "r");
    if (file == NULL) return fail(words[3], strerror(errno));
    key.length = read_number(file, key.modulus, sizeof key.modulus);
    const bool whole = key.length > 0 && read_number(file, key.exponent, sizeof key.exponent) > 0
                       && read_number(file, key.public_exponent, sizeof key.public_exponent) > 0;
    (void)fclose(file);
    static const uint8_t zeros[sizeof key.public_exponent];
    const bool usable = whole && memcmp(key.public_exponent, zeros, sizeof zeros) != 0;
    const bool digested = usable && fread(digest, 1, SIGN_DIGEST, stdin) == SIGN_DIGEST;
    if (!digested) totient_wipe(&key, sizeof key);
    if (!whole) return fail(words[3], "is no key: modulus, private and public exponent in hex");
    if (!usable) return fail(words[3], "is no key: its public exponent is 0");
    if (!digested) return fail("digest", "has less than 32 bytes");

    struct totient core;
    struct totient_simulation simulation = {0};
    struct totient_tty tty = {.file = -1};
    struct totient_uio uio = {.file = -1};
    struct totient_serial serial = {
        .read = totient_tty_read, .write = totient_tty_write, .line = &tty,
        .start_timer = totient_tty_start_timer};
    struct totient_registers registers = {
        .read = totient_mapped_read, .write = totient_mapped_write};
    totient_result result;
    const char *why = NULL; /* a file could not be opened */
    if (is_model) {
        result = totient_simulation_open(&simulation, words[2]);
        if (result == TOTIENT_OK) result = totient_open(&core, &totient_over_simulation, &simulation);
    } else if (is_tty) {
        result = totient_tty_open(&tty, words[2], BAUD, PATIENCE_MS);
        if (result == TOTIENT_TRANSPORT) why = strerror(errno);
        if (result == TOTIENT_OK) result = totient_open(&core, &totient_over_serial, &serial);
    } else {
        result = totient_uio_open(&uio, words[2]);
        if (result == TOTIENT_TRANSPORT) why = strerror(errno);
        registers.bus = uio.registers;
        if (result == TOTIENT_OK) result = totient_open(&core, &totient_over_registers, &registers);
    }
    if (result == TOTIENT_OK) result = sign_sha256(&core, &key, digest, signature);
    const size_t length = key.length;
    totient_wipe(&key, sizeof key);
    totient_simulation_close(&simulation);
    totient_tty_close(&tty);
    totient_uio_close(&uio);
    if (result != TOTIENT_OK) return fail(words[2], why != NULL ? why : totient_text(result));
    /* What is written reaches a full disk, or a closed file, when the buffer is emptied. */
    const bool written = fwrite(signature, 1, length, stdout) == length && fflush(stdout) == 0;
    return written && fclose(stdout) == 0 ? 0 : fail("signature: not written", strerror(errno));
}
