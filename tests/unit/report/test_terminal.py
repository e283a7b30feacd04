"""Tables on terminals of every width: no figure is cut, no column is lost."""

import re

import pytest

from totient.report.terminal import show_table

COLUMNS = ("design", "whose", "LUT", "cycles, 65537", "private", "T2, 2 bits a cycle: full length")
ROWS = (
    ("T2, 2 bits a cycle", "ours", "23,278", "1,070,234", "158.7 ms", "794,165"),
    ("MSP430, 25 MHz", "cited", "-", "-", "1.14 s", "-"),
    ("T3", "[lut]", "1", "2,582", "13.55 ms", "7"),
)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    show_table(COLUMNS, ROWS, "A title [lut]", texts=2)
    return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()


@pytest.mark.parametrize("width", [20, 60, 70, 80, 120, 200])
def test_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    shown = lines(capsys)
    text = "\n".join(shown)
    for row in ROWS:
        for word in row[0].split():
            assert word in text
        # Numbers with their units stay whole, in one line and in order.
        figures = r".*".join(re.escape(cell) for cell in row[1:])
        assert re.search(figures, text), row
    assert "[lut]" in shown[0]
    for word in " ".join(COLUMNS).split():
        assert word in text
    if width >= 70:
        assert max(map(len, shown)) <= width


def test_into_a_file(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is one line, however long."""
    monkeypatch.setenv("COLUMNS", "40")
    shown = [line.rstrip() for line in lines(capsys)]
    for row in ROWS:
        assert any(re.fullmatch(r"\s+".join(map(re.escape, row)), line) for line in shown)


def test_texts_are_set_to_the_left(capsys: pytest.CaptureFixture[str]) -> None:
    """Texts of all columns begin in one place, numbers end in one."""
    rows = (("T2", "1", "ours"), ("T3", "1,000", "the thesis"))
    show_table(("design", "LUT", "whose"), rows, texts=(True, False, True))
    heading, _, first, second = (line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert heading.index("whose") == first.index("ours") == second.index("the thesis")
    assert heading.index("LUT") + 3 == first.index("1") + 1 == second.index("1,000") + 5
