/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The word that numbers are made of, and the type of two: chosen for the processor, or by RSA_WORD_BITS.
 * Where there is assembly for the processor, RSA_ASSEMBLY takes it.
 */
#ifndef RSA_WORDS_H
#define RSA_WORDS_H

#include <stdint.h>

#ifndef RSA_WORD_BITS
#if defined __AVR__ && defined RSA_ASSEMBLY
#define RSA_WORD_BITS 32
#elif defined __AVR__ || defined __MSP430__ || defined __XTENSA__
#define RSA_WORD_BITS 16 /* wider products are calls of a library; 8 bits are slower on an AVR, too */
#elif defined __SIZEOF_INT128__ && __SIZEOF_POINTER__ == 8
#define RSA_WORD_BITS 64
#else
#define RSA_WORD_BITS 32
#endif
#endif

#if RSA_WORD_BITS == 8
typedef uint8_t rsa_word;
typedef uint16_t rsa_double;
#elif RSA_WORD_BITS == 16
typedef uint16_t rsa_word;
typedef uint32_t rsa_double;
#elif RSA_WORD_BITS == 32
typedef uint32_t rsa_word;
typedef uint64_t rsa_double;
#elif RSA_WORD_BITS == 64
typedef uint64_t rsa_word;
__extension__ typedef unsigned __int128 rsa_double;
#else
#error "RSA_WORD_BITS is 8, 16, 32 or 64"
#endif

/**
 * All ones for 1, 0 for 0, in a form that compilers do not see through: knowing that it is one of two
 * values they may make a branch of it.
 */
static inline rsa_word mask_of(rsa_word bit)
{
    rsa_word mask = (rsa_word)(0 - bit);
#if defined __GNUC__
    __asm__("" : "+r"(mask));
#endif
    return mask;
}

#endif
