/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a key in DER: a target for libFuzzer, AFL++ or `mutate.c`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "totient/der.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) abort(); \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number lies within the input, and has no leading zero. */
static void check_number(const struct totient_number *number, const uint8_t *data, size_t size)
{
    CHECK(number->length > 0 && number->length <= size && number->bytes >= data);
    CHECK((size_t)(number->bytes - data) <= size - number->length);
    CHECK(number->bytes[0] != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct totient_rsa_key key;
    static const struct totient_rsa_key none;
    uint8_t *copy = malloc(size > 0 ? size : 1); /* a byte beyond its end is noticed */
    CHECK(copy != NULL);
    if (size > 0) memcpy(copy, data, size);
    memset(&key, 0xA5, sizeof key);
    const totient_result result = totient_rsa_key_from_der(&key, copy, size);
    if (result == TOTIENT_OK) {
        check_number(&key.modulus, copy, size);
        check_number(&key.public_exponent, copy, size);
        CHECK(key.modulus.length >= TOTIENT_MIN_RSA_BITS / 8);
        CHECK(key.modulus.length <= TOTIENT_MAX_BITS / 8);
        if (key.p.bytes != NULL) {
            const struct totient_number *const numbers[] = {&key.private_exponent, &key.p, &key.q,
                                                            &key.d_p, &key.d_q, &key.q_inverse};
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
                check_number(numbers[i], copy, size);
        }
    } else {
        CHECK(memcmp(&key, &none, sizeof key) == 0);
    }
    free(copy);
    return 0;
}
