"""Records on devices outside the comparison tables: the boards' speed grades, small devices."""

from collections.abc import Iterator, Mapping

from totient.catalog import Configuration, find_subject
from totient.flow import find_target
from totient.measure import kinds_of
from totient.reproduce.results import Measurement

GRADES = (("engine-8", "ecp5-25f"), ("engine-8", "ecp5-25f-6"))
"""Engines by the device and speed grade of a board. For the 85F of grade 6 it is engine-62's
Record of the ULX3S, with its serial line."""

OTHER_WIDTHS = (
    ("engine-1", "ecp5-25f-6", 2048),
    ("engine-8", "ecp5-25f-6", 2048),
    ("engine-62", "ecp5-85f", 2048),
    ("engine-62", "ecp5-85f", 8192),
)
"""Engines for shorter and for longer keys than the tables of the field have, by device."""

_ICE40, _GOWIN = "ice40-up5k", "gowin-gw1nr9"
SMALL: tuple[tuple[str, str, Mapping[str, int], bool], ...] = (
    *((f"T{number}", _ICE40, {"width": 32}, True) for number in (1, 2)),
    *((f"N{number}", _ICE40, {"width": 32}, True) for number in range(1, 7)),
    *((f"T{number}", _ICE40, {"width": 64}, True) for number in (1, 2)),
    *((f"T{number}", _GOWIN, {"width": 32}, True) for number in (1, 2)),
    *(("D6", _ICE40, {}, True), ("B1", _ICE40, {}, True), ("B1", _GOWIN, {}, False)),
)
"""Designs and IPs that fit a small device: row, device, parameters, and whether with the device's
multiplier blocks."""


def measurements() -> Iterator[Measurement]:
    """These Records."""
    for row, device, parameters, dsp in (
        *((*each, {}, True) for each in GRADES),
        *((row, device, {"width": width}, True) for row, device, width in OTHER_WIDTHS),
        *SMALL,
    ):
        target, subject = find_target(device), find_subject(row, **parameters)
        if isinstance(subject, Configuration):
            subject = subject.suited(target.family)
        yield Measurement(f"{row} on {device}", subject, target, kinds_of(subject), dsp)
