"""Readers of what others write: keys in DER, addresses, answers. Any bytes, under sanitizers.

`make fuzz` runs the same targets for an hour each.
"""

import subprocess
from pathlib import Path

import pytest
from tests.driver.library_tools import tool
from tests.driver.test_libtotient import SOURCES
from tests.programs import INCLUDE, SANITIZERS, WARNINGS, gcc, output

HERE = Path(__file__).parent / "fuzz"
TARGETS = {"der": 20_000, "address": 20_000, "answers": 20_000}
"""Mutations of each file."""


@pytest.mark.parametrize("name", TARGETS)
def test_mutations(name: str, tmp_path: Path) -> None:
    """Of the files of the corpus; the same ones each time, but those of a new seed."""
    program = tmp_path / "mutate"
    sources = [HERE / f"fuzz_{name}.c", HERE / "mutate.c", *SOURCES]
    options = ("-std=c99", "-O1", "-g", *WARNINGS, *SANITIZERS, INCLUDE)
    gcc(*options, *sources, "-o", program, "-ldl")
    corpus = sorted((HERE / name).iterdir())
    assert len(corpus) >= 6
    runs = output([program, 1, TARGETS[name], *corpus])
    assert int(runs) == len(corpus) * (TARGETS[name] + 1)


@pytest.mark.parametrize("name", TARGETS)
def test_with_libfuzzer(name: str, tmp_path: Path) -> None:
    """Some seconds, where clang has it (libclang-rt-dev)."""
    program = tmp_path / "fuzz"
    flags = ("-std=c99", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", INCLUDE)
    words = [tool("clang"), *flags, HERE / f"fuzz_{name}.c", *SOURCES, "-ldl", "-o", program]
    output(words)
    found = tmp_path / "found"
    found.mkdir()
    done = subprocess.run(
        [program, "-max_total_time=5", "-max_len=8192", "-seed=1", found, HERE / name],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
