/* SPDX-License-Identifier: Apache-2.0 */
#include "sign_sha256.h"

#include <string.h>

static unsigned digit_of(char digit)
{
    if (digit >= '0' && digit <= '9') return (unsigned)(digit - '0');
    digit |= 0x20;
    return digit >= 'a' && digit <= 'f' ? (unsigned)(digit - 'a') + 10 : 16;
}

size_t sign_number(const char *text, uint8_t *bytes, size_t length)
{
    size_t digits = 0;
    while (digit_of(text[digits]) < 16) digits++;
    const size_t count = (digits + 1) / 2;
    memset(bytes, 0, length);
    if ((text[digits] != '\n' && text[digits] != '\0') || count > length) return 0;
    for (size_t i = 0; i < digits; i++)
        bytes[length - 1 - i / 2] |= (uint8_t)(digit_of(text[digits - 1 - i]) << 4 * (i % 2));
    return count;
}

totient_result sign_encode(const uint8_t *digest, uint8_t *message, size_t length)
{
    /* What names SHA-256 in front of a digest, in DER. */
    static const uint8_t name[] = {0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
                                   0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20};
    const size_t named = sizeof name + SIGN_DIGEST;
    if (length < named + 11 || length > SIGN_MOST) return TOTIENT_ARGUMENT;
    memset(message, 0xFF, length);
    message[0] = 0x00;
    message[1] = 0x01;
    message[length - named - 1] = 0x00;
    memcpy(message + length - named, name, sizeof name);
    memcpy(message + length - SIGN_DIGEST, digest, SIGN_DIGEST);
    return TOTIENT_OK;
}

totient_result sign_sha256(struct totient *core, const struct signing_key *key,
                           const uint8_t *digest, uint8_t *signature)
{
    const size_t length = key->length;
    const uint8_t *e = key->public_exponent;
    const uint32_t public_exponent =
        (uint32_t)e[0] << 24 | (uint32_t)e[1] << 16 | (uint32_t)e[2] << 8 | e[3];
    uint8_t message[SIGN_MOST];
    totient_result result = sign_encode(digest, message, length);
    if (result != TOTIENT_OK) return result;
    result = totient_private_checked(
        core, key->modulus + SIGN_MOST - length, length, key->exponent + SIGN_MOST - length, length,
        public_exponent, message, length, signature, length);
    const totient_result cleared = totient_clear(core);
    if (result == TOTIENT_OK && cleared != TOTIENT_OK) {
        totient_wipe(signature, length);
        result = cleared;
    }
    return result;
}
