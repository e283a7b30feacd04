/* SPDX-License-Identifier: Apache-2.0 */
#include "sign_sha256.h"

#include <string.h>

totient_result sign_sha256(struct totient *core, const struct signing_key *key,
                           const uint8_t *digest, uint8_t *signature)
{
    /* What names SHA-256 in front of a digest, in DER. */
    static const uint8_t name[] = {0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
                                   0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20};
    const size_t digest_length = 32, named = sizeof name + digest_length;
    if (key->length < named + 11 || key->length > TOTIENT_MAX_BITS / 8) return TOTIENT_ARGUMENT;
    uint8_t message[TOTIENT_MAX_BITS / 8];
    memset(message, 0xFF, key->length);
    message[0] = 0x00;
    message[1] = 0x01;
    message[key->length - named - 1] = 0x00;
    memcpy(message + key->length - named, name, sizeof name);
    memcpy(message + key->length - digest_length, digest, digest_length);
    totient_result result = totient_private_checked(
        core, key->modulus, key->length, key->exponent, key->length, key->public_exponent, message,
        key->length, signature, key->length);
    const totient_result cleared = totient_clear(core);
    if (result == TOTIENT_OK && cleared != TOTIENT_OK) {
        totient_wipe(signature, key->length);
        result = cleared;
    }
    return result;
}
