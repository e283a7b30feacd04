"""A core at the other end of a stream, whatever carries the stream."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from totient.common.closing import Closing
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device import protocol
from totient.device.protocol import Command, ErrorCode, Info, Response

Progress = Callable[[int], None]
"""Called every now and then with the number of clock cycles that an operation has run."""


class Transport(Protocol):
    """What carries packets to a core and back."""

    def exchange(self, packet: list[int], progress: Progress | None = None) -> list[int]:
        """Send a request packet and return its response packet."""

    def close(self) -> None:
        """Give up the connection; closing twice does nothing."""


class Exponentiation(NamedTuple):
    """What an exponentiation gave.

    Attributes:
        result: base ^ exponent mod modulus.
        cycles: clock cycles that the core spent on it, the set-up of the key left out.
    """

    result: int
    cycles: int


class Exponentiations(NamedTuple):
    """What several exponentiations at once gave.

    Attributes:
        results: base ^ exponent mod modulus of each base.
        cycles: clock cycles that the core spent on all of them.
    """

    results: tuple[int, ...]
    cycles: int


class Device(Closing):
    """An RSA core.

    Attributes:
        info: what the core says about itself.
    """

    def __init__(self, transport: Transport) -> None:
        """Ask the core at the other end of `transport` what it is.

        Raises:
            ToolError: the other end does not keep to the stream contract.
        """
        self._transport = transport
        self._modulus_bits = 0
        answer = self._ask(Command.INFO, protocol.info_request())
        if answer.error:
            raise ToolError(f"the core refused to say what it is (error {answer.error:d})")
        self.info: Info = protocol.parse_info(answer.body)

    def load_key(self, modulus: int, exponent: int, exponent_bits: int | None = None) -> int:
        """Load a key; a refused one leaves none loaded.

        Args:
            modulus: odd, 3 or more, at most `info.max_bits` long.
            exponent: at most `info.max_bits` long.
            exponent_bits: stated length of the exponent, 1 to `info.max_bits`; leading zeros count
                for the time of cores whose time depends on the length. Without it the exponent's
                own length (1 for an exponent of 0).

        Returns:
            Clock cycles of setting the key up.

        Raises:
            DeviceError: the core refused the key.
            InputError: a negative number, or an exponent longer than stated.
        """
        if exponent_bits is None:
            exponent_bits = max(exponent.bit_length(), 1)
        request = protocol.load_key_request(modulus, exponent, exponent_bits)
        self._modulus_bits = modulus.bit_length()
        answer = self._ask(Command.LOAD_KEY, request)
        if answer.error:
            self._modulus_bits = 0
            raise self._refusal(answer.error, exponent_bits, "modulus", modulus.bit_length())
        return protocol.parse_number(answer.body)

    def exponentiate(self, base: int, progress: Progress | None = None) -> Exponentiation:
        """Raise `base` to the key's exponent, modulo the key's modulus.

        Args:
            base: 0 to modulus - 1.
            progress: told how far the operation is, where the transport can tell.

        Raises:
            DeviceError: no key is loaded, or the base is not below the modulus.
            InputError: the base is negative.
        """
        (result,), cycles = self.exponentiate_all((base,), progress)
        return Exponentiation(result, cycles)

    def exponentiate_all(
        self, bases: Sequence[int], progress: Progress | None = None
    ) -> Exponentiations:
        """Raise several bases to the key's exponent at once, in the time of one.

        Args:
            bases: 1 to `info.lanes`, each 0 to modulus - 1.
            progress: as for `exponentiate`.

        Raises:
            DeviceError: no key is loaded, or a base is not below the modulus.
            InputError: a base is negative, or there are more bases than the core takes.
        """
        if not 1 <= len(bases) <= self.info.lanes:
            raise InputError(f"{len(bases)} bases are given, the core takes 1 to {self.info.lanes}")
        # All bases of a key have the same stated length, so that the packet says nothing of them.
        request = protocol.exponentiate_request(bases, self._modulus_bits)
        answer = self._ask(Command.EXPONENTIATE, request, progress)
        if answer.error:
            raise self._refusal(answer.error, 0, "base", max(bases).bit_length())
        words = answer.body[2:]
        size = len(words) // len(bases)
        return Exponentiations(
            tuple(
                protocol.parse_number(words[place * size : (place + 1) * size])
                for place in range(len(bases))
            ),
            protocol.parse_number(answer.body[:2]),
        )

    def clear(self) -> None:
        """Wipe the core: every register and memory word that held a key is overwritten."""
        self._modulus_bits = 0
        answer = self._ask(Command.CLEAR, protocol.clear_request())
        if answer.error:
            raise self._refusal(answer.error, 0, "request", 0)

    def close(self) -> None:
        """Give up the connection; closing twice does nothing."""
        self._transport.close()

    def _ask(
        self, command: Command, packet: list[int], progress: Progress | None = None
    ) -> Response:
        return protocol.parse(self._transport.exchange(packet, progress), command)

    def _refusal(self, code: ErrorCode, exponent_bits: int, name: str, bits: int) -> DeviceError:
        """Error in words; `name` of `bits` is the number that the request was about."""
        most = self.info.max_bits
        if code == ErrorCode.LENGTH and bits <= most:
            name, bits = "exponent", exponent_bits
        text = {
            ErrorCode.LENGTH: f"the {name} has {bits} bits, the core takes at most {most}",
            ErrorCode.EXPONENT_EMPTY: f"the exponent has length 0, allowed is 1 to {most} bits",
            ErrorCode.MODULUS_EVEN: f"the modulus ({bits} bits) is even, allowed is an odd one",
            ErrorCode.MODULUS_SMALL: "the modulus is 0 or 1, allowed is 3 or more",
            ErrorCode.BASE_NOT_BELOW: (
                f"the base ({bits} bits) is not below the modulus ({self._modulus_bits} bits)"
            ),
            ErrorCode.NO_KEY: "no key is loaded",
            ErrorCode.ABORTED: "the operation was ended by a request to clear the core",
        }.get(code, f"the core refused the packet (error {code:d}, {code.name.lower()})")
        return DeviceError(text, code)
