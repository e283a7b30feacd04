/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without libFuzzer: on files, and on mutations of them.
 *
 *     mutate SEED COUNT FILE...
 *
 * Each mutation changes, inserts, removes or repeats bytes, up to eight times. The same seed gives the same
 * ones. The number of runs is printed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8192 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state;

/* xorshift64 of Marsaglia. */
static size_t below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

static size_t mutate(uint8_t *data, size_t size)
{
    static const uint8_t marked[] = {0x00, 0x01, 0x02, 0x04, 0x30, 0x7F, 0x80, 0x81, 0x82, 0xFF, '?', '&'};
    const size_t at = size > 0 ? below(size) : 0, count = 1 + below(4);
    switch (below(6)) {
    case 0:
        if (size > 0) data[at] ^= (uint8_t)(1u << below(8));
        return size;
    case 1:
        if (size > 0) data[at] = marked[below(sizeof marked)];
        return size;
    case 2:
        if (size > 0) data[at] = (uint8_t)below(256);
        return size;
    case 3: /* removed */
        if (size < at + count) return size;
        memmove(data + at, data + at + count, size - at - count);
        return size - count;
    case 4: /* inserted */
        if (size + count > MOST) return size;
        memmove(data + at + count, data + at, size - at);
        for (size_t i = 0; i < count; i++) data[at + i] = (uint8_t)below(256);
        return size + count;
    default: /* cut */
        return below(8) == 0 ? at : size;
    }
}

int main(int count, char **words)
{
    static uint8_t whole[MOST], changed[MOST];
    unsigned long runs = 0;
    if (count < 4) return 2;
    state = strtoull(words[1], NULL, 10) | 1;
    const unsigned long most = strtoul(words[2], NULL, 10);
    for (int i = 3; i < count; i++) {
        FILE *file = fopen(words[i], "rb");
        if (file == NULL) return 2;
        const size_t size = fread(whole, 1, sizeof whole, file);
        (void)fclose(file);
        (void)LLVMFuzzerTestOneInput(whole, size);
        runs++;
        for (unsigned long n = 0; n < most; n++) {
            size_t length = size;
            memcpy(changed, whole, size);
            for (size_t times = 1 + below(8); times > 0; times--) length = mutate(changed, length);
            (void)LLVMFuzzerTestOneInput(changed, length);
            runs++;
        }
    }
    printf("%lu\n", runs);
    return 0;
}
