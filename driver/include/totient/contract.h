/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's numbers, written by `make contract` from contract/contract.toml: do not
   edit. */
#ifndef TOTIENT_CONTRACT_H
#define TOTIENT_CONTRACT_H

/** What became of a call. Codes below 64 are the core's own (docs/contracts.md). */
typedef enum totient_result {
    /** Done. */
    TOTIENT_OK = 0,
    /** The core does not know the command. */
    TOTIENT_COMMAND = 1,
    /** The request ended before its last word. */
    TOTIENT_PACKET_SHORT = 2,
    /** The request went on after its last word. */
    TOTIENT_PACKET_LONG = 3,
    /** A number is longer than the core or the modulus allows, or has bits above its length. */
    TOTIENT_LENGTH = 4,
    /** The exponent has no bits. */
    TOTIENT_EXPONENT_EMPTY = 5,
    /** The modulus is even. */
    TOTIENT_MODULUS_EVEN = 6,
    /** The modulus is 0 or 1. */
    TOTIENT_MODULUS_SMALL = 7,
    /** The message is not below the modulus. */
    TOTIENT_BASE_NOT_BELOW = 8,
    /** No key is loaded. */
    TOTIENT_NO_KEY = 9,
    /** A clear ended the operation. */
    TOTIENT_ABORTED = 10,
    /** A prime is even or below 3, both are the same, or they are not of the modulus. */
    TOTIENT_PRIME = 11,
    /** The public exponent is 1, even or not coprime to the totient. */
    TOTIENT_PUBLIC_EXPONENT = 12,
    /** The core did not receive random words in time. */
    TOTIENT_RANDOM = 13,
    /** A check in the core failed, and it released nothing. */
    TOTIENT_FAULT = 14,
    /** The random words repeat: their source has failed. */
    TOTIENT_RANDOM_REPEATS = 15,
    /** A null pointer, or a length, slot or option out of range. */
    TOTIENT_ARGUMENT = 64,
    /** The transport to the core failed. */
    TOTIENT_TRANSPORT = 65,
    /** The core did not answer in time. */
    TOTIENT_TIMEOUT = 66,
    /** The answer does not match the request. */
    TOTIENT_PROTOCOL = 67,
    /** There is no Totient core. */
    TOTIENT_NO_CORE = 68,
    /** The result failed its check and was withheld. */
    TOTIENT_WRONG_RESULT = 69,
    /** There is no source of random numbers, or it failed. */
    TOTIENT_NO_RANDOM = 70,
    /** The address is malformed. */
    TOTIENT_ADDRESS = 71,
    /** The device is in use by another program. */
    TOTIENT_IN_USE = 72,
    /** The bytes are no RSA key in DER. */
    TOTIENT_NOT_A_KEY = 73,
    /** The key is encrypted, is no RSA key, or has more than two primes. */
    TOTIENT_KEY_KIND = 74
} totient_result;

/** How many of them every core has, and how many an engine. */
#define TOTIENT_MODEXP_RESULTS 11
#define TOTIENT_ENGINE_RESULTS 16

/** What a core's time depends on. */
enum totient_timing {
    /** Depends on the exponent's value. */
    TOTIENT_TIME_EXPONENT_VALUE = 0,
    /** Depends on the exponent's length only. */
    TOTIENT_TIME_EXPONENT_LENGTH = 1,
    /** Depends on the exponent and on the operands. */
    TOTIENT_TIME_OPERANDS = 2
};

/** Commands: the first byte of a request and of its response. */
enum totient_command {
    /** The core's identity, limits and timing class. */
    TOTIENT_CMD_INFO = 1,
    /** A modulus and an exponent. */
    TOTIENT_CMD_LOAD_KEY = 2,
    /** Exponentiate one or more bases with the loaded key. */
    TOTIENT_CMD_EXPONENTIATE = 3,
    /** Clear all keys and all data derived from them. */
    TOTIENT_CMD_CLEAR = 4,
    /** An RSA key: public, with d, or with its primes. */
    TOTIENT_CMD_LOAD_RSA_KEY = 5,
    /** A private operation, blinded and checked. */
    TOTIENT_CMD_PRIVATE = 6,
    /** A public operation. */
    TOTIENT_CMD_PUBLIC = 7,
    /** Two moduli with an exponent each. */
    TOTIENT_CMD_LOAD_PAIR = 8,
    /** An exponentiation with a known result. */
    TOTIENT_CMD_SELF_TEST = 9,
    /** Random words for an engine behind registers or a serial line. */
    TOTIENT_CMD_RANDOM_WORDS = 10
};

