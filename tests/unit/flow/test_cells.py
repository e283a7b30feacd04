"""Models of hard blocks for netlists beside those of `rtl/prim`, which they share nothing with."""

import re
from pathlib import Path

import pytest

from totient.catalog import SourceList, Top
from totient.common.errors import ToolError
from totient.flow import TARGETS
from totient.flow.netlist_verilog import models
from totient.sim import Model, build_listing

from .conftest import with_prim

PIECES = ("multiply_registered", "ram_registered", "rom_registered")
CELLS = {"ecp5-85f": ("MULT18X18D", "DP16KD"), "artix7-100t": ("DSP48E1", "RAMB18E1")}
CYCLES = 30_000


def both(folder: Path, change: tuple[str, str] = ("", "")) -> SourceList:
    """`rtl/prim` twice: with its own cells, renamed, and, as `..._cells`, with those of netlists.

    Args:
        folder: for the renamed files.
        change: a piece of the models for netlists, and what stands there instead.
    """
    listing = with_prim("equal_cells.sv", *PIECES)
    *files, top = listing.files
    own = "|".join(cell for cells in CELLS.values() for cell in cells)
    written = []
    for file in files:
        text = file.read_text()
        written.append(folder / file.name)
        written[-1].write_text(re.sub(rf"\b({own})\b", r"prim_\1", text))
        if file.stem in PIECES:
            written.append(folder / f"{file.stem}_cells.sv")
            written[-1].write_text(re.sub(rf"\b{file.stem}\b", rf"{file.stem}_cells", text))
    for target, cells in CELLS.items():
        text = models(cells, TARGETS[target])
        assert not change[0] or change[0] in text or target != "ecp5-85f"
        written.append(folder / f"{target}.v")
        written[-1].write_text(text.replace(*change) if change[0] else text)
    return SourceList((*written, top), listing.headers)


def run(listing: SourceList) -> None:
    """Compare for a while; a difference ends it with `ToolError`."""
    top = Top("", "equal_cells", {}, frozenset(), "equal_cells")
    library = build_listing(listing, top, checked=True, further=["-Wno-fatal"])
    with Model(library) as model:
        model.advance(CYCLES)


def test_they_do_as_those_of_the_rtl_where_both_know(tmp_path: Path) -> None:
    """Every setting, width and pin that `rtl/prim` uses."""
    run(both(tmp_path))


def test_a_difference_is_seen(tmp_path: Path) -> None:
    listing = both(tmp_path, ("else if (enable) value_q <= data;", "else value_q <= data;"))
    with pytest.raises(ToolError, match="form 1: a product is"):
        run(listing)


LOOPS = """
module loops (input wire aclk, input wire aresetn);
  wire [3:0] feedback, locked, clocks;
  reg [3:0] lost = 0;
  reg [4:0] count = 0;
  PLLE2_BASE u0 (.CLKIN1(aclk), .CLKFBIN(feedback[0]), .CLKFBOUT(feedback[0]),
                 .RST(1'b0), .PWRDWN(1'b0), .CLKOUT0(clocks[0]), .LOCKED(locked[0]));
  PLLE2_BASE u1 (.CLKIN1(aclk), .CLKFBIN(1'b0), .CLKFBOUT(feedback[1]),
                 .RST(1'b0), .PWRDWN(1'b0), .CLKOUT0(clocks[1]), .LOCKED(locked[1]));
  PLLE2_BASE u2 (.CLKIN1(aclk), .CLKFBIN(feedback[2]), .CLKFBOUT(feedback[2]),
                 .RST(1'b1), .PWRDWN(1'b0), .CLKOUT0(clocks[2]), .LOCKED(locked[2]));
  PLLE2_BASE u3 (.CLKIN1(aclk), .CLKFBIN(feedback[3]), .CLKFBOUT(feedback[3]),
                 .RST(1'b0), .PWRDWN(1'b1), .CLKOUT0(clocks[3]), .LOCKED(locked[3]));
  always @* lost = lost | ~locked;
  always @(posedge clocks[0]) count <= count + 1;
  always @(posedge clocks[2], posedge clocks[3]) assert (0) else $error("a stopped clock runs");
  always @(posedge aclk) if (count == 20) assert (lost == 4'b1110) else $error("lost %b", lost);
  always @(posedge aclk) if (count == 21) $fatal(1, "end");
endmodule
"""


@pytest.mark.parametrize("change", [("", ""), ("CLKFBIN == CLKIN1", "1"), ("!RST && ", "")])
def test_the_loop_of_7_series_locks_with_its_feedback_alone(
    change: tuple[str, str], tmp_path: Path
) -> None:
    """Open feedback, reset and power-down lose it; with a change of the model one does not."""
    (tmp_path / "loops.v").write_text(LOOPS)
    text = models(["PLLE2_BASE"], TARGETS["artix7-100t"])
    assert change[0] in text
    (tmp_path / "cells.v").write_text(text.replace(*change) if change[0] else text)
    files = (tmp_path / "cells.v", tmp_path / "loops.v")
    top = Top("", "loops", {}, frozenset(), "loops")
    library = build_listing(SourceList(files, ()), top, checked=True, further=["-Wno-fatal"])
    with (
        pytest.raises(ToolError, match="lost|stopped" if change[0] else "end"),
        Model(library) as m,
    ):
        m.advance(100)
