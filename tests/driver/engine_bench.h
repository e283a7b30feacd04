/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of engine_keys.h, as an engine is given them. */
#ifndef ENGINE_BENCH_H
#define ENGINE_BENCH_H

#include "engine_keys.h"
#include "totient/engine.h"

enum rsa_key_form { RSA_KEY_PUBLIC, RSA_KEY_EXPONENT, RSA_KEY_PRIMES, RSA_KEY_FORMS };

static inline struct totient_rsa_key rsa_key_of(const struct engine_key *key,
                                                enum rsa_key_form form)
{
    struct totient_rsa_key given = {.modulus = {key->n, KEY_BYTES}, .public_exponent = {key->e, 4}};
    if (form == RSA_KEY_EXPONENT)
        given.private_exponent = (struct totient_number){key->d, KEY_BYTES};
    if (form == RSA_KEY_PRIMES) {
        given.p = (struct totient_number){key->p, PRIME_BYTES};
        given.q = (struct totient_number){key->q, PRIME_BYTES};
        given.d_p = (struct totient_number){key->d_p, PRIME_BYTES};
        given.d_q = (struct totient_number){key->d_q, PRIME_BYTES};
        given.q_inverse = (struct totient_number){key->q_inverse, PRIME_BYTES};
    }
    return given;
}

#endif
