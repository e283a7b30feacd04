"""The Record: the unit of evidence, with units and provenance, to JSON and back."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from totient.catalog import Configuration, Subject, find_subject
from totient.common.errors import InputError
from totient.flow import CriticalPath, Routing, Utilisation, find_target
from totient.flow.utilisation import count
from totient.measure.kept import parsing
from totient.measure.netlists import NetlistRuns, computing
from totient.measure.provenance import Provenance
from totient.report.values import NOT_RUN, WRONG

SCHEMA = 3
"""Version of the JSON form, and of the operands of the kinds. Increase it if either changes."""


@dataclass(frozen=True)
class Spread:
    """Clock cycles over the operations of a kind; the mean is rounded to a whole cycle."""

    minimum: int
    mean: int
    maximum: int

    def __post_init__(self) -> None:
        """Raise `ValueError` if the values contradict each other."""
        if not self.minimum <= self.mean <= self.maximum:
            raise ValueError(f"a mean of {self.mean}, from {self.minimum} to {self.maximum}")

    @classmethod
    def of(cls, cycles: Sequence[int]) -> "Spread":
        """The spread of one or more figures."""
        return cls(min(cycles), (2 * sum(cycles) + len(cycles)) // (2 * len(cycles)), max(cycles))


@dataclass(frozen=True)
class OperationFigures:
    """Cycles of one operation kind.

    Attributes:
        operations: number of different operations behind the figures.
        simulated: number of them that were run on the RTL, with the formula's cycles. The others
            were too long; their figure is from the formula.
        bases: exponentiations in one operation, one for each lane of the core.
        modulus_bits: bits of a result; for `private-crt` of both halves together.
        exponent_bits: stated length of the exponent; for `private-crt` of the longer half.
        setup_cycles: cycles of the key loads, or of the key generation.
        cycles: cycles of the exponentiations.
    """

    operations: int
    simulated: int
    bases: int
    modulus_bits: int
    exponent_bits: int
    setup_cycles: Spread
    cycles: Spread

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON."""
        spreads = {"setup_cycles": vars(self.setup_cycles), "cycles": vars(self.cycles)}
        return {**vars(self), **spreads}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "OperationFigures":
        """Parse the JSON of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: a figure is missing or malformed.
        """
        spreads = {name: Spread(**data[name]) for name in ("setup_cycles", "cycles")}
        return cls(**{**data, **spreads})


@dataclass(frozen=True)
class Figures:
    """An operation kind at a clock.

    Attributes:
        clock_mhz: the clock.
        setup_s: time of the key loads (mean), in seconds.
        minimum_s, mean_s, maximum_s: latency of the operation, in seconds.
        throughput_bit_per_s: clock x bits of the modulus x bases at once / mean cycles.

    A time is `None` if it exceeds every floating-point number.
    """

    clock_mhz: float
    setup_s: float | None
    minimum_s: float | None
    mean_s: float | None
    maximum_s: float | None
    throughput_bit_per_s: float


