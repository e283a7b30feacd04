/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RSA keys: random primes of half the length, found by trial division here and by Miller and
 * Rabin's test on the device, two candidates at a time (FIPS 186-5, A.1.3). The powers of the test
 * are the device's: it makes no difference in time which candidate is prime.
 */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 65536,
    LANES = 2,
    FEW_ROUNDS = 5,
    MORE_ROUNDS = 7,
    SHORT_BYTES = 128,
    MOST_TRIES = 100000,
    FAR_BYTES = 12
};

/* A candidate under test. */
struct lane {
    bool is_set;
    unsigned rounds, twos; /* tests passed; factors 2 of the candidate less one */
};

struct search {
    size_t length;
    unsigned spare;    /* bits of the first byte that a prime does not have, below 8 */
    uint32_t exponent; /* 0: it is longer than a word */
    uint16_t *primes;
    size_t prime_count;
    struct lane lane[LANES];
    /* Locked memory: LANES numbers each. */
    uint8_t *candidate, *power, *base, *result;
    uint8_t *found[2];
    size_t found_count;
};

/* The odd primes below 2^16. */
static bool sieve(struct search *search)
{
    uint8_t *composite = calloc(SMALL, 1);
    search->primes = malloc(SMALL * sizeof *search->primes);
    if (composite == NULL || search->primes == NULL) {
        free(composite);
        return false;
    }
    for (uint32_t i = 3; i < SMALL; i += 2) {
        if (composite[i]) continue;
        search->primes[search->prime_count++] = (uint16_t)i;
        for (uint32_t j = i * 3; i < 256 && j < SMALL; j += 2 * i) composite[j] = 1;
    }
    free(composite);
    return true;
}

