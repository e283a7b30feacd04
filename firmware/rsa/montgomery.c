/* SPDX-License-Identifier: Apache-2.0 */
/* Montgomery products word by word: each row adds a word times one factor and makes the sum divisible
   (coarsely and finely integrated operand scanning, after Koc, Acar and Kaliski, 1996). */
#include "montgomery.h"

#if RSA_WORD_BITS == 16 && defined __MSP430__ && defined HARDWARE_MULTIPLIER
/* The compiler multiplies 32 by 32 bits, by a call. HARDWARE_MULTIPLIER is the address of the registers:
   0x130 in the families 1xx to 4xx, 0x4C0 in 5xx and 6xx. */
static inline uint32_t product(uint16_t a, uint16_t b)
{
    volatile uint16_t *const multiplier = (volatile uint16_t *)HARDWARE_MULTIPLIER;
    multiplier[0] = a;
    multiplier[4] = b;
    const uint16_t low = multiplier[5];
    return (uint32_t)multiplier[6] << 16 | low;
}
#define PRODUCT(a, b) product((a), (b))
#elif RSA_WORD_BITS == 16 && defined __MSP430__
extern uint32_t product16(uint16_t a, uint16_t b); /* firmware/processor/msp430/arithmetic.S */
#define PRODUCT(a, b) product16((a), (b))
#define DOUBLINGS(k) (2 * (k)) /* a product in software takes some hundred cycles */
#else
#define PRODUCT(a, b) ((rsa_double)(a) * (b))
#endif

/* About as many doublings modulo n as a squaring of k words takes the time of. */
#ifndef DOUBLINGS
#define DOUBLINGS(k) ((k) / 2)
#endif

/* The lower word of a product; 1u, so that short words do not become signed. */
#define LOW_PRODUCT(a, b) ((rsa_word)(1u * (a) * (b)))
#define HIGH(sum) ((rsa_word)((sum) >> RSA_WORD_BITS))

#ifndef RSA_ASSEMBLY
/* A word of both products; a word times a word plus two words fits in two words. */
#define STEP(j)                                  \
    s = PRODUCT(a, b[j]) + sum[j] + carry_a;     \
    carry_a = HIGH(s);                           \
    s = PRODUCT(q, n[j]) + (rsa_word)s + carry_q; \
    carry_q = HIGH(s);                           \
    sum[(j) - 1] = (rsa_word)s;

void montgomery_row(rsa_word *sum, const rsa_word *b, const rsa_word *n, rsa_word a, rsa_word q, unsigned k)
{
    rsa_double s;
    rsa_word carry_a = 0, carry_q = 0;
    for (; k % 4 != 0; k--, sum++, b++, n++) {
        STEP(0)
    }
    for (; k != 0; k -= 4, sum += 4, b += 4, n += 4) {
        STEP(0)
        STEP(1)
        STEP(2)
        STEP(3)
    }
    s = (rsa_double)sum[0] + carry_a + carry_q;
    sum[-1] = (rsa_word)s;
    sum[0] = HIGH(s);
}
#endif

rsa_word negative_inverse(rsa_word n)
{
    /* Newton: right modulo 8 at first, twice as many bits each time. */
    rsa_word x = n;
    for (unsigned bits = 3; bits < RSA_WORD_BITS; bits *= 2) {
        x = LOW_PRODUCT(x, (rsa_word)(2 - LOW_PRODUCT(n, x)));
    }
    return (rsa_word)(0 - x);
}

/* result = a - n where a >= n, else a; a of k + 1 words, below 2 n, may begin at result. */
static void subtract_once(rsa_word *result, const rsa_word *a, const struct modulus *m)
{
    const unsigned k = m->words;
    rsa_word borrow = 0;
    for (unsigned j = 0; j < k; j++) {
        const rsa_double d = (rsa_double)a[j] - m->n[j] - borrow;
        borrow = HIGH(d) & 1;
    }
    /* All ones if n is taken off: the top word is 1, or nothing was borrowed. */
    const rsa_word mask = mask_of(a[k] | (borrow ^ 1));
    borrow = 0;
    for (unsigned j = 0; j < k; j++) {
        const rsa_double d = (rsa_double)a[j] - (m->n[j] & mask) - borrow;
        borrow = HIGH(d) & 1;
        result[j] = (rsa_word)d;
    }
}

