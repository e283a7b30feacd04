"""The core that a command puts on a board where none is named."""

import pytest

from tests.unit.conftest import Run
from totient.cli.boards import on_board
from totient.flow import find_target
from totient.flow.boards import BOARDS


@pytest.mark.parametrize("name", [b.name for b in BOARDS.values() if b.is_ecp5 or b.is_7series])
def test_the_default_is_an_engine_that_the_board_has_blocks_for(name: str) -> None:
    """Blocks as Records of the engine have them; a serial port takes a block RAM."""
    board, chosen = on_board(name, None, None, None, None)
    available = find_target(board.target).available
    assert (chosen.name, chosen.parameters["elements"]) == ("engine", 8)
    assert chosen.parameters["form"] == (2 if board.is_7series else 1)
    assert 2 * chosen.parameters["elements"] <= available.dsp
    assert chosen.width == (2048 if available.block_ram == 56 else 4096)


def test_what_is_named_is_taken() -> None:
    assert on_board("icesugar_pro", None, None, 4096, None)[1].width == 4096
    assert on_board("icesugar_pro", None, None, None, ["width=1024"])[1].width == 1024
    given = on_board("icesugar_pro", None, "engine-4", None, None)[1]
    assert (given.width, given.parameters["elements"]) == (4096, 4)
    assert on_board("ulx3s", None, "T3", 64, None)[1].name == "montgomery"


def test_an_engine_that_does_not_fit_is_told_in_a_line(run: Run) -> None:
    words = ["bitstream", "--board", "icesugar_pro", "--width", "4096", "--out", "/dev/null"]
    shown = run(*words)
    assert shown.status == 2
    (line,) = [each for each in shown.err.splitlines() if "totient" in each]
    assert "on icesugar_pro does not fit: 60 of 56 DP16KD" in line
    assert "of 56 DP16KD" in line
