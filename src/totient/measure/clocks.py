"""The clock at which a core's cycles are stated as time: always that of a Record."""

from dataclasses import dataclass

from totient.catalog import Configuration
from totient.common.papers import published
from totient.flow import find_target
from totient.measure.record import Record
from totient.measure.store import committed


@dataclass(frozen=True)
class StatedClock:
    """A clock from a Record.

    Attributes:
        mhz: limited to that of the device's multipliers.
        record: its Record, whose routed netlists compute.
    """

    mhz: float
    record: Record


def clock_limit() -> float:
    """Highest clock, in MHz, of the ECP5's multiplier blocks. nextpnr does not model it."""
    return float(published("field")["limits"]["dsp_mhz"])


def allowed_clock(mhz: float, dsp: float) -> float:
    """A routed clock, in MHz, limited to that of the multiplier blocks if the design has any."""
    return min(mhz, clock_limit()) if dsp else mhz


def stated_clock(configuration: Configuration, target: str) -> StatedClock | None:
    """A design's routed clock, from the Record of its width or of the next larger one.

    Args:
        configuration: the design with its parameters.
        target: the device.

    Returns:
        `None` if no such Record has netlists that compute.
    """
    suited = configuration.suited(find_target(target).family)
    required = {**suited.parameters, "width": 0}
    found = [
        record
        for _, record in committed(suited.name, target)
        if record.computes
        and record.fmax_mhz is not None
        and record.dsp
        and {**record.parameters, "width": 0} == required
        and record.parameters["width"] >= suited.width
    ]
    if not found:
        return None
    record = min(found, key=lambda each: each.parameters["width"])
    assert record.fmax_mhz is not None
    return StatedClock(allowed_clock(record.fmax_mhz, record.utilisation.dsp), record)
