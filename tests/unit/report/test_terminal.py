"""Tables on terminals of every width: no figure is cut, no column is lost."""

import re
from collections.abc import Callable
from functools import partial

import pytest

from totient.report.terminal import show_note, show_table

COLUMNS = ("design", "whose", "LUT", "cycles, 65537", "private", "T2, 2 bits a cycle: full length")
ROWS = (
    ("T2, 2 bits a cycle", "ours", "23,278", "1,070,234", "158.7 ms", "794,165"),
    ("MSP430, 25 MHz", "cited", "-", "-", "1.14 s", "-"),
    ("T3", "[lut]", "1", "2,582", "13.55 ms", "7"),
)


Capture = pytest.CaptureFixture[str]
WHOLE = partial(show_table, COLUMNS, ROWS, "A title [lut]", texts=2)


def shown(capsys: Capture, show: Callable[[], None], width: int = 0) -> str:
    """What is shown on a terminal of a width, without colours. With 0, in a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width or 40))
        if width:
            patch.setenv("FORCE_COLOR", "1")
        show()
    return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)


@pytest.mark.parametrize("width", [*range(20, 70), 70, 80, 120, 200])
def test_on_a_terminal(capsys: Capture, width: int) -> None:
    text = shown(capsys, WHOLE, width)
    for row in ROWS:
        for word in row[0].split():
            assert word in text
        # Numbers with their units stay whole and in order: in one line of each part.
        left = list(row[1:])
        for part in text.split("\n\n"):
            taken = next(
                count
                for count in range(len(left), -1, -1)
                if re.search(r".*".join(map(re.escape, left[:count])), part)
            )
            assert taken or not left, (row, part)
            left = left[taken:]
        assert not left, row
        assert width < 70 or "\n\n" not in text
    lines = text.splitlines()
    assert "[lut]" in lines[0]
    for word in " ".join(COLUMNS).split():
        assert word in text
    assert max(map(len, lines)) <= max(width, 24)  # a number with the first column


def test_parts_begin_with_the_names_of_their_rows(capsys: Capture) -> None:
    parts = shown(capsys, WHOLE, 50).split("\n\n")
    assert len(parts) == 2
    for part in parts:
        names = re.findall(r"^(?:design|T2,|MSP430,|T3)", part, re.MULTILINE)
        assert names == ["design", "T2,", "MSP430,", "T3"]


@pytest.mark.parametrize("width", range(20, 60))
def test_parts_of_numbers_alone_fit(capsys: Capture, width: int) -> None:
    """Nothing can be narrowed: a part has as many columns as there is room for, no more."""
    table = partial(show_table, ("row", *"abcdef"), [("T1", *["1,234,567"] * 6)])
    text = shown(capsys, table, width)
    assert max(map(len, text.splitlines())) <= width
    room = (width - 3) // (2 + 9)
    assert len(text.split("\n\n")) == -(-6 // room)


def test_notes_are_broken_between_words(capsys: Capture) -> None:
    """On a terminal; a file gets one line."""
    note = "time: at the maximum clock, but at most 225 MHz, the limit of the multipliers"
    assert shown(capsys, partial(show_note, note)) == f"  {note}\n"
    lines = shown(capsys, partial(show_note, note), 40).splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(line.removeprefix("  ") for line in lines) == note


def test_into_a_file(capsys: Capture) -> None:
    """Every row is one line, however long."""
    lines = [line.rstrip() for line in shown(capsys, WHOLE).splitlines()]
    for row in ROWS:
        assert any(re.fullmatch(r"\s+".join(map(re.escape, row)), line) for line in lines)


def test_texts_are_set_to_the_left(capsys: Capture) -> None:
    """Texts of all columns begin in one place, numbers end in one."""
    rows = (("T2", "1", "ours"), ("T3", "1,000", "the thesis"))
    table = partial(show_table, ("design", "LUT", "whose"), rows, texts=(True, False, True))
    lines = shown(capsys, table).splitlines()
    heading, _, first, second = (line.rstrip() for line in lines)
    assert heading.index("whose") == first.index("ours") == second.index("the thesis")
    assert heading.index("LUT") + 3 == first.index("1") + 1 == second.index("1,000") + 5
