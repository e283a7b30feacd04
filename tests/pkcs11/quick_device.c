/* SPDX-License-Identifier: Apache-2.0 */
/* In the place of device.c: powers by GMP. For tests of everything but the device, at full speed.
 */
#include "token.h"

#include <gmp.h>
#include <string.h>

static void power(const struct span *base, const struct span *exponent, const struct span *modulus,
                  uint8_t *result, size_t length)
{
    mpz_t b, e, n;
    size_t count = 0;
    uint8_t bytes[2 * MAX_RSA_BYTES];
    mpz_inits(b, e, n, NULL);
    mpz_import(b, base->length, 1, 1, 0, 0, base->bytes);
    mpz_import(e, exponent->length, 1, 1, 0, 0, exponent->bytes);
    mpz_import(n, modulus->length, 1, 1, 0, 0, modulus->bytes);
    mpz_powm(b, b, e, n);
    (void)mpz_export(bytes, &count, 1, 1, 0, 0, b);
    memset(result, 0, length - count);
    memcpy(result + length - count, bytes, count);
    mpz_clears(b, e, n, NULL);
}

static CK_RV operate(const struct object *key, CK_ATTRIBUTE_TYPE type, const uint8_t *message,
                     uint8_t *result, size_t length)
{
    struct span modulus, exponent;
    if (!object_value(key, CKA_MODULUS, &modulus) || !object_value(key, type, &exponent))
        return CKR_FUNCTION_FAILED;
    while (modulus.length > length) {
        modulus.bytes++;
        modulus.length--;
    }
    if (memcmp(message, modulus.bytes, length) >= 0) return CKR_DATA_INVALID;
    power(&(struct span){message, length}, &exponent, &modulus, result, length);
    return CKR_OK;
}

CK_RV device_private(const struct object *key, const uint8_t *message, uint8_t *result,
                     size_t length)
{
    return operate(key, CKA_PRIVATE_EXPONENT, message, result, length);
}

CK_RV device_public(const struct object *key, const uint8_t *message, uint8_t *result,
                    size_t length)
{
    return operate(key, CKA_PUBLIC_EXPONENT, message, result, length);
}

CK_RV device_raise_two(const uint8_t *moduli, const uint8_t *exponents, const uint8_t *bases,
                       uint8_t *results, size_t length)
{
    for (size_t i = 0; i < 2; i++)
        power(&(struct span){bases + i * length, length},
              &(struct span){exponents + i * length, length},
              &(struct span){moduli + i * length, length}, results + i * length, length);
    return CKR_OK;
}

CK_ULONG device_maximum_bits(void)
{
    return 4096;
}

void device_wipe_keys(void)
{
}

void device_forget(const struct object *key)
{
    (void)key;
}

CK_RV device_open(char *why, size_t room)
{
    (void)why, (void)room;
    return CKR_OK;
}

void device_close(void)
{
}

void device_end(void)
{
}

void device_abandon(void)
{
}
