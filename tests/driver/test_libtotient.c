/* SPDX-License-Identifier: Apache-2.0 */
/* libtotient over mocked registers and a mocked serial line. Exit status 0: all is well. */
#include <stdio.h>
#include <stdlib.h>

#include "mock_core.h"
#include "totient/registers.h"
#include "totient/serial.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* Registers: a request FIFO of 4 words, a bus that fails when told to. */
struct registers {
    struct core core;
    uint32_t fail_after; /* accesses until the bus fails; 0: never */
    uint32_t identification;
};

static bool bus_fails(struct registers *bus) { return bus->fail_after > 0 && --bus->fail_after == 0; }

static totient_result bus_read(void *context, uint32_t offset, uint32_t *value)
{
    struct registers *bus = context;
    const struct words *from = &bus->core.response;
    if (bus_fails(bus)) return TOTIENT_TRANSPORT;
    *value = 0;
    switch (offset) {
    case 0x00: *value = bus->identification; break;
    case 0x0C:
        if (from->begin != from->end) *value = 1 | (uint32_t)from->last[from->begin] << 1;
        break;
    case 0x1C: *value = 4; break;
    case 0x38: {
        bool last;
        CHECK(take(&bus->core, value, &last));
        break;
    }
    default: CHECK(false);
    }
    return TOTIENT_OK;
}

static totient_result bus_write(void *context, uint32_t offset, uint32_t value)
{
    struct registers *bus = context;
    if (bus_fails(bus)) return TOTIENT_TRANSPORT;
    switch (offset) {
    case 0x10: {
        CHECK(value == 1);
        const struct core fresh = {.lie = bus->core.lie, .silent = bus->core.silent};
        bus->core = fresh;
        break;
    }
    case 0x14: break;
    case 0x30: give(&bus->core, value, false); break;
    case 0x34: give(&bus->core, value, true); break;
    default: CHECK(false);
    }
    return TOTIENT_OK;
}

/* A serial line: frames as the RTL makes them, with damage on the way if told so. */
struct line {
    struct core core;
    uint8_t in[4096], out[4096]; /* bytes of the frame to the core; bytes to the host */
    size_t in_count, out_begin, out_end;
    long damage_in, damage_out; /* byte to damage, counted from now; negative: none */
};

static uint32_t crc32_of(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc % 2 != 0 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void line_out(struct line *line, uint8_t byte)
{
    CHECK(line->out_end < sizeof line->out);
    if (line->damage_out >= 0 && line->damage_out-- == 0) byte ^= 0x10;
    line->out[line->out_end++] = byte;
}

static void line_frame(struct line *line, const uint8_t *bytes, size_t count)
{
    uint8_t whole[1024];
    memcpy(whole, bytes, count);
    const uint32_t crc = crc32_of(bytes, count);
    for (size_t i = 0; i < 4; i++) whole[count + i] = (uint8_t)(crc >> 8 * i);
    line_out(line, 0xC0);
    for (size_t i = 0; i < count + 4; i++) {
        if (whole[i] == 0xC0 || whole[i] == 0xDB) {
            line_out(line, 0xDB);
            line_out(line, whole[i] == 0xC0 ? 0xDC : 0xDD);
        } else {
            line_out(line, whole[i]);
        }
    }
    line_out(line, 0xC0);
}

/* A frame has ended: judge it, let the core work, send its answers. */
static void line_end(struct line *line)
{
    uint8_t plain[4096];
    size_t count = 0;
    for (size_t i = 0; i < line->in_count; i++) {
        uint8_t byte = line->in[i];
        if (byte == 0xDB && ++i < line->in_count) byte = line->in[i] == 0xDC ? 0xC0 : 0xDB;
        plain[count++] = byte;
    }
    if (line->in_count == 0) return;
    line->in_count = 0;
    const uint8_t damaged = 1;
    uint32_t crc = 0;
    if (count < 8 || count % 4 != 0) {
        line_frame(line, &damaged, 1);
        return;
    }
    for (size_t i = 0; i < 4; i++) crc |= (uint32_t)plain[count - 4 + i] << 8 * i;
    if (crc != crc32_of(plain, count - 4)) {
        line_frame(line, &damaged, 1);
        return;
    }
    for (size_t i = 0; i < count - 4; i += 4)
        give(&line->core,
             plain[i] | (uint32_t)plain[i + 1] << 8 | (uint32_t)plain[i + 2] << 16
                 | (uint32_t)plain[i + 3] << 24,
             i == count - 8);
    uint32_t word;
    bool last;
    uint8_t bytes[1000];
    size_t filled = 0;
    while (take(&line->core, &word, &last)) {
        for (size_t i = 0; i < 4; i++) bytes[filled++] = (uint8_t)(word >> 8 * i);
        if (last) {
            line_frame(line, bytes, filled);
            filled = 0;
        }
    }
}

static totient_result line_write(void *context, const uint8_t *bytes, size_t count)
{
    struct line *line = context;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i];
        if (line->damage_in >= 0 && line->damage_in-- == 0) byte ^= 0x04;
        if (byte == 0xC0) line_end(line);
        else {
            CHECK(line->in_count < sizeof line->in);
            line->in[line->in_count++] = byte;
        }
    }
    return TOTIENT_OK;
}

