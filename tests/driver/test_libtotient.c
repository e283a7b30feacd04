/* SPDX-License-Identifier: Apache-2.0 */
/* libtotient over mocked registers and a mocked serial line. Exit status 0: all is well. */
#include "bench.h"
#include "engine_bench.h"
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
        core_reset(&bus->core);
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

/* A core of 64 bits, or an engine, at the end of a way. */
static struct bench mock(const struct totient_transport *transport, void *context,
                         struct core *hardware, bool engine)
{
    hardware->maximum = engine ? ENGINE_BITS : 64;
    hardware->slots = engine ? MOCK_SLOTS : 0;
    hardware->random_room = 0;
    const struct bench bench = {.transport = transport,
                                .context = context,
                                .name = "mock_core",
                                .maximum_bits = hardware->maximum,
                                .lanes = MOCK_LANES,
                                .slots = hardware->slots,
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
    CHECK(totient_private_checked(&core, n, 2, d, 2, 3, message, 2, result, 2) == TOTIENT_WRONG_RESULT);
    CHECK(number_of(result, 2) == 0);
    hardware->silent = 1;
    CHECK(totient_load_public(&core, n, 2, 3) == TOTIENT_TIMEOUT);
    CHECK(totient_load_public(&core, n, 2, 3) == TOTIENT_OK && hardware->keys[0].kind == PLAIN);
    CHECK(totient_clear(&core) == TOTIENT_OK);
    static const struct key none[MOCK_SLOTS];
    CHECK(memcmp(hardware->keys, none, sizeof none) == 0);
    /* Error codes that only an engine has, and those that none has. */
    for (uint32_t code = 1; code < 256; code++) {
        const bool known = code <= 10 || (bench->slots > 0 && code >= 11 && code <= 14);
        CHECK(totient_load_public(&core, n, 2, 3) == TOTIENT_OK);
        hardware->refusal = code;
        CHECK(totient_raise(&core, message, 2, result, 2)
              == (known ? (totient_result)code : TOTIENT_PROTOCOL));
        CHECK(number_of(result, 2) == 0);
    }
    CHECK(totient_clear(&core) == TOTIENT_OK);
}

/* What an engine's operations are asked, one after another; all go well on a good one. */
enum request { LOAD_RSA, PRIVATELY, PUBLICLY, SELF_TEST, LOAD_PAIR, RAISE_PAIR, REQUESTS };

static totient_result ask(struct totient *core, enum request request, uint8_t *result)
{
    const struct engine_key *key = &engine_keys[0];
    const struct totient_rsa_key whole = rsa_key_of(key, RSA_KEY_PRIMES);
    const struct totient_number pair[2] = {whole.p, whole.q};
    const struct totient_number exponents[2] = {whole.d_p, whole.d_q};
    switch (request) {
    case LOAD_RSA: return totient_engine_load_key(core, 1, &whole);
    case PRIVATELY:
        return totient_engine_private(core, 1, 0, key->message, KEY_BYTES, result, KEY_BYTES);
    case PUBLICLY:
        return totient_engine_public(core, 1, key->message, KEY_BYTES, result, KEY_BYTES);
    case SELF_TEST: return totient_engine_self_test(core, 0);
    case LOAD_PAIR:
        return totient_engine_load_pair(core, 2, pair, exponents, 8 * PRIME_BYTES - 8);
    default:
        return totient_engine_raise_pair(core, 2, key->pair, PRIME_BYTES, result, PRIME_BYTES);
    }
}

/* Everything in order, up to but without a request. */
static void prepare(const struct bench *bench, struct totient *core, enum request until)
{
    uint8_t result[2 * PRIME_BYTES];
    CHECK(totient_open(core, bench->transport, bench->context) == TOTIENT_OK);
    for (enum request before = LOAD_RSA; before < until; before++)
        if (before == LOAD_RSA || before == LOAD_PAIR)
            CHECK(ask(core, before, result) == TOTIENT_OK);
}

/* Refusals that no good engine has a reason for, answers that are cut or longer, whether they say so
   or not, and none: at each request. */
static void test_faults_of_a_mocked_engine(const struct bench *bench, struct core *hardware)
{
    struct totient core;
    uint8_t result[2 * PRIME_BYTES];
    static const int words[REQUESTS] = {2, 18, 18, 0, 2, 18};
    for (enum request request = LOAD_RSA; request < REQUESTS; request++) {
        const bool loads = request == LOAD_RSA || request == LOAD_PAIR;
        for (uint32_t code = TOTIENT_RANDOM; code <= TOTIENT_FAULT; code++) {
            prepare(bench, &core, request);
            memset(result, 0xA5, sizeof result);
            hardware->refusal = code;
            CHECK(ask(&core, request, result) == (totient_result)code);
            if (!loads && request != SELF_TEST) CHECK(is_zero(result, KEY_BYTES));
            /* The keys are still there; one that was not loaded is not. */
            if (request == LOAD_RSA) CHECK(ask(&core, PRIVATELY, result) == TOTIENT_NO_KEY);
            if (request == LOAD_PAIR) CHECK(ask(&core, RAISE_PAIR, result) == TOTIENT_NO_KEY);
            CHECK(ask(&core, request, result) == TOTIENT_OK);
        }
        for (int turn = 0; turn < 2 * (words[request] + 3); turn++) {
            const int change = turn / 2 - words[request];
            prepare(bench, &core, request);
            memset(result, 0xA5, sizeof result);
            *(turn % 2 == 0 ? &hardware->further : &hardware->more) = change;
            CHECK(ask(&core, request, result) == (change == 0 ? TOTIENT_OK : TOTIENT_PROTOCOL));
            if (change == 0) continue;
            if (!loads && request != SELF_TEST) CHECK(is_zero(result, KEY_BYTES));
            CHECK(ask(&core, PRIVATELY, result) == TOTIENT_NO_KEY); /* wiped with the way */
            CHECK(ask(&core, RAISE_PAIR, result) == TOTIENT_NO_KEY);
            CHECK(ask(&core, SELF_TEST, result) == TOTIENT_OK);
            CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK);
            CHECK(ask(&core, PUBLICLY, result) == TOTIENT_OK);
            CHECK(memcmp(result, engine_keys[0].publicly, KEY_BYTES) == 0);
        }
        prepare(bench, &core, request);
        hardware->silent = 1;
        CHECK(ask(&core, request, result) == TOTIENT_TIMEOUT);
        CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK);
        CHECK(ask(&core, PUBLICLY, result) == TOTIENT_OK);
        CHECK(memcmp(result, engine_keys[0].publicly, KEY_BYTES) == 0);
    }
    /* A fault in its arithmetic: the engine's own check finds it. */
    hardware->lie = 1;
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_FAULT && is_zero(result, KEY_BYTES));
    /* Options arrive. */
    for (uint32_t options = 0; options < 4; options++) {
        CHECK(totient_engine_private(&core, 1, options, engine_keys[0].message, KEY_BYTES, result,
                                     KEY_BYTES)
              == TOTIENT_OK);
        CHECK(hardware->options == options);
    }
    CHECK(totient_clear(&core) == TOTIENT_OK);
    static const struct key none[MOCK_SLOTS];
    CHECK(memcmp(hardware->keys, none, sizeof none) == 0);
    /* The slot of a self-test, too. */
    CHECK(ask(&core, LOAD_PAIR, result) == TOTIENT_OK);
    CHECK(totient_engine_self_test(&core, 2) == TOTIENT_OK && hardware->keys[2].kind == NO_KEY);
    CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK);
    /* What is longer than the core takes, or than can be counted, is not sent. */
    const struct totient_rsa_key whole = rsa_key_of(&engine_keys[0], RSA_KEY_PRIMES);
    const struct totient_number pair[2] = {whole.p, whole.q};
    const unsigned requests = hardware->requests;
    CHECK(totient_engine_load_pair(&core, 2, pair, pair, ENGINE_BITS + 1) == TOTIENT_LENGTH);
    CHECK(totient_engine_load_pair(&core, 2, pair, pair, SIZE_MAX) == TOTIENT_LENGTH);
    /* Nor is a request for a key of another kind. */
    CHECK(totient_engine_raise_pair(&core, 1, engine_keys[0].pair, PRIME_BYTES, result, KEY_BYTES / 2)
          == TOTIENT_NO_KEY);
    CHECK(hardware->requests == requests);
    CHECK(ask(&core, LOAD_PAIR, result) == TOTIENT_OK);
    CHECK(totient_engine_public(&core, 2, engine_keys[0].pair, PRIME_BYTES, result, KEY_BYTES)
          == TOTIENT_NO_KEY);
    CHECK(hardware->requests == requests + 1);
    /* Slots: as many as a request can name, and no more; the handle has room for some of them. */
    for (uint32_t slots = 255; slots <= 257; slots++) {
        hardware->slots = slots;
        const totient_result code = totient_open(&core, bench->transport, bench->context);
        CHECK(code == (slots <= 256 ? TOTIENT_OK : TOTIENT_NO_CORE));
        CHECK(core.slots == (slots <= 256 ? TOTIENT_MAX_SLOTS : 0));
    }
    hardware->slots = MOCK_SLOTS;
}

