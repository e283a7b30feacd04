/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the library that a program runs with. */
#include "totient/totient.h"

uint32_t totient_version(void) { return TOTIENT_VERSION; }
