/* SPDX-License-Identifier: Apache-2.0 */
/* What libtotient has to do over any engine: the same expectations for mocks and for the RTL. */
#include "engine_bench.h"

#include <string.h>

#include "bench.h"

enum { SMALL_OPTIONS = 4 };

static bool raises(struct totient *core, uint32_t slot, const struct engine_key *key,
                   uint32_t options)
{
    uint8_t result[KEY_BYTES];
    const totient_result code = totient_engine_private(core, slot, options, key->message, KEY_BYTES,
                                                       result, KEY_BYTES);
    return code == TOTIENT_OK && memcmp(result, key->privately, KEY_BYTES) == 0;
}

static bool checks(struct totient *core, uint32_t slot, const struct engine_key *key)
{
    uint8_t result[KEY_BYTES];
    const totient_result code =
        totient_engine_public(core, slot, key->privately, KEY_BYTES, result, KEY_BYTES);
    return code == TOTIENT_OK && memcmp(result, key->message, KEY_BYTES) == 0;
}

static totient_result load(struct totient *core, uint32_t slot, const struct engine_key *key,
                           enum rsa_key_form form)
{
    const struct totient_rsa_key given = rsa_key_of(key, form);
    return totient_engine_load_key(core, slot, &given);
}

static totient_result load_pair(struct totient *core, uint32_t slot, const struct engine_key *key)
{
    const struct totient_rsa_key given = rsa_key_of(key, RSA_KEY_PRIMES);
    const struct totient_number moduli[2] = {given.p, given.q}, exponents[2] = {given.d_p, given.d_q};
    return totient_engine_load_pair(core, slot, moduli, exponents, key->prime_bits[0]);
}

static bool is_empty(struct totient *core, uint32_t slot)
{
    uint8_t result[KEY_BYTES + 1];
    const uint8_t *message = engine_keys[0].message;
    memset(result, 0xA5, sizeof result);
    return totient_engine_private(core, slot, 0, message, KEY_BYTES, result, KEY_BYTES)
               == TOTIENT_NO_KEY
           && is_zero(result, KEY_BYTES) && result[KEY_BYTES] == 0xA5
           && totient_engine_public(core, slot, message, KEY_BYTES, result, KEY_BYTES)
                  == TOTIENT_NO_KEY
           && totient_engine_raise_pair(core, slot, message, 32, result, 32) == TOTIENT_NO_KEY;
}

/* A plain key, by the requests that every core takes. */
static void check_plain(struct totient *core)
{
    uint8_t n[8], result[8];
    bytes_of(BENCH_N, n, 8);
    CHECK(totient_load_public(core, n, 8, BENCH_E) == TOTIENT_OK);
    CHECK(totient_raise(core, n + 1, 7, result, 8) == TOTIENT_OK);
    CHECK(number_of(result, 8) == power(number_of(n + 1, 7), BENCH_E, BENCH_N));
}

