/* SPDX-License-Identifier: Apache-2.0 */
/* Whole RSA operations: checks, CRT, fixed windows. */
#include "rsa.h"

#include "montgomery.h"

enum { BYTES = sizeof(rsa_word) };

static void words_of(rsa_word *words, unsigned k, const uint8_t *bytes, size_t length)
{
    for (unsigned j = 0; j < k; j++) words[j] = 0;
    for (size_t i = 0; i < length; i++) {
        words[i / BYTES] |= (rsa_word)((rsa_word)bytes[length - 1 - i] << 8 * (i % BYTES));
    }
}

static void bytes_of(uint8_t *bytes, size_t length, const rsa_word *words)
{
    for (size_t i = 0; i < length; i++) {
        bytes[length - 1 - i] = (uint8_t)(words[i / BYTES] >> 8 * (i % BYTES));
    }
}

/* Whether a < b, in the same time for all values. */
static unsigned is_below(const uint8_t *a, const uint8_t *b, size_t length)
{
    unsigned borrow = 0;
    for (size_t i = length; i-- > 0;) borrow = ((unsigned)a[i] - b[i] - borrow) >> 8 & 1;
    return borrow;
}

static unsigned bits_of(const uint8_t *bytes, size_t length)
{
    unsigned bits = 8 * (unsigned)(length - 1);
    for (unsigned first = bytes[0]; first != 0; first >>= 1) bits++;
    return bits;
}

static void wipe(rsa_word *words, size_t bytes)
{
    volatile rsa_word *at = words;
    for (size_t i = 0; i < bytes / BYTES; i++) at[i] = 0;
}

static enum rsa_result check_modulus(const uint8_t *operand, const uint8_t *modulus, size_t length)
{
    if (length < RSA_MIN_BITS / 8 || length > RSA_MAX_BITS / 8 || modulus[0] == 0) return RSA_LENGTH;
    if (bits_of(modulus, length) < RSA_MIN_BITS) return RSA_LENGTH;
    if ((modulus[length - 1] & 1) == 0) return RSA_EVEN;
    return is_below(operand, modulus, length) ? RSA_OK : RSA_RANGE;
}

static enum rsa_result check_public(const uint8_t *operand, const struct rsa_public_key *key,
                                    const rsa_word *workspace)
{
    if (operand == NULL || key == NULL || workspace == NULL) return RSA_NULL;
    if (key->modulus == NULL || key->exponent == NULL) return RSA_NULL;
    if (key->exponent_bytes == 0 || key->exponent_bytes > RSA_MAX_BITS / 8) return RSA_LENGTH;
    return check_modulus(operand, key->modulus, key->bytes);
}

/* Widest window for a workspace of so many bytes; 0 if there is none. */
static unsigned window_of(size_t bytes, unsigned k)
{
    for (unsigned window = RSA_MAX_WINDOW; window > 0; window--) {
        if (bytes >= RSA_PRIVATE_WORKSPACE(k * BYTES, window)) return window;
    }
    return 0;
}

/* Memory of an exponentiation: k words each but for the last two. */
struct area {
    rsa_word *n, *square_of_r, *power, *chosen, *kept;
    rsa_word *scratch; /* k + 2 words */
    rsa_word *table;   /* 2^window k words */
};

static struct area area_of(rsa_word *workspace, unsigned k)
{
    struct area area;
    area.n = workspace;
    area.square_of_r = area.n + k;
    area.power = area.square_of_r + k;
    area.chosen = area.power + k;
    area.kept = area.chosen + k;
    area.scratch = area.kept + k;
    area.table = area.scratch + k + 2;
    return area;
}

static struct modulus take_modulus(struct area *area, unsigned k, const uint8_t *bytes, size_t length)
{
    words_of(area->n, k, bytes, length);
    const struct modulus m = {.n = area->n, .inverse = negative_inverse(area->n[0]), .words = k};
    montgomery_square_of_r(area->square_of_r, &m, bits_of(bytes, length), area->scratch);
    return m;
}

/* Bits [at, at + count) of a big-endian number, bits above it being 0. */
static unsigned bits_at(const uint8_t *bytes, size_t length, size_t at, unsigned count)
{
    const size_t low = at / 8;
    unsigned value = bytes[length - 1 - low];
    if (low + 1 < length) value |= (unsigned)bytes[length - 2 - low] << 8;
    return (value >> at % 8) & ((1u << count) - 1);
}

