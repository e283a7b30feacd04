/* SPDX-License-Identifier: Apache-2.0 */
/* What libtotient has to do over any core: the same expectations for mocks and for the RTL. */
#include <string.h>

#include "bench.h"

void bytes_of(uint64_t number, uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[length - 1 - i] = i < 8 ? (uint8_t)(number >> 8 * i) : 0;
}

uint64_t number_of(const uint8_t *bytes, size_t length)
{
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) number = number << 8 | bytes[i];
    return number;
}

uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    unsigned __int128 result = 1 % modulus, square = base % modulus;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = result * square % modulus;
        square = square * square % modulus;
    }
    return (uint64_t)result;
}

bool is_zero(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != 0) return false;
    return true;
}

struct totient open_core(const struct bench *bench)
{
    struct totient core;
    CHECK(totient_open(&core, bench->transport, bench->context) == TOTIENT_OK);
    return core;
}

void test_operations(const struct bench *bench)
{
    struct totient core = open_core(bench);
    uint8_t n[8], d[8], long_n[20], message[8], result[12];
    CHECK(strcmp(core.name, bench->name) == 0 && core.lanes == bench->lanes);
    CHECK(core.maximum_bits == bench->maximum_bits && core.slots == bench->slots);
    CHECK(core.version == 0x100 && core.timing == TOTIENT_TIME_EXPONENT_LENGTH);
    bytes_of(BENCH_N, n, 8);
    bytes_of(BENCH_D, d, 8);
    bytes_of(BENCH_N, long_n, 20);
    CHECK(totient_raise(&core, n, 8, result, 12) == TOTIENT_NO_KEY);
    const uint64_t bases[] = {0, 1, BENCH_N - 1, UINT64_C(0xC0C0DBDB00DCDDC0) % BENCH_N};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        bytes_of(bases[i], message, 8);
        CHECK(totient_load_public(&core, i % 2 != 0 ? long_n : n, i % 2 != 0 ? 20 : 8, BENCH_E)
              == TOTIENT_OK);
        CHECK(core.modulus_bits == 64 && core.cycles == bench->load_cycles);
        CHECK(totient_raise(&core, message, 8, result, 12) == TOTIENT_OK);
        CHECK(number_of(result, 12) == power(bases[i], BENCH_E, BENCH_N));
        CHECK(core.cycles == bench->public_cycles);
        CHECK(totient_load_private(&core, n, 8, d, 8) == TOTIENT_OK);
        CHECK(totient_raise(&core, message, 8, message, 8) == TOTIENT_OK); /* in place */
        CHECK(number_of(message, 8) == power(bases[i], BENCH_D, BENCH_N));
        CHECK(core.cycles == bench->private_cycles);
    }
    /* All lanes, in place; then more of them than there are. */
    uint8_t several[8 * 64];
    CHECK(core.lanes < 64);
    for (size_t i = 0; i < core.lanes; i++) bytes_of(BENCH_N - 2 - i, several + 8 * i, 8);
    CHECK(totient_raise_all(&core, core.lanes, several, 8, several, 8) == TOTIENT_OK);
    for (size_t i = 0; i < core.lanes; i++)
        CHECK(number_of(several + 8 * i, 8) == power(BENCH_N - 2 - i, BENCH_D, BENCH_N));
    CHECK(totient_raise_all(&core, core.lanes + 1, several, 8, several, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise_all(&core, 0, several, 8, several, 8) == TOTIENT_ARGUMENT);
    /* A short modulus, a long message with leading zeros. */
    bytes_of(3859, message, 8);
    CHECK(totient_load_public(&core, message, 8, 17) == TOTIENT_OK && core.modulus_bits == 12);
    uint8_t longer[30];
    bytes_of(1141, longer, 30);
    CHECK(totient_raise(&core, longer, 30, result, 2) == TOTIENT_OK);
    CHECK(number_of(result, 2) == power(1141, 17, 3859));
    /* Checked private operations: e d = 1 modulo the totient of 3859 = 17 227. */
    const uint64_t totient = 16 * 226, e = 3;
    uint64_t private_exponent = 1;
    while (private_exponent * e % totient != 1) private_exponent++;
    uint8_t small_n[2], small_d[2], small[2], signature[2];
    bytes_of(3859, small_n, 2);
    bytes_of(private_exponent, small_d, 2);
    bytes_of(1234, small, 2);
    CHECK(totient_private_checked(&core, small_n, 2, small_d, 2, 3, small, 2, signature, 2)
          == TOTIENT_OK);
    CHECK(number_of(signature, 2) == power(1234, private_exponent, 3859));
    /* A result that the public exponent does not take back to the message is withheld. */
    CHECK(totient_private_checked(&core, small_n, 2, small_d, 2, 5, small, 2, signature, 2)
          == TOTIENT_WRONG_RESULT);
    CHECK(number_of(signature, 2) == 0);
    CHECK(totient_private_checked(&core, small_n, 2, small_d, 2, 3, small, 2, small, 2)
          == TOTIENT_OK); /* in place */
    CHECK(number_of(small, 2) == power(1234, private_exponent, 3859));
    CHECK(totient_clear(&core) == TOTIENT_OK);
    CHECK(core.modulus_bits == 0 && core.cycles == 0);
    CHECK(totient_raise(&core, n, 8, result, 12) == TOTIENT_NO_KEY);
}

