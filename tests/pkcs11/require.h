/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a program of the tests where a condition does not hold. */
#ifndef TOTIENT_TESTS_PKCS11_REQUIRE_H
#define TOTIENT_TESTS_PKCS11_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
