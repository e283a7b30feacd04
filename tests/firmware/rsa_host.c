/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RSA of firmware/rsa on this machine, for tests: requests on the standard input, one a line, answers
 * on the standard output, the result's code and the operand after it. A number is hexadecimal, two digits
 * a byte, `.` has none; `-` is a null pointer. Every number has memory of exactly its length, and so has the workspace,
 * which must be zero when an operation has been done.
 *
 *   public OPERAND MODULUS EXPONENT WORKSPACE_BYTES BYTES
 *   power OPERAND MODULUS EXPONENT WORKSPACE_BYTES BYTES
 *   private OPERAND MODULUS P Q DP DQ QINV WORKSPACE_BYTES BYTES
 *
 * A workspace of 0 bytes is a null pointer; of w < 0, that of windows of -w bits. BYTES is the stated length
 * of the modulus, 0 for its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rsa.h"

struct number {
    uint8_t *bytes;
    size_t length;
};

static struct number parse(const char *text)
{
    struct number number = {NULL, 0};
    if (strcmp(text, "-") == 0) return number;
    number.length = strlen(text) / 2; /* 0 for a dot */
    number.bytes = malloc(number.length > 0 ? number.length : 1);
    for (size_t i = 0; i < number.length; i++) {
        unsigned byte;
        if (number.bytes == NULL || sscanf(text + 2 * i, "%2x", &byte) != 1) exit(3);
        number.bytes[i] = (uint8_t)byte;
    }
    return number;
}

static struct number next(void)
{
    const char *word = strtok(NULL, " \n");
    if (word == NULL) exit(3);
    return parse(word);
}

static size_t longest(struct number a, struct number b)
{
    return a.length > b.length ? a.length : b.length;
}

int main(void)
{
    static char line[8192];
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *operation = strtok(line, " \n");
        if (operation == NULL) exit(3);
        struct number operand = next(), modulus = next();
        struct number parts[5] = {{NULL, 0}};
        const int is_private = strcmp(operation, "private") == 0;
        const int count = is_private ? 5 : 1;
        for (int i = 0; i < count; i++) parts[i] = next();
        const long given = atol(strtok(NULL, " \n"));
        const long stated = atol(strtok(NULL, " \n"));
        const size_t length = stated > 0 ? (size_t)stated : modulus.length;
        size_t bytes = (size_t)given;
        if (given < 0) {
            const unsigned window = (unsigned)-given;
            bytes = is_private ? RSA_PRIVATE_WORKSPACE(longest(parts[0], parts[1]), window)
                    : strcmp(operation, "public") == 0 ? RSA_PUBLIC_WORKSPACE(modulus.length)
                                                       : RSA_POWER_WORKSPACE(modulus.length, window);
        }
        rsa_word *workspace = bytes > 0 ? malloc(bytes) : NULL;
        if (workspace != NULL) memset(workspace, 0xA5, bytes);
        enum rsa_result result;
        if (is_private) {
            const struct rsa_private_key key = {
                .modulus = modulus.bytes, .p = parts[0].bytes, .q = parts[1].bytes,
                .dp = parts[2].bytes, .dq = parts[3].bytes, .qinv = parts[4].bytes,
                .bytes = length, .p_bytes = parts[0].length, .q_bytes = parts[1].length};
            result = rsa_private(operand.bytes, &key, workspace, bytes);
        } else {
            const struct rsa_public_key key = {.modulus = modulus.bytes, .exponent = parts[0].bytes,
                                               .bytes = length, .exponent_bytes = parts[0].length};
            result = strcmp(operation, "public") == 0 ? rsa_public(operand.bytes, &key, workspace, bytes)
                                                      : rsa_power(operand.bytes, &key, workspace, bytes);
        }
        int left = 0;
        for (size_t i = 0; result == RSA_OK && i < bytes / sizeof *workspace; i++) left |= workspace[i] != 0;
        printf("%d ", left ? 99 : (int)result);
        for (size_t i = 0; i < operand.length; i++) printf("%02x", operand.bytes[i]);
        printf("\n");
        fflush(stdout);
        free(operand.bytes);
        free(modulus.bytes);
        for (int i = 0; i < 5; i++) free(parts[i].bytes);
        free(workspace);
    }
    return 0;
}
