"""Room for a configuration on a device, and a clock for it, as far as Records show them."""

import math

from totient.catalog import Configuration, IpConfiguration, command_words
from totient.flow import TARGETS, Target
from totient.measure import allowed_clock, lookup


def room(subject: Configuration | IpConfiguration, target: Target) -> str | None:
    """What is known against a configuration on a device, in a sentence without a full stop.

    Args:
        subject: with the parameters for the device.
        target: the device.

    Returns:
        Why it does not fit, or that nobody has measured it; `None`: by its Record it fits.
    """
    if record := lookup(subject, target, True):
        return f"{target.name}: it {record.misfit}" if record.misfit else None
    measure = f"totient measure {command_words(subject)} --target {target.name}"
    for other in TARGETS.values():
        known = lookup(subject, other, True) if other.family == target.family else None
        if known and (shortage := known.utilisation.shortage(target)):
            return f"{target.name}: it {shortage}, by its Record on {other.name}"
    if isinstance(subject, Configuration):
        needed, there = subject.design.multipliers(subject.parameters), target.available.dsp
        if needed > there:
            return f"{target.name}: it does not fit: {needed} of {there} {target.words['dsp']}"
    return f"{target.name}: nobody has measured whether it fits, `{measure}` does"


def recorded_clock(subject: Configuration | IpConfiguration, target: Target) -> float | None:
    """The clock in MHz that the Record on a device allows; `None`: it states none.

    Args:
        subject: with the parameters for the device.
        target: the device.
    """
    record = lookup(subject, target, True)
    if record is None or not record.shown_mhz or record.misfit:
        return None
    return allowed_clock(record.shown_mhz, record.utilisation.dsp)


def default_clock(subject: Configuration | IpConfiguration, target: Target) -> float | None:
    """`recorded_clock`, rounded down."""
    mhz = recorded_clock(subject, target)
    if mhz is None:
        return None
    step = 5 if mhz >= 20 else 1
    return float(max(1, math.floor(mhz / step) * step))
