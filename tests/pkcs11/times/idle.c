/* SPDX-License-Identifier: Apache-2.0 */
/* A private operation that takes no time: the linker puts it in the place of the device's. */
#include <string.h>

#include "token.h"

CK_RV __wrap_device_private(const struct object *key, const uint8_t *message, uint8_t *result,
                            size_t length);

CK_RV __wrap_device_private(const struct object *key, const uint8_t *message, uint8_t *result,
                            size_t length)
{
    (void)key;
    memmove(result, message, length);
    return CKR_OK;
}
