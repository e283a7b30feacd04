"""IPs that are complete systems of their own: their tops, faces and registers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from totient.catalog.model import Face, Parameter, Top
from totient.common.errors import InputError

_EVANTASH = "N. Evantash, Northeastern University, 2023"
_WORD_BITS = Parameter(
    "word_bits", "WordBits", 16, 8, 32, "bits of a processing element", (8, 16, 32)
)


@dataclass(frozen=True)
class Register:
    """A register, or a memory, on a bus of 32-bit words.

    Attributes:
        offset: of its first word, in bytes.
        words: how many it has, least significant first.
        access: `r`, `w` or `rw`, as software sees it.
    """

    offset: int
    words: int
    access: str


@dataclass(frozen=True)
class Ip:
    """An IP that is more than a core behind a face.

    Attributes:
        name: as users write it.
        title: one line.
        rows: the paper's rows that it realises.
        source: where it was published.
        module: its top module; its FuseSoC core is `totient:ip:` and this name.
        faces: how it is reached.
        register_map: name of its map in `regs/`; empty where it has no registers.
        parameters: in the order that `totient show` lists them.
        numbers: those of them that are numbers of `width` bits.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    source: str
    module: str
    faces: frozenset[Face]
    register_map: str
    parameters: tuple[Parameter, ...] = ()
    numbers: tuple[str, ...] = ()

    @property
    def core(self) -> str:
        """Its FuseSoC name."""
        return f"totient:ip:{self.module}"

    @property
    def registers(self) -> Mapping[str, Register]:
        """Its registers by name; of an IP that has some."""
        return _registers(self.register_map)

    def values(self, **given: int) -> dict[str, int]:
        """A value for every parameter; those that are not given are at their defaults.

        Raises:
            InputError: an unknown parameter or a value out of range.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                allowed = f"it has {', '.join(known)}" if known else "it has none"
                raise InputError(f"IP {self.name} has no parameter {name!r}, {allowed}")
        chosen = {name: p.check(given.get(name, p.default)) for name, p in known.items()}
        for name in self.numbers:
            if chosen[name].bit_length() > chosen["width"]:
                raise InputError(
                    f"{name} has {chosen[name].bit_length()} bits, width is {chosen['width']}"
                )
        if "modulus" in chosen and chosen["modulus"] % 2 == 0:
            raise InputError("modulus is even, allowed are odd ones")
        return chosen

    def top(self, **given: int) -> Top:
        """The IP with its parameters; arguments and errors as for `values`."""
        values: dict[str, int | str] = {}
        chosen = self.values(**given)
        for parameter in self.parameters:
            value = chosen[parameter.name]
            constant = parameter.name in self.numbers
            values[parameter.rtl] = f"{chosen['width']}'h{value:x}" if constant else value
        return Top(self.core, self.module, values, self.faces, self.label(chosen))

    def label(self, values: Mapping[str, int]) -> str:
        """Name with every parameter that is not at its default: `rsa_stream?prime_bits=256`."""
        own = [p for p in self.parameters if values[p.name] != p.default]
        if not own:
            return self.name
        return f"{self.name}?{'&'.join(f'{p.name}={_short(values[p.name])}' for p in own)}"


def _short(value: int) -> str:
    text = str(value)
    return text if len(text) <= 12 else f"{text[:9]}..."


@cache
def _registers(name: str) -> Mapping[str, Register]:
    text = (Path(__file__).with_name("registers") / f"{name}.json").read_text()
    return {register: Register(**fields) for register, fields in json.loads(text).items()}


@cache
def ips() -> tuple[Ip, ...]:
    """All IPs, in the order of the papers' rows."""
    return (
        Ip(
            name="rsa_keygen",
            title="key generation from primes of up to 32 bits, messages; AXI4-Lite registers",
            rows=("B1", "B2"),
            source="Becannon et al., California State Polytechnic University, Pomona",
            module="rsa_keygen_axil",
            faces=frozenset({Face.REGISTERS}),
            register_map="rsa_keygen_registers",
        ),
        Ip(
            name="rsa_fixed",
            title="streams of messages, the key part of the hardware",
            rows=("E2",),
            source=_EVANTASH,
            module="rsa_fixed_axis",
            faces=frozenset({Face.STREAM}),
            register_map="",
            parameters=(
                Parameter("width", "Width", 32, 8, 4096, "largest modulus, in bits"),
                Parameter("modulus", "Modulus", 6103297, 3, 2**4096 - 1, "odd"),
                Parameter("exponent", "Exponent", 65537, 1, 2**4096 - 1, "of the key"),
                _WORD_BITS,
            ),
            numbers=("modulus", "exponent"),
        ),
        Ip(
            name="rsa_stream",
            title="streams of messages, keys made from primes in registers",
            rows=("E3",),
            source=_EVANTASH,
            module="rsa_keygen_axis",
            faces=frozenset({Face.STREAM, Face.REGISTERS}),
            register_map="rsa_stream_registers",
            parameters=(
                Parameter("prime_bits", "PrimeBits", 32, 4, 1024, "longest prime, in bits"),
                _WORD_BITS,
            ),
        ),
    )


def find_ip(name: str) -> Ip | None:
    """The IP of that name or row, if there is one."""
    for ip in ips():
        if name.lower() == ip.name or name.upper() in ip.rows:
            return ip
    return None