static totient_result line_read(void *context, uint8_t *byte)
{
    struct line *line = context;
    if (line->out_begin == line->out_end) return TOTIENT_TIMEOUT;
    *byte = line->out[line->out_begin++];
    if (line->out_begin == line->out_end) line->out_begin = line->out_end = 0;
    return TOTIENT_OK;
}

static void bytes_of(uint64_t number, uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[length - 1 - i] = i < 8 ? (uint8_t)(number >> 8 * i) : 0;
}

static uint64_t number_of(const uint8_t *bytes, size_t length)
{
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) number = number << 8 | bytes[i];
    return number;
}

static const uint64_t N = UINT64_C(0xC0DBDCDD4F5AE36D), E = 65537, D = UINT64_C(0x123456789ABCDEF1);

/* Every operation, and every refusal, over any transport. */
static void test_operations(const struct totient_transport *transport, void *context,
                            struct core *hardware)
{
    struct totient core;
    uint8_t n[8], d[8], long_n[20], message[8], result[12];
    CHECK(totient_open(&core, transport, context) == TOTIENT_OK);
    CHECK(strcmp(core.name, "mock_core") != 0 || core.maximum_bits == 64);
    CHECK(core.maximum_bits == 64 && core.version == 0x100 && core.timing == TOTIENT_TIME_LENGTH);
    bytes_of(N, n, 8);
    bytes_of(D, d, 8);
    bytes_of(N, long_n, 20);
    CHECK(totient_raise(&core, n, 8, result, 12) == TOTIENT_NO_KEY);
    for (int i = 0; i < 4; i++) {
        const uint64_t base = i == 0 ? 0 : i == 1 ? 1 : i == 2 ? N - 1 : UINT64_C(0xC0C0DBDB00DCDDC0);
        const uint64_t reduced = base % N;
        bytes_of(reduced, message, 8);
        CHECK(totient_load_public(&core, i % 2 != 0 ? long_n : n, i % 2 != 0 ? 20 : 8, (uint32_t)E)
              == TOTIENT_OK);
        CHECK(core.modulus_bits == 64 && core.cycles == ((uint64_t)1 << 32 | 123));
        CHECK(totient_raise(&core, message, 8, result, 12) == TOTIENT_OK);
        CHECK(number_of(result, 12) == power(reduced, E, N) && core.cycles == 77);
        CHECK(totient_load_private(&core, n, 8, d, 8) == TOTIENT_OK);
        CHECK(totient_raise(&core, message, 8, message, 8) == TOTIENT_OK); /* in place */
        CHECK(number_of(message, 8) == power(reduced, D, N));
    }
    /* A short modulus, a long message with leading zeros. */
    bytes_of(3859, message, 8);
    CHECK(totient_load_public(&core, message, 8, 17) == TOTIENT_OK && core.modulus_bits == 12);
    uint8_t longer[30];
    bytes_of(1141, longer, 30);
    CHECK(totient_raise(&core, longer, 30, result, 2) == TOTIENT_OK);
    CHECK(number_of(result, 2) == power(1141, 17, 3859));
    bytes_of(5000, longer, 30);
    CHECK(totient_raise(&core, longer, 30, result, 12) == TOTIENT_BASE_NOT_BELOW);
    CHECK(number_of(result, 12) == 0);
    longer[0] = 1;
    CHECK(totient_raise(&core, longer, 30, result, 12) == TOTIENT_BASE_NOT_BELOW);
    CHECK(totient_raise(&core, longer, 30, result, 1) == TOTIENT_ARGUMENT);
    /* Keys that are refused; the core works on. */
    bytes_of(N - 1, message, 8);
    CHECK(totient_load_public(&core, message, 8, 3) == TOTIENT_MODULUS_EVEN);
    CHECK(totient_raise(&core, n, 8, result, 12) == TOTIENT_NO_KEY);
    bytes_of(1, message, 8);
    CHECK(totient_load_public(&core, message, 8, 3) == TOTIENT_MODULUS_SMALL);
    CHECK(totient_load_public(&core, n, 8, 0) == TOTIENT_EXPONENT_EMPTY);
    CHECK(totient_load_public(&core, n, 0, 3) == TOTIENT_MODULUS_SMALL);
    CHECK(totient_load_private(&core, n, 8, long_n, 8) == TOTIENT_OK);
    uint8_t too_long[9] = {1};
    CHECK(totient_load_public(&core, too_long, 9, 3) == TOTIENT_LENGTH);
    CHECK(totient_load_private(&core, n, 8, too_long, 9) == TOTIENT_LENGTH);
    bytes_of(3859, message, 8);
    uint8_t above[2] = {0x10, 0x00};
    CHECK(totient_load_private(&core, message, 8, above, 2) == TOTIENT_LENGTH);
    above[0] = 0x0F;
    CHECK(totient_load_private(&core, message, 8, above, 2) == TOTIENT_OK);
    CHECK(totient_load_public(NULL, n, 8, 3) == TOTIENT_ARGUMENT);
    CHECK(totient_load_public(&core, NULL, 8, 3) == TOTIENT_ARGUMENT);
    CHECK(totient_load_private(&core, n, 8, NULL, 8) == TOTIENT_ARGUMENT);
    CHECK(totient_raise(&core, NULL, 8, result, 12) == TOTIENT_ARGUMENT);
    CHECK(totient_raise(&core, n, 8, NULL, 12) == TOTIENT_ARGUMENT);
    CHECK(totient_open(NULL, transport, context) == TOTIENT_ARGUMENT);
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
    hardware->lie = 1;
    CHECK(totient_private_checked(&core, small_n, 2, small_d, 2, 3, small, 2, signature, 2)
          == TOTIENT_FAULT);
    CHECK(number_of(signature, 2) == 0);
    CHECK(totient_clear(&core) == TOTIENT_OK);
    CHECK(hardware->modulus == 0 && hardware->exponent == 0 && !hardware->key);
    CHECK(totient_raise(&core, n, 8, result, 12) == TOTIENT_NO_KEY);
}

