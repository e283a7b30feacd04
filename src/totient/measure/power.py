"""Power of a design and energy of its operations, from an activity Record and cycle formulas."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from totient.catalog import Configuration
from totient.common.errors import InputError
from totient.flow import Target
from totient.measure.activity import (
    ActivityRecord,
    committed_activity,
    kept_activity,
    measure_activity,
)
from totient.measure.clocks import stated_clock
from totient.measure.cycles import cycles_by_formula
from totient.measure.kinds import check_subject_kind
from totient.power.by_activity import CycleEnergy, cycle_energy
from totient.power.fabrics import weights_of
from totient.power.static import device_watts, static_watts

DEFAULT_MHZ = 10.0
"""The clock of the thesis' power figures."""

_MOST_CYCLES = 10**18
"""Of an operation with an energy: longer ones are formulas only, such as T1's private ones."""


@dataclass(frozen=True)
class OperationEnergy:
    """Energy of one operation, in joules.

    Attributes:
        kind: of the operation.
        cycles: clock cycles (mean), by the catalog's formula.
        dynamic: of the design.
        whole: with the static energy of the device; `None`: no source of its static power, or no
            clock.
    """

    kind: str
    cycles: int
    dynamic: float
    whole: float | None


@dataclass(frozen=True)
class PowerFigures:
    """Power of a design at a clock, an estimate.

    Attributes:
        record: the activity behind it.
        target: the device.
        clock_mhz: the clock.
        energy: dynamic energy of a cycle.
        static: power of the whole device in watts; `None`: no source.
        operations: energies.
    """

    record: ActivityRecord
    target: Target
    clock_mhz: float
    energy: CycleEnergy
    static: float | None
    operations: Sequence[OperationEnergy]

    @property
    def label(self) -> str:
        """The design and the device."""
        dsp = "" if self.record.dsp else ", no DSP"
        return f"{self.record.subject.label}{dsp} on {self.target.name}"

    @property
    def clock_hz(self) -> float:
        """The clock in Hz."""
        return self.clock_mhz * 1e6

    @property
    def dynamic(self) -> Sequence[tuple[str, float]]:
        """Power in watts by kind."""
        return [(kind, joules * self.clock_hz) for kind, joules in self.energy.by_kind.items()]

    @property
    def dynamic_total(self) -> float:
        """Dynamic power in watts."""
        return self.energy.total * self.clock_hz

    @property
    def cycle_pj(self) -> float:
        """Dynamic energy of a cycle in pJ."""
        return self.energy.total * 1e12

    @property
    def notes(self) -> tuple[str, ...]:
        """How the figures were made, and how far off they can be."""
        switching, weights = self.record.switching, weights_of(self.target)
        where = "nextpnr's routing" if switching.routed else "the number of readers of each net"
        share = self.energy.blocks / self.energy.total
        return (
            f"Transitions of every net in {switching.cycles:,} cycles of one operation "
            f"({self.record.operation}) on the synthesised netlist, with the delays of its cells. "
            f"Delays of wires: from {where}",
            f"{weights.transition * 1e12:.3g} pJ a transition of a routing wire: "
            f"{weights.sources[1]}",
            f"{weights.network * 1e12:.3g} pJ a cycle in the clock's network: {weights.sources[0]}",
            f"Dynamic power may be {self.energy.error:.2g} times too large or too small. "
            f"{share:.0%} of it is inside multipliers and block memories, for which the factor is "
            f"{weights.block_error:g}",
        )

    def to_report(self) -> dict[str, Any]:
        """The figures for programs, as JSON: power in watts, energy in joules."""
        return {
            "design": self.record.design,
            "parameters": dict(self.record.parameters),
            "target": self.target.name,
            "dsp": self.record.dsp,
            "clock_mhz": self.clock_mhz,
            "power_watts": {"static": self.static, "dynamic": dict(self.dynamic)},
            "dynamic_watts": self.dynamic_total,
            "error_factor": self.energy.error,
            "operations": {each.kind: _figures(each) for each in self.operations},
            "activity": self.record.switching.to_json(),
            "method": list(self.notes),
        }


