/* SPDX-License-Identifier: Apache-2.0 */
/* What libtotient has to do over any IP with key generation: mocked, or the RTL. */
#include <string.h>

#include "bench.h"

/* A key and the buffers of its numbers, somewhat longer than they need be. */
struct made {
    struct totient_key key;
    uint8_t n[11], d[9];
};

static struct totient_key *buffers(struct made *made)
{
    memset(made, 0xFF, sizeof *made);
    made->key.modulus = made->n;
    made->key.modulus_length = sizeof made->n;
    made->key.exponent = made->d;
    made->key.exponent_length = sizeof made->d;
    return &made->key;
}

static bool empty(const struct made *made)
{
    return number_of(made->n, sizeof made->n) == 0 && number_of(made->d, sizeof made->d) == 0
           && made->key.public_exponent == 0;
}

uint64_t common(uint64_t a, uint64_t b) { return b == 0 ? a : common(b, a % b); }

uint64_t inverse(uint64_t e, uint64_t totient)
{
    __int128 a = totient, b = e, x = 0, y = 1;
    while (b != 0) {
        const __int128 quotient = a / b, rest = a % b, next = x - quotient * y;
        a = b;
        b = rest;
        x = y;
        y = next;
    }
    CHECK(a == 1);
    return (uint64_t)((x % (__int128)totient + (__int128)totient) % (__int128)totient);
}

totient_result open_keygen(struct totient_keygen *ip, const struct key_bench *bench)
{
    return bench->stream == NULL
               ? totient_keygen_open(ip, bench->registers)
               : totient_keygen_open_stream(ip, bench->registers, bench->stream, bench->context);
}

static struct totient_keygen opened(const struct key_bench *bench)
{
    struct totient_keygen ip;
    CHECK(open_keygen(&ip, bench) == TOTIENT_OK);
    CHECK(ip.version == (bench->stream == NULL ? 0x100 : 0) && ip.key_bits == 0);
    return ip;
}

/* Makes a key of two primes of `length` bytes each. */
static totient_result make(struct totient_keygen *ip, uint64_t p, uint64_t q, size_t length,
                           uint32_t e, struct made *made)
{
    uint8_t p_bytes[20], q_bytes[20];
    bytes_of(p, p_bytes, length);
    bytes_of(q, q_bytes, length);
    return totient_keygen_make(ip, p_bytes, length, q_bytes, length, e, buffers(made));
}

/* A key is right, and messages go there and back. */
static void check_key(struct totient_keygen *ip, uint64_t p, uint64_t q, uint32_t wanted,
                      const struct made *made)
{
    const uint64_t n = p * q, totient = (p - 1) * (q - 1);
    uint64_t e = wanted;
    for (e = e == 0 ? 3 : e; common(e, totient) != 1;) e += 2;
    CHECK(number_of(made->n, sizeof made->n) == n);
    CHECK(made->key.public_exponent == e);
    CHECK(number_of(made->d, sizeof made->d) == inverse(e, totient));
    const uint64_t messages[] = {0, 1, 2, n - 1, UINT64_C(0xC0C0DBDB00DCDDC0) % n};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        uint8_t message[13], cipher[9];
        bytes_of(messages[i], message, sizeof message);
        CHECK(totient_keygen_raise(ip, TOTIENT_PUBLIC, message, sizeof message, cipher, 9)
              == TOTIENT_OK);
        CHECK(number_of(cipher, 9) == power(messages[i], e, n));
        /* In place, in a buffer that is just long enough. */
        uint8_t *const exact = cipher + 9 - (ip->key_bits + 7) / 8;
        const size_t length = (ip->key_bits + 7) / 8;
        CHECK(totient_keygen_raise(ip, TOTIENT_PRIVATE, exact, length, exact, length)
              == TOTIENT_OK);
        CHECK(number_of(cipher, 9) == messages[i]);
    }
}

