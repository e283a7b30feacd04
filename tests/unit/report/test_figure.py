"""Figures: written whole or not at all."""

import os
from pathlib import Path

import pytest

from totient.common.errors import InputError
from totient.report.figure import plots


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
