/* SPDX-License-Identifier: Apache-2.0 */
/* libtotient over mocked registers and a mocked serial line. Exit status 0: all is well. */
#include "bench.h"
#include "mock_core.h"
#include "totient/posix.h"

/* Registers: a request FIFO of 4 words. */
struct registers {
    struct core core;
};

static totient_result bus_read(void *context, uint32_t offset, uint32_t *value)
{
    struct registers *bus = context;
    const struct words *from = &bus->core.response;
    *value = 0;
    switch (offset) {
    case 0x00: *value = 0x544F5449; break;
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

/* A serial line: frames as the RTL makes them. */
struct line {
    struct core core;
    uint8_t in[4096], out[4096]; /* bytes of the frame to the core; bytes to the host */
    size_t in_count, out_begin, out_end;
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
        if (bytes[i] == 0xC0) {
            line_end(line);
            continue;
        }
        CHECK(line->in_count < sizeof line->in);
        line->in[line->in_count++] = bytes[i];
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

static struct bench mock(const struct totient_transport *transport, void *context)
{
    const struct bench bench = {.transport = transport,
                                .context = context,
                                .name = "mock_core",
                                .lanes = MOCK_LANES,
                                .load_cycles = (uint64_t)1 << 32 | 123, /* both words count */
                                .public_cycles = 77,
                                .private_cycles = 77};
    return bench;
}

/* Mock only: a good core gives no wrong result, and answers. */
static void test_faults_of_a_mocked_core(const struct bench *bench, struct core *hardware)
{
    struct totient core;
    uint8_t n[2], d[2], message[2], result[2];
    bytes_of(3859, n, 2);
    bytes_of(2411, d, 2); /* 3 d = 1 modulo 16 226 */
    bytes_of(1234, message, 2);
    CHECK(totient_open(&core, bench->transport, bench->context) == TOTIENT_OK);
    CHECK(totient_private_checked(&core, n, 2, d, 2, 3, message, 2, result, 2) == TOTIENT_OK);
    hardware->lie = 1;
    CHECK(totient_private_checked(&core, n, 2, d, 2, 3, message, 2, result, 2) == TOTIENT_FAULT);
    CHECK(number_of(result, 2) == 0);
    hardware->silent = 1;
    CHECK(totient_load_public(&core, n, 2, 3) == TOTIENT_TIMEOUT);
    CHECK(totient_load_public(&core, n, 2, 3) == TOTIENT_OK && hardware->key);
    CHECK(totient_clear(&core) == TOTIENT_OK);
    CHECK(hardware->modulus == 0 && hardware->exponent == 0 && !hardware->key);
}

static void test_all(const struct bench *bench, const void *way, size_t size, struct core *hardware)
{
    test_operations(bench);
    test_refusals(bench);
    test_null_pointers(bench);
    test_nothing_is_kept(bench, way, size);
    test_faults_of_a_mocked_core(bench, hardware);
}

/* Null pointers of what passes words and bytes. */
static void test_ends(void)
{
    uint32_t value = 0, registers[2] = {1, 2};
    uint8_t byte = 0;
    CHECK(totient_mapped_write(registers, 4, 5) == TOTIENT_OK && registers[1] == 5);
    CHECK(totient_mapped_read(registers, 4, &value) == TOTIENT_OK && value == 5);
    CHECK(totient_mapped_read(NULL, 0, &value) == TOTIENT_ARGUMENT);
    CHECK(totient_mapped_read(registers, 0, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_mapped_write(NULL, 0, 0) == TOTIENT_ARGUMENT);
    struct totient_tty tty;
    struct totient_uio uio;
    CHECK(totient_tty_open(NULL, "/dev/null", 9600, 0) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_open(&tty, NULL, 9600, 0) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_open(&tty, "/dev/null", 12345, 0) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_open(&tty, "/dev/null", 9600, 0) == TOTIENT_TRANSPORT);
    CHECK(totient_tty_read(NULL, &byte) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_read(&tty, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_write(NULL, &byte, 1) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_write(&tty, NULL, 1) == TOTIENT_ARGUMENT);
    CHECK(totient_tty_read(&tty, &byte) == TOTIENT_TRANSPORT); /* not open */
    CHECK(totient_uio_open(NULL, "/dev/null") == TOTIENT_ARGUMENT);
    CHECK(totient_uio_open(&uio, NULL) == TOTIENT_ARGUMENT);
    totient_tty_close(NULL);
    totient_uio_close(NULL);
    for (int code = -1; code < 80; code++) CHECK(totient_text((totient_result)code)[0] != '\0');
}

int main(void)
{
    static struct registers bus;
    struct totient_registers registers = {bus_read, bus_write, &bus, 100, 0};
    const struct bench by_registers = mock(&totient_over_registers, &registers);
    test_all(&by_registers, &registers, sizeof registers, &bus.core);
    test_bus_that_fails(&registers);

    static struct line line;
    struct totient_serial serial = {.read = line_read, .write = line_write, .line = &line};
    const struct bench by_line = mock(&totient_over_serial, &serial);
    test_all(&by_line, &serial, sizeof serial, &line.core);
    test_line_with_damage(&serial);

    test_ends();
    return 0;
}
