"""Synthesis: real runs, the cache, failing tools."""

from pathlib import Path

import pytest

from totient.common.errors import ToolError
from totient.flow import TARGETS, processes, synthesise
from totient.flow.processes import Children

from .conftest import module

ECP5, ARTIX7 = TARGETS["ecp5-85f"], TARGETS["artix7-100t"]


def test_accumulator_on_ecp5(cache: Path) -> None:
    used = synthesise(module("accumulator", Width=16), ECP5)
    assert (used.ff, used.carry, used.dsp, used.block_ram) == (16, 8, 0, 0)
    # Two LUTs a carry cell, and the inverter of the reset.
    assert used.lut == 17
    assert used.cells == {"CCU2C": 8, "LUT4": 1, "TRELLIS_FF": 16}


def test_accumulator_on_artix7_has_no_pads(cache: Path) -> None:
    used = synthesise(module("accumulator", Width=16), ARTIX7)
    assert (used.lut, used.ff, used.carry, used.dsp) == (17, 16, 4, 0)
    assert not {"IBUF", "OBUF", "BUFG"} & set(used.cells)


def test_products_with_and_without_multipliers(cache: Path) -> None:
    rtl = module("products", Count=1)
    assert synthesise(rtl, ECP5).dsp == 1
    without = synthesise(rtl, ECP5, dsp=False)
    assert without.dsp == 0
    assert without.lut > synthesise(rtl, ECP5).lut + 150


def test_a_second_call_runs_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rtl = module("accumulator", Width=12)
    first = synthesise(rtl, ECP5)
    monkeypatch.setattr(Children, "run", lambda *_: pytest.fail("Yosys was run again"))
    assert synthesise(rtl, ECP5) == first


def test_a_refused_parameter_is_one_line_with_the_log(empty_cache: Path) -> None:
    with pytest.raises(ToolError) as failed:
        synthesise(module("accumulator", Width=65), ECP5)
    message = str(failed.value)
    assert "Yosys failed on accumulator" in message
    assert "Width must be at most 64" in message
    assert "\n" not in message
    log = Path(message.split("(log: ")[1].rstrip(")"))
    assert "Width must be at most 64" in log.read_text()
    assert list((empty_cache / "synthesis").iterdir()) == []


def test_a_crash_is_one_line(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash = tmp_path / "crash.py"
    crash.write_text("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\n")
    monkeypatch.setattr(processes, "_CHILD", crash)
    with pytest.raises(ToolError, match=r"Yosys failed on accumulator: ended by SIGSEGV \(log: "):
        synthesise(module("accumulator"), ECP5)
