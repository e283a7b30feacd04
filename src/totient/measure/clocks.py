"""The clock at which a core's cycles are stated as time: that of a Record, never a habit's."""

from dataclasses import dataclass

from totient.catalog import Configuration
from totient.common.papers import published
from totient.flow import find_target
from totient.measure.netlists import routed_records
from totient.measure.record import Record


@dataclass(frozen=True)
class StatedClock:
    """A clock that a Record has.

    Attributes:
        mhz: as far as the device's multipliers allow it.
        record: its Record, whose routed netlists compute.
    """

    mhz: float
    record: Record


def clock_limit() -> float:
    """Highest clock, in MHz, that the ECP5's multiplier blocks allow; nextpnr does not know it."""
    return float(published("field")["limits"]["dsp_mhz"])


def allowed_clock(mhz: float, dsp: float) -> float:
    """A routed clock, in MHz, as far as the multiplier blocks allow it that a design has."""
    return min(mhz, clock_limit()) if dsp else mhz


def stated_clock(configuration: Configuration, target: str) -> StatedClock | None:
    """The routed clock of a design, of the Record that is as wide as it, or the next wider one.

    Args:
        configuration: the design with its parameters.
        target: the device.

    Returns:
        `None` where no Record has one whose netlists compute.
    """
    suited = configuration.suited(find_target(target).family)
    wanted = {**suited.parameters, "width": 0}
    found = [
        record
        for record in routed_records()
        if record.design == suited.name
        and record.target == target
        and record.computes
        and record.dsp
        and {**record.parameters, "width": 0} == wanted
        and record.parameters["width"] >= suited.width
    ]
    if not found:
        return None
    record = min(found, key=lambda each: each.parameters["width"])
    assert record.fmax_mhz is not None  # a routed one has it
    return StatedClock(allowed_clock(record.fmax_mhz, record.utilisation.dsp), record)
