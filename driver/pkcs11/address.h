/* SPDX-License-Identifier: Apache-2.0 */
/* The token's device: how it is opened, by the address in the token's file `config`. */
#ifndef TOTIENT_PKCS11_ADDRESS_H
#define TOTIENT_PKCS11_ADDRESS_H

#include <stdbool.h>

#include "totient/address.h"

/* Opens it; false: there is no address, or nothing at it. It stays where it is while it is open. */
bool address_open(struct totient_device *device);

#endif