@dataclass(frozen=True)
class Record:
    """One design, IP or system on one target.

    Attributes:
        design: name in the catalog.
        parameters: all of them, by the catalog's names.
        target: name of the target.
        dsp: whether the tools may use multiplier blocks.
        utilisation: from synthesis; of a design's modexp core alone, or of a whole IP or system.
        routing: place and route of a core with its AXI4-Stream face, or of a whole IP or system;
            `None` if the target has no router or routing was not requested.
        operations: figures by operation kind.
        provenance: command, tools and digests.
        netlist: runs of its routed netlists; `None`: not run. Not part of its identity: it
            confirms the figures, and no figure depends on it.
        placed: LUTs that nextpnr placed (TRELLIS_COMB), including those of the harness and of the
            ends of carry chains; `None`: unknown. Not part of its identity.
    """

    board: ClassVar[None] = None
    registers: ClassVar[bool] = False

    design: str
    parameters: Mapping[str, int]
    target: str
    dsp: bool
    utilisation: Utilisation
    routing: Routing | None
    operations: Mapping[str, OperationFigures]
    provenance: Provenance
    netlist: NetlistRuns | None = field(default=None, compare=False)
    placed: int | None = field(default=None, compare=False)

    @property
    def subject(self) -> Subject:
        """The subject.

        Raises:
            InputError: the catalog no longer has it.
        """
        return find_subject(self.design, **self.parameters)

    @property
    def is_of_core(self) -> bool:
        """Whether cells are counted of a core alone, and its clock is with a face around it."""
        subject = self.subject
        return isinstance(subject, Configuration) and not subject.design.is_whole

    @property
    def label(self) -> str:
        """The subject, in words."""
        return self.subject.label + ("" if self.dsp else ", no DSP")

    @property
    def place(self) -> dict[str, str | bool]:
        """The target, and whether multiplier blocks may be used."""
        return {"target": self.target, "dsp": self.dsp}

    @property
    def routes(self) -> Mapping[int, float]:
        """Maximum clock of each route, by seed."""
        return self.routing.fmax_mhz if self.routing else {}

    @property
    def computes(self) -> bool | None:
        """Whether every routed netlist computes; `None` unless all have been run."""
        return computing(self.netlist, self.routes)

    @property
    def fmax_mhz(self) -> float | None:
        """Maximum clock frequency in MHz, median over the seeds; `None` without one."""
        return self.routing.median_mhz if self.routing else None

    @property
    def shown_mhz(self) -> float | None:
        """Maximum clock frequency in MHz if every netlist behind it computes; else `None`.

        All statements of a clock, and figures based on one, use this property.
        """
        return self.fmax_mhz if self.computes else None

    @property
    def unshown(self) -> str | None:
        """Why an existing maximum clock is not shown: `NOT_RUN` or `WRONG`; else `None`."""
        if self.fmax_mhz is None or self.computes:
            return None
        return NOT_RUN if self.computes is None else WRONG

    @property
    def misfit(self) -> str | None:
        """Why the design does not fit the target's device; `None` if it fits or this is unknown."""
        if self.routing and self.routing.misfit:
            return self.routing.misfit
        return self.utilisation.shortage(find_target(self.target))

    def at(self, kind: str, clock_mhz: float) -> Figures:
        """Times of an operation kind at a clock in MHz."""
        figures = self.operations[kind]
        cycles = figures.cycles
        return Figures(
            clock_mhz,
            seconds_of(figures.setup_cycles.mean, clock_mhz),
            seconds_of(cycles.minimum, clock_mhz),
            seconds_of(cycles.mean, clock_mhz),
            seconds_of(cycles.maximum, clock_mhz),
            clock_mhz * 1e6 * (figures.bases * figures.modulus_bits / max(cycles.mean, 1)),
        )

    def to_json(self) -> dict[str, Any]:
        """The Record as JSON: measurements without derived figures."""
        routing = self.routing
        return {
            "schema": SCHEMA,
            "design": self.design,
            "parameters": dict(self.parameters),
            "target": self.target,
            "dsp_allowed": self.dsp,
            "cells": dict(self.utilisation.cells),
            **({"placed": self.placed} if self.placed is not None else {}),
            "routing": routing
            and {
                "misfit": routing.misfit,
                "fmax_mhz_by_seed": {str(seed): mhz for seed, mhz in routing.fmax_mhz.items()},
                "critical_path_by_seed": {
                    str(seed): vars(path) for seed, path in routing.critical.items()
                },
            },
            "operations": {kind: each.to_json() for kind, each in self.operations.items()},
            **({"netlist": self.netlist.to_json()} if self.netlist else {}),
            "provenance": {**self.provenance.to_json(), "seeds": list(self.provenance.seeds)},
        }

    def to_report(self, clock_mhz: float | None = None) -> dict[str, Any]:
        """The same with derived figures, for programs.

        Args:
            clock_mhz: a clock at which times are stated in addition to the maximum one.
        """
        target = find_target(self.target)
        clocks = {"at_stated_clock": clock_mhz, "at_fmax": self.fmax_mhz}
        return {
            **self.to_json(),
            "device": f"{target.family} {target.device}, speed grade {target.speed_grade}",
            "utilisation": {**vars(self.utilisation), "cells": dict(self.utilisation.cells)},
            "misfit": self.misfit,
            "fmax_mhz": self.fmax_mhz,
            "operations": {
                kind: {
                    **figures.to_json(),
                    **{name: vars(self.at(kind, mhz)) for name, mhz in clocks.items() if mhz},
                }
                for kind, figures in self.operations.items()
            },
        }

    def to_text(self) -> str:
        """The JSON of the file."""
        return json.dumps(self.to_json(), indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "Record":
        """Parse the text of `to_text`.

        Raises:
            InputError: of another schema version, or damaged.
        """
        with parsing(text, SCHEMA, "Record") as data:
            record = cls._parsed(data)
            if record.to_json() != {"schema": SCHEMA, **data}:
                raise InputError("damaged Record: it has more than a Record has")
            return record

    @classmethod
    def _parsed(cls, data: Any) -> "Record":
        routing = data["routing"]
        return cls(
            design=data["design"],
            parameters=data["parameters"],
            target=data["target"],
            dsp=data["dsp_allowed"],
            utilisation=count(data["cells"], find_target(data["target"])),
            routing=routing
            and Routing(
                {int(seed): mhz for seed, mhz in routing["fmax_mhz_by_seed"].items()},
                routing["misfit"],
                {
                    int(seed): CriticalPath(**path)
                    for seed, path in routing["critical_path_by_seed"].items()
                },
            ),
            operations={
                kind: OperationFigures.from_json(figures)
                for kind, figures in data["operations"].items()
            },
            provenance=Provenance.from_json(data["provenance"]),
            netlist=NetlistRuns.from_json(data.get("netlist")),
            placed=data.get("placed"),
        )


def seconds_of(cycles: int, clock_mhz: float) -> float | None:
    """Time of clock cycles; `None` if it exceeds every floating-point number."""
    try:
        seconds = cycles / (clock_mhz * 1e6)
    except OverflowError:
        return None
    return seconds if math.isfinite(seconds) else None
