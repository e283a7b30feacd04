/* SPDX-License-Identifier: Apache-2.0 */
/* The IPs with key generation in C, for primes of 32 bits, as their register maps and headers tell
 * (contract/rsa_keygen_registers.rdl, contract/rsa_stream_registers.rdl). */
#ifndef MOCK_KEYGEN_H
#define MOCK_KEYGEN_H

#include <string.h>

#include "bench.h"

enum { MOCK_KEY_CYCLES = 321, MOCK_MESSAGE_CYCLES = 54, MOCK_MORE_CYCLES = 11, MOCK_WORDS = 256 };

struct made_key {
    uint64_t n, d;
    uint32_t e, error;
};

static struct made_key generated(uint64_t p, uint64_t q, uint32_t e)
{
    struct made_key key = {0};
    if (p == 0 || q == 0) key.error = 4;
    else if (p % 2 == 0 || q % 2 == 0 || p < 3 || q < 3 || p == q) key.error = 11;
    if (key.error != 0) return key;
    const uint64_t totient = (p - 1) * (q - 1);
    uint64_t chosen = e == 0 ? 3 : e;
    while (e == 0 && common(chosen, totient) != 1) chosen += 2;
    if (chosen < 3 || chosen % 2 == 0 || common(chosen, totient) != 1) key.error = 12;
    if (key.error != 0) return key;
    key.n = p * q;
    key.e = (uint32_t)chosen;
    key.d = inverse(chosen, totient);
    return key;
}

/* rsa_keygen_axil */
struct mock_keygen {
    uint64_t written[8]; /* registers by place: P, Q, I_MSG, I_KEY, I_N, CONTROL, MODE */
    uint64_t read[8];
    unsigned busy;       /* reads of the state until it has ended */
    unsigned works;      /* the same, of the next operations */
    bool held;           /* in reset */
    unsigned wiping;     /* reads of the state until a reset has ended; an operation waits for it */
    uint64_t lie;        /* xor of the next state */
};

static void keygen_start(struct mock_keygen *ip)
{
    const bool given = (ip->written[6] & 1) != 0;
    const uint64_t message = ip->written[2];
    struct made_key key = {.n = ip->written[4]};
    uint64_t exponent = ip->written[3];
    if (given) {
        key.error = exponent == 0 ? 5 : key.n < 2 ? 7 : key.n % 2 == 0 ? 6 : 0;
    } else {
        key = generated(ip->written[0], ip->written[1], 0);
        exponent = (ip->written[6] & 2) != 0 ? key.d : key.e;
    }
    if (key.error == 0 && message >= key.n) key.error = 8;
    const bool well = key.error == 0;
    const uint64_t key_cycles = given ? 0 : MOCK_KEY_CYCLES;
    memset(ip->read, 0, sizeof ip->read);
    if (well) {
        ip->read[0] = power(message, exponent, key.n);
        ip->read[1] = given ? 0 : key.e;
        ip->read[2] = given ? 0 : key.d;
        ip->read[3] = key.n;
    }
    ip->read[4] = key_cycles + MOCK_MESSAGE_CYCLES + MOCK_MORE_CYCLES;
    ip->read[5] = 1 | (uint64_t)key.error << 4;
    ip->read[6] = key_cycles | (uint64_t)MOCK_MESSAGE_CYCLES << 32;
    ip->busy = ip->works + ip->wiping;
}

static totient_result keygen_read(void *context, uint32_t offset, uint32_t *value)
{
    struct mock_keygen *ip = context;
    CHECK(offset % 4 == 0 && offset < 0x40);
    uint64_t number = ip->read[offset / 8];
    if (offset / 8 == 7) number = UINT64_C(0x10052534B47);
    if (offset / 8 == 5) {
        if (ip->wiping > 0) ip->wiping--;
        if (ip->busy > 0) {
            ip->busy--;
            number = 0x100;
        }
        number ^= ip->lie;
        if ((number & 1) != 0) ip->lie = 0;
    }
    *value = (uint32_t)(number >> (offset % 8 != 0 ? 32 : 0));
    return TOTIENT_OK;
}

static totient_result keygen_write(void *context, uint32_t offset, uint32_t value)
{
    struct mock_keygen *ip = context;
    CHECK(offset % 4 == 0 && offset < 0x38);
    uint64_t *const number = &ip->written[offset / 8];
    if (offset == 0x2C || offset == 0x34) return TOTIENT_OK;
    if (offset == 4 || offset == 12) value = 0; /* primes have 32 bits */
    if (offset % 8 != 0) *number = (*number & UINT32_MAX) | (uint64_t)value << 32;
    else *number = (*number & ~(uint64_t)UINT32_MAX) | value;
    const bool held = ip->held;
    if (offset == 0x28) ip->held = (value >> 1 & 1) != (value & 1);
    if (offset == 0x28 && ip->held) {
        memset(ip->written, 0, 5 * sizeof *ip->written);
        memset(ip->read, 0, sizeof ip->read);
        ip->busy = 0;
        ip->wiping = 4;
    } else if (offset == 0x28 && (value & 4) != 0 && ip->busy == 0 && !held) {
        keygen_start(ip);
    }
    return TOTIENT_OK;
}

/* rsa_keygen_axis */
struct mock_stream {
    uint32_t primes[2][32], direction, exponent;
    struct made_key key;
    bool changed, has_key;
    uint32_t words, error, key_cycles, message_cycles;
    uint32_t in[MOCK_WORDS], out[MOCK_WORDS];
    size_t filled, given, there;
    unsigned silent;  /* packets to swallow without an answer */
    uint32_t lie;     /* xor of the next read of the status while idle */
    unsigned wiping;  /* reads of the status until a clear has ended */
};

