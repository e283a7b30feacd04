/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signs the SHA-256 digest on the standard input, and writes the signature to the standard output.
 *
 *     sign ADDRESS KEYFILE < digest > signature
 *
 * ADDRESS is that of a device: sim:DESIGN, tty:PATH, uio:PATH or unix:PATH (totient/address.h). The key
 * file is a private key in DER, of PKCS #1 or PKCS #8: `openssl pkey -in key.pem -outform DER`.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sign_sha256.h"
#include "totient/address.h"
#include "totient/der.h"
#include "totient/engine.h"

enum { LONGEST_KEY = 8192 /* bytes; one of 4096 bits has 2,400 */ };

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "sign: %s: %s\n", what, why);
    return 2;
}

/* An engine takes the whole key. It works with the primes, blinds, and checks the result. */
static totient_result sign_on_engine(struct totient *core, const struct totient_rsa_key *key,
                                     const uint8_t *digest, uint8_t *signature)
{
    uint8_t message[SIGN_MOST];
    const size_t length = key->modulus.length;
    totient_result result = sign_encode(digest, message, length);
    if (result == TOTIENT_OK) result = totient_engine_load_key(core, 0, key);
    if (result == TOTIENT_OK)
        result = totient_engine_private(core, 0, 0, message, length, signature, length);
    const totient_result cleared = totient_clear(core);
    return result != TOTIENT_OK ? result : cleared;
}

/* Any other core takes modulus and private exponent. */
static totient_result sign_on_core(struct totient *core, const struct totient_rsa_key *key,
                                   const uint8_t *digest, uint8_t *signature)
{
    static struct signing_key numbers;
    const struct totient_number n = key->modulus, d = key->private_exponent, e = key->public_exponent;
    if (n.length > SIGN_MOST || e.length > sizeof numbers.public_exponent) return TOTIENT_LENGTH;
    memset(&numbers, 0, sizeof numbers);
    numbers.length = n.length;
    memcpy(numbers.modulus + SIGN_MOST - n.length, n.bytes, n.length);
    memcpy(numbers.exponent + SIGN_MOST - d.length, d.bytes, d.length);
    memcpy(numbers.public_exponent + sizeof numbers.public_exponent - e.length, e.bytes, e.length);
    const totient_result result = sign_sha256(core, &numbers, digest, signature);
    totient_wipe(&numbers, sizeof numbers);
    return result;
}

static totient_result sign(struct totient_device *device, const char *address,
                           const struct totient_rsa_key *key, const uint8_t *digest,
                           uint8_t *signature)
{
    totient_result result = totient_open_address(device, address);
    if (result != TOTIENT_OK) return result;
    result = device->core.slots != 0 ? sign_on_engine(&device->core, key, digest, signature)
                                     : sign_on_core(&device->core, key, digest, signature);
    return result;
}

int main(int count, char **words)
{
    static uint8_t file[LONGEST_KEY + 1], signature[SIGN_MOST];
    static struct totient_device device;
    uint8_t digest[SIGN_DIGEST];
    if (count != 3) return fail("usage", "sign ADDRESS KEYFILE < digest > signature");
    FILE *opened = fopen(words[2], "rb");
    if (opened == NULL) return fail(words[2], strerror(errno));
    setvbuf(opened, NULL, _IONBF, 0); /* no copy of the key in a buffer */
    const size_t size = fread(file, 1, sizeof file, opened);
    (void)fclose(opened);
    struct totient_rsa_key key;
    totient_result result = size > LONGEST_KEY ? TOTIENT_NOT_A_KEY
                                               : totient_rsa_key_from_der(&key, file, size);
    if (result == TOTIENT_OK && key.private_exponent.bytes == NULL) result = TOTIENT_NO_KEY;
    if (result != TOTIENT_OK) {
        totient_wipe(file, sizeof file);
        return fail(words[2], result == TOTIENT_NO_KEY ? "is a public key" : totient_text(result));
    }
    const size_t length = key.modulus.length;
    const bool digested = fread(digest, 1, SIGN_DIGEST, stdin) == SIGN_DIGEST;
    if (digested) result = sign(&device, words[1], &key, digest, signature);
    totient_wipe(file, sizeof file);
    if (!digested) return fail("digest", "has less than 32 bytes");
    if (result != TOTIENT_OK) fail(words[1], totient_device_reason(&device, result));
    totient_close_device(&device);
    if (result != TOTIENT_OK) return 2;
    /* What is written reaches a full disk, or a closed file, when the buffer is emptied. */
    const bool written = fwrite(signature, 1, length, stdout) == length && fflush(stdout) == 0;
    return written && fclose(stdout) == 0 ? 0 : fail("signature: not written", strerror(errno));
}
