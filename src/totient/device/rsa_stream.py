"""The stream IPs: messages of words, and the registers of the IP that generates keys.

The RTL is rtl/ip/rsa_fixed_axis.sv and rtl/ip/rsa_keygen_axis.sv.
"""

from collections.abc import Sequence
from typing import Protocol

from totient.catalog import select_ip
from totient.device.register_map import Bus, RegisterMap

_WORD = 32


class Stream(Protocol):
    """A stream of packets of 32-bit words."""

    def exchange(self, packet: Sequence[int]) -> list[int]:
        """Send a packet, and return the answer's words."""


class StreamAndBus(Stream, Bus, Protocol):
    """A stream with registers."""


def exchange_messages(stream: Stream, messages: Sequence[int], words: int) -> list[int]:
    """Send messages in one packet.

    Args:
        stream: of the IP.
        messages: 0 or more each.
        words: of a message and of a result.

    Returns:
        A result for each; 0 for a refused message.
    """
    sent = [message >> _WORD * at & 0xFFFF_FFFF for message in messages for at in range(words)]
    got = stream.exchange(sent)
    return [
        sum(word << _WORD * place for place, word in enumerate(got[at : at + words]))
        for at in range(0, len(got), words)
    ]


def refusal(registers: RegisterMap) -> tuple[int, int]:
    """The last refusal of the IP that generates keys, and the number of refusals.

    Returns:
        Error code of the last message (`docs/contracts.md`), 0 if it was accepted; number of
        refusals since the IP was cleared.
    """
    status = registers.parts("status")
    return status["error"], status["refused"]


class RsaStream:
    """The IP that generates keys.

    Attributes:
        registers: by their names.
    """

    def __init__(self, ends: StreamAndBus) -> None:
        self._ends = ends
        self._words = 1
        self.registers = RegisterMap(ends, select_ip("rsa_stream").ip.registers)

    def set_primes(self, p: int, q: int, e: int = 65537) -> None:
        """Set the primes and the exponent of the key, which is made with the next message.

        Args:
            p: a prime.
            q: the other prime.
            e: public exponent; 0 selects the first coprime one from 3 upwards.

        Raises:
            InputError: a number is too large for its register.
        """
        self.registers.exponent = e
        self.registers.prime1, self.registers.prime2 = p, q
        self._words = -(-(p.bit_length() + q.bit_length()) // _WORD)

    def raise_all(self, messages: Sequence[int]) -> list[int]:
        """Raise messages in one packet, in the direction set in the register.

        Returns:
            A result for each; 0 for a refused message, and for all messages without a key.
        """
        return exchange_messages(self._ends, messages, self._words)

    @property
    def key(self) -> tuple[int, int, int]:
        """n, e and d of the generated key; zeros without a key."""
        registers = self.registers
        return registers.modulus, registers.key_exponent, registers.private

    @property
    def error(self) -> int:
        """Error code of the last message or key (`docs/contracts.md`); 0: accepted."""
        return refusal(self.registers)[0]
