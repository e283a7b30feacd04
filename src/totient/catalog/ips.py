"""IPs that are complete systems: their tops, faces and registers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from totient.catalog.model import Face, Top
from totient.catalog.parameters import Parameter, Parameters, complete, labelled
from totient.common.errors import InputError

_EVANTASH = "N. Evantash, Northeastern University, 2023"
_DIEMERT = "S. Diemert et al., University of Victoria, 2014"
_LENGTHS_ONLY = "depends on lengths and on the public exponent, on nothing secret"
_WORD_BITS = Parameter(
    "word_bits", "WordBits", 16, 8, 32, "bits of a processing element", (8, 16, 32)
)


@dataclass(frozen=True)
class Register:
    """A register, or a memory, on a bus of 32-bit words.

    Attributes:
        offset: of its first word, in bytes.
        words: number of words, least significant first.
        access: `r`, `w` or `rw`, for software.
        text: description.
        fields: name, highest bit, lowest bit and meaning of each; none for a memory.
    """

    offset: int
    words: int
    access: str
    text: str = ""
    fields: Sequence[tuple[str, int, int, str]] = ()

    def parts(self, value: int) -> dict[str, int]:
        """A register value as values of its fields."""
        return {
            name: value >> low & (1 << high - low + 1) - 1 for name, high, low, _ in self.fields
        }

    def value(self, **parts: int) -> int:
        """The register value of these fields, with 0 in the others.

        Raises:
            KeyError: it has no such field.
            InputError: a value is too large for its field.
        """
        ends = {name: (high, low) for name, high, low, _ in self.fields}
        value = 0
        for name, part in parts.items():
            high, low = ends[name]
            if not 0 <= part < 1 << high - low + 1:
                bits = high - low + 1
                raise InputError(f"field {name} is {part}, allowed is 0 to 2^{bits} - 1")
            value |= part << low
        return value


@dataclass(frozen=True)
class Ip:
    """An IP that is more than a core behind a face.

    Attributes:
        name: as users write it.
        title: one line.
        rows: the paper's rows that it realises.
        source: publication.
        module: its top module; its FuseSoC core is `totient:ip:` and this name.
        faces: its interfaces.
        register_map: name of its map in `contract/`; empty without registers.
        parameters: in the order of `totient show`.
        numbers: parameters that are numbers of `width` bits.
        timing: its timing class, in words.
        on_boards: whether the boards' top (`ip_board`) has it.
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
    timing: str = _LENGTHS_ONLY
    on_boards: bool = True

    @property
    def core(self) -> str:
        """Its FuseSoC name."""
        return f"totient:ip:{self.module}"

    @property
    def registers(self) -> Mapping[str, Register]:
        """Its registers by name."""
        return registers(self.register_map)

    def configure(self, given: Parameters | None = None) -> "IpConfiguration":
        """Complete `given` with the defaults and check every value.

        Raises:
            InputError: an unknown parameter or a value out of range.
        """
        chosen = complete(f"IP {self.name}", self.parameters, given)
        for name in self.numbers:
            if (bits := chosen[name].bit_length()) > chosen["width"]:
                raise InputError(f"{name} has {bits} bits, width is {chosen['width']}")
        if chosen.get("modulus", 1) % 2 == 0:
            shown = labelled("", {"modulus": chosen["modulus"]}).removeprefix("?modulus=")
            raise InputError(f"modulus is {shown}, allowed are odd numbers")
        return IpConfiguration(self, chosen)


@dataclass(frozen=True)
class IpConfiguration:
    """An IP with a value for every parameter."""

    ip: Ip
    parameters: Parameters

    @property
    def name(self) -> str:
        """The IP's name."""
        return self.ip.name

    @property
    def own(self) -> Parameters:
        """Every parameter that is not at its default."""
        defaults = {parameter.name: parameter.default for parameter in self.ip.parameters}
        return {name: v for name, v in self.parameters.items() if v != defaults[name]}

    @property
    def label(self) -> str:
        """Name with the parameters of `own`: `rsa_stream?prime_bits=256`."""
        return labelled(self.name, self.own)

    @property
    def width(self) -> int:
        """Largest modulus, in bits."""
        return self.parameters.get("width") or 2 * self.parameters.get("prime_bits", 32)

    @property
    def timing_words(self) -> str:
        """What the time depends on."""
        return self.ip.timing

    def suited(self, family: str) -> "IpConfiguration":
        """The same for every device family."""
        return self

    def top(self, face: Face | None = None) -> Top:
        """Its top module with its faces, whichever is named."""
        values: dict[str, int | str] = {}
        for parameter in self.ip.parameters:
            value = self.parameters[parameter.name]
            wide = parameter.name in self.ip.numbers
            values[parameter.rtl] = f"{self.parameters['width']}'h{value:x}" if wide else value
        return Top(self.ip.core, self.ip.module, values, self.ip.faces, self.label)


@cache
def registers(name: str) -> Mapping[str, Register]:
    """The registers of a map in `contract/` by their names; none without a name."""
    found = json.loads(_generated(f"{name}.json")) if name else {}
    return {register: Register(**values) for register, values in found.items()}


def memory_map(name: str) -> str:
    """A map in `contract/` in XML, as a component of IP-XACT (IEEE 1685-2014) with nothing else."""
    return _generated(f"{name}.xml")


def _generated(file: str) -> str:
    """The map that `make contract` wrote."""
    return (Path(__file__).with_name("registers") / file).read_text()


def _restoring() -> Ip:
    """Row B1 with the paper's own algorithm."""
    return Ip(
        name="rsa_restoring",
        title="the same by products and restoring division, as published; AXI4-Lite registers",
        rows=("B1",),
        source="Becannon et al., California State Polytechnic University, Pomona",
        module="rsa_restoring_axil",
        faces=frozenset({Face.REGISTERS}),
        register_map="rsa_keygen_registers",
        parameters=(
            Parameter("width", "Width", 32, 8, 64, "longest modulus, in bits"),
            Parameter("stages", "Stages", 14, 2, 32, "registers of a multiplier"),
        ),
        timing="depends on secrets: a key on the divisions of Euclid's algorithm, a message on "
        "the length of d",
        on_boards=False,
    )


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
        _restoring(),
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
        Ip(
            name="modmul_montgomery",
            title="Montgomery products of up to 64 bits, radix 2, early end; AXI4-Lite registers",
            rows=("D6",),
            source=_DIEMERT,
            module="modmul_montgomery_axil",
            faces=frozenset({Face.REGISTERS}),
            register_map="modmul_registers",
            parameters=(
                Parameter("width", "Width", 64, 8, 64, "longest modulus, in bits"),
                Parameter("bits_per_cycle", "BitsPerCycle", 1, 1, 2, "steps a cycle", (1, 2)),
            ),
            timing="depends on the operands: on the length of the modulus, which ends it, no more",
        ),
    )


def find_ip(name: str) -> Ip | None:
    """The IP of that name or row, if there is one."""
    for ip in ips():
        if name.lower() == ip.name or name.upper() in ip.rows:
            return ip
    return None


def select_ip(name: str, **given: int) -> IpConfiguration:
    """An IP by its name or paper's row.

    Args:
        name: for instance `rsa_stream` or `E3`.
        given: parameters that differ from the defaults.

    Raises:
        InputError: unknown name, unknown parameter, value out of range.
    """
    if ip := find_ip(name):
        return ip.configure(given)
    known = ", ".join(f"{ip.name} ({', '.join(ip.rows)})" for ip in ips())
    raise InputError(f"unknown IP {name!r}, known are {known}")