/* A source of numbers that tells how many it has given; it fails from a count on. */
struct source {
    size_t given, fails_at;
};

static bool next_number(void *user, uint8_t *bytes, size_t count)
{
    struct source *source = user;
    for (size_t i = 0; i < count; i++) {
        if (source->given == source->fails_at) return false;
        bytes[i] = (uint8_t)(source->given++ * 7 + 1);
    }
    return true;
}

/* An engine that gets its random words by packets: it gets enough, fresh ones each time, and none
   where it wants none. Its operations are right as those of another one are. */
static void test_random_words(const struct bench *bench, struct core *hardware)
{
    enum { WANTED = 2 * 16, TAKEN = WANTED - 4, ROOM = WANTED + 20 }; /* of primes of 256 bits */
    struct totient core;
    uint8_t result[KEY_BYTES];
    const struct engine_key *key = &engine_keys[0];
    CHECK(key->prime_bits[0] == 256 && key->prime_bits[1] == 256);
    hardware->random_room = ROOM;
    prepare(bench, &core, LOAD_RSA);
    const struct totient_rsa_key open_key = rsa_key_of(key, RSA_KEY_PUBLIC);
    CHECK(totient_engine_load_key(&core, 0, &open_key) == TOTIENT_OK && !core.random_known);
    CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK);
    CHECK(core.random_known && core.random_words == ROOM);
    /* From the operating system; each time what is missing. */
    uint32_t before[WANTED];
    for (int turn = 0; turn < 3; turn++) {
        CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK);
        CHECK(memcmp(result, key->privately, KEY_BYTES) == 0);
        CHECK(hardware->random_count == (turn == 0 ? WANTED : TAKEN));
        CHECK(hardware->random_held == WANTED - TAKEN);
        CHECK(turn == 0 || memcmp(before, hardware->random_last, sizeof before / 2) != 0);
        memcpy(before, hardware->random_last, sizeof before);
        CHECK(before[0] != before[1] && before[TAKEN - 1] != 0);
    }
    /* Nothing is asked for that wants none. */
    unsigned requests = hardware->requests;
    CHECK(totient_engine_private(&core, 1, TOTIENT_NO_BASE_BLINDING, key->message, KEY_BYTES, result,
                                 KEY_BYTES)
          == TOTIENT_OK);
    CHECK(ask(&core, PUBLICLY, result) == TOTIENT_OK);
    CHECK(totient_engine_private(&core, 0, 0, key->message, KEY_BYTES, result, KEY_BYTES)
          == TOTIENT_NO_KEY);
    CHECK(hardware->requests == requests + 3);
    /* Exponents are blinded, too. */
    for (uint32_t options = 2; options < 4; options++) {
        CHECK(totient_engine_private(&core, 1, options, key->message, KEY_BYTES, result, KEY_BYTES)
              == TOTIENT_OK);
        CHECK(hardware->random_held == (options == 2 ? 0 : WANTED - 4));
    }
    /* From a source that is given, and that fails. */
    struct source source = {0, 4 * (TAKEN - WANTED + 4 + WANTED)};
    CHECK(totient_engine_random_source(&core, next_number, &source) == TOTIENT_OK);
    hardware->random_held = 0;
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK && source.given == 4 * WANTED);
    for (size_t i = 0; i < source.given; i++)
        CHECK(((uint8_t *)hardware->random_last)[i] == (uint8_t)(i * 7 + 1));
    requests = hardware->requests;
    memset(result, 0xA5, sizeof result);
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_NO_RANDOM && is_zero(result, KEY_BYTES));
    CHECK(hardware->requests == requests + 1);
    CHECK(totient_engine_random_source(&core, NULL, NULL) == TOTIENT_OK);
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK); /* the key is still there */
    /* Without primes; a second handle finds out anew, and that words are there. */
    const struct totient_rsa_key whole = rsa_key_of(key, RSA_KEY_EXPONENT);
    prepare(bench, &core, LOAD_RSA);
    CHECK(totient_engine_load_key(&core, 1, &whole) == TOTIENT_OK && core.random_words == ROOM);
    hardware->random_held = ROOM;
    requests = hardware->requests;
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK && hardware->requests == requests + 2);
    CHECK(memcmp(result, key->privately, KEY_BYTES) == 0);
    CHECK(hardware->random_held == ROOM - ((KEY_BYTES * 8 + 18) / 17 - 2));
    /* A core that keeps fewer than may be wanted gets as many as it keeps. */
    hardware->random_room = TAKEN;
    prepare(bench, &core, LOAD_RSA);
    CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK && core.random_words == TAKEN);
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK && hardware->random_count == TAKEN);
    hardware->random_room = ROOM;
    /* Answers that are none. */
    for (int turn = 0; turn < 7; turn++) {
        prepare(bench, &core, LOAD_RSA);
        CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK);
        memset(result, 0xA5, sizeof result);
        if (turn == 0) hardware->silent = 1;
        if (turn == 1) hardware->refusal = TOTIENT_LENGTH;
        if (turn == 2) hardware->refusal = TOTIENT_COMMAND;
        if (turn == 3) hardware->further = 1;
        if (turn == 4) hardware->more = 1;
        if (turn == 5) hardware->more = -1;
        if (turn == 6) hardware->more = -2;
        CHECK(ask(&core, PRIVATELY, result) == (turn == 0 ? TOTIENT_TIMEOUT : TOTIENT_PROTOCOL));
        CHECK(is_zero(result, KEY_BYTES) && ask(&core, PRIVATELY, result) == TOTIENT_NO_KEY);
        CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK);
        CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK);
    }
    test_engine_operations(bench);
    test_engine_refusals(bench);
    hardware->random_room = 0;
    prepare(bench, &core, LOAD_RSA);
    CHECK(ask(&core, LOAD_RSA, result) == TOTIENT_OK && core.random_known);
    requests = hardware->requests;
    CHECK(ask(&core, PRIVATELY, result) == TOTIENT_OK && hardware->requests == requests + 1);
}