/** Option of the command that loads an RSA key: its numbers. */
enum totient_key_form {
    /** With n and e. */
    TOTIENT_KEY_PUBLIC = 0,
    /** With n, e and d. */
    TOTIENT_KEY_EXPONENT = 1,
    /** With n, e, p, q, dP, dQ and qInv. */
    TOTIENT_KEY_PRIMES = 2
};

/** Options of a private operation. */
enum totient_private_option {
    /** The base is not blinded. */
    TOTIENT_NO_BASE_BLINDING = 1,
    /** The exponents modulo the primes differ in each operation; the key must have primes. */
    TOTIENT_EXPONENT_BLINDING = 2
};

/** Bytes of a serial line that mark frames (RFC 1055). */
enum totient_frame_byte {
    /** Before and after a frame. */
    TOTIENT_FRAME_END = 0xc0,
    /** The next byte stands for another one. */
    TOTIENT_FRAME_ESCAPE = 0xdb,
    /** After an escape: the byte C0. */
    TOTIENT_FRAME_ESCAPED_END = 0xdc,
    /** After an escape: the byte DB. */
    TOTIENT_FRAME_ESCAPED_ESCAPE = 0xdd
};

/** Lowest bits of the parts of a packet's first word. */
enum totient_header {
    TOTIENT_REQUEST_COMMAND_bp = 0,
    TOTIENT_REQUEST_OPTION_bp = 8,
    TOTIENT_REQUEST_SLOT_bp = 16,
    TOTIENT_RESPONSE_COMMAND_bp = 0,
    TOTIENT_RESPONSE_ERROR_bp = 8,
    TOTIENT_RESPONSE_WORDS_bp = 16
};

/** Of a modulus. */
#define TOTIENT_MAX_BITS 4096
/** Of the modulus of an RSA key of the engine. */
#define TOTIENT_MAX_RSA_BITS 8192
/** Of the modulus of an RSA key of the engine. */
#define TOTIENT_MIN_RSA_BITS 512
/** Of each of its primes. */
#define TOTIENT_MIN_PRIME_BITS 64
/** That a prime, or a modulus of a pair, may have above half the maximum. */
#define TOTIENT_LONGER_HALF_BITS 8
/** Of a design's name in the info packet. */
#define TOTIENT_NAME_BYTES 16
/** Of a number that is blinded: a random word each is enough. */
#define TOTIENT_RANDOM_WORD_DIGIT_BITS 17

/** What a result means, in English: X(name, text) for each. */
#define TOTIENT_RESULTS(X) \
    X(OK, "done") \
    X(COMMAND, "the core does not know the command") \
    X(PACKET_SHORT, "the request ended before its last word") \
    X(PACKET_LONG, "the request went on after its last word") \
    X(LENGTH, "a number is longer than the core or the modulus allows, or has bits above its length") \
    X(EXPONENT_EMPTY, "the exponent has no bits") \
    X(MODULUS_EVEN, "the modulus is even") \
    X(MODULUS_SMALL, "the modulus is 0 or 1") \
    X(BASE_NOT_BELOW, "the message is not below the modulus") \
    X(NO_KEY, "no key is loaded") \
    X(ABORTED, "a clear ended the operation") \
    X(PRIME, "a prime is even or below 3, both are the same, or they are not of the modulus") \
    X(PUBLIC_EXPONENT, "the public exponent is 1, even or not coprime to the totient") \
    X(RANDOM, "the core did not receive random words in time") \
    X(FAULT, "a check in the core failed, and it released nothing") \
    X(RANDOM_REPEATS, "the random words repeat: their source has failed") \
    X(ARGUMENT, "a null pointer, or a length, slot or option out of range") \
    X(TRANSPORT, "the transport to the core failed") \
    X(TIMEOUT, "the core did not answer in time") \
    X(PROTOCOL, "the answer does not match the request") \
    X(NO_CORE, "there is no Totient core") \
    X(WRONG_RESULT, "the result failed its check and was withheld") \
    X(NO_RANDOM, "there is no source of random numbers, or it failed") \
    X(ADDRESS, "the address is malformed") \
    X(IN_USE, "the device is in use by another program") \
    X(NOT_A_KEY, "the bytes are no RSA key in DER") \
    X(KEY_KIND, "the key is encrypted, is no RSA key, or has more than two primes")

#endif
