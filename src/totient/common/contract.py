"""Numbers of the contract, which `make contract` writes: do not edit."""

from totient.common.codes import Code, Part

VERSION = 0x000100
"""Of the hardware: major, minor, patch in a byte each."""

MAX_BITS = 4096
"""Of a modulus."""

MAX_RSA_BITS = 8192
"""Of the modulus of an RSA key of the engine."""

MIN_RSA_BITS = 512
"""Of the modulus of an RSA key of the engine."""

MIN_PRIME_BITS = 64
"""Of each of its primes."""

LONGER_HALF_BITS = 8
"""That a prime, or a modulus of a pair, may have above half the maximum."""

NAME_BYTES = 16
"""Of a design's name in the info packet."""

RANDOM_WORD_DIGIT_BITS = 17
"""Of a number that is blinded: a random word each is enough."""


class ErrorCode(Code):
    """What became of a request."""

    OK = 0, "done"
    COMMAND = 1, "the core does not know the command"
    PACKET_SHORT = 2, "the request ended before its last word"
    PACKET_LONG = 3, "the request went on after its last word"
    LENGTH = (
        4,
        "a number is longer than the core or the modulus allows, or has bits above its length",
    )
    EXPONENT_EMPTY = 5, "the exponent has no bits"
    MODULUS_EVEN = 6, "the modulus is even"
    MODULUS_SMALL = 7, "the modulus is 0 or 1"
    BASE_NOT_BELOW = 8, "the message is not below the modulus"
    NO_KEY = 9, "no key is loaded"
    ABORTED = 10, "a clear ended the operation"
    PRIME = 11, "a prime is even or below 3, both are the same, or they are not of the modulus"
    PUBLIC_EXPONENT = 12, "the public exponent is 1, even or not coprime to the totient"
    RANDOM = 13, "the core did not receive random words in time"
    FAULT = 14, "a check in the core failed, and it released nothing"
    RANDOM_REPEATS = 15, "the random words repeat: their source has failed"


class Command(Code):
    """First byte of a request and of its response."""

    INFO = 1, "the core's identity, limits and timing class"
    LOAD_KEY = 2, "a modulus and an exponent"
    EXPONENTIATE = 3, "exponentiate one or more bases with the loaded key"
    CLEAR = 4, "clear all keys and all data derived from them"
    LOAD_RSA_KEY = 5, "an RSA key: public, with d, or with its primes"
    PRIVATE = 6, "a private operation, blinded and checked"
    PUBLIC = 7, "a public operation"
    LOAD_PAIR = 8, "two moduli with an exponent each"
    SELF_TEST = 9, "an exponentiation with a known result"
    RANDOM_WORDS = 10, "random words for an engine behind registers or a serial line"


class TimingClass(Code):
    """What a core's time depends on."""

    EXPONENT_VALUE = 0, "depends on the exponent's value"
    EXPONENT_LENGTH = 1, "depends on the exponent's length only"
    OPERANDS = 2, "depends on the exponent and on the operands"


class KeyForm(Code):
    """Option of `LOAD_RSA_KEY`: the key's numbers."""

    PUBLIC = 0, "with n and e"
    EXPONENT = 1, "with n, e and d"
    PRIMES = 2, "with n, e, p, q, dP, dQ and qInv"


class PrivateOption(Code):
    """Option bits of `PRIVATE`."""

    NO_BASE_BLINDING = 1, "the base is not blinded"
    EXPONENT_BLINDING = (
        2,
        "the exponents modulo the primes differ in each operation; the key must have primes",
    )


class BusResponse(Code):
    """Responses of AXI."""

    OKAY = 0, "the access was done"
    SLAVE_ERROR = 2, "the register refused the access"
    DECODE_ERROR = 3, "there is no register or no stream"


class FrameByte(Code):
    """Bytes of a serial line that mark frames."""

    END = 0xC0, "before and after a frame"
    ESCAPE = 0xDB, "the next byte stands for another one"
    ESCAPED_END = 0xDC, "after an escape: the byte C0"
    ESCAPED_ESCAPE = 0xDD, "after an escape: the byte DB"


class FrameVerdict(Code):
    """What became of a frame on a serial line."""

    GOOD = 0, "taken"
    DAMAGED = 1, "checksum, stop bit, escape, or not whole words"
    TOO_LONG = 2, "longer than the frame memory"
    BUSY = 3, "the core has not taken the previous frame"


class Request:
    """Parts of the first word of a request."""

    COMMAND = Part(7, 0)
    OPTION = Part(15, 8)
    SLOT = Part(23, 16)


class Response:
    """Parts of the first word of a response."""

    COMMAND = Part(7, 0)
    ERROR = Part(15, 8)
    WORDS = Part(31, 16)


class Access:
    """Parts of the word that asks for an access to an IP at the end of a line."""

    ADDRESS = Part(15, 0)
    LANES = Part(19, 16)
    STREAM = Part(30, 30)
    WRITE = Part(31, 31)


class AccessStatus:
    """Parts of the word that answers an access."""

    RESPONSE = Part(1, 0)
    INTERRUPT_LEVEL = Part(8, 8)
