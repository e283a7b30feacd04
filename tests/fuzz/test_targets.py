"""The fuzz targets in Python on mutations of their first inputs, the same ones each time.

`make fuzz` runs them for an hour each, guided by coverage.
"""

import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from tests.fuzz.run import (
    LONGEST,
    PYTHON_TARGETS,
    ROOT,
    TARGETS,
    Fuzzed,
    compiled,
    environment,
    main,
    seeds,
    table,
)
from tests.fuzz.targets import TARGETS as FUNCTIONS

MUTATIONS = 400
"""Of each input."""


def mutated(data: bytes, draw: Random) -> bytes:
    """Some bytes changed, inserted, removed or repeated."""
    changed = bytearray(data)
    for _ in range(draw.randint(1, 8)):
        place = draw.randrange(len(changed) + 1)
        match draw.randrange(4):
            case 0 if place < len(changed):
                changed[place] = draw.choice((changed[place] ^ 1 << draw.randrange(8), 0, 10, 255))
            case 1:
                changed[place:place] = draw.randbytes(draw.randint(1, 4))
            case 2:
                del changed[place : place + draw.randint(1, 4)]
            case _:
                changed[place:place] = changed[place : place + draw.randint(1, 40)]
    return bytes(changed)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mutations(name: str) -> None:
    draw = Random(name)
    inputs = seeds(name)
    assert len(inputs) >= 6
    for data in inputs.values():
        FUNCTIONS[name](data)
        for _ in range(MUTATIONS):
            FUNCTIONS[name](mutated(data, draw))


@pytest.mark.parametrize("name", ["calls", "socket", "uri"])
def test_with_libfuzzer(name: str, tmp_path: Path) -> None:
    """Some seconds of what other programs may send to the token."""
    program, found = compiled(name, tmp_path / name), tmp_path / "found"
    found.mkdir()
    for place, data in seeds(name).items():
        (found / place).write_bytes(data)
    done = subprocess.run(
        [program, "-max_total_time=4", f"-max_len={LONGEST}", "-seed=1", found],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_target_has_inputs_to_begin_with() -> None:
    assert set(FUNCTIONS) == set(PYTHON_TARGETS)
    assert all(seeds(name) for name in TARGETS)


def test_the_table_has_hours_and_crashes() -> None:
    lines = [*table({"der": Fuzzed(5400, 12345, 67, 1)})]
    assert lines[2] == "| keys in DER (C) | 1.5 | 12,345 | 67 | 1 |"


def test_what_was_not_run_has_no_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Least of all 0 crashes."""
    lines = [*table({"der": Fuzzed(5400, 12345, 67, 0)})]
    assert lines[3] == "| addresses (C) | - | - | - | - |"
    assert lines[-1].startswith(f"{len(TARGETS) - 1} of {len(TARGETS)} targets, ")
    assert len([*table(dict.fromkeys(TARGETS, Fuzzed(1, 1, 1, 0)))]) == 2 + len(TARGETS)
    assert main(["--table"]) == 0
    assert capsys.readouterr().out.startswith("| what is read |")


def test_toml_is_read_of_the_project_alone() -> None:
    """A user's would need a target: its modules read files of the package and of `results/`."""
    found = {
        path.relative_to(ROOT / "src" / "totient").as_posix()
        for path in (ROOT / "src").rglob("*.py")
        if re.search(r"\b(tomllib|toml|tomli|yaml)\b", imports(path))
    }
    assert found == {"processor/processors.py", "common/papers.py"}


def imports(path: Path) -> str:
    """The lines of a module that import."""
    return "\n".join(re.findall(r"^\s*(?:import|from) .*$", path.read_text(), re.MULTILINE))


@pytest.mark.parametrize("words", [["nothing"], ["der", "--seconds", "0"]])
def test_wrong_arguments_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(words)
    assert "allowed is" in capsys.readouterr().err
