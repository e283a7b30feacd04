"""Energy of a cycle from the committed activity Records, for tables that simulate nothing."""

import pytest

from totient.catalog import Configuration, find_subject
from totient.compare.energy import growth_error
from totient.flow import find_target
from totient.measure.activity import kept_activity
from totient.measure.power import kept_energy
from totient.power.by_activity import cycle_energy


def subject(name: str, **parameters: int) -> Configuration:
    found = find_subject(name, **parameters)
    assert isinstance(found, Configuration)
    return found


@pytest.mark.parametrize(("target", "width"), [("artix7-100t", 1024), ("ecp5-85f", 256)])
def test_a_design_with_a_record_has_its_own(target: str, width: int) -> None:
    device = find_target(target)
    design = subject("N6", width=width).suited(device.family)
    record = kept_activity(design, device, dsp=True)
    assert record is not None
    found = kept_energy(design, device)
    assert found is not None
    assert found.scaled_from is None
    assert found.energy == cycle_energy(record.switching, device)


@pytest.mark.parametrize(("width", "source"), [(100, 128), (500, 512), (700, 512), (2048, 1024)])
def test_another_width_has_that_of_the_nearest(width: int, source: int) -> None:
    """T2 has Records of six widths on an Artix-7, where the clock's network has no energy."""
    device = find_target("artix7-100t")
    near = kept_activity(subject("T2", width=source), device, dsp=True)
    assert near is not None
    found = kept_energy(subject("T2", width=width), device)
    assert found is not None
    assert found.scaled_from == source
    expected = cycle_energy(near.switching, device).total * width / source
    assert found.energy.total * 1e12 == pytest.approx(expected * 1e12)


def test_the_same_structure_only() -> None:
    """N1 and N2 have activities with 256 bits; the next digit size has none."""
    device = find_target("ecp5-85f")
    assert kept_energy(subject("digit_serial", width=512, digit_bits=1), device) is not None
    assert kept_energy(subject("digit_serial", width=512, digit_bits=3), device) is None


def test_an_engine_has_its_own_or_none() -> None:
    """Memories of an engine do not grow with its width as an array does."""
    device = find_target("ecp5-85f")
    assert kept_energy(subject("engine-8").suited(device.family), device) is not None
    assert kept_energy(subject("engine-8", width=2048).suited(device.family), device) is None


def test_a_device_without_activities() -> None:
    assert kept_energy(subject("T2", width=64), find_target("ice40-up5k")) is None


def test_the_stated_error_of_proportion() -> None:
    """By hand from docs/power.md: T1 9.45 and 39.7 mW, T2 10.9 and 43.3, T3 177 and 739."""
    by_hand = max(abs(4 * low / high - 1) for low, high in ((9.45, 39.7), (10.9, 43.3), (177, 739)))
    assert growth_error() == pytest.approx(by_hand, abs=0.005)