void test_refusals(const struct bench *bench)
{
    struct totient core = open_core(bench);
    uint8_t n[8], message[8], longer[30], result[12];
    bytes_of(BENCH_N, n, 8);
    bytes_of(3859, message, 8);
    CHECK(totient_load_public(&core, message, 8, 17) == TOTIENT_OK);
    memset(result, 0xFF, sizeof result);
    bytes_of(5000, longer, 30);
    CHECK(totient_raise(&core, longer, 30, result, 12) == TOTIENT_BASE_NOT_BELOW);
    CHECK(number_of(result, 12) == 0);
    longer[0] = 1;
    CHECK(totient_raise(&core, longer, 30, result, 12) == TOTIENT_BASE_NOT_BELOW);
    CHECK(totient_raise(&core, longer, 30, result, 1) == TOTIENT_ARGUMENT);
    /* Keys; the core works on. */
    bytes_of(BENCH_N - 1, message, 8);
    CHECK(totient_load_public(&core, message, 8, 3) == TOTIENT_MODULUS_EVEN);
    CHECK(totient_raise(&core, n, 8, result, 12) == TOTIENT_NO_KEY);
    bytes_of(1, message, 8);
    CHECK(totient_load_public(&core, message, 8, 3) == TOTIENT_MODULUS_SMALL);
    CHECK(totient_load_public(&core, n, 8, 0) == TOTIENT_EXPONENT_EMPTY);
    CHECK(totient_load_public(&core, n, 0, 3) == TOTIENT_MODULUS_SMALL);
    CHECK(totient_load_key(&core, n, 0, n, 0, 0) == TOTIENT_EXPONENT_EMPTY);
    CHECK(totient_load_private(&core, n, 8, n, 8) == TOTIENT_OK);
    /* Lengths: of the modulus, of an exponent beside it, of what is stated. */
    uint8_t too_long[TOTIENT_MAX_BITS / 8 + 1] = {1};
    const size_t length = bench->maximum_bits / 8 + 1;
    CHECK(length <= sizeof too_long);
    CHECK(totient_load_public(&core, too_long, length, 3) == TOTIENT_LENGTH);
    CHECK(totient_load_private(&core, n, 8, too_long, length) == TOTIENT_LENGTH);
    CHECK(totient_load_key(&core, n, 8, n, 8, 63) == TOTIENT_LENGTH);
    CHECK(totient_load_key(&core, n, 8, n, 8, bench->maximum_bits + 1) == TOTIENT_LENGTH);
    CHECK(totient_load_key(&core, n, 8, n, 8, SIZE_MAX) == TOTIENT_LENGTH);
    CHECK(totient_raise(&core, n + 1, 7, result, 12) == TOTIENT_NO_KEY);
    bytes_of(3859, message, 8);
    uint8_t above[2] = {0x10, 0x00};
    CHECK(totient_load_private(&core, message, 8, above, 2) == TOTIENT_LENGTH);
    above[0] = 0x0F;
    CHECK(totient_load_private(&core, message, 8, above, 2) == TOTIENT_OK);
    /* Longer than the library handles. */
    static uint8_t large[TOTIENT_MAX_BITS / 8 + 1];
    memset(large, 0xFF, sizeof large);
    CHECK(totient_private_checked(&core, message, 8, above, 2, 3, above, 2, large, sizeof large)
          == TOTIENT_ARGUMENT);
    CHECK(is_zero(large, sizeof large));
    memset(result, 0xFF, sizeof result);
    CHECK(totient_private_checked(&core, message, 8, above, 2, 3, large, sizeof large, result, 12)
          == TOTIENT_ARGUMENT);
    CHECK(number_of(result, 12) == 0);
    CHECK(totient_clear(&core) == TOTIENT_OK);
}