/* A core that is no engine is not sent what it does not know. */
static void test_no_engine_is_asked(const struct bench *bench, struct core *hardware)
{
    struct totient core;
    uint8_t result[2 * PRIME_BYTES];
    prepare(bench, &core, LOAD_RSA);
    const unsigned requests = hardware->requests;
    for (enum request request = LOAD_RSA; request < REQUESTS; request++)
        CHECK(ask(&core, request, result) == TOTIENT_COMMAND);
    CHECK(hardware->requests == requests);
}

/* A way that begins anew, but does not come to it: nothing is asked before it has. */
static totient_result (*reset_of_the_way)(void *context);
static unsigned resets_to_fail;

static totient_result failing_reset(void *context)
{
    if (resets_to_fail == 0) return reset_of_the_way(context);
    resets_to_fail--;
    return TOTIENT_TRANSPORT;
}

static void test_resets_that_fail(const struct bench *bench, struct core *hardware)
{
    struct totient core;
    uint8_t result[2 * PRIME_BYTES];
    struct totient_transport transport = *bench->transport;
    struct bench failing = *bench;
    reset_of_the_way = transport.reset;
    transport.reset = failing_reset;
    failing.transport = &transport;
    const enum request first[] = {LOAD_RSA, SELF_TEST, LOAD_PAIR};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        prepare(&failing, &core, LOAD_PAIR);
        hardware->silent = 1;
        resets_to_fail = 2;
        CHECK(ask(&core, PUBLICLY, result) == TOTIENT_TIMEOUT && core.out_of_step);
        CHECK(ask(&core, PUBLICLY, result) == TOTIENT_NO_KEY);
        CHECK(ask(&core, first[i], result) == TOTIENT_TRANSPORT && core.out_of_step);
        CHECK(ask(&core, first[i], result) == TOTIENT_OK && !core.out_of_step);
    }
}

