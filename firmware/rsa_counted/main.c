/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An RSA operation of firmware/rsa between two marks: MODULUS_BYTES of the modulus; with PRIME_BYTES, the bytes of a prime,
 * a private operation with windows of WINDOW bits, else a public one. The runner puts operand and key in;
 * the result's code and the operand are printed.
 */
#include "processor.h"
#include "rsa.h"

/* Not zero, so that the program's file has a place for them. */
uint8_t operand[MODULUS_BYTES] = {1}, modulus[MODULUS_BYTES] = {1};

#ifdef PRIME_BYTES
uint8_t p[PRIME_BYTES] = {1}, q[PRIME_BYTES] = {1}, dp[PRIME_BYTES] = {1}, dq[PRIME_BYTES] = {1}, qinv[PRIME_BYTES] = {1};
static rsa_word workspace[RSA_PRIVATE_WORKSPACE(PRIME_BYTES, WINDOW) / sizeof(rsa_word)];
#else
uint8_t exponent[3] = {1, 0, 1};
static rsa_word workspace[RSA_PUBLIC_WORKSPACE(MODULUS_BYTES) / sizeof(rsa_word)];
#endif

int main(void)
{
    mark_begin();
#ifdef PRIME_BYTES
    const struct rsa_private_key key = {.modulus = modulus, .p = p, .q = q, .dp = dp, .dq = dq,
                                        .qinv = qinv, .bytes = MODULUS_BYTES, .p_bytes = PRIME_BYTES,
                                        .q_bytes = PRIME_BYTES};
    const enum rsa_result result = rsa_private(operand, &key, workspace, sizeof workspace);
#else
    const struct rsa_public_key key = {.modulus = modulus, .exponent = exponent, .bytes = MODULUS_BYTES,
                                       .exponent_bytes = sizeof exponent};
    const enum rsa_result result = rsa_public(operand, &key, workspace, sizeof workspace);
#endif
    mark_end();
    print_number(result, 1);
    print_text(" ");
    print_bytes(operand, MODULUS_BYTES);
    return 0;
}
