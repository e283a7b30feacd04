"""Records on devices outside the comparison tables: the boards' speed grades, small devices."""

from collections.abc import Iterator

from totient.catalog import find_subject, select
from totient.flow import find_target
from totient.measure import kinds_of
from totient.reproduce.results import Measurement

GRADES = (("engine-8", "ecp5-25f"), ("engine-8", "ecp5-25f-6"))
"""Engines by the device and speed grade of a board. For the 85F of grade 6 it is engine-64's
Record of the ULX3S, with its serial line."""

SMALL = (
    ("ice40-up5k", ("T1", "T2", *(f"N{number}" for number in range(1, 7))), 32),
    ("ice40-up5k", ("T1", "T2"), 64),
    ("gowin-gw1nr9", ("T1", "T2"), 32),
)
"""Designs that fit a small device, with their width."""

SMALL_IPS = (("ice40-up5k", "D6", True), ("ice40-up5k", "B1", True), ("gowin-gw1nr9", "B1", False))
"""IPs that fit a small device, and whether with the device's multiplier blocks."""


def measurements(widest: int) -> Iterator[Measurement]:
    """These Records, up to a width."""
    for name, device in GRADES:
        target = find_target(device)
        engine = select(name).suited(target.family)
        if engine.width <= widest:
            yield Measurement(f"{name} on {device}", engine, target, kinds_of(engine))
    for device, rows, width in SMALL:
        for row in rows if width <= widest else ():
            design = find_subject(row, width=width)
            yield Measurement(f"{row} on {device}", design, find_target(device), kinds_of(design))
    for device, row, dsp in SMALL_IPS:
        ip = find_subject(row)
        if ip.width <= widest:
            yield Measurement(f"{row} on {device}", ip, find_target(device), kinds_of(ip), dsp)
