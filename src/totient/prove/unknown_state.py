"""The state of a three-valued model while it runs: which bits are unknown, and changes of that."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from totient.prove.three_valued import Register
from totient.sim import Model


@dataclass(frozen=True)
class Bits:
    """Contents of a register or of a word.

    Attributes:
        value: of the known bits; 0 in the others.
        unknown: 1 for each unknown bit.
    """

    value: int
    unknown: int


class UnknownState:
    """Access to the state of a model of `build_three_valued`.

    Args:
        model: open.
        registers: its state.
    """

    def __init__(self, model: Model, registers: Sequence[Register]) -> None:
        self._model = model
        self.registers = registers
        self._places = {each.name: number for number, each in enumerate(registers)}
        self._elements = {
            each.name.rpartition(".")[2]: (number, each)
            for number, each in enumerate(model.elements()[0])
        }

    def read(self, name: str) -> Bits:
        """Contents of a register by its name; of a memory, the first word."""
        return self.words(name)[0]

    def words(self, name: str) -> list[Bits]:
        """Contents of each word of a memory; a register is one word."""
        parts = (self._part(part, self._places[name]) for part in ("value", "unknown"))
        return [Bits(*each) for each in zip(*parts, strict=True)]

    def write(self, name: str, bits: Bits, word: int = 0) -> None:
        """Change them. Bits of `value` that are unknown must be 0."""
        number = self._places[name]
        for part, wanted in (("value", bits.value), ("unknown", bits.unknown)):
            index, _ = self._elements[f"{part}{number}_q"]
            changes = self._part(part, number)[word] ^ wanted
            while changes:
                self._model.flip(index, word, (changes & -changes).bit_length() - 1)
                changes &= changes - 1

    def forget(self, which: Callable[[Register], bool]) -> int:
        """Make all bits of some registers unknown; their number."""
        bits = 0
        for register in filter(which, self.registers):
            nothing = Bits(0, (1 << register.bits) - 1)
            for word in range(register.words or 1):
                self.write(register.name, nothing, word)
            bits += register.bits * (register.words or 1)
        return bits

    def unknown(self) -> Iterator[tuple[Register, dict[int, int]]]:
        """Registers with unknown bits; for each word that has some, which."""
        for number, register in enumerate(self.registers):
            words = enumerate(self._part("unknown", number))
            if found := {word: bits for word, bits in words if bits}:
                yield register, found

    def _part(self, part: str, number: int) -> list[int]:
        """Values, or which bits are unknown, of each word."""
        index, element = self._elements[f"{part}{number}_q"]
        return self._model.words(index, element)
