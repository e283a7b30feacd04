/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of an RSA key that follow from its primes, and whether given ones belong together:
 * GMP's functions whose time and addresses depend on lengths only (mpn_sec_*), on locked memory.
 */
#include "operation.h"

#include <gmp.h>
#include <string.h>

const CK_ATTRIBUTE_TYPE rsa_types[RSA_NUMBERS] = {
    CKA_MODULUS, CKA_PUBLIC_EXPONENT, CKA_PRIVATE_EXPONENT, CKA_PRIME_1,
    CKA_PRIME_2, CKA_EXPONENT_1,      CKA_EXPONENT_2,       CKA_COEFFICIENT};

enum { LIMB_BYTES = sizeof(mp_limb_t), MAX_LIMBS = MAX_RSA_BYTES / LIMB_BYTES };

static mp_size_t limbs_of(size_t bytes)
{
    return (mp_size_t)((bytes + LIMB_BYTES - 1) / LIMB_BYTES);
}

static void to_limbs(mp_limb_t *limbs, mp_size_t count, const uint8_t *bytes, size_t length)
{
    memset(limbs, 0, (size_t)count * LIMB_BYTES);
    for (size_t i = 0; i < length && i / LIMB_BYTES < (size_t)count; i++)
        limbs[i / LIMB_BYTES] |= (mp_limb_t)bytes[length - 1 - i] << 8 * (i % LIMB_BYTES);
}

static void to_bytes(uint8_t *bytes, size_t length, const mp_limb_t *limbs, mp_size_t count)
{
    for (size_t i = 0; i < length; i++) {
        const size_t limb = i / LIMB_BYTES;
        const mp_limb_t value = limb < (size_t)count ? limbs[limb] : 0;
        bytes[length - 1 - i] = (uint8_t)(value >> 8 * (i % LIMB_BYTES));
    }
}

/* Locked memory, cut into pieces. */
struct arena {
    mp_limb_t *memory;
    size_t used, room;
};

static bool arena_begin(struct arena *arena, size_t limbs)
{
    arena->memory = secure_new(limbs * LIMB_BYTES);
    arena->used = 0;
    arena->room = limbs;
    return arena->memory != NULL;
}

static mp_limb_t *piece(struct arena *arena, mp_size_t limbs)
{
    mp_limb_t *start = arena->memory + arena->used;
    arena->used += (size_t)limbs;
    return start;
}

/* The length of a divisor, in limbs that are not 0. No secret: primes have a known length. */
static mp_size_t trimmed(const mp_limb_t *number, mp_size_t count)
{
    while (count > 1 && number[count - 1] == 0) count--;
    return count;
}

/* number mod divisor, in place; the scratch is the rest of the arena. */
static void reduce(mp_limb_t *number, mp_size_t count, const mp_limb_t *divisor,
                   mp_size_t divisor_count, const struct arena *arena)
{
    const mp_size_t length = trimmed(divisor, divisor_count);
    if (count < length) return;
    mpn_sec_div_r(number, count, divisor, length, arena->memory + arena->used);
    mpn_zero(number + length, count - length);
}

/* d = (1 + k phi)/e with k = -1/phi modulo e, which needs no inverse modulo an even number. */
static bool private_exponent(mp_limb_t *d, const mp_limb_t *phi, mp_size_t size, const mp_limb_t *e,
                             mp_size_t e_size, struct arena *arena)
{
    const size_t mark = arena->used;
    const mp_size_t length = trimmed(e, e_size);
    mp_limb_t *rest = piece(arena, size), *k = piece(arena, length);
    mp_limb_t *product = piece(arena, size + length + 1);
    mpn_copyi(rest, phi, size);
    mpn_sec_div_r(rest, size, e, length, arena->memory + arena->used);
    bool well = mpn_sec_invert(k, rest, e, length, 2 * (mp_bitcnt_t)length * GMP_NUMB_BITS,
                               arena->memory + arena->used)
                != 0;
    if (well) {
        (void)mpn_sub_n(k, e, k, length);
        mpn_sec_mul(product, phi, size, k, length, arena->memory + arena->used);
        product[size + length] = 0;
        (void)mpn_sec_add_1(product, product, size + length, 1, arena->memory + arena->used);
        mp_limb_t *quotient = piece(arena, size + length + 1);
        quotient[size] = mpn_sec_div_qr(quotient, product, size + length, e, length,
                                        arena->memory + arena->used);
        mpn_copyi(d, quotient, size);
    }
    arena->used = mark;
    return well;
}

