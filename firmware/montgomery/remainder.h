/* SPDX-License-Identifier: Apache-2.0 */
/** a b mod n by a product of 128 bits and a division, which C does not have for 64 bits. */
#ifndef REMAINDER_H
#define REMAINDER_H

#include <stdint.h>

/** a b mod n; 0 <= a, b < n. */
uint64_t product_remainder(uint64_t a, uint64_t b, uint64_t n);

#endif
