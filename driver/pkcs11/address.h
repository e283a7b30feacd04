/* SPDX-License-Identifier: Apache-2.0 */
/* The token's device: how it is opened, by the address in the token's file `config`. */
#ifndef TOTIENT_PKCS11_ADDRESS_H
#define TOTIENT_PKCS11_ADDRESS_H

#include "totient/posix.h"
#include "totient/registers.h"
#include "totient/serial.h"
#include "totient/simulation.h"

/* The ways to a core, one of which is in use. It stays where it is while the core is open. */
struct address {
    struct totient_simulation simulation;
    struct totient_tty tty;
    struct totient_uio uio;
    struct totient_serial serial;
    struct totient_registers registers;
};

bool address_open(struct address *address, struct totient *core);
void address_close(struct address *address);

#endif
