"""A device for tests: it computes with `pow`, counts, and can be made to fail."""

from collections.abc import Callable
from dataclasses import dataclass, field

from Crypto.Math.Numbers import Integer

from totient.common.contract import TimingClass
from totient.device import Address


@dataclass(frozen=True)
class Info:
    """The device's description of itself."""

    design: str
    max_bits: int
    timing: TimingClass = TimingClass.EXPONENT_LENGTH
    slots: int = 0


@dataclass(frozen=True)
class Answer:
    """The answer to an exponentiation; the cycles are made up, one for each product."""

    result: int
    cycles: int


@dataclass
class Double:
    """A core of `info.max_bits` bits that holds callers to the contract.

    Attributes:
        loads: (modulus, exponent, exponent_bits) of each key load.
        bases: base of each exponentiation.
        spoil: applied to each result, to play a fault.
        cleared, closed: how often it was.
    """

    info: Info
    spoil: Callable[[int], int] = lambda result: result
    loads: list[tuple[int, int, int]] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)
    key: tuple[int, int, int] | None = None
    cleared: int = 0
    closed: int = 0

    def load_key(self, modulus: int, exponent: int, exponent_bits: int) -> int:
        """Load a key, as the modexp contract allows it."""
        assert modulus >= 3
        assert modulus % 2 == 1
        assert modulus.bit_length() <= self.info.max_bits
        assert 1 <= exponent_bits <= self.info.max_bits
        assert 0 <= exponent < 1 << exponent_bits
        self.key = (modulus, exponent, exponent_bits)
        self.loads.append(self.key)
        return modulus.bit_length()

    def exponentiate(self, base: int, progress: Callable[[int], None]) -> Answer:
        """Exponentiate with the key held."""
        progress(0)
        assert self.key is not None
        modulus, exponent, exponent_bits = self.key
        assert 0 <= base < modulus
        self.bases.append(base)
        # Five times faster than Python's own.
        power = int(pow(Integer(base), Integer(exponent), Integer(modulus)))
        return Answer(self.spoil(power), 2 * exponent_bits)

    def clear(self) -> None:
        """Forget the key."""
        self.key = None
        self.cleared += 1

    def close(self) -> None:
        """Count."""
        self.closed += 1


@dataclass
class Workshop:
    """Opens doubles by their address, as `open_device` opens devices.

    Attributes:
        opened: (address, device) in order.
        timing, spoil: passed on to each double.
    """

    opened: list[tuple[str, Double]] = field(default_factory=list)
    timing: TimingClass = TimingClass.EXPONENT_LENGTH
    spoil: Callable[[int], int] = lambda result: result

    def open(self, address: Address) -> Double:
        """Open a double as wide as the address says, 4096 bits if it does not."""
        width = address.given.get("width", 4096)
        design = {"T1": "repeated", "T2": "binary", "T3": "montgomery"}.get(
            address.name, address.name
        )
        device = Double(Info(design, width, self.timing), self.spoil)
        self.opened.append((str(address), device))
        return device

    @property
    def device(self) -> Double:
        """The device opened last."""
        return self.opened[-1][1]