void test_keys(const struct key_bench *bench)
{
    static const uint64_t primes[][2] = {
        {KEY_P, KEY_Q}, {11, 13}, {80231, 9973}, {3, 5}, {65537, 3}, {KEY_Q, KEY_P}, {3, KEY_P}};
    static const uint32_t exponents[] = {0, 65537, 0xFFFFFFFD};
    struct totient_keygen ip = opened(bench);
    struct made made;
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        const uint64_t p = primes[i][0], q = primes[i][1];
        for (size_t j = 0; j < (bench->stream == NULL ? 1 : 3); j++) {
            const uint32_t e = exponents[j];
            if (e != 0 && common(e, (p - 1) * (q - 1)) != 1) continue;
            CHECK(make(&ip, p, q, (i + j) % 2 != 0 ? 17 : 4, e, &made) == TOTIENT_OK);
            if (number_of(made.n, sizeof made.n) == KEY_P * KEY_Q && e == 0) {
                uint8_t two[1] = {2}, result[8];
                CHECK(ip.key_bits == 64 && ip.key_cycles == bench->key_cycles);
                CHECK(ip.message_cycles == bench->message_cycles); /* of the message of 0 */
                CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, two, 1, result, 8) == TOTIENT_OK);
                CHECK(ip.message_cycles == bench->message_cycles);
                /* The one without streams makes the key anew, and counts everything. */
                CHECK(ip.key_cycles == (bench->stream == NULL ? bench->key_cycles : 0));
                CHECK(bench->stream == NULL ? ip.cycles > ip.key_cycles + ip.message_cycles
                                            : ip.cycles == 0);
            }
            check_key(&ip, p, q, e, &made);
        }
    }
    /* Given keys; the one that was made stays. */
    CHECK(make(&ip, 3, KEY_P, 8, 0, &made) == TOTIENT_OK);
    uint8_t n[13], e[13], message[13], result[13];
    const uint64_t given[][3] = {
        {BENCH_N, BENCH_D, BENCH_N - 1}, {BENCH_N, BENCH_E, 5}, {3859, 17, 1141}, {3, 1, 2}};
    for (size_t i = 0; i < 4; i++) {
        bytes_of(given[i][0], n, 13);
        bytes_of(given[i][1], e, 13);
        bytes_of(given[i][2], message, 13);
        const totient_result code =
            totient_keygen_raise_given(&ip, n, 13, e, 13, message, 13, result, 13);
        CHECK(code == (bench->stream == NULL ? TOTIENT_OK : TOTIENT_COMMAND));
        CHECK(number_of(result, 13)
              == (code == TOTIENT_OK ? power(given[i][2], given[i][1], given[i][0]) : 0));
        CHECK(ip.key_bits == 34 && (code != TOTIENT_OK || ip.key_cycles == 0));
    }
    check_key(&ip, 3, KEY_P, 0, &made);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_OK);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 8, result, 13) == TOTIENT_NO_KEY);
}