static uint32_t remainder_of(const uint8_t *number, size_t length, uint32_t divisor)
{
    uint64_t rest = 0;
    size_t place = length % 2;
    if (place == 1) rest = number[0] % divisor;
    for (; place < length; place += 2)
        rest = (rest << 16 | (uint64_t)number[place] << 8 | number[place + 1]) % divisor;
    return (uint32_t)rest;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool survives(const struct search *search, const uint8_t *candidate)
{
    for (size_t i = 0; i < search->prime_count; i++)
        if (remainder_of(candidate, search->length, search->primes[i]) == 0) return false;
    if (search->exponent == 0) return true;
    const uint32_t rest = remainder_of(candidate, search->length, search->exponent);
    return gcd(search->exponent, (rest + search->exponent - 1) % search->exponent) == 1;
}

/* (candidate - 1) / 2^twos. */
static unsigned odd_part(const uint8_t *candidate, uint8_t *part, size_t length)
{
    unsigned twos = 0;
    memcpy(part, candidate, length);
    part[length - 1] &= 0xfe;
    while ((part[length - 1] & 1) == 0) {
        for (size_t i = length - 1; i > 0; i--)
            part[i] = (uint8_t)(part[i] >> 1 | part[i - 1] << 7);
        part[0] >>= 1;
        twos++;
    }
    return twos;
}

static void set_ends(uint8_t *candidate, size_t length, unsigned spare)
{
    const unsigned kept = candidate[0] & (0xffu >> spare);
    candidate[0] = (uint8_t)(kept | 0xc0u >> spare);
    if (spare == 7) candidate[1] |= 0x80;
    candidate[length - 1] |= 1;
}

/* A new candidate: its two highest bits are set, so that the product has full length. */
static void draw(struct search *search, size_t which)
{
    const size_t length = search->length;
    uint8_t *candidate = search->candidate + which * length;
    do {
        randombytes_buf(candidate, length);
        set_ends(candidate, length, search->spare);
    } while (!survives(search, candidate));
    struct lane *lane = &search->lane[which];
    *lane = (struct lane){true, 0, odd_part(candidate, search->power + which * length, length)};
}

/* A base from 2 to the candidate less two. */
static void draw_base(struct search *search, size_t which)
{
    const size_t length = search->length;
    const uint8_t *candidate = search->candidate + which * length;
    uint8_t *base = search->base + which * length;
    do {
        randombytes_buf(base, length);
    } while (memcmp(base, candidate, length - 1) >= 0 || sodium_is_zero(base, length - 1));
}

static bool is_one(const uint8_t *number, size_t length)
{
    return number[length - 1] == 1 && sodium_is_zero(number, length - 1);
}

/* Whether a number is the candidate less one: the candidate is odd. */
static bool is_last(const uint8_t *number, const uint8_t *candidate, size_t length)
{
    return memcmp(number, candidate, length - 1) == 0
           && number[length - 1] == (candidate[length - 1] & 0xfe);
}

/* What Miller and Rabin's test says of a power. */
static CK_RV judge(const struct search *search, size_t which, bool *passes)
{
    const size_t length = search->length;
    uint8_t *number = search->result + which * length;
    const uint8_t *candidate = search->candidate + which * length;
    *passes = is_one(number, length) || is_last(number, candidate, length);
    for (unsigned i = 1; i < search->lane[which].twos && !*passes; i++) {
        if (!rsa_square(number, candidate, length)) return CKR_HOST_MEMORY;
        *passes = is_last(number, candidate, length);
    }
    return CKR_OK;
}

/* Keeps a prime that is far enough from the first one. */
static void keep(struct search *search, size_t which)
{
    const size_t length = search->length;
    const uint8_t *candidate = search->candidate + which * length;
    search->lane[which].is_set = false;
    if (search->found_count == 2
        || (search->found_count == 1 && memcmp(search->found[0], candidate, FAR_BYTES) == 0))
        return;
    memcpy(search->found[search->found_count++], candidate, length);
}

static CK_RV find_primes(struct search *search)
{
    const unsigned rounds = search->length < SHORT_BYTES ? MORE_ROUNDS : FEW_ROUNDS;
    for (unsigned tries = 0; search->found_count < 2; tries++) {
        if (tries == MOST_TRIES) return CKR_FUNCTION_FAILED;
        for (size_t i = 0; i < LANES; i++) {
            if (!search->lane[i].is_set) draw(search, i);
            draw_base(search, i);
        }
        CK_RV result = device_raise_two(search->candidate, search->power, search->base,
                                        search->result, search->length);
        for (size_t i = 0; i < LANES && result == CKR_OK; i++) {
            bool passes = false;
            result = judge(search, i, &passes);
            if (!passes) search->lane[i].is_set = false;
            else if (++search->lane[i].rounds == rounds) keep(search, i);
        }
        if (result != CKR_OK) return result;
    }
    return CKR_OK;
}

/* The places of a key's numbers in one piece of memory. */
static bool lay_out(struct rsa_numbers *numbers, size_t length, size_t exponent_length)
{
    const size_t lengths[RSA_NUMBERS] = {2 * length, exponent_length, 2 * length, length,
                                         length,     length,          length,     length};
    size_t total = 0;
    for (size_t i = 0; i < RSA_NUMBERS; i++) total += lengths[i];
    numbers->memory = secure_new(total);
    if (numbers->memory == NULL) return false;
    total = 0;
    for (size_t i = 0; i < RSA_NUMBERS; i++) {
        numbers->number[i] = (struct span){numbers->memory + total, lengths[i]};
        total += lengths[i];
    }
    return true;
}

static uint8_t *place(const struct rsa_numbers *numbers, size_t which)
{
    return numbers->memory + (numbers->number[which].bytes - numbers->memory);
}

static CK_RV search_key(struct search *search, struct rsa_numbers *numbers)
{
    const size_t length = search->length;
    CK_RV result;
    search->found[0] = place(numbers, RSA_P);
    search->found[1] = place(numbers, RSA_Q);
    do {
        search->found_count = 0;
        result = find_primes(search);
        if (result != CKR_OK) return result;
        if (memcmp(search->found[0], search->found[1], length) < 0) {
            memcpy(search->result, search->found[0], length);
            memcpy(search->found[0], search->found[1], length);
            memcpy(search->found[1], search->result, length);
        }
        result = rsa_complete(numbers);
    } while (result == CKR_DATA_INVALID); /* the exponent has a factor of p - 1 or q - 1 */
    return result;
}

CK_RV rsa_generate(CK_ULONG bits, const uint8_t *exponent, size_t exponent_length,
                   struct rsa_numbers *numbers)
{
    const size_t prime_bits = bits / 2;
    struct search search = {.length = (prime_bits + 7) / 8,
                            .spare = (unsigned)(8 - prime_bits % 8) % 8};
    for (size_t i = 0; i < exponent_length && exponent_length <= sizeof search.exponent; i++)
        search.exponent = search.exponent << 8 | exponent[i];
    uint8_t *memory = secure_new(4 * LANES * search.length);
    CK_RV result = CKR_HOST_MEMORY;
    if (memory != NULL && sieve(&search) && lay_out(numbers, search.length, exponent_length)) {
        memcpy(place(numbers, RSA_PUBLIC), exponent, exponent_length);
        search.candidate = memory;
        search.power = memory + LANES * search.length;
        search.base = search.power + LANES * search.length;
        search.result = search.base + LANES * search.length;
        result = search_key(&search, numbers);
        if (result != CKR_OK) {
            secure_free(numbers->memory);
            numbers->memory = NULL;
        }
    }
    free(search.primes);
    secure_free(memory);
    return result;
}
