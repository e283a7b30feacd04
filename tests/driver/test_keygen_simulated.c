/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key generation by libtotient over the RTL: the tests that it passes over mocks, in this process.
 *
 *     test_keygen_simulated registers MODEL KEY MESSAGE
 *     test_keygen_simulated stream MODEL KEY MESSAGE
 *     test_keygen_simulated long MODEL P Q E N D M C
 *
 * The IP with registers only, the one with streams for primes of 32 bits, and the same for longer ones;
 * the clock cycles that bench.h asks for; hexadecimal numbers: primes, the key to be made of them, a
 * message and what it is raised to E. Exit status 0: all is well.
 */
#include <string.h>

#include "bench.h"
#include "totient/simulation.h"

enum { LIMIT = 2000000, POLLS = 20000, MOST = 256 };

static void test_all(const struct key_bench *bench)
{
    test_keys(bench);
    test_key_refusals(bench);
    test_key_null_pointers(bench);
    test_no_key_is_kept(bench);
    test_key_bus_that_fails(bench);
}

/* An IP that is not waited for long enough: an error, and the next operation is right. */
static void test_impatience(const struct key_bench *bench, struct totient_simulation *simulation,
                            struct totient_registers *registers)
{
    const uint8_t p[] = {11}, q[] = {13}, message[] = {9};
    uint8_t n[1], d[1], result[1] = {0xFF};
    struct totient_key key = {n, 1, d, 1, 0};
    struct totient_keygen ip;
    CHECK(open_keygen(&ip, bench) == TOTIENT_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, &key) == TOTIENT_OK);
        if (bench->stream == NULL) registers->polls = 2;
        else simulation->limit = 20;
        CHECK(totient_keygen_raise(&ip, TOTIENT_PRIVATE, message, 1, result, 1)
              == TOTIENT_TIMEOUT);
        CHECK(result[0] == 0);
        registers->polls = POLLS;
        simulation->limit = LIMIT;
        CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 1, result, 1) == TOTIENT_NO_KEY);
        CHECK(totient_keygen_make(&ip, p, 1, q, 1, 0, &key) == TOTIENT_OK);
        CHECK(n[0] == 143 && d[0] == 103 && key.public_exponent == 7);
        CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 1, result, 1) == TOTIENT_OK);
        CHECK(result[0] == 48);
    }
}

/* A hexadecimal number of an even number of digits; its length in bytes. */
static size_t number_from(const char *digits, uint8_t *bytes)
{
    const size_t length = strlen(digits) / 2;
    CHECK(length <= MOST && strlen(digits) % 2 == 0);
    for (size_t i = 0; i < length; i++) {
        const char pair[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return length;
}

static void test_long_key(const struct key_bench *bench, char **words)
{
    uint8_t p[MOST], q[MOST], e[MOST], n[MOST], d[MOST], message[MOST], cipher[MOST];
    uint8_t made_n[MOST], made_d[MOST], result[MOST];
    const size_t p_length = number_from(words[0], p), q_length = number_from(words[1], q);
    const uint32_t exponent = (uint32_t)number_of(e, number_from(words[2], e));
    const size_t length = number_from(words[3], n);
    CHECK(number_from(words[4], d) == length && number_from(words[5], message) == length);
    CHECK(number_from(words[6], cipher) == length);
    struct totient_key key = {made_n, length, made_d, length, 0};
    struct totient_keygen ip;
    CHECK(open_keygen(&ip, bench) == TOTIENT_OK);
    CHECK(totient_keygen_make(&ip, p, p_length, q, q_length, exponent, &key) == TOTIENT_OK);
    CHECK(memcmp(made_n, n, length) == 0 && memcmp(made_d, d, length) == 0);
    CHECK(key.public_exponent == exponent);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, length, result, length) == TOTIENT_OK);
    CHECK(memcmp(result, cipher, length) == 0);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PRIVATE, result, length, result, length)
          == TOTIENT_OK);
    CHECK(memcmp(result, message, length) == 0);
    /* The IP is built for primes of this length: it refuses longer ones itself. */
    uint8_t longer[MOST] = {1};
    memcpy(longer + 1, p, p_length);
    CHECK(totient_keygen_make(&ip, longer, p_length + 1, q, q_length, exponent, &key)
          == TOTIENT_ARGUMENT); /* the buffers are too short */
    key.modulus_length = key.exponent_length = length + 1;
    CHECK(totient_keygen_make(&ip, longer, p_length + 1, q, q_length, exponent, &key)
          == TOTIENT_LENGTH);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_OK);
}

int main(int count, char **words)
{
    CHECK(count >= 5);
    struct totient_simulation simulation = {.limit = LIMIT};
    struct totient_registers registers = {.read = totient_simulation_read,
                                          .write = totient_simulation_write,
                                          .bus = &simulation,
                                          .polls = POLLS};
    struct key_bench bench = {.registers = &registers};
    CHECK(totient_simulation_open(&simulation, words[2]) == TOTIENT_OK);
    if (strcmp(words[1], "registers") != 0) {
        bench.stream = &totient_over_simulation;
        bench.context = &simulation;
    }
    if (strcmp(words[1], "long") == 0) {
        CHECK(count == 10);
        test_long_key(&bench, words + 3);
    } else {
        bench.key_cycles = (uint32_t)strtoul(words[3], NULL, 10);
        bench.message_cycles = (uint32_t)strtoul(words[4], NULL, 10);
        test_all(&bench);
        test_impatience(&bench, &simulation, &registers);
    }
    totient_simulation_close(&simulation);
    return 0;
}
