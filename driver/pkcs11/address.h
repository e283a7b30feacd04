/* SPDX-License-Identifier: Apache-2.0 */
/* The token's device: how it is connected, by the address in the token's file `config`. */
#ifndef TOTIENT_PKCS11_ADDRESS_H
#define TOTIENT_PKCS11_ADDRESS_H

#include "totient/address.h"

/* totient_connect_address with the token's address. Where there is none, totient_device_reason says
   so. The device stays where it is while it is open. */
totient_result address_connect(struct totient_device *device);

#endif