/* chosen = table[index], where every word of the table is read. */
static void choose(struct area *area, unsigned k, unsigned entries, unsigned index)
{
    rsa_word *const chosen = area->chosen;
    const rsa_word *entry = area->table;
    for (unsigned j = 0; j < k; j++) chosen[j] = 0;
    for (unsigned i = 0; i < entries; i++) {
        /* All ones for the entry: i ^ index is below 2^5, less one it borrows only from 0. */
        const rsa_word mask = mask_of((rsa_word)(((i ^ index) - 1) >> (8 * sizeof(unsigned) - 1)));
        for (unsigned j = 0; j < k; j++) chosen[j] |= entry[j] & mask;
        entry += k;
    }
}

/* power = power ^ exponent, in Montgomery form, by a fixed window; multiplies by 1 where it is 0. */
static void raise_in_windows(struct area *area, const struct modulus *m, const uint8_t *exponent,
                             size_t length, unsigned window)
{
    const unsigned k = m->words;
    rsa_word *const table = area->table;
    for (unsigned j = 0; j < k; j++) area->chosen[j] = j == 0;
    montgomery_product(table, area->square_of_r, area->chosen, m, area->scratch);
    for (unsigned j = 0; j < k; j++) table[k + j] = area->power[j];
    for (unsigned i = 2; i < 1u << window; i++) {
        montgomery_product(table + i * k, table + (i - 1) * k, area->power, m, area->scratch);
    }
    size_t at = 0; /* the first bit of the top window; not by division, which wants a library */
    while (at + window < 8 * length) at += window;
    choose(area, k, 1u << window, bits_at(exponent, length, at, window));
    for (unsigned j = 0; j < k; j++) area->power[j] = area->chosen[j];
    while (at > 0) {
        at -= window;
        for (unsigned i = 0; i < window; i++) {
            montgomery_product(area->power, area->power, area->power, m, area->scratch);
        }
        choose(area, k, 1u << window, bits_at(exponent, length, at, window));
        montgomery_product(area->power, area->power, area->chosen, m, area->scratch);
    }
}

enum rsa_result rsa_public(uint8_t *operand, const struct rsa_public_key *key, rsa_word *workspace,
                           size_t workspace_bytes)
{
    const enum rsa_result refused = check_public(operand, key, workspace);
    if (refused != RSA_OK) return refused;
    const unsigned k = RSA_WORDS(key->bytes);
    const size_t own = RSA_PUBLIC_WORKSPACE(key->bytes);
    if (workspace_bytes < own) return RSA_WORKSPACE;
    struct area area = {.n = workspace, .square_of_r = workspace + k, .power = workspace + 2 * k};
    area.scratch = area.power + k;
    const struct modulus m = take_modulus(&area, k, key->modulus, key->bytes);
    rsa_word *const base = area.square_of_r, *const power = area.power;
    size_t at = 8 * key->exponent_bytes;
    while (at > 0 && bits_at(key->exponent, key->exponent_bytes, at - 1, 1) == 0) at--;
    /* The base in Montgomery form takes the place of R^2, which no one wants any more; the power is in that
       form until it is multiplied by 1, or by the base as it is where the exponent is odd. */
    words_of(power, k, operand, key->bytes);
    montgomery_product(base, power, base, &m, area.scratch);
    if (at == 0) {
        words_of(power, k, (const uint8_t[]){1}, 1);
    } else if (at > 1) {
        for (unsigned j = 0; j < k; j++) power[j] = base[j];
        for (at--; at > 0; at--) {
            const unsigned bit = bits_at(key->exponent, key->exponent_bytes, at - 1, 1);
            montgomery_product(power, power, power, &m, area.scratch);
            if (bit == 0 && at > 1) continue;
            if (at == 1) {
                /* Out of Montgomery form. */
                if (bit != 0) {
                    words_of(base, k, operand, key->bytes);
                } else {
                    words_of(base, k, (const uint8_t[]){1}, 1);
                }
            }
            montgomery_product(power, power, base, &m, area.scratch);
        }
    }
    bytes_of(operand, key->bytes, power);
    wipe(workspace, own);
    return RSA_OK;
}

enum rsa_result rsa_power(uint8_t *operand, const struct rsa_public_key *key, rsa_word *workspace,
                          size_t workspace_bytes)
{
    const enum rsa_result refused = check_public(operand, key, workspace);
    if (refused != RSA_OK) return refused;
    const unsigned k = RSA_WORDS(key->bytes), window = window_of(workspace_bytes, k);
    if (window == 0) return RSA_WORKSPACE;
    struct area area = area_of(workspace, k);
    const struct modulus m = take_modulus(&area, k, key->modulus, key->bytes);
    words_of(area.power, k, operand, key->bytes);
    montgomery_product(area.power, area.power, area.square_of_r, &m, area.scratch);
    raise_in_windows(&area, &m, key->exponent, key->exponent_bytes, window);
    for (unsigned j = 0; j < k; j++) area.chosen[j] = j == 0;
    montgomery_product(area.power, area.power, area.chosen, &m, area.scratch);
    bytes_of(operand, key->bytes, area.power);
    wipe(workspace, RSA_POWER_WORKSPACE(key->bytes, window));
    return RSA_OK;
}

