"""Netlists that run: what they leave unknown, and defects that only a netlist can have."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from totient.catalog import Face, Top
from totient.check import Netlist
from totient.common.errors import ToolError
from totient.flow import TARGETS, Rtl, netlist_files
from totient.flow.netlist_verilog import models, verilog
from totient.sim import Model, build_netlist_model

from .conftest import netlist_of, with_prim

ECP5 = TARGETS["ecp5-85f"]
FORMS = {"ecp5-85f": 1, "artix7-100t": 2}
STARTS = Netlist.unknowns  # what a check uses
TOP = Top("", "blocks", {}, frozenset({Face.STREAM}), "blocks")
CONTENT = int("9E3779B9" * 16, 16) << 3

Json = dict[str, Any]


@cache
def rtl(form: int) -> Rtl:
    """`blocks.sv`, out of a device's blocks."""
    pieces = ("multiply_registered", "ram_registered", "rom_registered")
    return Rtl(with_prim("blocks.sv", *pieces), "blocks", {"Form": form})


def synthesise(target: str) -> Json:
    """The netlist of `blocks.sv`."""
    return netlist_of(rtl(FORMS[target]), TARGETS[target])


def is_right(netlist: Json, target: str = ECP5.name) -> bool:
    """Whether a synthesised netlist works."""
    return answers_right(netlist_files(json.dumps(netlist), TARGETS[target]))


def answers_right(files: Sequence[Path]) -> bool:
    """Whether a netlist answers packets as it should, whatever it leaves unknown."""
    library = build_netlist_model(files, TOP)
    for start in STARTS:
        with Model(library, unknowns=start) as model:
            model.pause_at_random(start)
            draw, words = Random(start), 0
            for _ in range(10):
                request = [draw.getrandbits(32) for _ in range(draw.randint(1, 5))]
                x, expected = request[0] >> 16, []
                for word in request:
                    place = 32 * (words % 16)
                    expected.append(x * (word & 0xFFFF) ^ CONTENT >> place & 0xFFFF_FFFF)
                    words += 1
                try:
                    answer = model.exchange(request, limit=1000)
                except ToolError:
                    return False
                if answer != expected:
                    return False
    return True


def cells(netlist: Json, kind: str) -> list[dict[str, Any]]:
    """The cells of a type."""
    found: list[dict[str, Any]] = [
        cell for cell in netlist["modules"]["blocks"]["cells"].values() if cell["type"] == kind
    ]
    return found


@pytest.mark.parametrize("target", FORMS)
def test_blocks_of_a_device_work(cache: Path, target: str) -> None:
    assert is_right(synthesise(target), target)


def open_enable(netlist: Json) -> None:
    """The defect of November 2026: B, pipeline and output registers on a CE1 that is open."""
    (multiplier,) = cells(netlist, "MULT18X18D")
    settings, pins = multiplier["parameters"], multiplier["connections"]
    settings |= {f"REG_{register}_CE": "CE1" for register in ("INPUTB", "PIPELINE", "OUTPUT")}
    settings["REG_INPUTA_CE"] = "CE0"
    pins["CE0"] = pins.pop("CE1")


def neighbours_enable(netlist: Json) -> None:
    """The same, as it was routed: the open CE1 has become another multiplier's enable."""
    open_enable(netlist)
    (multiplier,) = cells(netlist, "MULT18X18D")
    multiplier["connections"]["CE1"] = multiplier["connections"]["CE0"]


def setting(kind: str, name: str, value: str) -> Callable[[Json], None]:
    """Another setting of the first cell of a type."""

    def change(netlist: Json) -> None:
        cells(netlist, kind)[0]["parameters"][name] = value

    return change


def open_reset(netlist: Json) -> None:
    """Of the multiplier."""
    del cells(netlist, "MULT18X18D")[0]["connections"]["RST0"]


def no_reset(netlist: Json) -> None:
    """Registers that are not reset begin with anything, not with what their cell's model says."""
    for cell in cells(netlist, "TRELLIS_FF"):
        cell["connections"]["LSR"] = ["0"]


def one_content_bit(netlist: Json) -> None:
    """One bit of the table."""
    (table, *_) = (c for c in cells(netlist, "DP16KD") if "1" in c["parameters"]["INITVAL_00"])
    bits = table["parameters"]["INITVAL_00"]
    table["parameters"]["INITVAL_00"] = bits[:-1] + "10"[int(bits[-1])]


