/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of libtotient share: a core on a bench, mocked or simulated, numbers, faults. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>

#include "totient/engine.h"
#include "totient/keygen.h"
#include "totient/registers.h"
#include "totient/serial.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* A core and a way to it, with what it says of itself. */
struct bench {
    const struct totient_transport *transport;
    void *context;
    const char *name;
    uint32_t maximum_bits; /* 64 or more; of an engine 512 or more */
    uint32_t lanes;
    uint32_t slots;        /* of keys; 0: it is no engine */
    /* Clock cycles of loading BENCH_N, and of raising a message to BENCH_E and to BENCH_D. */
    uint64_t load_cycles, public_cycles, private_cycles;
};

#define BENCH_N UINT64_C(0xC0DBDCDD4F5AE36D)
#define BENCH_E UINT32_C(65537)
#define BENCH_D UINT64_C(0x923456789ABCDEF1)

/* An IP with key generation for primes of 32 bits, and ways to it; without a stream the one with
   registers only. */
struct key_bench {
    const struct totient_registers *registers;
    const struct totient_transport *stream;
    void *context;
    /* Clock cycles of a key of KEY_P and KEY_Q with the first coprime exponent, and of a message
       to it. */
    uint32_t key_cycles, message_cycles;
};

#define KEY_P UINT64_C(4294967291)
#define KEY_Q UINT64_C(4294967279)

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
uint64_t common(uint64_t a, uint64_t b); /* largest divisor of both */
uint64_t inverse(uint64_t e, uint64_t totient);
bool is_zero(const uint8_t *bytes, size_t length);

/* The tests: the same for every core. Each leaves it fit for the next; it ends the program where
   something is wrong. */
struct totient open_core(const struct bench *bench);
void test_operations(const struct bench *bench);
void test_refusals(const struct bench *bench);
void test_null_pointers(const struct bench *bench);
void test_nothing_is_kept(const struct bench *bench, const void *way, size_t size);
void test_bus_that_fails(const struct totient_registers *way);
void test_line_with_damage(const struct totient_serial *way);
void test_line_after_a_part_of_a_frame(const struct totient_serial *way);

/* The same for an engine, and that what is none says so; engine_keys.h has the keys. */
void test_engine_operations(const struct bench *bench);
void test_engine_refusals(const struct bench *bench);
void test_engine_null_pointers(const struct bench *bench);
void test_engine_nothing_is_kept(const struct bench *bench, const void *way, size_t size);
void test_no_engine(const struct bench *bench);

/* The same for the IPs with key generation. */
totient_result open_keygen(struct totient_keygen *ip, const struct key_bench *bench);
void test_keys(const struct key_bench *bench);
void test_key_refusals(const struct key_bench *bench);
void test_key_null_pointers(const struct key_bench *bench);
void test_no_key_is_kept(const struct key_bench *bench);
void test_key_bus_that_fails(const struct key_bench *bench);

#endif
