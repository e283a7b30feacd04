"""libtotient in C: strict warnings, the compiler's analyser, its tests over mocks and the RTL."""

import re
import subprocess
from pathlib import Path

import pytest

from totient.catalog import Face, Operation, select
from totient.common.files import project_root
from totient.sim import build_model

DRIVER = project_root() / "driver"
SOURCES = sorted((DRIVER / "src").glob("*.c"))
HERE = Path(__file__).parent
BENCH = HERE / "bench.h"
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
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
    """Each is complete by itself, in C99 and in C++."""
    for language, dialect, name in (("c", "c99", "x.c"), ("c++", "c++11", "x.cpp")):
        (tmp_path / name).write_text(f"#include <totient/{header.name}>\nint x;\n")
        file = tmp_path / name
        gcc(
            "-x",
            language,
            f"-std={dialect}",
            *WARNINGS[:3],
            "-Werror",
            "-c",
            file,
            "-o",
            "/dev/null",
        )


def declared() -> list[tuple[str, str, str]]:
    """Functions of the driver's headers that can fail: header, name, arguments."""
    found = []
    for header in sorted((DRIVER / "include/totient").glob("*.h")):
        text = re.sub(r"/\*.*?\*/|^#.*?$", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
        for name, arguments in re.findall(r"totient_result\s+(\w+)\(([^;]*)\);", text):
            found.append((header.name, name, arguments))
    return found


def test_a_result_is_not_to_be_ignored(tmp_path: Path) -> None:
    """The compiler says so, for each function that has one."""
    functions = declared()
    assert len(functions) >= 30
    headers = "".join(f"#include <totient/{name}>\n" for name in sorted({f[0] for f in functions}))
    calls = "".join(
        f"    {name}({', '.join('0' for _ in arguments.split(','))});\n"
        for _, name, arguments in functions
    )
    program = tmp_path / "ignores.c"
    program.write_text(f"{headers}void ignores(void);\nvoid ignores(void)\n{{\n{calls}}}\n")
    outcome = subprocess.run(
        ["gcc", f"-I{DRIVER / 'include'}", "-c", program, "-o", tmp_path / "x.o"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    warned = set(re.findall(r"ignoring return value of .(\w+).", outcome.stderr))
    assert warned == {name for _, name, _ in functions}


def program(test: str, folder: Path, *further: str) -> Path:
    """A test in C with the driver and with further files of tests, under sanitizers."""
    built = folder / test
    tests = (test, "operations", "engine_operations", *further)
    sources = [*(HERE / f"{name}.c" for name in tests), *SOURCES]
    warnings = ("-Wall", "-Wextra", "-Werror")
    gcc("-std=gnu99", "-O1", "-g", *warnings, *SANITIZERS, *sources, "-o", built, "-ldl")
    return built


def passes(*command: object) -> None:
    outcome = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=300
    )
    assert outcome.returncode == 0, outcome.stderr


def test_over_mocked_faces(tmp_path: Path) -> None:
    passes(program("test_libtotient", tmp_path))


def test_over_simulated_faces(tmp_path: Path) -> None:
    """The same tests as over mocks, over the RTL behind each of its faces."""
    core = select("digit_serial", width=64, digit_bits=4, slots=2, lanes=2)
    constants = dict(re.findall(r"#define BENCH_([NED]) UINT\d+_C\((\w+)\)", BENCH.read_text()))
    n, e, d = (int(constants[name], 0) for name in "NED")
    passes(
        program("test_simulated", tmp_path),
        *(build_model(core.top(face), checked=True) for face in Face),
        *(core.design.name, core.width, core.lanes, core.key_slots, core.setup_cycles(n, 0)),
        core.operation_cycles(Operation(n, e, e.bit_length(), 0)),
        core.operation_cycles(Operation(n, d, n.bit_length(), 0)),
        build_model(select("T1", width=4096).top(Face.SERIAL)),
    )


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_nothing_is_left_on_the_stack(level: str, tmp_path: Path) -> None:
    """Nor is it by chance: without the driver's wiping there is something."""
    careless = tmp_path / "totient.c"
    text = (DRIVER / "src" / "totient.c").read_text()
    assert text.count("*byte++ = 0;") == 1
    careless.write_text(text.replace("*byte++ = 0;", "byte++;"))
    for wipes in (True, False):
        built = tmp_path / f"stack{wipes}"
        sources = [careless if path.stem == "totient" and not wipes else path for path in SOURCES]
        test = HERE / "test_stack.c"
        include = f"-I{DRIVER / 'src'}"
        gcc("-std=gnu99", level, "-Wall", include, test, *sources, "-o", built, "-ldl", "-pthread")
        outcome = subprocess.run([built], capture_output=True, text=True, check=False, timeout=60)
        assert (outcome.returncode == 0) == wipes, outcome.stderr
        assert wipes or "holds(stack" in outcome.stderr