void test_key_refusals(const struct key_bench *bench)
{
    const bool streams = bench->stream != NULL;
    struct totient_keygen ip = opened(bench);
    struct made made;
    uint8_t message[9], result[9];
    bytes_of(9, message, 9);
    const struct {
        uint64_t p, q;
        uint32_t e;
        totient_result code;
    } refused[] = {
        {12, 13, 0, TOTIENT_PRIME},
        {13, 12, 0, TOTIENT_PRIME},
        {1, 13, 0, TOTIENT_PRIME},
        {13, 13, 0, TOTIENT_PRIME},
        {0, 13, 0, TOTIENT_PRIME},
        {13, 0, 0, TOTIENT_PRIME},
        {UINT64_C(1) << 32 | 1, 13, 0, TOTIENT_LENGTH},
        {13, UINT64_C(1) << 63 | 1, 0, TOTIENT_LENGTH},
        {11, 13, 4, streams ? TOTIENT_PUBLIC_EXPONENT : TOTIENT_COMMAND},
        {11, 13, 1, streams ? TOTIENT_PUBLIC_EXPONENT : TOTIENT_COMMAND},
        {11, 13, 15, streams ? TOTIENT_PUBLIC_EXPONENT : TOTIENT_COMMAND},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(make(&ip, 11, 13, 8, 0, &made) == TOTIENT_OK && ip.key_bits == 8);
        CHECK(make(&ip, refused[i].p, refused[i].q, 8, refused[i].e, &made) == refused[i].code);
        CHECK(empty(&made) && ip.key_bits == 0);
        memset(result, 0xFF, sizeof result);
        CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 9, result, 9) == TOTIENT_NO_KEY);
        CHECK(number_of(result, 9) == 0);
    }
    /* Longer than any of these IPs can be given. */
    static uint8_t long_prime[200] = {1};
    long_prime[sizeof long_prime - 1] = 1;
    CHECK(totient_keygen_make(&ip, message, 9, long_prime, sizeof long_prime, 0, buffers(&made))
          == TOTIENT_LENGTH);
    /* Buffers that are too short for the key or for a result. */
    for (int which = 0; which < 2; which++) {
        uint8_t p[1] = {11}, q[2] = {1, 1};
        buffers(&made);
        *(which == 0 ? &made.key.modulus_length : &made.key.exponent_length) = 1;
        CHECK(totient_keygen_make(&ip, p, 1, q, 2, 0, &made.key) == TOTIENT_ARGUMENT);
    }
    CHECK(make(&ip, 11, 13, 8, 0, &made) == TOTIENT_OK);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 9, result, 0) == TOTIENT_ARGUMENT);
    memset(result, 0xFF, sizeof result);
    CHECK(totient_keygen_raise(&ip, (enum totient_exponent)2, message, 9, result, 9)
          == TOTIENT_ARGUMENT);
    CHECK(number_of(result, 9) == 0);
    /* Messages that are not below the modulus. */
    const uint64_t too_large[] = {143, 200, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        uint8_t large[9];
        bytes_of(too_large[i], large, 9);
        memset(result, 0xFF, sizeof result);
        CHECK(totient_keygen_raise(&ip, TOTIENT_PRIVATE, large, 9, result, 9)
              == TOTIENT_BASE_NOT_BELOW);
        CHECK(number_of(result, 9) == 0);
        bytes_of(9, large, 9);
        large[0] = 1;
        CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, large, 9, result, 9)
              == TOTIENT_BASE_NOT_BELOW);
        CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 9, result, 9) == TOTIENT_OK);
        CHECK(number_of(result, 9) == power(9, 7, 143));
    }
    const struct {
        uint64_t n, e, message;
        totient_result code;
    } given[] = {
        {3858, 17, 9, TOTIENT_MODULUS_EVEN},
        {1, 17, 0, TOTIENT_MODULUS_SMALL},
        {0, 17, 0, TOTIENT_MODULUS_SMALL},
        {3859, 0, 9, TOTIENT_EXPONENT_EMPTY},
        {3859, 17, 5000, TOTIENT_BASE_NOT_BELOW},
        {3859, 17, UINT64_MAX, TOTIENT_BASE_NOT_BELOW},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        uint8_t n[8], e[8], base[8];
        bytes_of(given[i].n, n, 8);
        bytes_of(given[i].e, e, 8);
        bytes_of(given[i].message, base, 8);
        memset(result, 0xFF, sizeof result);
        CHECK(totient_keygen_raise_given(&ip, n, 8, e, 8, base, 8, result, 9)
              == (streams ? TOTIENT_COMMAND : given[i].code));
        CHECK(number_of(result, 9) == 0);
    }
    uint8_t longer[9] = {1, [8] = 1}, n[2] = {0x0F, 0x13};
    const totient_result length = streams ? TOTIENT_COMMAND : TOTIENT_LENGTH;
    CHECK(totient_keygen_raise_given(&ip, longer, 9, n, 2, message, 9, result, 9) == length);
    CHECK(totient_keygen_raise_given(&ip, n, 2, longer, 9, message, 9, result, 9) == length);
    CHECK(totient_keygen_raise_given(&ip, n, 2, n, 2, longer, 9, result, 9)
          == (streams ? TOTIENT_COMMAND : TOTIENT_BASE_NOT_BELOW));
    CHECK(totient_keygen_raise_given(&ip, n, 2, n, 2, message, 9, result, 1)
          == (streams ? TOTIENT_COMMAND : TOTIENT_ARGUMENT));
    check_key(&ip, 11, 13, 0, &made);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_OK);
}

