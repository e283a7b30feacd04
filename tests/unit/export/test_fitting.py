"""What is known of the room for a configuration, and of its clock, by the committed Records."""

import dataclasses

import pytest

from totient.catalog import Configuration, find_subject
from totient.export import default_clock, fitting, room
from totient.flow import find_target
from totient.measure import lookup


def suited(name: str, device: str, **given: int) -> Configuration:
    """A design with the parameters for a device."""
    subject = find_subject(name, **given)
    assert isinstance(subject, Configuration)
    return subject.suited(find_target(device).family)


@pytest.mark.usefixtures("not_stale")
@pytest.mark.parametrize(
    ("name", "given", "device", "said"),
    [
        ("engine-62", {}, "ecp5-85f", None),
        (
            "engine-62",
            {},
            "ecp5-25f",
            "does not fit: 124 of 28 MULT18X18D, by its Record on ecp5-85f",
        ),
        ("engine", {"elements": 128}, "ecp5-85f", "does not fit: 256 of 156 MULT18X18D"),
        ("T3", {"width": 72}, "ecp5-85f", "measure montgomery --width 72 --target ecp5-85f` does"),
        ("T3", {"width": 64}, "artix7-100t", None),
    ],
)
def test_room(name: str, given: dict[str, int], device: str, said: str | None) -> None:
    found = room(suited(name, device, **given), find_target(device))
    assert found is None if said is None else said in str(found)


@pytest.mark.usefixtures("not_stale")
@pytest.mark.parametrize(
    ("name", "given", "device", "mhz"),
    [
        ("T2", {}, "ecp5-85f", 20),
        ("T3", {"width": 64}, "ecp5-85f", 65),
        ("T3", {"width": 64}, "artix7-100t", None),
        ("T3", {"width": 72}, "ecp5-85f", None),
    ],
)
def test_the_clock_is_below_that_of_the_record(
    name: str, given: dict[str, int], device: str, mhz: float | None
) -> None:
    assert default_clock(suited(name, device, **given), find_target(device)) == mhz


@pytest.mark.usefixtures("not_stale")
def test_a_clock_of_a_netlist_that_was_not_run_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    target = find_target("ecp5-85f")
    record = lookup(suited("T2", target.name), target, True)
    assert record
    unrun = dataclasses.replace(record, netlist=None)
    monkeypatch.setattr(fitting, "lookup", lambda *given: unrun)
    assert default_clock(suited("T2", target.name), target) is None