static enum rsa_result check_private(const uint8_t *operand, const struct rsa_private_key *key,
                                     const rsa_word *workspace)
{
    if (operand == NULL || key == NULL || workspace == NULL) return RSA_NULL;
    if (key->modulus == NULL || key->p == NULL || key->q == NULL) return RSA_NULL;
    if (key->dp == NULL || key->dq == NULL || key->qinv == NULL) return RSA_NULL;
    const enum rsa_result refused = check_modulus(operand, key->modulus, key->bytes);
    if (refused != RSA_OK) return refused;
    const size_t p_bytes = key->p_bytes, q_bytes = key->q_bytes;
    if (p_bytes == 0 || q_bytes == 0 || p_bytes >= key->bytes || q_bytes >= key->bytes) return RSA_LENGTH;
    if (key->p[0] == 0 || key->q[0] == 0) return RSA_LENGTH;
    /* The product of two numbers has as many bits as both, or one less. */
    const unsigned bits = bits_of(key->p, p_bytes) + bits_of(key->q, q_bytes);
    const unsigned less = bits - bits_of(key->modulus, key->bytes);
    if (less > 1) return RSA_LENGTH;
    if ((key->p[p_bytes - 1] & key->q[q_bytes - 1] & 1) == 0) return RSA_EVEN;
    if (!is_below(key->dp, key->p, p_bytes) || !is_below(key->dq, key->q, q_bytes)) return RSA_RANGE;
    return is_below(key->qinv, key->p, p_bytes) ? RSA_OK : RSA_RANGE;
}

/* power = operand ^ exponent mod prime, in Montgomery form. */
static struct modulus raise_modulo_prime(struct area *area, unsigned k, unsigned window,
                                         const uint8_t *operand, size_t operand_bytes,
                                         const uint8_t *prime, const uint8_t *exponent, size_t length)
{
    const struct modulus m = take_modulus(area, k, prime, length);
    /* The operand is below p q, and so below either prime times R. Its 2 k words lie in the table. */
    words_of(area->table, 2 * k, operand, operand_bytes);
    montgomery_reduce(area->power, area->table, &m, area->scratch);
    montgomery_product(area->power, area->power, area->square_of_r, &m, area->scratch);
    montgomery_product(area->power, area->power, area->square_of_r, &m, area->scratch);
    raise_in_windows(area, &m, exponent, length, window);
    return m;
}

enum rsa_result rsa_private(uint8_t *operand, const struct rsa_private_key *key, rsa_word *workspace,
                            size_t workspace_bytes)
{
    const enum rsa_result refused = check_private(operand, key, workspace);
    if (refused != RSA_OK) return refused;
    const size_t longer = key->p_bytes > key->q_bytes ? key->p_bytes : key->q_bytes;
    const unsigned k = RSA_WORDS(longer), window = window_of(workspace_bytes, k);
    if (window == 0) return RSA_WORKSPACE;
    struct area area = area_of(workspace, k);

    struct modulus m = raise_modulo_prime(&area, k, window, operand, key->bytes, key->q, key->dq,
                                          key->q_bytes);
    for (unsigned j = 0; j < k; j++) area.chosen[j] = j == 0;
    montgomery_product(area.kept, area.power, area.chosen, &m, area.scratch);

    m = raise_modulo_prime(&area, k, window, operand, key->bytes, key->p, key->dp, key->p_bytes);
    /* h = (power mod p - power mod q) qInv mod p: the difference in Montgomery form, times a number that is
       not. */
    montgomery_product(area.chosen, area.kept, area.square_of_r, &m, area.scratch);
    modular_subtract(area.power, area.chosen, &m);
    words_of(area.chosen, k, key->qinv, key->p_bytes);
    montgomery_product(area.power, area.power, area.chosen, &m, area.scratch);

    /* result = power mod q + h q, in 2 k words. */
    rsa_word *const result = area.table;
    words_of(area.n, k, key->q, key->q_bytes);
    multiply_add(result, area.power, area.n, area.kept, k, area.scratch);
    bytes_of(operand, key->bytes, result);
    wipe(workspace, RSA_PRIVATE_WORKSPACE(longer, window));
    return RSA_OK;
}
