"""libtotient in C: strict warnings, the compiler's analyser, and its checks under sanitizers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.driver.models import models
from tests.programs import DRIVER, INCLUDE, SANITIZERS, WARNINGS, gcc, output

from totient.common.files import project_root

SOURCES = sorted((DRIVER / "src").glob("*.c"))
HERE = Path(__file__).parent
CHECKS = sorted((HERE / "checks").glob("check_*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_compiles_cleanly_as_c99(source: Path, tmp_path: Path) -> None:
    gcc("-std=c99", INCLUDE, *WARNINGS, "-O2", "-fanalyzer", "-c", source, "-o", tmp_path / "x.o")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_allocates_nothing(source: Path, tmp_path: Path) -> None:
    gcc("-std=c99", INCLUDE, "-c", source, "-o", tmp_path / "x.o")
    called = set(re.findall(r"\bU (\w+)", output(["nm", "-u", tmp_path / "x.o"])))
    allocators = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup"}
    assert called.isdisjoint({*allocators, "alloca", "free", "getline", "asprintf"})


@pytest.mark.parametrize("header", sorted((DRIVER / "include/totient").glob("*.h")), ids=str)
def test_headers_stand_alone(header: Path, tmp_path: Path) -> None:
    """Each is complete by itself, in C99 and in C++."""
    for language, dialect, name in (("c", "c99", "x.c"), ("c++", "c++11", "x.cpp")):
        (tmp_path / name).write_text(f"#include <totient/{header.name}>\nint x;\n")
        options = (INCLUDE, f"-std={dialect}", *WARNINGS[:3], "-Werror")
        gcc("-x", language, *options, "-c", tmp_path / name, "-o", "/dev/null")


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
        ["gcc", INCLUDE, "-c", program, "-o", tmp_path / "x.o"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    warned = set(re.findall(r"ignoring return value of .(\w+).", outcome.stderr))
    assert warned == {name for _, name, _ in functions}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the checks are started with: the library under sanitizers, models of RTL."""
    library = tmp_path_factory.mktemp("library") / "libtotient.so"
    warnings = ("-Wall", "-Wextra", "-Werror")
    built = ("-shared", "-fPIC", "-std=gnu99", "-O1", "-g", *warnings, *SANITIZERS)
    gcc(*built, INCLUDE, *SOURCES, "-o", library, "-ldl")
    return os.environ | {
        "TOTIENT_BENCH": json.dumps({"library": str(library), "models": models()}),
        "LD_PRELOAD": gcc("-print-file-name=libasan.so").strip(),
        # What leaks is Python's own: the library allocates nothing.
        "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }


@pytest.mark.parametrize("check", CHECKS, ids=lambda path: path.stem)
def test_under_sanitizers(check: Path, environment: dict[str, str]) -> None:
    options = ("-vv", "--tb=short", "--capture=sys", "-p", "no:cacheprovider")
    try:
        outcome = subprocess.run(
            [sys.executable, "-u", "-m", "pytest", *options, check],
            cwd=project_root(),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"it does not end: {late.stdout!r}")
    assert outcome.returncode == 0, f"{outcome.stdout}\n{outcome.stderr}"
