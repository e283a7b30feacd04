/* SPDX-License-Identifier: Apache-2.0 */
/* The module's functions, in an order and with arguments that the bytes choose (../fuzz.c). */
#include "fresh_token.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fresh_token();
    fuzz_calls(bytes, length);
    return 0;
}
