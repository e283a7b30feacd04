/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of libtotient share: a core on a bench, mocked or simulated, numbers, faults. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>

#include "totient/registers.h"
#include "totient/serial.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* A core of 64 bits and a way to it, with what it says of itself. */
struct bench {
    const struct totient_transport *transport;
    void *context;
    const char *name;
    uint32_t lanes;
    /* Clock cycles of loading BENCH_N, and of raising a message to BENCH_E and to BENCH_D. */
    uint64_t load_cycles, public_cycles, private_cycles;
};

#define BENCH_N UINT64_C(0xC0DBDCDD4F5AE36D)
#define BENCH_E UINT32_C(65537)
#define BENCH_D UINT64_C(0x923456789ABCDEF1)

/* A serial line with damage on the way, and a bus that fails, before another one. */
struct damaged_line {
    totient_result (*read)(void *line, uint8_t *byte);
    totient_result (*write)(void *line, const uint8_t *bytes, size_t count);
    void *line;
    long damage_in, damage_out; /* byte to damage, counted from now; negative: none */
};
struct failing_bus {
    totient_result (*read)(void *bus, uint32_t offset, uint32_t *value);
    totient_result (*write)(void *bus, uint32_t offset, uint32_t value);
    void *bus;
    uint32_t fail_after; /* accesses until one fails; 0: never */
    bool stranger;       /* what is there is no core */
};

/* Big-endian numbers; zeros above 64 bits. */
void bytes_of(uint64_t number, uint8_t *bytes, size_t length);
uint64_t number_of(const uint8_t *bytes, size_t length);
uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus);

/* The tests: the same for every core. Each leaves it fit for the next; it ends the program where
   something is wrong. */
void test_operations(const struct bench *bench);
void test_refusals(const struct bench *bench);
void test_null_pointers(const struct bench *bench);
void test_nothing_is_kept(const struct bench *bench, const void *way, size_t size);
void test_bus_that_fails(const struct totient_registers *way);
void test_line_with_damage(const struct totient_serial *way);

#endif