void test_engine_operations(const struct bench *bench)
{
    struct totient core = open_core(bench);
    const uint32_t last = core.slots - 1;
    uint8_t longer[KEY_BYTES + 3] = {0}, result[KEY_BYTES + 3], n[8];
    CHECK(core.slots == bench->slots && last > 0);
    for (uint32_t slot = 0; slot <= last; slot++) CHECK(is_empty(&core, slot));
    for (size_t i = 0; i < KEYS; i++) {
        const struct engine_key *key = &engine_keys[i];
        CHECK(load(&core, last, key, RSA_KEY_PUBLIC) == TOTIENT_OK);
        CHECK(core.slot_bits[last] == 8 * KEY_BYTES && core.cycles != 0);
        CHECK(checks(&core, last, key) && core.cycles != 0);
        CHECK(totient_engine_private(&core, last, 0, key->message, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_NO_KEY);
        CHECK(is_zero(result, KEY_BYTES));
        CHECK(load(&core, last, key, RSA_KEY_EXPONENT) == TOTIENT_OK);
        CHECK(raises(&core, last, key, 0) && checks(&core, last, key));
        CHECK(totient_engine_private(&core, last, TOTIENT_EXPONENT_BLINDING, key->message, KEY_BYTES,
                                     result, KEY_BYTES)
              == TOTIENT_COMMAND); /* it needs the primes */
        CHECK(load(&core, last, key, RSA_KEY_PRIMES) == TOTIENT_OK);
        for (uint32_t options = 0; options < SMALL_OPTIONS; options++)
            CHECK(raises(&core, last, key, options));
        CHECK(checks(&core, last, key));
    }
    CHECK(is_empty(&core, 0));
    /* Two keys at once; longer buffers, in place, and zeros before the result. */
    CHECK(load(&core, 0, &engine_keys[0], RSA_KEY_PRIMES) == TOTIENT_OK);
    CHECK(raises(&core, 0, &engine_keys[0], 0) && raises(&core, last, &engine_keys[1], 0));
    memcpy(longer + 3, engine_keys[0].message, KEY_BYTES);
    CHECK(totient_engine_public(&core, 0, longer, sizeof longer, longer, sizeof longer)
          == TOTIENT_OK);
    CHECK(is_zero(longer, 3) && memcmp(longer + 3, engine_keys[0].publicly, KEY_BYTES) == 0);
    CHECK(totient_engine_private(&core, 0, 0, longer, sizeof longer, longer, sizeof longer)
          == TOTIENT_OK);
    CHECK(is_zero(longer, 3) && memcmp(longer + 3, engine_keys[0].message, KEY_BYTES) == 0);
    /* 0 and 1 stay what they are. */
    for (uint8_t value = 0; value < 2; value++) {
        CHECK(totient_engine_private(&core, 0, 0, &value, 1, result, sizeof result) == TOTIENT_OK);
        CHECK(is_zero(result, sizeof result - 1) && result[sizeof result - 1] == value);
    }
    /* Keys of one kind do not serve another one's requests. */
    const struct engine_key *key = &engine_keys[0];
    uint8_t two[2 * KEY_BYTES];
    memset(two, 0xA5, sizeof two);
    CHECK(totient_engine_raise_pair(&core, last, key->pair, PRIME_BYTES, two, KEY_BYTES)
          == TOTIENT_NO_KEY);
    CHECK(is_zero(two, sizeof two));
    CHECK(totient_raise(&core, key->message, KEY_BYTES, result, KEY_BYTES) == TOTIENT_NO_KEY);
    CHECK(load_pair(&core, 0, key) == TOTIENT_OK && core.cycles != 0);
    CHECK(totient_engine_private(&core, 0, 0, key->pair, PRIME_BYTES, result, KEY_BYTES)
          == TOTIENT_NO_KEY);
    CHECK(totient_engine_public(&core, 0, key->pair, PRIME_BYTES, result, KEY_BYTES)
          == TOTIENT_NO_KEY);
    CHECK(totient_raise(&core, key->pair, PRIME_BYTES, result, KEY_BYTES) == TOTIENT_NO_KEY);
    memcpy(two, key->pair, sizeof key->pair);
    CHECK(totient_engine_raise_pair(&core, 0, two, PRIME_BYTES, two, PRIME_BYTES) == TOTIENT_OK);
    CHECK(memcmp(two, key->pair_raised, sizeof key->pair_raised) == 0 && core.cycles != 0);
    /* Of an engine of 512 bits the longest one that it takes. */
    CHECK(load_pair(&core, 0, &engine_keys[1]) == TOTIENT_OK);
    CHECK(totient_engine_raise_pair(&core, 0, engine_keys[1].pair, PRIME_BYTES, two, PRIME_BYTES)
          == TOTIENT_OK);
    CHECK(memcmp(two, engine_keys[1].pair_raised, sizeof engine_keys[1].pair_raised) == 0);
    /* A plain key takes slot 0 only, and gives it back. */
    check_plain(&core);
    CHECK(is_empty(&core, 0) && raises(&core, last, &engine_keys[1], 0));
    CHECK(core.modulus_bits != 0);
    CHECK(load(&core, 0, key, RSA_KEY_PRIMES) == TOTIENT_OK && core.modulus_bits == 0);
    bytes_of(BENCH_N, n, 8);
    CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_NO_KEY);
    CHECK(raises(&core, 0, key, 0));
    CHECK(totient_engine_self_test(&core, 0) == TOTIENT_OK);
    CHECK(is_empty(&core, 0) && checks(&core, last, &engine_keys[1]));
    check_plain(&core);
    CHECK(totient_engine_self_test(&core, 0) == TOTIENT_OK && core.modulus_bits == 0);
    CHECK(totient_engine_self_test(&core, last) == TOTIENT_OK && is_empty(&core, last));
    CHECK(load(&core, 0, key, RSA_KEY_PRIMES) == TOTIENT_OK && raises(&core, 0, key, 0));
    CHECK(totient_clear(&core) == TOTIENT_OK);
    for (uint32_t slot = 0; slot <= last; slot++) CHECK(is_empty(&core, slot));
    CHECK(totient_engine_self_test(&core, 0) == TOTIENT_OK);
}