void montgomery_product(rsa_word *result, const rsa_word *a, const rsa_word *b, const struct modulus *m,
                        rsa_word *scratch)
{
    const unsigned k = m->words;
    rsa_word *const sum = scratch + 1;
    for (unsigned j = 0; j <= k; j++) sum[j] = 0;
    for (unsigned i = 0; i < k; i++) {
        const rsa_word low = (rsa_word)(sum[0] + LOW_PRODUCT(a[i], b[0]));
        montgomery_row(sum, b, m->n, a[i], LOW_PRODUCT(low, m->inverse), k);
    }
    subtract_once(result, sum, m);
}

void montgomery_reduce(rsa_word *result, const rsa_word *a, const struct modulus *m, rsa_word *scratch)
{
    const unsigned k = m->words;
    rsa_word *const sum = scratch + 1;
    for (unsigned j = 0; j < k; j++) sum[j] = a[j];
    sum[k] = 0;
    for (unsigned i = 0; i < k; i++) {
        montgomery_row(sum, m->n, m->n, 0, LOW_PRODUCT(sum[0], m->inverse), k);
        const rsa_double s = (rsa_double)sum[k - 1] + a[k + i];
        sum[k - 1] = (rsa_word)s;
        sum[k] = (rsa_word)(sum[k] + HIGH(s));
    }
    subtract_once(result, sum, m);
}

void multiply_add(rsa_word *result, const rsa_word *a, const rsa_word *b, const rsa_word *c, unsigned k,
                  rsa_word *scratch)
{
    rsa_word *const sum = scratch + 1;
    for (unsigned j = 0; j < k; j++) sum[j] = c[j];
    sum[k] = 0;
    for (unsigned i = 0; i < k; i++) {
        montgomery_row(sum, b, b, a[i], 0, k);
        result[i] = sum[-1];
    }
    for (unsigned j = 0; j < k; j++) result[k + j] = sum[j];
}

/* a = 2 a mod n. */
static void modular_double(rsa_word *a, const struct modulus *m, rsa_word *scratch)
{
    const unsigned k = m->words;
    rsa_word carry = 0;
    for (unsigned j = 0; j < k; j++) {
        scratch[j] = (rsa_word)(a[j] << 1 | carry);
        carry = (rsa_word)(a[j] >> (RSA_WORD_BITS - 1));
    }
    scratch[k] = carry;
    subtract_once(a, scratch, m);
}

void montgomery_square_of_r(rsa_word *result, const struct modulus *m, unsigned bits, rsa_word *scratch)
{
    const unsigned k = m->words, all = k * RSA_WORD_BITS;
    /* 2^(all + step) by doublings, then step is doubled by Montgomery squarings until it is `all`. */
    unsigned step = all, squarings = 0;
    while (step / 2 > DOUBLINGS(k)) {
        step /= 2;
        squarings++;
    }
    for (unsigned j = 0; j < k; j++) result[j] = 0;
    result[(bits - 1) / RSA_WORD_BITS] = (rsa_word)((rsa_word)1 << (bits - 1) % RSA_WORD_BITS);
    for (unsigned i = bits - 1; i < all + step; i++) modular_double(result, m, scratch);
    for (unsigned i = 0; i < squarings; i++) montgomery_product(result, result, result, m, scratch);
}

void modular_subtract(rsa_word *a, const rsa_word *b, const struct modulus *m)
{
    const unsigned k = m->words;
    rsa_word borrow = 0, carry = 0;
    for (unsigned j = 0; j < k; j++) {
        const rsa_double d = (rsa_double)a[j] - b[j] - borrow;
        borrow = HIGH(d) & 1;
        a[j] = (rsa_word)d;
    }
    const rsa_word mask = mask_of(borrow);
    for (unsigned j = 0; j < k; j++) {
        const rsa_double s = (rsa_double)a[j] + (m->n[j] & mask) + carry;
        carry = HIGH(s);
        a[j] = (rsa_word)s;
    }
}