/* Every function with each of its pointers null, one at a time: refused, and nothing is written. */
void test_key_null_pointers(const struct key_bench *bench)
{
    struct totient_keygen ip;
    struct made made;
    uint8_t p[1] = {11}, q[1] = {13}, result[8];
    struct totient_registers way = *bench->registers;
    const struct totient_transport *stream = bench->stream;
    if (stream == NULL) {
        CHECK(totient_keygen_open(NULL, &way) == TOTIENT_ARGUMENT);
        CHECK(totient_keygen_open(&ip, NULL) == TOTIENT_ARGUMENT);
        way.read = NULL;
        CHECK(totient_keygen_open(&ip, &way) == TOTIENT_ARGUMENT);
        way = *bench->registers;
        way.write = NULL;
        CHECK(totient_keygen_open(&ip, &way) == TOTIENT_ARGUMENT);
    } else {
        struct totient_transport without = *stream;
        CHECK(totient_keygen_open_stream(NULL, &way, stream, bench->context) == TOTIENT_ARGUMENT);
        CHECK(totient_keygen_open_stream(&ip, NULL, stream, bench->context) == TOTIENT_ARGUMENT);
        CHECK(totient_keygen_open_stream(&ip, &way, NULL, bench->context) == TOTIENT_ARGUMENT);
        without.send = NULL;
        CHECK(totient_keygen_open_stream(&ip, &way, &without, bench->context)
              == TOTIENT_ARGUMENT);
        without = *stream;
        without.receive = NULL;
        CHECK(totient_keygen_open_stream(&ip, &way, &without, bench->context)
              == TOTIENT_ARGUMENT);
        way.write = NULL;
        CHECK(totient_keygen_open_stream(&ip, &way, stream, bench->context) == TOTIENT_ARGUMENT);
    }
    /* A handle that was not opened refuses everything. */
    CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, buffers(&made)) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, p, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise_given(&ip, p, 1, q, 1, p, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_ARGUMENT);

    ip = opened(bench);
    CHECK(totient_keygen_make(NULL, p, 1, q, 1, 0, buffers(&made)) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_make(&ip, NULL, 1, q, 1, 0, &made.key) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_make(&ip, p, 1, NULL, 1, 0, &made.key) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, NULL) == TOTIENT_ARGUMENT);
    made.key.modulus = NULL;
    CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, &made.key) == TOTIENT_ARGUMENT);
    made.key.modulus = made.n;
    made.key.exponent = NULL;
    CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, &made.key) == TOTIENT_ARGUMENT);
    made.key.exponent = made.d;
    for (size_t i = 0; i < sizeof made.d; i++) CHECK(made.n[i] == 0xFF && made.d[i] == 0xFF);
    CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, &made.key) == TOTIENT_OK);
    memset(result, 0xA5, sizeof result);
    CHECK(totient_keygen_raise(NULL, TOTIENT_PUBLIC, p, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, NULL, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, p, 1, NULL, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise_given(NULL, p, 1, q, 1, p, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise_given(&ip, NULL, 1, q, 1, p, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise_given(&ip, p, 1, NULL, 1, p, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise_given(&ip, p, 1, q, 1, NULL, 1, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_keygen_raise_given(&ip, p, 1, q, 1, p, 1, NULL, 8) == TOTIENT_ARGUMENT);
    for (size_t i = 0; i < sizeof result; i++) CHECK(result[i] == 0xA5);
    CHECK(totient_keygen_clear(NULL) == TOTIENT_ARGUMENT);
    /* The key is still there. */
    check_key(&ip, 11, 13, 0, &made);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_OK);
}

/* Two handles that have had different keys of the same length are the same but for the cycles of the
   public exponents, and all the same after a clear. */
void test_no_key_is_kept(const struct key_bench *bench)
{
    struct totient_keygen used[2], cleared[2];
    struct made made;
    uint8_t message[8], result[8];
    static const uint64_t primes[2][2] = {{KEY_P, KEY_Q}, {4294967231u, 4294967197u}};
    for (size_t turn = 0; turn < 2; turn++) {
        struct totient_keygen ip;
        memset(&ip, (int)turn, sizeof ip); /* what was there before opening does not matter */
        CHECK(open_keygen(&ip, bench) == TOTIENT_OK);
        CHECK(make(&ip, primes[turn][0], primes[turn][1], 4, 0, &made) == TOTIENT_OK);
        bytes_of(BENCH_D / 3 + turn, message, 8);
        CHECK(totient_keygen_raise(&ip, TOTIENT_PRIVATE, message, 8, result, 8) == TOTIENT_OK);
        ip.key_cycles = ip.message_cycles = ip.cycles = 0;
        used[turn] = ip;
        CHECK(totient_keygen_clear(&ip) == TOTIENT_OK);
        cleared[turn] = ip;
    }
    CHECK(memcmp(&used[0], &used[1], sizeof used[0]) == 0);
    CHECK(memcmp(&cleared[0], &cleared[1], sizeof cleared[0]) == 0);
}

static struct failing_bus failing;

static totient_result failing_read(void *context, uint32_t offset, uint32_t *value)
{
    (void)context;
    if (failing.fail_after > 0 && --failing.fail_after == 0) return TOTIENT_TRANSPORT;
    const totient_result result = failing.read(failing.bus, offset, value);
    if (failing.stranger) *value = 0x12345678;
    return result;
}

static totient_result failing_write(void *context, uint32_t offset, uint32_t value)
{
    (void)context;
    if (failing.fail_after > 0 && --failing.fail_after == 0) return TOTIENT_TRANSPORT;
    return failing.write(failing.bus, offset, value);
}

/* The bus fails at any access: an error, never a hang, and the next operation is right. */
void test_key_bus_that_fails(const struct key_bench *bench)
{
    const struct totient_registers *way = bench->registers;
    const struct totient_registers to = {
        .read = failing_read, .write = failing_write, .bus = &failing, .polls = way->polls};
    const struct key_bench fails = {
        .registers = &to, .stream = bench->stream, .context = bench->context};
    struct totient_keygen ip;
    struct made made;
    uint8_t message[8], result[8];
    bytes_of(9, message, 8);
    failing.read = way->read;
    failing.write = way->write;
    failing.bus = way->bus;
    for (uint32_t after = 1; after < 120; after++) {
        failing.fail_after = 0;
        CHECK(open_keygen(&ip, &fails) == TOTIENT_OK);
        failing.fail_after = after;
        totient_result code = make(&ip, 9973, 80231, 4, 0, &made);
        CHECK((code == TOTIENT_OK) != empty(&made));
        memset(result, 0xFF, sizeof result);
        if (code == TOTIENT_OK) {
            code = totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 8, result, 8);
            CHECK(number_of(result, 8) == (code == TOTIENT_OK ? 4782969 : 0));
        }
        if (failing.fail_after == 0) CHECK(code == TOTIENT_TRANSPORT && ip.key_bits == 0);
        failing.fail_after = 0;
        CHECK(make(&ip, 9973, 80231, 4, 0, &made) == TOTIENT_OK);
        check_key(&ip, 9973, 80231, 0, &made);
        /* Where clearing fails too, the next operation begins with it. */
        failing.fail_after = 2;
        CHECK(totient_keygen_clear(&ip) == TOTIENT_TRANSPORT && ip.out_of_step);
        CHECK(make(&ip, 9973, 80231, 4, 0, &made) == TOTIENT_OK && !ip.out_of_step);
    }
    for (uint32_t after = 1; after < 4; after++) {
        failing.fail_after = after;
        CHECK(open_keygen(&ip, &fails) == TOTIENT_TRANSPORT);
        CHECK(totient_keygen_clear(&ip) == TOTIENT_ARGUMENT); /* it was not opened */
    }
    failing.fail_after = 0;
    failing.stranger = true;
    CHECK(open_keygen(&ip, &fails) == TOTIENT_NO_CORE);
    failing.stranger = false;
    CHECK(open_keygen(&ip, &fails) == TOTIENT_OK);
}
