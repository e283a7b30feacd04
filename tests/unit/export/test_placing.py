"""Lists of earlier exports that no export wrote."""

import random
from pathlib import Path

import pytest

from totient.common.errors import InputError
from totient.export.placing import MANIFEST, check_place


def test_a_list_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_bytes(b"\xff" + random.Random(1).randbytes(300))
    with pytest.raises(InputError, match=f"{MANIFEST} is not a list of files that an export wrote"):
        check_place(tmp_path, force=True)


def test_a_list_with_a_folder_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / MANIFEST).write_text("files.f\nmine\n")
    with pytest.raises(InputError, match="names mine, a folder; allowed are files"):
        check_place(tmp_path, force=True)
    assert (tmp_path / "mine").is_dir()
