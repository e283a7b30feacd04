"""The estimate of power from cells, static power, and how far published figures are from them."""

from dataclasses import replace
from typing import Any

import pytest

from totient.common.papers import published
from totient.flow import Utilisation, find_target
from totient.power.by_cells import ERROR, dynamic_watts
from totient.power.static import STATIC, static_watts

EMPTY = Utilisation(lut=0, ff=0, dsp=0, block_ram=0, carry=0, cells={})
MIXED = replace(EMPTY, lut=1000, ff=2000, dsp=10, block_ram=5)
THESIS = published("thesis")


def test_static_power() -> None:
    """The thesis' 91 mW; the ECP5's two supplies: 233 and 65 mW. Other devices have no source."""
    assert static_watts(find_target("artix7-100t")) == 0.091
    assert static_watts(find_target("ecp5-85f")) == pytest.approx(0.2332 + 0.065)
    assert static_watts(find_target("ice40-up5k")) is None
    assert [find_target(name).name for name in STATIC] == [*STATIC]


def test_what_power_consists_of() -> None:
    assert dynamic_watts(EMPTY, 100) == 0
    whole = dynamic_watts(MIXED, 100)
    # As the clock goes, and cell by cell.
    assert dynamic_watts(MIXED, 200) == pytest.approx(2 * whole)
    parts = [
        dynamic_watts(replace(EMPTY, **{cell: getattr(MIXED, cell)}), 100)
        for cell in ("lut", "ff", "dsp", "block_ram")
    ]
    assert all(part > 0 for part in parts)
    assert sum(parts) == pytest.approx(whole)


@pytest.mark.parametrize(
    ("cell", "watts"),
    [
        ("lut", 0.020),  # 0.2 pJ
        ("ff", 0.010),  # 0.1 pJ
        ("dsp", 0.300),  # 3 pJ: three times the product of 18 bits
        ("block_ram", 2 * 0.6),  # 12 pJ: two blocks of 18 Kbit
    ],
)
def test_by_hand(cell: str, watts: float) -> None:
    """1,000 cells of a kind at 100 MHz: a picojoule each cycle is a tenth of a watt."""
    cells: dict[str, Any] = {cell: 1000}
    assert dynamic_watts(replace(EMPTY, **cells), 100) == pytest.approx(watts)


def test_a_mixture_by_hand() -> None:
    """200 + 200 + 30 + 60 pJ at 100 MHz."""
    assert dynamic_watts(MIXED, 100) == pytest.approx(0.049)


@pytest.mark.parametrize("row", ["T1", "T2"])
def test_the_designs_that_it_is_set_by(row: str) -> None:
    """Vivado's figures for them are met within a factor of 1.5."""
    figures = zip(
        THESIS["lut"][row], THESIS["ff"][row], THESIS["power"]["dynamic"][row], strict=True
    )
    for lut, ff, watts in figures:
        ours = dynamic_watts(replace(EMPTY, lut=lut, ff=ff), THESIS["clock_mhz"])
        assert watts / 1.5 < ours < watts * 1.5


def test_what_it_does_not_know() -> None:
    """T3's power is off by more than the stated error: no count of cells has glitches."""
    row = THESIS["lut"]["T3"], THESIS["ff"]["T3"], THESIS["power"]["dynamic"]["T3"]
    for lut, ff, watts in zip(*row, strict=True):
        less = watts / dynamic_watts(replace(EMPTY, lut=lut, ff=ff), THESIS["clock_mhz"])
        assert ERROR < less < 8.1


@pytest.mark.parametrize("row", ["T2", "T3"])
def test_the_papers_energies_are_its_powers_and_times(row: str) -> None:
    power, spread = THESIS["power"], THESIS["spread"][row]
    times = list(spread["mean"])
    if row == "T2":
        times[0] = spread["minimum"][0]  # results/published/thesis.toml, notes
    for joules, dynamic, seconds in zip(
        THESIS["energy"][row], power["dynamic"][row], times, strict=True
    ):
        assert joules == pytest.approx((power["static"] + dynamic) * seconds, rel=0.01)
