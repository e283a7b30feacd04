"""The stream contract's packets (`docs/contracts.md`), independent of libtotient.

Checks also send requests that the driver itself would refuse. A packet is a list of 32-bit words.
Numbers travel least significant word first, after their length in bits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from totient.common.contract import Command, ErrorCode, KeyForm
from totient.common.contract import Response as Header
from totient.common.errors import DeviceError, InputError, ToolError
from totient.common.header import header as header
from totient.device import RsaKey

_WORD = 32
_MOST_BASES = 256


@dataclass(frozen=True)
class Response:
    """A parsed response packet.

    Attributes:
        command: the request's.
        error: `ErrorCode.OK`, or the reason for the refusal.
        body: the words after the first.
    """

    command: int
    error: ErrorCode
    body: tuple[int, ...]


def load_key_request(modulus: int, exponent: int, exponent_bits: int) -> list[int]:
    """Request to load a key.

    Args:
        modulus: 0 or more.
        exponent: 0 or more.
        exponent_bits: stated length of the exponent, at least its own.

    Raises:
        InputError: a negative number, or an exponent longer than stated.
    """
    bits = _bits("modulus", modulus)
    needed = _bits("exponent", exponent)
    if exponent_bits < needed:
        raise InputError(f"exponent_bits is {exponent_bits}, the exponent needs {needed}")
    return [
        Command.LOAD_KEY,
        *(bits, exponent_bits),
        *number_words(modulus, bits),
        *number_words(exponent, exponent_bits),
    ]


def exponentiate_request(bases: Sequence[int], bits: int = 0) -> list[int]:
    """Request to raise bases to the key's exponent, all at once.

    Args:
        bases: 1 to 256, each 0 or more.
        bits: stated length, if longer than the bases.

    Raises:
        InputError: a base is negative, or there are too few or too many.
    """
    if not 1 <= len(bases) <= _MOST_BASES:
        raise InputError(f"{len(bases)} bases are given, allowed are 1 to {_MOST_BASES}")
    bits = max(bits, *(_bits("base", base) for base in bases))
    return operation_request(Command.EXPONENTIATE, bases, bits, option=len(bases) - 1)


def load_rsa_key_request(key: RsaKey, slot: int = 0) -> list[int]:
    """Request to load an RSA key, with the exact lengths."""
    n, e = key.modulus, key.exponent
    n_bits, e_bits = n.bit_length(), e.bit_length()
    public = [*number_words(n, n_bits), *number_words(e, e_bits)]
    first = Command.LOAD_RSA_KEY
    if key.primes is not None:
        parts = key.primes
        p_bits, q_bits = parts.p.bit_length(), parts.q.bit_length()
        return [
            *(header(first, KeyForm.PRIMES, slot), n_bits, e_bits, p_bits, q_bits),
            *public,
            *number_words(parts.p, p_bits),
            *number_words(parts.q, q_bits),
            *number_words(parts.d_p, p_bits),
            *number_words(parts.d_q, q_bits),
            *number_words(parts.q_inverse, p_bits),
        ]
    if key.private_exponent is not None:
        d = number_words(key.private_exponent, n_bits)
        return [header(first, 1, slot), n_bits, e_bits, *public, *d]
    return [header(first, 0, slot), n_bits, e_bits, *public]


def load_pair_request(
    moduli: Sequence[int], exponents: Sequence[int], exponent_bits: int, slot: int = 0
) -> list[int]:
    """Request to load a pair, with the longer modulus' length for both."""
    bits = max(modulus.bit_length() for modulus in moduli)
    words = [word for modulus in moduli for word in number_words(modulus, bits)]
    words += [word for exponent in exponents for word in number_words(exponent, exponent_bits)]
    return [header(Command.LOAD_PAIR, 0, slot), bits, exponent_bits, *words]


def operation_request(
    command: Command, values: Sequence[int], bits: int, slot: int = 0, option: int = 0
) -> list[int]:
    """Request to work on numbers of a stated length."""
    words = [word for value in values for word in number_words(value, bits)]
    return [header(command, option, slot), bits, *words]


def parse(packet: Sequence[int], command: Command) -> Response:
    """Parse a response packet.

    Args:
        packet: its words.
        command: the command it must answer.

    Raises:
        ToolError: it is not a valid response to this command.
    """
    if not packet:
        raise ToolError("the core's response is empty")
    parts = Header.COMMAND, Header.ERROR, Header.WORDS
    answered, code, count = (part.of(packet[0]) for part in parts)
    if answered != command:
        raise ToolError(f"the core answered command {answered} when command {command:d} was given")
    if count != len(packet) - 1:
        raise ToolError(f"the core's response has {len(packet) - 1} words, but states {count}")
    if code not in list(ErrorCode):
        raise ToolError(f"the core's response has the unknown error code {code}")
    return Response(answered, ErrorCode(code), tuple(packet[1:]))


def parse_number(words: Sequence[int]) -> int:
    """Number of words with the least significant first."""
    return int.from_bytes(b"".join(word.to_bytes(4, "little") for word in words), "little")


def parse_numbers(words: Sequence[int], count: int) -> list[int]:
    """So many numbers of the same length."""
    size = len(words) // count
    return [parse_number(words[place * size :][:size]) for place in range(count)]


def error_of(packet: Sequence[int]) -> int:
    """Error code of a response packet, which may be damaged."""
    return Header.ERROR.of(packet[0])


def number_words(value: int, bits: int) -> list[int]:
    """Words of a number with a stated length in bits, the least significant first."""
    count = -(-bits // _WORD)
    data = value.to_bytes(4 * count, "little")
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def _bits(name: str, value: int) -> int:
    if value < 0:
        raise InputError(f"the {name} is negative, allowed is 0 or more")
    return value.bit_length()


class Packets(Protocol):
    """A receiver of request packets: `totient.sim.Model`, or a board's."""

    def exchange(self, packet: Sequence[int], *, limit: int | None = None) -> list[int]:
        """Send a packet and return the answer."""


class Core:
    """A simulated core behind packets."""

    def __init__(self, model: Packets) -> None:
        self._model = model
        self._modulus_bits = 0

    def load_key(self, modulus: int, exponent: int, exponent_bits: int) -> int:
        """Load a key; return the clock cycles of its set-up.

        Raises:
            DeviceError: the core refused it.
            InputError: as for `load_key_request`.
        """
        request = load_key_request(modulus, exponent, exponent_bits)
        self._modulus_bits = 0
        cycles = parse_number(self._ask(Command.LOAD_KEY, request))
        self._modulus_bits = modulus.bit_length()
        return cycles

    def exponentiate(self, bases: Sequence[int]) -> tuple[list[int], int]:
        """Raise bases to the key's exponent; return results and clock cycles.

        Raises:
            DeviceError: the core refused it.
            InputError: as for `exponentiate_request`.
        """
        words = self._ask(Command.EXPONENTIATE, exponentiate_request(bases, self._modulus_bits))
        return parse_numbers(words[2:], len(bases)), parse_number(words[:2])

    def _ask(self, command: Command, packet: list[int]) -> Sequence[int]:
        answer = parse(self._model.exchange(packet), command)
        if answer.error:
            raise DeviceError(answer.error.name.lower(), answer.error)
        return answer.body