def estimate_power(
    subject: Configuration,
    target: Target,
    kinds: Sequence[str],
    *,
    clock_mhz: float | None = None,
    dsp: bool = True,
    saif: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> PowerFigures:
    """Power of a design at a clock, and energy of its operations.

    Args:
        subject: a design with the parameters for the target (`Configuration.suited`).
        target: an ECP5, an Artix-7 or an iCE40.
        kinds: operation kinds, accepted by `check_subject_kind`.
        clock_mhz: the clock; by default the one at which its cycles are stated as time, or
            `DEFAULT_MHZ`.
        dsp: whether the tools may use multiplier blocks.
        saif: file for the activity of every net; the netlist is then simulated anew.
        say: called with the current step.

    Raises:
        InputError: an unknown kind, or one of too many cycles, or no weights for the target.
        ToolError: a tool failed.
    """
    cycles = {kind: _cycles(subject, kind) for kind in kinds}
    weights_of(target)
    stated = stated_clock(subject, target.name) if dsp else None
    mhz = clock_mhz or (stated.mhz if stated else DEFAULT_MHZ)
    file = (saif, mhz) if saif else None
    record = measure_activity(subject, target, dsp=dsp, saif=file, say=say)
    energy, static = cycle_energy(record.switching, target), static_watts(target)
    operations = [
        operation_energy(kind, count, energy, static, mhz) for kind, count in cycles.items()
    ]
    return PowerFigures(record, target, mhz, energy, static, operations)


@dataclass(frozen=True)
class KeptEnergy:
    """Dynamic energy of a design's cycle from a committed activity Record.

    Attributes:
        energy: of a cycle.
        scaled_from: width in bits of the design whose activity it is, if that is another.
    """

    energy: CycleEnergy
    scaled_from: int | None


def kept_energy(subject: Configuration, target: Target, dsp: bool = True) -> KeptEnergy | None:
    """Dynamic energy of a design's cycle; `None`: no Record.

    Without a Record of its own an exponentiator has the energy of the one that is nearest in width
    and has the same other parameters, times the ratio of the widths. The clock's network takes the
    same at each width.

    Args:
        subject: a design with the parameters for the target (`Configuration.suited`).
        target: the device.
        dsp: whether the tools may use multiplier blocks.

    Raises:
        InputError: a Record is damaged or of another schema.
    """
    if own := kept_activity(subject, target, dsp):
        return KeptEnergy(cycle_energy(own.switching, target), None)
    if subject.key_slots:
        return None
    others = [
        record
        for _, record in committed_activity()
        if (record.design, record.target, record.dsp) == (subject.name, target.name, dsp)
        and {**record.parameters, "width": subject.width} == subject.parameters
    ]
    if not others:
        return None
    nearest = min(others, key=lambda record: abs(record.subject.width - subject.width))
    width = nearest.subject.width
    found = cycle_energy(nearest.switching, target)
    return KeptEnergy(found.times(subject.width / width), width)


def _cycles(subject: Configuration, kind: str) -> int:
    """Cycles of an operation, or `InputError` if it has no energy."""
    check_subject_kind(kind, subject)
    cycles = cycles_by_formula(subject, kind).cycles.mean
    if cycles > _MOST_CYCLES:
        raise InputError(
            f"operation kind is {kind!r}, which takes {subject.name} {Decimal(cycles):.2e} cycles, "
            f"allowed are at most {_MOST_CYCLES:.0e}"
        )
    return cycles


def operation_energy(
    kind: str,
    cycles: int,
    energy: CycleEnergy,
    static: float | None,
    clock_mhz: float | None,
) -> OperationEnergy:
    """Energy of an operation.

    Args:
        kind: of the operation.
        cycles: that it takes.
        energy: of a cycle.
        static: power of the device in watts, if known.
        clock_mhz: the clock, if known.
    """
    dynamic = energy.total * cycles
    if static is None or clock_mhz is None:
        return OperationEnergy(kind, cycles, dynamic, None)
    seconds = cycles / (clock_mhz * 1e6)
    return OperationEnergy(
        kind, cycles, dynamic, device_watts(energy.total, static, clock_mhz) * seconds
    )


def _figures(energy: OperationEnergy) -> Mapping[str, float | None]:
    return {
        "cycles": energy.cycles,
        "dynamic_joules": energy.dynamic,
        "joules_with_static": energy.whole,
    }