static uint32_t prime_bits(const uint32_t *words)
{
    for (uint32_t bits = 1024; bits > 0; bits--)
        if ((words[(bits - 1) / 32] >> (bits - 1) % 32 & 1) != 0) return bits;
    return 0;
}

static uint64_t stream_raise(struct mock_stream *ip, uint64_t message)
{
    if (!ip->has_key) return 0;
    ip->error = message < ip->key.n ? 0 : 8;
    ip->message_cycles = MOCK_MESSAGE_CYCLES + ip->direction; /* another exponent, another time */
    if (ip->error != 0) return 0;
    return power(message, ip->direction != 0 ? ip->key.d : ip->key.e, ip->key.n);
}

/* A packet is there: a new key if need be, then message for message. */
static void stream_work(struct mock_stream *ip)
{
    if (ip->changed) {
        const uint32_t p = prime_bits(ip->primes[0]), q = prime_bits(ip->primes[1]);
        ip->key = generated(ip->primes[0][0], ip->primes[1][0], ip->exponent);
        if (p > 32 || q > 32) ip->key.error = 4;
        ip->error = ip->key.error;
        ip->has_key = ip->error == 0;
        ip->words = ip->has_key ? (p + q + 31) / 32 : 1;
        ip->key_cycles = MOCK_KEY_CYCLES;
        ip->changed = false;
    }
    ip->given = 0;
    ip->there = ip->filled;
    for (size_t i = 0; i < ip->filled; i += ip->words) {
        CHECK(i + ip->words <= ip->filled);
        const uint64_t high = ip->words == 2 ? ip->in[i + 1] : 0;
        const uint64_t result = stream_raise(ip, high << 32 | ip->in[i]);
        ip->out[i] = (uint32_t)result;
        if (ip->words == 2) ip->out[i + 1] = (uint32_t)(result >> 32);
    }
    ip->filled = 0;
}

static totient_result stream_send(void *context, const uint32_t *words, size_t count, bool last)
{
    struct mock_stream *ip = context;
    CHECK(ip->filled + count <= MOCK_WORDS);
    memcpy(ip->in + ip->filled, words, 4 * count);
    ip->filled += count;
    if (!last) return TOTIENT_OK;
    if (ip->silent > 0) {
        ip->silent--;
        return TOTIENT_OK;
    }
    stream_work(ip);
    return TOTIENT_OK;
}

static totient_result stream_receive(void *context, uint32_t *words, size_t count, bool *last)
{
    struct mock_stream *ip = context;
    if (ip->given + count > ip->there) return TOTIENT_TIMEOUT;
    memcpy(words, ip->out + ip->given, 4 * count);
    ip->given += count;
    *last = ip->given == ip->there;
    return TOTIENT_OK;
}

static totient_result stream_reset(void *context)
{
    struct mock_stream *ip = context;
    ip->filled = ip->given = ip->there = 0;
    return TOTIENT_OK;
}

static const struct totient_transport to_mock_stream = {stream_send, stream_receive, stream_reset};

static uint32_t half(uint64_t number, uint32_t place)
{
    return place == 0 ? (uint32_t)number : place == 1 ? (uint32_t)(number >> 32) : 0;
}

static totient_result stream_read(void *context, uint32_t offset, uint32_t *value)
{
    struct mock_stream *ip = context;
    const struct made_key none = {0}, *key = ip->has_key ? &ip->key : &none;
    switch (offset) {
    case 0x00: *value = 0x52534B53; break;
    case 0x08:
        *value = (ip->wiping > 0) | (uint32_t)ip->has_key << 1 | ip->error << 4 | ip->words << 8;
        if (ip->wiping > 0) {
            ip->wiping--;
        } else {
            *value ^= ip->lie;
            ip->lie = 0;
        }
        break;
    case 0x14: *value = key->e; break;
    case 0x18: *value = ip->key_cycles; break;
    case 0x1C: *value = ip->message_cycles; break;
    default:
        CHECK(offset >= 0x300 && offset < 0x500 && offset % 4 == 0);
        *value = half(offset < 0x400 ? key->n : key->d, offset % 0x100 / 4);
    }
    return TOTIENT_OK;
}

static totient_result stream_write(void *context, uint32_t offset, uint32_t value)
{
    struct mock_stream *ip = context;
    switch (offset) {
    case 0x04: {
        CHECK(value == 1);
        /* What is under way in the engine that passes the words stays there. */
        struct mock_stream fresh = *ip;
        memset(fresh.primes, 0, sizeof fresh.primes);
        memset(&fresh.key, 0, sizeof fresh.key);
        fresh.changed = true;
        fresh.has_key = false;
        fresh.words = 1;
        fresh.error = fresh.key_cycles = fresh.message_cycles = 0;
        fresh.wiping = 3;
        *ip = fresh;
        break;
    }
    case 0x0C: ip->direction = value; break;
    case 0x10:
        ip->exponent = value;
        ip->changed = true;
        ip->has_key = false;
        break;
    default:
        CHECK(offset >= 0x100 && offset < 0x280 && offset % 0x100 < 0x80 && offset % 4 == 0);
        ip->primes[offset / 0x100 - 1][offset % 0x100 / 4] = value;
        ip->changed = true;
        ip->has_key = false;
    }
    return TOTIENT_OK;
}

#endif
