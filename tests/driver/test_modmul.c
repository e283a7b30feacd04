/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Montgomery multiplier by libtotient over its RTL, in this process: products, what is refused, a
 * bus that fails.
 *
 *     test_modmul MODEL WIDTH
 *
 * Exit status 0: all is well.
 */
#include <string.h>

#include "bench.h"
#include "totient/modmul.h"
#include "totient/simulation.h"

enum { POLLS = 1000, CASES = 200, EXTRA_CYCLES = 6 };

static struct totient_simulation simulation;
static struct failing_bus failing = {
    .read = totient_simulation_read, .write = totient_simulation_write, .bus = &simulation};

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

static uint64_t next_number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 29;
}

static unsigned length_of(uint64_t number)
{
    unsigned bits = 0;
    for (; number != 0; number >>= 1) bits++;
    return bits;
}

/* a b / 2^L mod n by halving modulo n, L times. */
static uint64_t expected(uint64_t a, uint64_t b, uint64_t n)
{
    unsigned __int128 product = (unsigned __int128)a * b % n;
    for (unsigned i = 0; i < length_of(n); i++)
        product = (product % 2 == 0 ? product : product + n) / 2;
    return (uint64_t)product;
}

static void test_products(struct totient_modmul *multiplier, unsigned width)
{
    uint64_t seed = 1, product;
    for (int i = 0; i < CASES; i++) {
        const unsigned length = i % 3 == 0 ? width : (unsigned)(next_number(&seed) % width) + 1;
        const uint64_t n = (next_number(&seed) | UINT64_C(1) << 63) >> (64 - length) | 1;
        const uint64_t a = i % 5 == 0 ? n - 1 : next_number(&seed) % n;
        const uint64_t b = i % 7 == 0 ? n - 1 : next_number(&seed) % n;
        uint32_t cycles;
        CHECK(totient_modmul_load(multiplier, n) == TOTIENT_OK);
        CHECK(multiplier->modulus_bits == length);
        CHECK(totient_modmul_multiply(multiplier, a, b, &product) == TOTIENT_OK);
        CHECK(product == expected(a, b, n));
        CHECK(totient_modmul_cycles(multiplier, &cycles) == TOTIENT_OK);
        CHECK(cycles == length + EXTRA_CYCLES);
        /* The modulus stays. */
        CHECK(totient_modmul_multiply(multiplier, b, b, &product) == TOTIENT_OK);
        CHECK(product == expected(b, b, n));
    }
}

static void test_bad_operands(struct totient_modmul *multiplier, unsigned width)
{
    uint64_t product = 5;
    uint32_t cycles;
    CHECK(totient_modmul_clear(multiplier) == TOTIENT_OK);
    CHECK(totient_modmul_multiply(multiplier, 1, 1, &product) == TOTIENT_NO_KEY && product == 0);
    CHECK(totient_modmul_load(multiplier, 143) == TOTIENT_OK);
    CHECK(totient_modmul_load(multiplier, 142) == TOTIENT_MODULUS_EVEN);
    CHECK(totient_modmul_load(multiplier, 0) == TOTIENT_MODULUS_EVEN);
    if (width < 64)
        CHECK(totient_modmul_load(multiplier, (UINT64_C(1) << width) + 1) == TOTIENT_LENGTH);
    CHECK(totient_modmul_multiply(multiplier, 1, 1, &product) == TOTIENT_NO_KEY);
    CHECK(totient_modmul_load(multiplier, 143) == TOTIENT_OK);
    const uint64_t large[] = {143, 200, UINT64_MAX};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        product = 5;
        CHECK(totient_modmul_multiply(multiplier, large[i], 9, &product) == TOTIENT_BASE_NOT_BELOW);
        CHECK(totient_modmul_multiply(multiplier, 9, large[i], &product) == TOTIENT_BASE_NOT_BELOW);
        CHECK(product == 0);
    }
    CHECK(totient_modmul_multiply(multiplier, 9, 142, &product) == TOTIENT_OK);
    CHECK(product == expected(9, 142, 143));
    CHECK(totient_modmul_multiply(NULL, 9, 9, &product) == TOTIENT_ARGUMENT && product == 0);
    CHECK(totient_modmul_multiply(multiplier, 9, 9, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_modmul_load(NULL, 3) == TOTIENT_ARGUMENT);
    CHECK(totient_modmul_clear(NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_modmul_cycles(NULL, &cycles) == TOTIENT_ARGUMENT);
    CHECK(totient_modmul_cycles(multiplier, NULL) == TOTIENT_ARGUMENT);
}

/* Any access fails: an error, never a hang, and after a load the next product is right. */
static void test_failing_bus(struct totient_modmul *multiplier, struct totient_registers *way)
{
    uint64_t product;
    for (uint32_t after = 1; after < 12; after++) {
        CHECK(totient_modmul_load(multiplier, 143) == TOTIENT_OK);
        failing.fail_after = after;
        const totient_result result = totient_modmul_multiply(multiplier, 9, 100, &product);
        if (failing.fail_after == 0) {
            CHECK(result == TOTIENT_TRANSPORT && product == 0);
            CHECK(totient_modmul_multiply(multiplier, 9, 100, &product) == TOTIENT_NO_KEY);
        }
        failing.fail_after = 0;
    }
    way->polls = 1;
    CHECK(totient_modmul_load(multiplier, 143) == TOTIENT_OK);
    CHECK(totient_modmul_multiply(multiplier, 9, 9, &product) == TOTIENT_TIMEOUT && product == 0);
    way->polls = POLLS;
    CHECK(totient_modmul_load(multiplier, 143) == TOTIENT_OK);
    CHECK(totient_modmul_multiply(multiplier, 9, 142, &product) == TOTIENT_OK);
    CHECK(product == expected(9, 142, 143));
    failing.stranger = true;
    CHECK(totient_modmul_open(multiplier, way) == TOTIENT_NO_CORE);
    failing.stranger = false;
    CHECK(totient_modmul_multiply(multiplier, 9, 9, &product) == TOTIENT_ARGUMENT);
    CHECK(totient_modmul_open(multiplier, NULL) == TOTIENT_ARGUMENT);
    CHECK(totient_modmul_open(NULL, way) == TOTIENT_ARGUMENT);
    failing.fail_after = 1;
    CHECK(totient_modmul_open(multiplier, way) == TOTIENT_TRANSPORT);
    failing.fail_after = 0;
}

int main(int count, char **words)
{
    CHECK(count == 3);
    const unsigned width = (unsigned)strtoul(words[2], NULL, 10);
    struct totient_registers way = {
        .read = failing_read, .write = failing_write, .bus = &failing, .polls = POLLS};
    struct totient_modmul multiplier;
    CHECK(totient_simulation_open(&simulation, words[1]) == TOTIENT_OK);
    CHECK(totient_modmul_open(&multiplier, &way) == TOTIENT_OK);
    CHECK(multiplier.bits == width && multiplier.version != 0);
    test_products(&multiplier, width);
    test_bad_operands(&multiplier, width);
    test_failing_bus(&multiplier, &way);
    totient_simulation_close(&simulation);
    return 0;
}
