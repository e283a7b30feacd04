"""Counting cells."""

import json

import pytest

from totient.common.errors import InputError, ToolError
from totient.flow import TARGETS, find_target
from totient.flow.utilisation import count, parse_statistics

ECP5, ARTIX7 = TARGETS["ecp5-85f"], TARGETS["artix7-100t"]


def statistics(modules: int = 1, **cells: int) -> str:
    """Output of `stat -json` of Yosys 0.70, shortened."""
    body = {"num_wires": 30, "num_cells": sum(cells.values()), "num_cells_by_type": cells}
    return json.dumps(
        {
            "creator": "Yosys 0.70 (git sha1 28ba3cb92)",
            "invocation": "stat -json -top tiny ",
            "modules": {f"\\m{index}": body for index in range(modules)},
            "design": body,
        }
    )


def test_ecp5_luts_include_carry_and_lut_ram() -> None:
    text = statistics(LUT4=100, CCU2C=10, TRELLIS_DPR16X4=3, PFUMX=9, TRELLIS_FF=7, DP16KD=2)
    used = parse_statistics(text, ECP5)
    assert (used.lut, used.ff, used.carry, used.block_ram, used.dsp) == (132, 7, 10, 2, 0)
    assert used.cells["LUT4"] == 100


def test_7_series_luts_include_shift_registers_and_lut_ram() -> None:
    text = statistics(
        LUT2=5, LUT6=7, INV=1, SRL16E=2, SRLC32E=3, RAM32M=2, RAM64X1D=1, MUXF7=4, CARRY4=6,
        FDRE=8, FDSE=1, DSP48E1=3, RAMB18E1=3, RAMB36E1=1,
    )  # fmt: skip
    used = parse_statistics(text, ARTIX7)
    assert (used.lut, used.ff, used.carry, used.block_ram, used.dsp) == (28, 9, 6, 2.5, 3)


def test_a_cell_of_unknown_cost_is_an_error() -> None:
    with pytest.raises(ToolError, match="unknown cost on ecp5-85f: ALU54B"):
        parse_statistics(statistics(LUT4=1, ALU54B=2), ECP5)


@pytest.mark.parametrize("text", ["", "{}", '{"modules": {}, "design": []}', "[1]"])
def test_damaged_statistics_are_an_error(text: str) -> None:
    with pytest.raises(ToolError, match="statistics cannot be read"):
        parse_statistics(text, ECP5)


def test_statistics_of_a_hierarchy_are_an_error() -> None:
    with pytest.raises(ToolError, match="of 2 modules"):
        parse_statistics(statistics(modules=2, LUT4=1), ECP5)


def test_a_shortage_names_every_resource() -> None:
    assert count({"MULT18X18D": 156, "LUT4": 83_640}, ECP5).shortage(ECP5) is None
    assert (
        count({"MULT18X18D": 260, "DP16KD": 209}, ECP5).shortage(ECP5)
        == "does not fit: 260 of 156 MULT18X18D, 209 of 208 DP16KD"
    )


def test_targets_by_name() -> None:
    assert find_target("ecp5-85f").can_route
    assert not find_target("artix7-100t").can_route
    known = "unknown target 'ice40', known are ecp5-85f, ecp5-85f-7, ecp5-85f-6, ecp5-45f, "
    with pytest.raises(InputError, match=known):
        find_target("ice40")
