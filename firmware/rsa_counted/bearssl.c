/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same operation as in main.c by BearSSL, a well-kept library for such processors: its RSA on words of
 * BEARSSL bits (15 or 31). It refuses input by returning 0.
 */
#include "bearssl_rsa.h"
#include "processor.h"

#define NAME_OF(bits, operation) br_rsa_i##bits##_##operation
#define NAME(bits, operation) NAME_OF(bits, operation)

uint8_t operand[MODULUS_BYTES] = {1}, modulus[MODULUS_BYTES] = {1};

#ifdef PRIME_BYTES
uint8_t p[PRIME_BYTES] = {1}, q[PRIME_BYTES] = {1}, dp[PRIME_BYTES] = {1}, dq[PRIME_BYTES] = {1},
        qinv[PRIME_BYTES] = {1};
#else
uint8_t exponent[3] = {1, 0, 1};
#endif

int main(void)
{
    mark_begin();
#ifdef PRIME_BYTES
    const br_rsa_private_key key = {8 * MODULUS_BYTES, p,  PRIME_BYTES, q,    PRIME_BYTES, dp,
                                    PRIME_BYTES,       dq, PRIME_BYTES, qinv, PRIME_BYTES};
    const uint32_t done = NAME(BEARSSL, private)(operand, &key);
#else
    const br_rsa_public_key key = {modulus, MODULUS_BYTES, exponent, sizeof exponent};
    const uint32_t done = NAME(BEARSSL, public)(operand, MODULUS_BYTES, &key);
#endif
    mark_end();
    print_number(done ^ 1, 1);
    print_text(" ");
    print_bytes(operand, MODULUS_BYTES);
    return 0;
}
