"""The clock at which cycles are stated as time."""

from dataclasses import replace
from pathlib import Path

import pytest

from totient.catalog import select
from totient.measure import Record, clocks, routed_records, stated_clock, store

TARGET = "ecp5-85f"


def record_of(design: str, width: int, **own: int) -> Record:
    (found,) = (
        each
        for each in routed_records()
        if (each.design, each.target) == (design, TARGET)
        and each.parameters == select(design, width=width, **own).parameters
    )
    return found


def test_a_core_has_the_clock_of_its_record() -> None:
    kept = record_of("montgomery", 64)
    stated = stated_clock(select("T3", width=64), TARGET)
    assert stated is not None
    assert (stated.mhz, stated.record) == (kept.fmax_mhz, kept)


def test_a_core_of_another_width_has_that_of_the_next_wider_one() -> None:
    for width, of in ((32, 32), (33, 64), (65, 256)):
        stated = stated_clock(select("T1", width=width), TARGET)
        assert stated is not None
        # T1 of 128 bits stands in a table of the thesis, and its Record may or may not have run.
        assert stated.record.parameters["width"] in ({of} | ({128} if width == 65 else set()))


def test_the_multipliers_limit_an_engine() -> None:
    stated = stated_clock(select("engine-62", width=1024), TARGET)
    assert stated is not None
    assert stated.mhz == clocks.clock_limit() == 225
    assert (stated.record.parameters["elements"], stated.record.parameters["form"]) == (62, 1)
    assert (stated.record.fmax_mhz or 0) > 225


@pytest.mark.parametrize(
    ("design", "own"),
    [
        ("T3", {"width": 2048}),  # wider than any Record
        ("T2", {"width": 64, "fixed_time": 1}),  # other parameters than any
        ("N2", {"width": 64, "digit_bits": 3}),
    ],
)
def test_a_core_without_a_record_has_none(design: str, own: dict[str, int]) -> None:
    assert stated_clock(select(design, **own), TARGET) is None


def test_a_netlist_that_has_not_been_run_has_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = record_of("montgomery", 64)
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path)
    for record, has_one in (
        (kept, True),
        (replace(kept, netlist=None), False),
        (replace(kept, target="ecp5-25f"), False),
        (replace(kept, target="ecp5-85f-6"), False),
        (replace(kept, dsp=False), False),
    ):
        path = store.save(record)
        assert (stated_clock(select("T3", width=64), TARGET) is not None) == has_one
        path.unlink()