/* Every function with each of its pointers null, one at a time: refused, and nothing is written. */
void test_null_pointers(const struct bench *bench)
{
    struct totient core;
    uint8_t n[8], result[8];
    bytes_of(BENCH_N, n, 8);
    const struct totient_transport *transport = bench->transport;
    struct totient_transport without = *transport;
    CHECK(totient_open(NULL, transport, bench->context) == TOTIENT_ARGUMENT);
    CHECK(totient_open(&core, NULL, bench->context) == TOTIENT_ARGUMENT);
    without.send = NULL;
    CHECK(totient_open(&core, &without, bench->context) == TOTIENT_ARGUMENT);
    without = *transport;
    without.receive = NULL;
    CHECK(totient_open(&core, &without, bench->context) == TOTIENT_ARGUMENT);
    CHECK(totient_open(&core, transport, NULL) == TOTIENT_ARGUMENT);
    /* A handle that was not opened refuses everything. */
    CHECK(totient_open(&core, NULL, bench->context) == TOTIENT_ARGUMENT);
    CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_ARGUMENT);
    CHECK(totient_load_private(&core, n, 8, n, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_load_key(&core, n, 8, n, 8, 64) == TOTIENT_ARGUMENT);
    CHECK(totient_raise(&core, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise_all(&core, 1, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_private_checked(&core, n, 8, n, 8, 3, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_clear(&core) == TOTIENT_ARGUMENT);

    core = open_core(bench);
    CHECK(totient_load_public(NULL, n, 8, 3) == TOTIENT_ARGUMENT);
    CHECK(totient_load_public(&core, NULL, 8, 3) == TOTIENT_ARGUMENT);
    CHECK(totient_load_private(NULL, n, 8, n, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_load_private(&core, NULL, 8, n, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_load_private(&core, n, 8, NULL, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_load_key(NULL, n, 8, n, 8, 64) == TOTIENT_ARGUMENT);
    CHECK(totient_load_key(&core, NULL, 8, n, 8, 64) == TOTIENT_ARGUMENT);
    CHECK(totient_load_key(&core, n, 8, NULL, 8, 64) == TOTIENT_ARGUMENT);
    CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
    memset(result, 0xA5, sizeof result);
    CHECK(totient_raise(NULL, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise(&core, NULL, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise(&core, n, 8, NULL, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise_all(NULL, 1, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise_all(&core, 1, NULL, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise_all(&core, 1, n, 8, NULL, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise_all(&core, SIZE_MAX, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_private_checked(NULL, n, 8, n, 8, 3, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_private_checked(&core, NULL, 8, n, 8, 3, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_private_checked(&core, n, 8, NULL, 8, 3, n, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_private_checked(&core, n, 8, n, 8, 3, NULL, 8, result, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_private_checked(&core, n, 8, n, 8, 3, n, 8, NULL, 8) == TOTIENT_ARGUMENT);
    for (size_t i = 0; i < sizeof result; i++) CHECK(result[i] == 0xA5);
    CHECK(totient_clear(NULL) == TOTIENT_ARGUMENT);
    totient_wipe(NULL, 8);
    /* What the transport itself is given. */
    uint32_t word = 1;
    bool last;
    CHECK(transport->send(NULL, &word, 1, true) == TOTIENT_ARGUMENT);
    CHECK(transport->send(bench->context, NULL, 1, true) == TOTIENT_ARGUMENT);
    CHECK(transport->receive(NULL, &word, 1, &last) == TOTIENT_ARGUMENT);
    CHECK(transport->receive(bench->context, NULL, 1, &last) == TOTIENT_ARGUMENT);
    CHECK(transport->receive(bench->context, &word, 1, NULL) == TOTIENT_ARGUMENT);
    CHECK(transport->reset(NULL) == TOTIENT_ARGUMENT);
    /* The key is still there: none of this went to the core. */
    CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_OK);
    CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, BENCH_N));
    CHECK(totient_clear(&core) == TOTIENT_OK);
}

/* Two handles that have had different keys are the same: the way's between two requests, and both
   after a clear. `way` is that of the transport. */
void test_nothing_is_kept(const struct bench *bench, const void *way, size_t size)
{
    struct totient cores[2];
    uint8_t used[2][256], cleared[2][256];
    CHECK(size <= sizeof *used);
    for (size_t turn = 0; turn < 2; turn++) {
        struct totient *core = &cores[turn];
        uint8_t n[8], d[8], message[8], result[8];
        bytes_of(BENCH_N - 2 * turn, n, 8);
        bytes_of(BENCH_D - 1000 * turn, d, 8);
        bytes_of(BENCH_D / 3 + turn, message, 8);
        CHECK(totient_open(core, bench->transport, bench->context) == TOTIENT_OK);
        CHECK(totient_load_private(core, n, 8, d, 8) == TOTIENT_OK);
        CHECK(totient_raise(core, message, 8, result, 8) == TOTIENT_OK);
        CHECK(number_of(result, 8)
              == power(number_of(message, 8), number_of(d, 8), number_of(n, 8)));
        memcpy(used[turn], way, size);
        CHECK(totient_clear(core) == TOTIENT_OK);
        memcpy(cleared[turn], way, size);
    }
    CHECK(memcmp(used[0], used[1], size) == 0);
    CHECK(memcmp(cleared[0], cleared[1], size) == 0);
    CHECK(memcmp(&cores[0], &cores[1], sizeof cores[0]) == 0);
}

static totient_result failing_read(void *context, uint32_t offset, uint32_t *value)
{
    struct failing_bus *bus = context;
    if (bus->fail_after > 0 && --bus->fail_after == 0) return TOTIENT_TRANSPORT;
    const totient_result result = bus->read(bus->bus, offset, value);
    if (bus->stranger) *value = 0x12345678;
    return result;
}

static totient_result failing_write(void *context, uint32_t offset, uint32_t value)
{
    struct failing_bus *bus = context;
    if (bus->fail_after > 0 && --bus->fail_after == 0) return TOTIENT_TRANSPORT;
    return bus->write(bus->bus, offset, value);
}

/* The bus fails at any access: an error, never a hang, and the next operation is right. */
void test_bus_that_fails(const struct totient_registers *way)
{
    struct failing_bus bus = {.read = way->read, .write = way->write, .bus = way->bus};
    struct totient_registers to = {
        .read = failing_read, .write = failing_write, .bus = &bus, .polls = way->polls};
    struct totient core;
    uint8_t n[8], result[8];
    bytes_of(BENCH_N, n, 8);
    for (uint32_t after = 1; after < 60; after++) {
        bus.fail_after = 0;
        CHECK(totient_open(&core, &totient_over_registers, &to) == TOTIENT_OK);
        bus.fail_after = after;
        totient_result code = totient_load_public(&core, n, 8, 3);
        if (code == TOTIENT_OK) code = totient_raise(&core, n + 1, 7, result, 8);
        if (bus.fail_after == 0) CHECK(code == TOTIENT_TRANSPORT);
        bus.fail_after = 0;
        CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
        CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_OK);
        CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, BENCH_N));
    }
    bus.stranger = true;
    CHECK(totient_open(&core, &totient_over_registers, &to) == TOTIENT_NO_CORE);
}

static totient_result damaged_read(void *context, uint8_t *byte)
{
    struct damaged_line *line = context;
    const totient_result result = line->read(line->line, byte);
    if (result == TOTIENT_OK && line->damage_out >= 0 && line->damage_out-- == 0) *byte ^= 0x10;
    return result;
}

static totient_result damaged_write(void *context, const uint8_t *bytes, size_t count)
{
    struct damaged_line *line = context;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i];
        if (line->damage_in >= 0 && line->damage_in-- == 0) byte ^= 0x04;
        const totient_result result = line->write(line->line, &byte, 1);
        if (result != TOTIENT_OK) return result;
    }
    return TOTIENT_OK;
}

/* Any byte of any frame damaged, in both directions: no wrong result, and the next one is right. */
void test_line_with_damage(const struct totient_serial *way)
{
    struct damaged_line line = {.read = way->read,
                                .write = way->write,
                                .line = way->line,
                                .damage_in = -1,
                                .damage_out = -1};
    struct totient_serial to = {.read = damaged_read, .write = damaged_write, .line = &line};
    struct totient core;
    uint8_t n[8], result[8];
    bytes_of(BENCH_N, n, 8);
    CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_OK);
    for (long place = 0; place < 60; place++) {
        for (int direction = 0; direction < 2; direction++) {
            CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
            *(direction == 0 ? &line.damage_in : &line.damage_out) = place;
            const totient_result code = totient_raise(&core, n + 1, 7, result, 8);
            if (code == TOTIENT_OK)
                CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, BENCH_N));
            else CHECK(number_of(result, 8) == 0);
            line.damage_in = line.damage_out = -1;
            CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
            CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_OK);
            CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, BENCH_N));
        }
    }
}

/* A sender that stops within a frame: the next clear is answered. The core's end takes a cycle a word to
   drop the frame, and refuses what comes meanwhile. */
void test_line_after_a_part_of_a_frame(const struct totient_serial *way)
{
    static const size_t lengths[] = {1, 3, 4, 4 * 70, 4 * 100, 4 * 127, 4 * 250};
    struct totient_serial to = {.read = way->read, .write = way->write, .line = way->line};
    struct totient core;
    uint8_t n[8], result[8];
    bytes_of(BENCH_N, n, 8);
    CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_OK);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const uint8_t begin = 0xC0, byte = 0x55;
        CHECK(way->write(way->line, &begin, 1) == TOTIENT_OK);
        for (size_t sent = 0; sent < lengths[i]; sent++)
            CHECK(way->write(way->line, &byte, 1) == TOTIENT_OK);
        CHECK(totient_clear(&core) == TOTIENT_OK);
        CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
        CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_OK);
        CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, BENCH_N));
    }
}
