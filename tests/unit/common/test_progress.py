"""Bars: on a terminal, of long work only, and lines without one."""

import io
import os
import subprocess
import sys

import pytest

from totient.common.progress import bar, silent


class Screen(io.StringIO):
    """A terminal that keeps what it shows."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """In place of the error stream, which pytest sets anew for the test itself."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = Screen()
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_a_bar_is_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = a_terminal(monkeypatch)
    with bar("counting", total=3) as shown:
        shown.advance(2)
    assert "counting" in screen.getvalue()
    assert "2/3" in screen.getvalue()


def test_a_later_bar_is_shown_of_long_work_only(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = a_terminal(monkeypatch)
    now = [100.0]
    monkeypatch.setattr("totient.common.progress.time.monotonic", lambda: now[0])
    with bar("a signature", at_once=False) as shown:
        shown.describe("a step")
        now[0] += 0.4
        shown.describe("another step")
        assert screen.getvalue() == ""
        now[0] += 0.2
        shown.describe("the third step")
    assert "the third step" in screen.getvalue()


def test_nothing_is_shown_where_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = a_terminal(monkeypatch)
    with silent(), bar("counting", total=3) as shown:
        shown.advance()
    assert screen.getvalue() == ""


def test_without_a_terminal_there_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    now = [100.0]
    monkeypatch.setattr("totient.common.progress.time.monotonic", lambda: now[0])
    with bar("work") as shown:
        for step in range(26):
            shown.describe(f"step {step}")
            now[0] += 1
    assert capsys.readouterr().err == "step 11\nstep 22\n"


def test_a_bar_is_gone_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = a_terminal(monkeypatch)

    def fail() -> None:
        with bar("work"):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert screen.getvalue().endswith("\x1b[2K")


def test_rich_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a terminal that shows no bars, and of a file that is to have them."""
    monkeypatch.setenv("TTY_COMPATIBLE", "0")
    screen = a_terminal(monkeypatch)
    with bar("counting", total=3) as shown:
        shown.advance(2)
    assert screen.getvalue() == ""
    monkeypatch.delenv("TTY_COMPATIBLE")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    with bar("counting", total=3) as shown:
        shown.advance(2)
    assert "2/3" in file.getvalue()


def test_rich_is_imported_for_bars_that_are_shown_only() -> None:
    script = (
        "import sys; from totient.common.progress import bar\n"
        "with bar('work', total=2) as shown: shown.advance()\n"
        "assert 'rich' not in sys.modules"
    )
    asked = {"FORCE_COLOR", "TTY_COMPATIBLE"}
    others = {name: value for name, value in os.environ.items() if name not in asked}
    done = subprocess.run(
        [sys.executable, "-c", script], env=others, capture_output=True, text=True
    )
    assert not done.returncode, done.stderr