def one_lut_bit(netlist: Json) -> None:
    """One INIT bit of a LUT that makes a bit of the answer: that of its inputs all high."""
    (register,) = (
        cell
        for cell in cells(netlist, "TRELLIS_FF")
        if cell["connections"]["Q"]
        == [netlist["modules"]["blocks"]["ports"]["m_axis_tdata"]["bits"][7]]
    )
    (lut,) = (
        c for c in cells(netlist, "LUT4") if c["connections"]["Z"] == register["connections"]["DI"]
    )
    inputs = [lut["connections"][pin][0] for pin in "ABCD"]
    place = sum(1 << at for at, wire in enumerate(inputs) if wire != "0")
    bits = list(lut["parameters"]["INIT"])
    bits[-1 - place] = "10"[int(bits[-1 - place])]
    lut["parameters"]["INIT"] = "".join(bits)


DEFECTS = {
    "open enable": open_enable,
    "a neighbour's enable": neighbours_enable,
    "open reset": open_reset,
    "no reset": no_reset,
    "a bit of a table": one_content_bit,
    "a bit of a LUT": one_lut_bit,
    "output enable": setting("MULT18X18D", "REG_OUTPUT_CE", "CE1"),
    "no pipeline": setting("MULT18X18D", "REG_PIPELINE_CLK", "NONE"),
    "a block RAM that answers too early": setting("DP16KD", "REGMODE_B", "NOREG"),
}


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
def test_a_defect_of_the_netlist_is_noticed(cache: Path, defect: Callable[[Json], None]) -> None:
    netlist = synthesise(ECP5.name)
    defect(netlist)
    assert not is_right(netlist)


def one_cell(kind: str, settings: Mapping[str, str], **pins: str | int) -> Json:
    """A netlist of a cell, with a bit at each pin."""
    cell = {
        "type": kind,
        "parameters": dict(settings),
        "connections": {pin: [bit] for pin, bit in pins.items()},
    }
    ports = {"data_i": {"direction": "input", "bits": [2]}}
    module = {"attributes": {"top": "1"}, "ports": ports, "cells": {"cell": cell}}
    return {"modules": {"one": module}}


def test_open_pins_are_unknown_unless_a_source_says_more() -> None:
    multiplier = verilog(one_cell("MULT18X18D", {}, A0=2), ECP5)
    assert ".A0({n2})" in multiplier
    assert ".A1({1'b0})" in multiplier
    assert ".CE0(" not in multiplier  # nothing drives it: the simulation draws it
    assert ".CE({1'b1})" in verilog(one_cell("DCCA", {}, CLKI=2), ECP5)
    memory = verilog(one_cell("DP16KD", {}, CEA=2, OCEB="x"), ECP5)
    for pin, value in {"CEA": "n2", "CEB": "1'b1", "OCEB": "1'bx", "WEB": "1'b0"}.items():
        assert f".{pin}({{{value}}})" in memory


def test_texts_that_look_like_numbers_stay_texts() -> None:
    settings = {"CEMUX": "1 ", "REGSET": "SET", "INIT": "01x0"}
    text = verilog(one_cell("TRELLIS_FF", settings, CLK=2), ECP5)
    assert '.CEMUX("1"), .REGSET("SET"), .INIT(4\'b01x0)' in text


def test_a_cell_without_a_model_is_named() -> None:
    with pytest.raises(ToolError, match="no model of the cell DCUA of ecp5-85f"):
        models({"LUT4", "DCUA"}, ECP5)


@pytest.mark.parametrize(
    ("kind", "setting", "value"),
    [
        ("MULT18X18D", "MULT_BYPASS", "ENABLED"),
        ("DP16KD", "DIA3MUX", "INV"),
    ],
)
def test_a_setting_without_a_model_stops_the_simulation(
    cache: Path, kind: str, setting: str, value: str
) -> None:
    netlist = synthesise(ECP5.name)
    for cell in cells(netlist, kind):
        cell["parameters"][setting] = value
    library = build_netlist_model(netlist_files(json.dumps(netlist), ECP5), TOP)
    with (
        Model(library) as model,
        pytest.raises(ToolError, match=f"{kind} has no model for .*{value}"),
    ):
        model.advance(10)
