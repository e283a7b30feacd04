/* SPDX-License-Identifier: Apache-2.0 */
/* Key generation by libtotient over mocked IPs. Exit status 0: all is well. */
#include "bench.h"
#include "mock_keygen.h"

static void test_all(const struct key_bench *bench)
{
    test_keys(bench);
    test_key_refusals(bench);
    test_key_null_pointers(bench);
    test_no_key_is_kept(bench);
    test_key_bus_that_fails(bench);
}

/* Makes a key, 11 and 13. */
static totient_result make(struct totient_keygen *ip)
{
    const uint8_t p[] = {11}, q[] = {13};
    uint8_t n[1] = {0xFF}, d[1] = {0xFF};
    struct totient_key key = {n, 1, d, 1, 0xFF};
    const totient_result result = totient_keygen_make(ip, p, 1, q, 1, 0, &key);
    const bool well = result == TOTIENT_OK;
    CHECK(n[0] == (well ? 143 : 0) && d[0] == (well ? 103 : 0));
    CHECK(key.public_exponent == (well ? 7 : 0) && ip->key_bits == (well ? 8 : 0));
    return result;
}

/* Errors that a good IP does not know are no results; one that does not end is not waited for. */
static void test_faults_of_a_mocked_ip(const struct key_bench *bench, struct mock_keygen *hardware)
{
    struct totient_keygen ip;
    uint8_t message[1] = {9}, result[1] = {0xFF};
    CHECK(totient_keygen_open(&ip, bench->registers) == TOTIENT_OK);
    for (uint64_t code = 1; code < 16; code++) {
        const bool known = code == 2 || (code >= 4 && code <= 9) || code == 11 || code == 12;
        CHECK(make(&ip) == TOTIENT_OK);
        hardware->lie = code << 4;
        CHECK(make(&ip) == (known ? (totient_result)code : TOTIENT_PROTOCOL));
    }
    CHECK(make(&ip) == TOTIENT_OK);
    hardware->works = 1000; /* more than there are polls */
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 1, result, 1) == TOTIENT_TIMEOUT);
    CHECK(result[0] == 0 && ip.key_bits == 0 && ip.out_of_step);
    CHECK(make(&ip) == TOTIENT_TIMEOUT);
    hardware->works = 5;
    CHECK(make(&ip) == TOTIENT_OK && !ip.out_of_step);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 1, result, 1) == TOTIENT_OK);
    CHECK(result[0] == 48);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_OK && hardware->wiping == 0);
    for (size_t i = 0; i < 5; i++) CHECK(hardware->written[i] == 0);
    for (size_t i = 0; i < 4; i++) CHECK(hardware->read[i] == 0);
}

static void test_faults_of_a_mocked_stream(const struct key_bench *bench,
                                           struct mock_stream *hardware)
{
    struct totient_keygen ip;
    uint8_t message[1] = {9}, result[1] = {0xFF};
    CHECK(totient_keygen_open_stream(&ip, bench->registers, bench->stream, bench->context)
          == TOTIENT_OK);
    for (uint32_t code = 1; code < 16; code++) {
        const bool known = code == 2 || (code >= 4 && code <= 9) || code == 11 || code == 12;
        CHECK(make(&ip) == TOTIENT_OK);
        hardware->lie = code << 4;
        CHECK(make(&ip) == (known ? (totient_result)code : TOTIENT_PROTOCOL));
    }
    /* A key that is not there, or of another length, without an error. */
    hardware->lie = 2;
    CHECK(make(&ip) == TOTIENT_PROTOCOL);
    hardware->lie = 3 << 8;
    CHECK(make(&ip) == TOTIENT_PROTOCOL);
    hardware->silent = 1;
    CHECK(make(&ip) == TOTIENT_TIMEOUT);
    CHECK(make(&ip) == TOTIENT_OK);
    hardware->silent = 1;
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 1, result, 1) == TOTIENT_TIMEOUT);
    CHECK(result[0] == 0 && ip.key_bits == 0);
    CHECK(make(&ip) == TOTIENT_OK);
    CHECK(totient_keygen_raise(&ip, TOTIENT_PUBLIC, message, 1, result, 1) == TOTIENT_OK);
    CHECK(result[0] == 48);
    CHECK(totient_keygen_clear(&ip) == TOTIENT_OK);
    CHECK(hardware->wiping == 0 && hardware->primes[0][0] == 0 && hardware->key.d == 0);
}

int main(void)
{
    static struct mock_keygen keygen = {.works = 2};
    const struct totient_registers registers = {keygen_read, keygen_write, &keygen, 100, 0};
    struct key_bench bench = {.registers = &registers,
                              .key_cycles = MOCK_KEY_CYCLES,
                              .message_cycles = MOCK_MESSAGE_CYCLES};
    test_all(&bench);
    test_faults_of_a_mocked_ip(&bench, &keygen);

    static struct mock_stream stream;
    const struct totient_registers beside = {stream_read, stream_write, &stream, 100, 0};
    bench.registers = &beside;
    bench.stream = &to_mock_stream;
    bench.context = &stream;
    test_all(&bench);
    test_faults_of_a_mocked_stream(&bench, &stream);
    return 0;
}