static void test_registers(void)
{
    struct registers bus = {.identification = 0x544F5449};
    struct totient_registers to = {bus_read, bus_write, &bus, 100, 0};
    test_operations(&totient_over_registers, &to, &bus.core);
    struct totient core;
    uint8_t n[8], result[8];
    bytes_of(N, n, 8);
    /* The bus fails at any access: an error, never a hang, and the next operation is right. */
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
        CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, N));
    }
    bus.core.silent = 1;
    CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_TIMEOUT);
    CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
    bus.identification = 0;
    CHECK(totient_open(&core, &totient_over_registers, &to) == TOTIENT_NO_CORE);
}

static void test_serial(void)
{
    static struct line line = {.damage_in = -1, .damage_out = -1};
    struct totient_serial to = {.read = line_read, .write = line_write, .line = &line};
    test_operations(&totient_over_serial, &to, &line.core);
    struct totient core;
    uint8_t n[8], result[8];
    bytes_of(N, n, 8);
    CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_OK);
    /* Any byte of any frame damaged, in both directions. */
    for (long place = 0; place < 60; place++) {
        for (int direction = 0; direction < 2; direction++) {
            CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
            *(direction == 0 ? &line.damage_in : &line.damage_out) = place;
            const totient_result code = totient_raise(&core, n + 1, 7, result, 8);
            if (code == TOTIENT_OK) CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, N));
            else CHECK(number_of(result, 8) == 0);
            line.damage_in = line.damage_out = -1;
            CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
            CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_OK);
            CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, N));
        }
    }
    line.core.silent = 1;
    CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_TIMEOUT);
    CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
}

int main(void)
{
    test_registers();
    test_serial();
    for (int code = -1; code < 80; code++) CHECK(totient_text((totient_result)code)[0] != '\0');
    return 0;
}