/* 1/q modulo p, an odd prime. */
static bool coefficient(mp_limb_t *inverse, const mp_limb_t *q, const mp_limb_t *p, mp_size_t size,
                        struct arena *arena)
{
    const size_t mark = arena->used;
    mp_limb_t *rest = piece(arena, size);
    mpn_copyi(rest, q, size);
    mpn_sec_div_r(rest, size, p, size, arena->memory + arena->used);
    const bool well = mpn_sec_invert(inverse, rest, p, size, 2 * (mp_bitcnt_t)size * GMP_NUMB_BITS,
                                     arena->memory + arena->used)
                      != 0;
    arena->used = mark;
    return well;
}

static mp_limb_t *number_in(struct arena *arena, const struct span *number, mp_size_t limbs)
{
    mp_limb_t *place = piece(arena, limbs);
    to_limbs(place, limbs, number->bytes, number->length);
    return place;
}

static uint8_t *writable(const struct rsa_numbers *numbers, size_t which)
{
    return numbers->memory + (numbers->number[which].bytes - numbers->memory);
}

CK_RV rsa_complete(struct rsa_numbers *numbers)
{
    const size_t length = numbers->number[RSA_P].length, whole = 2 * length;
    const mp_size_t half = limbs_of(length), full = 2 * half;
    const struct span *exponent = &numbers->number[RSA_PUBLIC];
    const mp_size_t e_size = limbs_of(exponent->length);
    struct arena arena;
    if (!arena_begin(&arena, 64 * (size_t)(full + e_size) + 1024)) return CKR_HOST_MEMORY;
    mp_limb_t *p = number_in(&arena, &numbers->number[RSA_P], half);
    mp_limb_t *q = number_in(&arena, &numbers->number[RSA_Q], half);
    mp_limb_t *e = number_in(&arena, exponent, e_size);
    mp_limb_t *n = piece(&arena, full), *phi = piece(&arena, full), *d = piece(&arena, full + 1);
    mp_limb_t *part = piece(&arena, full), *inverse = piece(&arena, half);
    mpn_sec_mul(n, p, half, q, half, arena.memory + arena.used);
    to_bytes(writable(numbers, RSA_MODULUS), whole, n, full);
    bool well = coefficient(inverse, q, p, half, &arena);
    to_bytes(writable(numbers, RSA_Q_INVERSE), length, inverse, half);
    p[0] -= 1; /* they are odd */
    q[0] -= 1;
    mpn_sec_mul(phi, p, half, q, half, arena.memory + arena.used);
    well = well && private_exponent(d, phi, full, e, e_size, &arena);
    if (well) {
        to_bytes(writable(numbers, RSA_EXPONENT), whole, d, full);
        mpn_copyi(part, d, full);
        reduce(part, full, p, half, &arena);
        to_bytes(writable(numbers, RSA_D_P), length, part, half);
        mpn_copyi(part, d, full);
        reduce(part, full, q, half, &arena);
        to_bytes(writable(numbers, RSA_D_Q), length, part, half);
    }
    secure_free(arena.memory);
    return well ? CKR_OK : CKR_DATA_INVALID;
}