/* A key that is refused: none is left in its slot, but in another one. */
static void check_refused(struct totient *core, const struct totient_rsa_key *key,
                          totient_result wanted)
{
    CHECK(load(core, 1, &engine_keys[0], RSA_KEY_PUBLIC) == TOTIENT_OK);
    CHECK(totient_engine_load_key(core, 1, key) == wanted);
    CHECK(is_empty(core, 1) && checks(core, 0, &engine_keys[0]));
}

/* Lengths of primes: together the modulus', and half of the maximum and 8 more at most. */
static void test_lengths_of_primes(struct totient *core)
{
    const struct engine_key *key = &engine_keys[0];
    static uint8_t ones[TOTIENT_MAX_BITS / 8 + 1];
    memset(ones, 0xFF, sizeof ones);
    struct totient_rsa_key given = rsa_key_of(key, RSA_KEY_PRIMES);
    given.p = given.q = (struct totient_number){ones, 31}; /* 8 bits less */
    given.d_p = given.d_q = given.q_inverse = (struct totient_number){ones, 1};
    check_refused(core, &given, TOTIENT_LENGTH);
    given.p.length = 33;
    given.q.length = 32; /* 8 bits more */
    check_refused(core, &given, TOTIENT_LENGTH);
    const size_t longest = core->maximum_bits / 2 + 8;
    given.modulus = (struct totient_number){ones, core->maximum_bits / 8};
    given.p = (struct totient_number){ones, longest / 8 + 1};
    given.q = (struct totient_number){ones, (core->maximum_bits - 8 * given.p.length) / 8};
    check_refused(core, &given, TOTIENT_LENGTH);
    given.p.length = core->maximum_bits / 8 + 1;
    check_refused(core, &given, TOTIENT_LENGTH);
    given.p.length = SIZE_MAX; /* is not read */
    given.p.bytes = NULL;
    CHECK(totient_engine_load_key(core, 1, &given) == TOTIENT_ARGUMENT);
}

