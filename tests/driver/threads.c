/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads and processes, as totient/totient.h allows them: threads with devices of their own, and the two
 * processes after a fork.
 *
 *     threads ADDRESS KEYFILE REGISTERS
 *
 * REGISTERS is a file that can be mapped.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "totient/address.h"
#include "totient/der.h"

enum { THREADS = 4, TIMES = 3, MOST = 512 };

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            _exit(1); \
        } \
    } while (0)

static const char *address, *registers;
static uint8_t file[4096];
static size_t file_length;

/* A private operation, which checks its result itself. */
static void sign(struct totient_device *device, const struct totient_rsa_key *key, uint8_t fill)
{
    uint8_t message[MOST], signature[MOST];
    const size_t length = key->modulus.length;
    const struct totient_number n = key->modulus, d = key->private_exponent;
    uint32_t e = 0;
    for (size_t i = 0; i < key->public_exponent.length; i++)
        e = e << 8 | key->public_exponent.bytes[i];
    memset(message, fill, length);
    message[0] = 0;
    const totient_result result =
        totient_private_checked(&device->core, n.bytes, n.length, d.bytes, d.length, e, message,
                                length, signature, length);
    if (result != TOTIENT_OK) fprintf(stderr, "%s\n", totient_device_reason(device, result));
    CHECK(result == TOTIENT_OK);
}

/* All that threads may do side by side: with objects of their own, and what is for any thread. */
static void work(uint8_t fill)
{
    static const char refused[] = "tty:/dev/null?speed=1";
    struct totient_rsa_key key;
    struct totient_address parts;
    struct totient_device *device = malloc(sizeof *device);
    char reason[64];
    CHECK(device != NULL);
    CHECK(totient_rsa_key_from_der(&key, file, file_length) == TOTIENT_OK);
    CHECK(totient_parse_address(&parts, address, reason, sizeof reason) == TOTIENT_OK);
    CHECK(totient_connect_address(device, refused) == TOTIENT_ADDRESS);
    CHECK(strstr(totient_device_reason(device, TOTIENT_ADDRESS), "'speed', it has baud") != NULL);
    CHECK(totient_open_address(device, "sim:/none") == TOTIENT_NO_CORE);
    CHECK(strstr(totient_device_reason(device, TOTIENT_NO_CORE), "/none: No such file") != NULL);
    CHECK(totient_open_address(device, address) == TOTIENT_OK);
    sign(device, &key, fill);
    CHECK(totient_version() == TOTIENT_VERSION && *totient_text(TOTIENT_IN_USE) != '\0');
    totient_close_device(device);
    totient_close_device(device); /* twice has no effect */
    CHECK(totient_clear(&device->core) == TOTIENT_ARGUMENT);
    free(device);
}

static void *thread(void *argument)
{
    const uint8_t fill = *(const uint8_t *)argument;
    for (int i = 0; i < TIMES; i++) work(fill);
    return NULL;
}

static void threads(void)
{
    static const uint8_t fills[THREADS] = {1, 2, 3, 4};
    pthread_t started[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&started[i], NULL, thread, (void *)(uintptr_t)&fills[i]) == 0);
    for (size_t i = 0; i < THREADS; i++) CHECK(pthread_join(started[i], NULL) == 0);
}

/* The child's end: it must have been well. */
static void ended(pid_t child)
{
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The child closes its copies and opens devices of its own; the parent goes on with its own. */
static void processes(void)
{
    static struct totient_device simulated, mapped, other;
    struct totient_rsa_key key;
    char text[256];
    (void)snprintf(text, sizeof text, "uio:%s", registers);
    CHECK(totient_rsa_key_from_der(&key, file, file_length) == TOTIENT_OK);
    CHECK(totient_open_address(&simulated, address) == TOTIENT_OK);
    CHECK(totient_connect_address(&mapped, text) == TOTIENT_OK);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        totient_close_device(&simulated);
        totient_close_device(&mapped);
        work(5);
        /* The lock stays with the parent. */
        CHECK(totient_connect_address(&other, text) == TOTIENT_IN_USE);
        CHECK(strstr(totient_device_reason(&other, TOTIENT_IN_USE), "is in use by another") != NULL);
        _exit(0);
    }
    ended(child);
    sign(&simulated, &key, 6);
    CHECK(mapped.transport != NULL && mapped.uio.file >= 0);
    totient_close_device(&mapped);
    CHECK(totient_connect_address(&other, text) == TOTIENT_OK);
    totient_close_device(&other);
    /* The other way round: the child goes on, the parent has closed. */
    const pid_t second = fork();
    CHECK(second >= 0);
    if (second == 0) {
        sign(&simulated, &key, 7);
        totient_close_device(&simulated);
        _exit(0);
    }
    totient_close_device(&simulated);
    ended(second);
}

int main(int count, char **words)
{
    CHECK(count == 4);
    address = words[1];
    registers = words[3];
    FILE *opened = fopen(words[2], "rb");
    CHECK(opened != NULL);
    file_length = fread(file, 1, sizeof file, opened);
    (void)fclose(opened);
    threads();
    processes();
    return 0;
}
