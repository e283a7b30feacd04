"""Figures: written whole or not at all."""

import itertools
import os
import time
from pathlib import Path

import pytest

from totient.common.errors import InputError
from totient.report.figure import plots, side_by_side


def draw(path: Path) -> None:
    """A picture of one plot."""
    with plots(path, 1, (2, 2)) as (axes,):
        axes.plot([1, 2], [3, 4])


@pytest.mark.parametrize(
    ("ending", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")]
)
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, begins: bytes) -> None:
    path = tmp_path / f"figure{ending}"
    draw(path)
    assert path.read_bytes().startswith(begins)


def test_a_full_disk_leaves_no_part_of_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "figure.svg"
    draw(path)
    kept = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    for each in (path, tmp_path / "new.png"):
        with pytest.raises(InputError, match=f"cannot write .*{each.name}: No space left"):
            draw(each)
    assert path.read_bytes() == kept
    assert [each.name for each in tmp_path.iterdir()] == ["figure.svg"]


def test_a_busy_machine_draws_without_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matplotlib warns when the place of a legend is found late; warnings are errors in tests."""
    seconds = itertools.count(step=10)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    with side_by_side(tmp_path / "figure.svg") as (left, right):
        left.plot([0, 1], [0, 1], label="one")
        right.plot([0, 1], [1, 0], label="other")
    assert (tmp_path / "figure.svg").exists()
    assert next(seconds) > 0, "the time was asked for"
