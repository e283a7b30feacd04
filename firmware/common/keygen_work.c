/* SPDX-License-Identifier: Apache-2.0 */
#include "keygen_work.h"

#include "system.h"
#include "totient/registers.h"

void number_to_bytes(uint64_t number, uint8_t *bytes)
{
    for (int i = 0; i < NUMBER; i++) bytes[NUMBER - 1 - i] = (uint8_t)(number >> 8 * i);
}

uint64_t number_from_bytes(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < NUMBER; i++) number = number << 8 | bytes[i];
    return number;
}

#ifdef SYSTEM_KEYGEN
static const struct totient_registers registers = {
    .read = totient_mapped_read, .write = totient_mapped_write, .bus = (void *)SYSTEM_KEYGEN};

totient_result keygen_make_and_raise(struct totient_keygen *ip, const uint8_t *p, const uint8_t *q,
                                     enum totient_exponent exponent, uint8_t *message,
                                     struct totient_key *key)
{
    totient_result result = totient_keygen_open(ip, &registers);
    if (result == TOTIENT_OK) result = totient_keygen_make(ip, p, NUMBER, q, NUMBER, 0, key);
    if (result == TOTIENT_OK)
        result = totient_keygen_raise(ip, exponent, message, NUMBER, message, NUMBER);
    return result;
}

totient_result keygen_raise_given(struct totient_keygen *ip, const uint8_t *modulus,
                                  const uint8_t *exponent, uint8_t *message)
{
    totient_result result = totient_keygen_open(ip, &registers);
    if (result == TOTIENT_OK)
        result = totient_keygen_raise_given(ip, modulus, NUMBER, exponent, NUMBER, message, NUMBER,
                                            message, NUMBER);
    return result;
}
#endif
