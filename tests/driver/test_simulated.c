/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtotient over the RTL: the tests that it passes over mocks, in this process.
 *
 *     test_simulated STREAM REGISTERS SERIAL NAME BITS LANES SLOTS LOAD PUBLIC PRIVATE
 *
 * Models of one design behind each face, its name, maximum bits, lanes and key slots, and the clock
 * cycles that bench.h asks for. Exit status 0: all is well.
 */
#include "bench.h"
#include "totient/simulation.h"

enum { LIMIT = 200000 }; /* clock cycles in which anything is answered */

static struct totient_simulation simulated(const char *path)
{
    struct totient_simulation simulation = {.limit = LIMIT};
    CHECK(totient_simulation_open(&simulation, path) == TOTIENT_OK);
    return simulation;
}

static void test_all(const struct bench *bench, const void *way, size_t size)
{
    test_operations(bench);
    test_refusals(bench);
    test_null_pointers(bench);
    test_nothing_is_kept(bench, way, size);
    if (bench->slots == 0) {
        test_no_engine(bench);
        return;
    }
    test_engine_operations(bench);
    test_engine_refusals(bench);
    test_engine_null_pointers(bench);
    test_engine_nothing_is_kept(bench, way, size);
}

/* A core that is not waited for long enough: an error, and the next operation is right. */
static void test_impatience(const struct bench *bench, uint64_t *limit, uint64_t little)
{
    struct totient core;
    uint8_t n[8], d[8], result[8];
    bytes_of(BENCH_N, n, 8);
    bytes_of(BENCH_D, d, 8);
    const uint64_t usual = *limit;
    for (int i = 0; i < 3; i++) {
        CHECK(totient_open(&core, bench->transport, bench->context) == TOTIENT_OK);
        CHECK(totient_load_private(&core, n, 8, d, 8) == TOTIENT_OK);
        *limit = little;
        CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_TIMEOUT);
        CHECK(number_of(result, 8) == 0);
        *limit = usual;
        CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_NO_KEY);
        CHECK(totient_load_public(&core, n, 8, 3) == TOTIENT_OK);
        CHECK(totient_raise(&core, n + 1, 7, result, 8) == TOTIENT_OK);
        CHECK(number_of(result, 8) == power(number_of(n + 1, 7), 3, BENCH_N));
    }
}

/* Null pointers, and the functions of a face that the model does not have. */
static void test_ends(struct totient_simulation *stream, struct totient_simulation *serial)
{
    struct totient_simulation none = {0};
    uint32_t value = 0;
    uint8_t byte = 0;
    CHECK(totient_simulation_open(NULL, "model.so") == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_open(&none, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_open(&none, "/dev/null") == TOTIENT_NO_CORE);
    CHECK(totient_simulation_read(NULL, 0, &value) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_read(stream, 0, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_read(stream, 0, &value) == TOTIENT_TRANSPORT);
    CHECK(totient_simulation_write(NULL, 0, 0) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_write(stream, 0, 0) == TOTIENT_TRANSPORT);
    CHECK(totient_simulation_line_read(NULL, &byte) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_line_read(stream, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_line_read(stream, &byte) == TOTIENT_TRANSPORT);
    CHECK(totient_simulation_line_write(NULL, &byte, 1) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_line_write(serial, NULL, 1) == TOTIENT_ARGUMENT);
    CHECK(totient_simulation_line_write(stream, &byte, 1) == TOTIENT_TRANSPORT);
    CHECK(totient_over_simulation.send(serial, &value, 1, true) == TOTIENT_TRANSPORT);
    CHECK(totient_simulation_reason(NULL)[0] == '\0' && totient_simulation_cycles(NULL) == 0);
    totient_simulation_close(&none);
    totient_simulation_close(NULL);
}

int main(int count, char **words)
{
    CHECK(count == 12);
    struct bench bench = {.name = words[4],
                          .maximum_bits = (uint32_t)strtoul(words[5], NULL, 10),
                          .lanes = (uint32_t)strtoul(words[6], NULL, 10),
                          .slots = (uint32_t)strtoul(words[7], NULL, 10),
                          .load_cycles = strtoull(words[8], NULL, 10),
                          .public_cycles = strtoull(words[9], NULL, 10),
                          .private_cycles = strtoull(words[10], NULL, 10)};

    struct totient_simulation stream = simulated(words[1]);
    bench.transport = &totient_over_simulation;
    bench.context = &stream;
    test_all(&bench, &stream, sizeof stream);
    test_impatience(&bench, &stream.limit, 20);

    struct totient_simulation bus = simulated(words[2]);
    struct totient_registers registers = {
        .read = totient_simulation_read, .write = totient_simulation_write, .bus = &bus};
    bench.transport = &totient_over_registers;
    bench.context = &registers;
    registers.polls = LIMIT;
    test_all(&bench, &registers, sizeof registers);
    test_bus_that_fails(&registers);

    struct totient_simulation line = simulated(words[3]);
    struct totient_serial serial = {.read = totient_simulation_line_read,
                                    .write = totient_simulation_line_write,
                                    .line = &line};
    bench.transport = &totient_over_serial;
    bench.context = &serial;
    test_all(&bench, &serial, sizeof serial);
    test_impatience(&bench, &line.limit, 20);
    test_line_with_damage(&serial);
    test_line_after_a_part_of_a_frame(&serial);

    /* A core with room for long frames. */
    struct totient_simulation wide = simulated(words[11]);
    serial.line = &wide;
    test_line_after_a_part_of_a_frame(&serial);

    test_ends(&stream, &line);
    totient_simulation_close(&stream);
    totient_simulation_close(&bus);
    totient_simulation_close(&line);
    totient_simulation_close(&wide);
    return 0;
}