void test_engine_refusals(const struct bench *bench)
{
    struct totient core = open_core(bench);
    const struct engine_key *key = &engine_keys[0];
    static uint8_t numbers[TOTIENT_MAX_BITS / 8 + 1];
    uint8_t n[KEY_BYTES], result[KEY_BYTES], two[2 * PRIME_BYTES];
    CHECK(load(&core, 0, key, RSA_KEY_PRIMES) == TOTIENT_OK);
    /* Moduli and public exponents. */
    struct totient_rsa_key given = rsa_key_of(key, RSA_KEY_EXPONENT);
    memcpy(n, key->n, sizeof n);
    given.modulus.bytes = n;
    n[KEY_BYTES - 1] ^= 1;
    check_refused(&core, &given, TOTIENT_MODULUS_EVEN);
    memcpy(n, key->n, sizeof n);
    n[0] = 0x7F; /* 511 bits */
    given.private_exponent = (struct totient_number){key->e, 4};
    check_refused(&core, &given, TOTIENT_LENGTH);
    given.modulus.length = 0;
    check_refused(&core, &given, TOTIENT_LENGTH);
    memset(numbers, 0xFF, sizeof numbers);
    given.modulus = (struct totient_number){numbers, core.maximum_bits / 8 + 1};
    check_refused(&core, &given, TOTIENT_LENGTH);
    given = rsa_key_of(key, RSA_KEY_EXPONENT);
    for (uint8_t e = 0; e < 5; e++) {
        if (e == 3) continue;
        given.public_exponent = (struct totient_number){&e, 1};
        check_refused(&core, &given, TOTIENT_PUBLIC_EXPONENT);
    }
    given.public_exponent = (struct totient_number){numbers, core.maximum_bits / 8 + 1};
    check_refused(&core, &given, TOTIENT_LENGTH);
    /* Private numbers that are longer than what they belong to. */
    given = rsa_key_of(key, RSA_KEY_EXPONENT);
    given.private_exponent = (struct totient_number){numbers, KEY_BYTES + 1};
    check_refused(&core, &given, TOTIENT_LENGTH);
    const struct totient_rsa_key whole = rsa_key_of(key, RSA_KEY_PRIMES);
    for (size_t i = 0; i < 3; i++) {
        given = whole;
        struct totient_number *const parts[3] = {&given.d_p, &given.d_q, &given.q_inverse};
        *parts[i] = (struct totient_number){numbers, PRIME_BYTES};
        check_refused(&core, &given, TOTIENT_LENGTH);
    }
    test_lengths_of_primes(&core);
    /* Primes that are even, or not of the modulus. */
    for (size_t i = 0; i < 2; i++) {
        given = whole;
        memcpy(n, i == 0 ? key->p : key->q, PRIME_BYTES);
        n[PRIME_BYTES - 1] ^= 1;
        *(i == 0 ? &given.p : &given.q) = (struct totient_number){n, PRIME_BYTES};
        check_refused(&core, &given, TOTIENT_PRIME);
        n[PRIME_BYTES - 1] ^= 3;
        check_refused(&core, &given, TOTIENT_PRIME);
    }
    given = whole;
    given.q = given.p;
    check_refused(&core, &given, TOTIENT_PRIME);
    /* Some of the numbers that belong to primes. */
    for (size_t i = 0; i < 5; i++) {
        given = whole;
        struct totient_number *const parts[5] = {&given.p, &given.q, &given.d_p, &given.d_q,
                                                 &given.q_inverse};
        parts[i]->bytes = NULL;
        CHECK(totient_engine_load_key(&core, 0, &given) == TOTIENT_ARGUMENT);
    }
    CHECK(raises(&core, 0, key, 0)); /* that one is still there */
    /* Messages. */
    CHECK(totient_engine_private(&core, 0, 0, key->n, KEY_BYTES, result, KEY_BYTES)
          == TOTIENT_BASE_NOT_BELOW);
    CHECK(totient_engine_public(&core, 0, key->n, KEY_BYTES, result, KEY_BYTES)
          == TOTIENT_BASE_NOT_BELOW);
    memset(result, 0xA5, sizeof result);
    CHECK(totient_engine_public(&core, 0, numbers, KEY_BYTES + 1, result, KEY_BYTES)
          == TOTIENT_BASE_NOT_BELOW);
    CHECK(is_zero(result, KEY_BYTES));
    memset(result, 0xA5, sizeof result);
    CHECK(totient_engine_public(&core, 0, key->message, KEY_BYTES, result, KEY_BYTES - 1)
          == TOTIENT_ARGUMENT);
    CHECK(is_zero(result, KEY_BYTES - 1) && result[KEY_BYTES - 1] == 0xA5);
    /* Options and slots. */
    const uint32_t options[] = {4, 8, 0x100, 0x80000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        memset(result, 0xA5, sizeof result);
        CHECK(totient_engine_private(&core, 0, options[i], key->message, KEY_BYTES, result,
                                     KEY_BYTES)
              == TOTIENT_ARGUMENT);
        CHECK(is_zero(result, KEY_BYTES));
    }
    const uint32_t slots[] = {core.slots, TOTIENT_MAX_SLOTS, 0x100, UINT32_MAX};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        memset(result, 0xA5, sizeof result);
        CHECK(totient_engine_load_key(&core, slots[i], &whole) == TOTIENT_ARGUMENT);
        CHECK(load_pair(&core, slots[i], key) == TOTIENT_ARGUMENT);
        CHECK(totient_engine_self_test(&core, slots[i]) == TOTIENT_ARGUMENT);
        CHECK(totient_engine_public(&core, slots[i], key->message, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_ARGUMENT);
        CHECK(is_zero(result, KEY_BYTES));
        CHECK(totient_engine_private(&core, slots[i], 0, key->message, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_ARGUMENT);
        CHECK(totient_engine_raise_pair(&core, slots[i], key->pair, PRIME_BYTES, two, PRIME_BYTES)
              == TOTIENT_ARGUMENT);
    }
    CHECK(raises(&core, 0, key, 0));
    /* Pairs. */
    const struct totient_number moduli[2] = {whole.p, whole.q};
    const struct totient_number exponents[2] = {whole.d_p, whole.d_q};
    for (size_t i = 0; i < 2; i++) {
        struct totient_number other[2] = {whole.p, whole.q};
        memcpy(n, i == 0 ? key->p : key->q, PRIME_BYTES);
        n[PRIME_BYTES - 1] ^= 1;
        other[i] = (struct totient_number){n, PRIME_BYTES};
        CHECK(totient_engine_load_pair(&core, 1, other, exponents, 256) == TOTIENT_MODULUS_EVEN);
        n[0] = 1;
        other[i] = (struct totient_number){n, 1};
        CHECK(totient_engine_load_pair(&core, 1, other, exponents, 256) == TOTIENT_MODULUS_SMALL);
        other[i].length = 0;
        CHECK(totient_engine_load_pair(&core, 1, other, exponents, 256) == TOTIENT_MODULUS_SMALL);
        other[i] = (struct totient_number){numbers, core.maximum_bits / 16 + 2};
        CHECK(totient_engine_load_pair(&core, 1, other, exponents, 256) == TOTIENT_LENGTH);
        other[i].length = core.maximum_bits / 8 + 1;
        CHECK(totient_engine_load_pair(&core, 1, other, exponents, 256) == TOTIENT_LENGTH);
        CHECK(is_empty(&core, 1));
        struct totient_number others[2] = {whole.d_p, whole.d_q};
        others[i] = (struct totient_number){numbers, PRIME_BYTES};
        CHECK(totient_engine_load_pair(&core, 1, moduli, others, 256) == TOTIENT_LENGTH);
    }
    CHECK(totient_engine_load_pair(&core, 1, moduli, exponents, 8) == TOTIENT_LENGTH);
    CHECK(totient_engine_load_pair(&core, 1, moduli, exponents, SIZE_MAX) == TOTIENT_LENGTH);
    const struct totient_number zeros[2] = {{numbers, 0}, {numbers, 0}};
    CHECK(totient_engine_load_pair(&core, 1, moduli, zeros, 0) == TOTIENT_EXPONENT_EMPTY);
    CHECK(is_empty(&core, 1));
    CHECK(load_pair(&core, 1, key) == TOTIENT_OK);
    memcpy(two, key->pair, sizeof two);
    memcpy(two + PRIME_BYTES, key->q, PRIME_BYTES); /* the second one only */
    CHECK(totient_engine_raise_pair(&core, 1, two, PRIME_BYTES, two, PRIME_BYTES)
          == TOTIENT_BASE_NOT_BELOW);
    CHECK(is_zero(two, sizeof two));
    memcpy(two, numbers, sizeof two);
    CHECK(totient_engine_raise_pair(&core, 1, two, PRIME_BYTES, two, PRIME_BYTES)
          == TOTIENT_BASE_NOT_BELOW);
    CHECK(totient_engine_raise_pair(&core, 1, key->pair, PRIME_BYTES, two, 31) == TOTIENT_ARGUMENT);
    CHECK(totient_engine_raise_pair(&core, 1, key->pair, PRIME_BYTES, two, PRIME_BYTES)
          == TOTIENT_OK);
    CHECK(memcmp(two, key->pair_raised, sizeof two) == 0);
    CHECK(core.slot_pair[1] && core.slot_bits[1] == key->prime_bits[0]);
    CHECK(totient_clear(&core) == TOTIENT_OK);
    CHECK(!core.slot_pair[1] && core.slot_bits[1] == 0);
}

/* Every function with each of its pointers null, one at a time: refused, and nothing is written. */
void test_engine_null_pointers(const struct bench *bench)
{
    struct totient core;
    const struct engine_key *key = &engine_keys[0];
    const struct totient_rsa_key whole = rsa_key_of(key, RSA_KEY_PRIMES);
    const struct totient_number moduli[2] = {whole.p, whole.q};
    const struct totient_number exponents[2] = {whole.d_p, whole.d_q};
    uint8_t result[2 * KEY_BYTES];
    memset(result, 0xA5, sizeof result);
    CHECK(totient_open(&core, NULL, bench->context) == TOTIENT_ARGUMENT);
    struct totient *const none[] = {NULL, &core};
    for (size_t i = 0; i < 2; i++) {
        CHECK(totient_engine_load_key(none[i], 0, &whole) == TOTIENT_ARGUMENT);
        CHECK(totient_engine_private(none[i], 0, 0, key->message, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_ARGUMENT);
        CHECK(totient_engine_public(none[i], 0, key->message, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_ARGUMENT);
        CHECK(totient_engine_load_pair(none[i], 0, moduli, exponents, 256) == TOTIENT_ARGUMENT);
        CHECK(totient_engine_raise_pair(none[i], 0, key->pair, PRIME_BYTES, result, PRIME_BYTES)
              == TOTIENT_ARGUMENT);
        CHECK(totient_engine_self_test(none[i], 0) == TOTIENT_ARGUMENT);
        CHECK(totient_engine_random_source(none[i], NULL, NULL) == TOTIENT_ARGUMENT);
    }
    core = open_core(bench);
    CHECK(load(&core, 0, key, RSA_KEY_PRIMES) == TOTIENT_OK);
    CHECK(load_pair(&core, 1, key) == TOTIENT_OK);
    CHECK(totient_engine_load_key(&core, 0, NULL) == TOTIENT_ARGUMENT);
    for (size_t i = 0; i < 2; i++) {
        struct totient_rsa_key given = whole;
        struct totient_number *const parts[2] = {&given.modulus, &given.public_exponent};
        parts[i]->bytes = NULL;
        CHECK(totient_engine_load_key(&core, 0, &given) == TOTIENT_ARGUMENT);
        struct totient_number pair[2] = {whole.p, whole.q};
        pair[i].bytes = NULL;
        CHECK(totient_engine_load_pair(&core, 1, pair, exponents, 256) == TOTIENT_ARGUMENT);
        CHECK(totient_engine_load_pair(&core, 1, moduli, pair, 256) == TOTIENT_ARGUMENT);
    }
    CHECK(totient_engine_load_pair(&core, 1, NULL, exponents, 256) == TOTIENT_ARGUMENT);
    CHECK(totient_engine_load_pair(&core, 1, moduli, NULL, 256) == TOTIENT_ARGUMENT);
    CHECK(totient_engine_private(&core, 0, 0, NULL, KEY_BYTES, result, KEY_BYTES)
          == TOTIENT_ARGUMENT);
    CHECK(totient_engine_private(&core, 0, 0, key->message, KEY_BYTES, NULL, KEY_BYTES)
          == TOTIENT_ARGUMENT);
    CHECK(totient_engine_public(&core, 0, NULL, KEY_BYTES, result, KEY_BYTES) == TOTIENT_ARGUMENT);
    CHECK(totient_engine_public(&core, 0, key->message, KEY_BYTES, NULL, KEY_BYTES)
          == TOTIENT_ARGUMENT);
    CHECK(totient_engine_raise_pair(&core, 1, NULL, PRIME_BYTES, result, PRIME_BYTES)
          == TOTIENT_ARGUMENT);
    CHECK(totient_engine_raise_pair(&core, 1, key->pair, PRIME_BYTES, NULL, PRIME_BYTES)
          == TOTIENT_ARGUMENT);
    for (size_t i = 0; i < sizeof result; i++) CHECK(result[i] == 0xA5);
    /* The keys are still there: none of this went to the core. */
    CHECK(raises(&core, 0, key, 0));
    CHECK(totient_engine_raise_pair(&core, 1, key->pair, PRIME_BYTES, result, PRIME_BYTES)
          == TOTIENT_OK);
    CHECK(memcmp(result, key->pair_raised, sizeof key->pair_raised) == 0);
    CHECK(totient_clear(&core) == TOTIENT_OK);
}

/* As test_nothing_is_kept. Without primes, the two keys have as many words. */
void test_engine_nothing_is_kept(const struct bench *bench, const void *way, size_t size)
{
    struct totient cores[2];
    uint8_t used[2][256], cleared[2][256], result[KEY_BYTES];
    CHECK(size <= sizeof *used);
    for (size_t turn = 0; turn < 2; turn++) {
        struct totient *core = &cores[turn];
        const struct engine_key *key = &engine_keys[turn];
        CHECK(totient_open(core, bench->transport, bench->context) == TOTIENT_OK);
        CHECK(load(core, 1, key, RSA_KEY_EXPONENT) == TOTIENT_OK && raises(core, 1, key, 0));
        CHECK(totient_engine_private(core, 1, 0, key->n, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_BASE_NOT_BELOW);
        memcpy(used[turn], way, size);
        CHECK(totient_clear(core) == TOTIENT_OK);
        memcpy(cleared[turn], way, size);
    }
    CHECK(memcmp(used[0], used[1], size) == 0);
    CHECK(memcmp(cleared[0], cleared[1], size) == 0);
    CHECK(memcmp(&cores[0], &cores[1], sizeof cores[0]) == 0);
}

void test_no_engine(const struct bench *bench)
{
    struct totient core = open_core(bench);
    const struct engine_key *key = &engine_keys[0];
    uint8_t result[2 * PRIME_BYTES];
    CHECK(core.slots == 0);
    CHECK(load(&core, 0, key, RSA_KEY_PUBLIC) == TOTIENT_COMMAND);
    CHECK(load_pair(&core, 0, key) == TOTIENT_COMMAND);
    CHECK(totient_engine_self_test(&core, 0) == TOTIENT_COMMAND);
    CHECK(totient_engine_random_source(&core, NULL, NULL) == TOTIENT_COMMAND);
    memset(result, 0xA5, sizeof result);
    CHECK(totient_engine_private(&core, 0, 0, key->message, KEY_BYTES, result, KEY_BYTES)
          == TOTIENT_COMMAND);
    CHECK(is_zero(result, KEY_BYTES));
    memset(result, 0xA5, sizeof result);
    CHECK(totient_engine_public(&core, 0, key->message, KEY_BYTES, result, KEY_BYTES)
          == TOTIENT_COMMAND);
    CHECK(is_zero(result, KEY_BYTES));
    memset(result, 0xA5, sizeof result);
    CHECK(totient_engine_raise_pair(&core, 0, key->pair, PRIME_BYTES, result, PRIME_BYTES)
          == TOTIENT_COMMAND);
    CHECK(is_zero(result, sizeof result));
    check_plain(&core);
    CHECK(totient_clear(&core) == TOTIENT_OK);
}
