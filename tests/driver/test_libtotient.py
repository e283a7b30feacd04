"""libtotient in C: strict warnings, the compiler's analyser, and its tests under sanitizers."""

import subprocess
from pathlib import Path

import pytest

from totient.common.files import project_root

DRIVER = project_root() / "driver"
SOURCES = sorted((DRIVER / "src").glob("*.c"))
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")


def gcc(*arguments: str | Path) -> None:
    outcome = subprocess.run(
        ["gcc", f"-I{DRIVER / 'include'}", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_compiles_cleanly_as_c99(source: Path, tmp_path: Path) -> None:
    gcc("-std=c99", *WARNINGS, "-O2", "-fanalyzer", "-c", source, "-o", tmp_path / "x.o")


@pytest.mark.parametrize("header", sorted((DRIVER / "include/totient").glob("*.h")), ids=str)
def test_headers_stand_alone(header: Path, tmp_path: Path) -> None:
    """Each is complete by itself, in C and in C++."""
    for language, name in (("c", "x.c"), ("c++", "x.cpp")):
        (tmp_path / name).write_text(f"#include <totient/{header.name}>\nint x;\n")
        gcc("-x", language, *WARNINGS[:3], "-c", tmp_path / name, "-o", tmp_path / "x.o")


def test_over_mocked_faces(tmp_path: Path) -> None:
    program = tmp_path / "test_libtotient"
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    test = Path(__file__).with_suffix(".c")
    gcc("-std=gnu99", "-g", "-Wall", "-Wextra", *sanitizers, test, *SOURCES, "-o", program)
    outcome = subprocess.run([program], capture_output=True, text=True, check=False, timeout=120)
    assert outcome.returncode == 0, outcome.stderr
