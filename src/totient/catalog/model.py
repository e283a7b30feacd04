"""The parts of a catalog entry."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from totient.catalog.parameters import Parameter, Parameters, complete, labelled
from totient.common.contract import TimingClass
from totient.common.errors import InputError
from totient.common.formula import Formula

SERIAL_BAUD = 115_200
"""Default rate of a serial line: of boards, and of `tty:` devices."""


class Face(StrEnum):
    """Interface of a core."""

    STREAM = "stream"
    """32-bit words on AXI4-Stream."""
    REGISTERS = "registers"
    """AXI4-Lite."""
    SERIAL = "serial"
    """An asynchronous serial line."""


@dataclass(frozen=True)
class Top:
    """A module with its faces, for simulation, systems and boards.

    Attributes:
        core: its FuseSoC name.
        module: its name.
        parameters: values by SystemVerilog name.
        faces: the faces that it has.
        label: for people.
        clock, reset: its ports for them.
        reset_level: level of an active reset.
        settling: clock cycles after a reset until it accepts input.
    """

    core: str
    module: str
    parameters: Mapping[str, int | str]
    faces: frozenset[Face]
    label: str
    clock: str = "aclk"
    reset: str = "aresetn"
    reset_level: int = 0
    settling: int = 0


@dataclass(frozen=True)
class Operation:
    """One exponentiation for the cycle formulas. All values are public, or leak by its class.

    Attributes:
        modulus, exponent, base: the operands.
        exponent_bits: the stated length of the exponent.
        bases: number of bases in the request; `base` is the first one.
    """

    modulus: int
    exponent: int
    exponent_bits: int
    base: int
    bases: int = 1


SYMBOLS = {
    "k": "stated bits of the exponent",
    "L": "bits of the modulus",
    "e": "the exponent",
    "scanned": "the operands that the products scan",
    "bases": "bases of the request",
}
"""Symbols of a design's cycle formulas besides its parameters and their own terms."""


@dataclass(frozen=True)
class Computed:
    """Clock cycles without a closed form, with the members of a `Formula`.

    Attributes:
        text: description of the computation, for people.
        compute: returns the cycles.
    """

    text: str
    compute: Callable[[Mapping[str, Any]], int]
    names: frozenset[str] = frozenset()
    terms: Mapping[str, str] = field(default_factory=dict)
    term_texts: list[str] = field(default_factory=list)

    def value(self, given: Mapping[str, Any]) -> int:
        """The value, for parameters and `SYMBOLS`."""
        return self.compute(given)

    def term_values(self, given: Mapping[str, Any]) -> dict[str, int]:
        """No terms."""
        return {}


Cycles = Formula | Computed
"""Clock cycles of some work, from a design's parameters and `SYMBOLS`."""


@dataclass(frozen=True)
class Rule:
    """A rule for parameters together, beside each one's own range.

    Attributes:
        applies: a condition on parameters, as in a `Formula`; none: always.
        holds: the condition that they must meet, if the rule applies.
        refusal: the message for parameters that do not.
    """

    holds: str
    refusal: Callable[[Parameters], str]
    applies: str = ""

    @cached_property
    def broken(self) -> Formula:
        """1 for parameters that break the rule, else 0."""
        kept = f"0 if {self.holds} else 1"
        return Formula(f"({kept}) if {self.applies} else 0" if self.applies else kept)

    def check(self, parameters: Parameters) -> None:
        """Raise `InputError` if parameters break the rule."""
        if self.broken.value(parameters):
            raise InputError(self.refusal(parameters))


@dataclass(frozen=True)
class Design:
    """A design of the catalog.

    Attributes:
        name: as users write it.
        title: one line.
        rows: paper rows it realises, each with the parameters that the row fixes.
        source: publication of the architecture.
        module: top module of the modexp core, whose utilisation is measured.
        ip_module: the same with the AXI4-Stream face, which is simulated and routed.
        parameters: in the order of `totient show`.
        timing: the timing class for given parameters.
        timing_words: what the time depends on, if the words of the class do not say all of it.
        setup: cycles of a key load.
        operation: cycles of one exponentiation.
        scanned: a generator of the operands that the products of an exponentiation scan, in order,
            if their values change its cycles.
        configurations: named sets of parameters.
        suiting: by device family, values of parameters that replace the defaults in synthesis for
            it.
        multipliers: multiplier blocks that it has at least, with given parameters.
        rules: for values that could contradict each other.
    """

    name: str
    title: str
    rows: Mapping[str, Parameters]
    source: str
    module: str
    ip_module: str
    parameters: tuple[Parameter, ...]
    timing: Callable[[Parameters], TimingClass]
    setup: Cycles
    operation: Cycles
    scanned: Callable[[Parameters, Operation], Iterable[int]] = lambda parameters, operation: ()
    timing_words: str = ""
    configurations: Mapping[str, Parameters] = field(default_factory=dict)
    suiting: Mapping[str, Parameters] = field(default_factory=dict)
    multipliers: Callable[[Parameters], int] = lambda parameters: 0
    rules: tuple[Rule, ...] = ()

    @property
    def core(self) -> str:
        """FuseSoC name of the modexp core."""
        return self.ip_core if self.is_whole else f"totient:modexp:{self.module}"

    @property
    def ip_core(self) -> str:
        """FuseSoC name of the core with the AXI4-Stream face."""
        return f"totient:ip:{self.ip_module}"

    @property
    def is_whole(self) -> bool:
        """Whether the core has its AXI4-Stream face itself."""
        return self.module == self.ip_module

    def configure(self, given: Parameters | None = None) -> "Configuration":
        """Complete `given` with the defaults and check every value.

        Raises:
            InputError: an unknown parameter or a value out of range.
        """
        values = complete(f"design {self.name}", self.parameters, given)
        for rule in self.rules:
            rule.check(values)
        return Configuration(self, values, frozenset(given or ()))