bool rsa_square(uint8_t *number, const uint8_t *modulus, size_t length)
{
    const mp_size_t size = limbs_of(length);
    const struct span given[2] = {{number, length}, {modulus, length}};
    struct arena arena;
    if (!arena_begin(&arena, 16 * (size_t)size + 1024)) return false;
    mp_limb_t *x = number_in(&arena, &given[0], size), *n = number_in(&arena, &given[1], size);
    mp_limb_t *product = piece(&arena, 2 * size);
    mpn_sec_sqr(product, x, size, arena.memory + arena.used);
    reduce(product, 2 * size, n, size, &arena);
    to_bytes(number, length, product, size);
    secure_free(arena.memory);
    return true;
}

/* Whether a b = 1 modulo m. */
static bool inverse_of(const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *m, mp_size_t size,
                       struct arena *arena)
{
    const size_t mark = arena->used;
    mp_limb_t *product = piece(arena, 2 * size);
    mpn_sec_mul(product, a, size, b, size, arena->memory + arena->used);
    reduce(product, 2 * size, m, size, arena);
    mp_limb_t other = product[0] ^ 1;
    for (mp_size_t i = 1; i < size; i++) other |= product[i];
    arena->used = mark;
    return other == 0;
}

bool rsa_odd_from_3(const uint8_t *number, size_t length)
{
    if (length == 0) return false;
    const unsigned last = number[length - 1];
    unsigned above = last >> 1;
    for (size_t i = 0; i + 1 < length; i++) above |= number[i];
    return (last & 1) != 0 && above != 0;
}

static bool all_match(const struct span *given, mp_size_t size, struct arena *arena)
{
    mp_limb_t *number[RSA_NUMBERS];
    for (size_t i = 0; i < RSA_NUMBERS; i++) number[i] = number_in(arena, &given[i], size);
    mp_limb_t *p = number[RSA_P], *q = number[RSA_Q], *product = piece(arena, 2 * size);
    const mp_limb_t zero = 0;
    static const size_t odd[] = {RSA_P, RSA_Q, RSA_PUBLIC, RSA_EXPONENT};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (!rsa_odd_from_3(given[odd[i]].bytes, given[odd[i]].length)) return false;
    mpn_sec_mul(product, p, size, q, size, arena->memory + arena->used);
    if (mpn_cmp(product, number[RSA_MODULUS], size) != 0) return false;
    for (mp_size_t i = size; i < 2 * size; i++)
        if (product[i] != zero) return false;
    if (!inverse_of(q, number[RSA_Q_INVERSE], p, size, arena)) return false;
    p[0] -= 1;
    q[0] -= 1;
    return inverse_of(number[RSA_PUBLIC], number[RSA_D_P], p, size, arena)
           && inverse_of(number[RSA_PUBLIC], number[RSA_D_Q], q, size, arena)
           && inverse_of(number[RSA_PUBLIC], number[RSA_EXPONENT], p, size, arena)
           && inverse_of(number[RSA_PUBLIC], number[RSA_EXPONENT], q, size, arena);
}

bool rsa_consistent(const struct attributes *set)
{
    struct span given[RSA_NUMBERS];
    size_t count = 0, longest = 0;
    for (size_t i = 0; i < RSA_NUMBERS; i++) {
        const struct attribute *found = attributes_find(set, rsa_types[i]);
        if (found == NULL || found->length == 0) continue;
        if (found->length > MAX_RSA_BYTES) return false;
        given[i] = (struct span){found->value, found->length};
        if (found->length > longest) longest = found->length;
        count++;
    }
    /* Without the primes there is nothing to compare: the check of each result will have to do. */
    if (count < RSA_NUMBERS) return count == RSA_P && attributes_find(set, CKA_PRIME_1) == NULL;
    struct arena arena;
    const mp_size_t size = limbs_of(longest);
    if (!arena_begin(&arena, 32 * (size_t)size + 1024)) return false;
    const bool well = all_match(given, size, &arena);
    secure_free(arena.memory);
    return well;
}