static void test_all(const struct bench *bench, const void *way, size_t size, struct core *hardware)
{
    test_operations(bench);
    test_refusals(bench);
    test_null_pointers(bench);
    test_nothing_is_kept(bench, way, size);
    test_faults_of_a_mocked_core(bench, hardware);
}

static void test_engine(const struct bench *bench, const void *way, size_t size,
                        struct core *hardware)
{
    test_engine_operations(bench);
    test_engine_refusals(bench);
    test_engine_null_pointers(bench);
    test_engine_nothing_is_kept(bench, way, size);
    test_faults_of_a_mocked_engine(bench, hardware);
    test_random_words(bench, hardware);
    test_resets_that_fail(bench, hardware);
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

/* Answers that an aborted program has left on the line: the longest one, and many of one word. */
static void test_old_answers(const struct totient_serial *serial, struct line *line)
{
    static uint8_t old[800];
    struct totient core;
    struct totient_serial to = *serial;
    for (size_t i = 0; i < sizeof old; i++) old[i] = (uint8_t)i;
    for (size_t count = 1; count <= sizeof old / 4; count++) {
        line_frame(line, old, 4 * count);
        CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_OK);
    }
    for (int frame = 0; frame < 60; frame++) line_frame(line, old, 4);
    CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_OK);
    for (int frame = 0; frame < 64; frame++) line_frame(line, old, 4);
    CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_TRANSPORT);
    CHECK(totient_open(&core, &totient_over_serial, &to) == TOTIENT_OK);
}

int main(void)
{
    static struct registers bus;
    struct totient_registers registers = {bus_read, bus_write, &bus, 100, 0};
    static struct line line;
    struct totient_serial serial = {.read = line_read, .write = line_write, .line = &line};
    for (int engine = 0; engine < 2; engine++) {
        const struct bench by_registers =
            mock(&totient_over_registers, &registers, &bus.core, engine);
        test_all(&by_registers, &registers, sizeof registers, &bus.core);
        test_bus_that_fails(&registers);
        const struct bench by_line = mock(&totient_over_serial, &serial, &line.core, engine);
        test_all(&by_line, &serial, sizeof serial, &line.core);
        test_line_with_damage(&serial);
        test_old_answers(&serial, &line);
        if (engine) {
            test_engine(&by_registers, &registers, sizeof registers, &bus.core);
            test_engine(&by_line, &serial, sizeof serial, &line.core);
        } else {
            test_no_engine(&by_registers);
            test_no_engine_is_asked(&by_registers, &bus.core);
        }
    }
    test_ends();
    return 0;
}
