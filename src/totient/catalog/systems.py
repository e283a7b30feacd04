"""Whole systems: a soft CPU with our IPs."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class System:
    """A system, which `totient.litex` makes.

    Attributes:
        name: as users write it.
        title: one line.
        rows: the paper's rows that it realises.
        source: where its like was published.
        width: largest modulus, in bits.
        parameters: none; what it is made of is fixed.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    source: str
    width: int
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def own(self) -> Mapping[str, int]:
        """Parameters that are not at their defaults: none."""
        return self.parameters

    @property
    def label(self) -> str:
        """Its name."""
        return self.name


SYSTEM = System(
    name="rsa_system",
    title="VexRiscv, serial port, timer, rsa_keygen, a terminal program in its ROM",
    rows=("B3",),
    source="Becannon et al., California State Polytechnic University, Pomona",
    width=64,
)


def find_system(name: str) -> System | None:
    """The system of that name or row, if there is one."""
    return SYSTEM if name.lower() == SYSTEM.name or name.upper() in SYSTEM.rows else None