@dataclass(frozen=True)
class Configuration:
    """A design with a value for every parameter.

    Attributes:
        design: the design.
        parameters: a value for each of its parameters.
        given: names of the parameters with chosen values; the others have their defaults.
    """

    design: Design
    parameters: Parameters
    given: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def width(self) -> int:
        """Largest modulus, in bits."""
        return self.parameters["width"]

    @property
    def lanes(self) -> int:
        """Maximum number of bases in a request, exponentiated at once."""
        return self.parameters.get("lanes", 1)

    @property
    def key_slots(self) -> int:
        """Key slots of an engine for whole RSA operations; 0: the design is no engine."""
        return self.parameters.get("key_slots", 0)

    @property
    def timing(self) -> TimingClass:
        """The timing class."""
        return self.design.timing(self.parameters)

    @property
    def timing_words(self) -> str:
        """What the time depends on."""
        return self.design.timing_words or self.timing.words

    def suited(self, family: str) -> "Configuration":
        """The configuration with the parameters for synthesis on a device family.

        A chosen parameter keeps its value.
        """
        values = self.design.suiting.get(family, {})
        changed = {name: value for name, value in values.items() if name not in self.given}
        return self.design.configure({**self.parameters, **changed}) if changed else self

    @property
    def rtl_parameters(self) -> dict[str, int]:
        """Values by SystemVerilog name."""
        return {p.rtl: self.parameters[p.name] for p in self.design.parameters}

    @property
    def face_parameters(self) -> dict[str, int]:
        """Values by SystemVerilog name of `rtl/ip/rsa_core.sv`, and of the logic around it."""
        return {p.face_rtl or p.rtl: self.parameters[p.name] for p in self.design.parameters}

    @property
    def name(self) -> str:
        """The design's name."""
        return self.design.name

    @property
    def own(self) -> Parameters:
        """The width, and every parameter that is not at its default."""
        return {
            p.name: self.parameters[p.name]
            for p in self.design.parameters
            if p.name == "width" or self.parameters[p.name] != p.default
        }

    @property
    def label(self) -> str:
        """Name with the parameters of `own`: `binary?width=2048`."""
        return labelled(self.name, self.own)

    def top(self, face: Face = Face.STREAM) -> Top:
        """The core behind a face."""
        if face == Face.STREAM:
            design, faces = self.design, frozenset({face})
            return Top(design.ip_core, design.ip_module, self.rtl_parameters, faces, self.label)
        module = {Face.REGISTERS: "rsa_axil", Face.SERIAL: "rsa_uart"}[face]
        parameters: dict[str, int | str] = {"Design": self.design.name, **self.face_parameters}
        label = f"{self.label} behind {face}"
        # A serial line's memory for a frame is wiped first. It has as many words as the longest
        # request, or fewer.
        words = (self.lanes + 4) * -(-self.width // 32) + 64
        settling = words if face == Face.SERIAL else 0
        core = f"totient:ip:{module}"
        return Top(core, module, parameters, frozenset({face}), label, settling=settling)

    def setup_cycles(self, modulus: int, exponent_bits: int) -> int:
        """Exact cycles to load a key with an exponent of this stated length."""
        given = {"L": modulus.bit_length(), "k": exponent_bits}
        return self.design.setup.value({**self.parameters, **given})

    def operation_cycles(self, operation: Operation) -> int:
        """Exact cycles of one exponentiation."""
        given = {
            "L": operation.modulus.bit_length(),
            "k": operation.exponent_bits,
            "e": operation.exponent,
            "bases": operation.bases,
            "scanned": self.design.scanned(self.parameters, operation),
        }
        return self.design.operation.value({**self.parameters, **given})
