/* SPDX-License-Identifier: Apache-2.0 */
/* The version, written by `make contract` from contract/contract.toml: do not edit. */
#ifndef TOTIENT_VERSION_H
#define TOTIENT_VERSION_H

#define TOTIENT_VERSION_MAJOR 0
#define TOTIENT_VERSION_MINOR 1
#define TOTIENT_VERSION_PATCH 0
/** To compare: 0x00MMmmpp. */
#define TOTIENT_VERSION 0x000100
#define TOTIENT_VERSION_TEXT "0.1.0"

#endif
