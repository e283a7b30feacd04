"""Building models: the cache, and what can go wrong, with nothing left behind."""

import os
import shutil
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.unit.sim.conftest import stand_in
from totient.catalog import Configuration
from totient.common.cache import cache_root
from totient.common.errors import ToolError
from totient.sim import build_model, open_model, toolchain


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without models; the run-time library takes long to compile, so that is there."""
    cache = tmp_path / "cache"
    runtime = cache_root() / "runtime"
    runtime.mkdir(parents=True, exist_ok=True)
    cache.mkdir()
    shutil.copytree(runtime, cache / "runtime")
    monkeypatch.setenv("TOTIENT_CACHE", str(cache))
    return cache


@pytest.fixture(autouse=True)
def _forget_compiler() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    toolchain._find.cache_clear()
    toolchain.versions.cache_clear()


def fake_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A compiler that prints its version and then runs `script`."""
    program = folder / "g++"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo fake 1 && exit\n{script}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("CXX", str(program))
    forget()


def refusal(configuration: Configuration, cache: Path) -> str:
    """The one line that a failing build ends with, having left nothing in the cache."""
    with pytest.raises(ToolError) as error:
        build_model(configuration.top())
    assert "\n" not in str(error.value)
    assert left_behind(cache) == []
    return str(error.value)


def left_behind(cache: Path) -> list[Path]:
    """Content of the cache of models without the locks, which stay."""
    return [path for path in (cache / "models").glob("*") if path.suffix != ".lock"]


def test_a_model_is_built_once(echo: Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build_model(echo.top())
    assert build_model(echo.top(), checked=True) != path
    other = Configuration(echo.design, {"offset": 1, "width": 8})
    assert build_model(other.top()) != path
    monkeypatch.setattr(toolchain, "verilate", None)
    assert build_model(echo.top()) == path
    names = sorted(file.name for file in path.parent.iterdir())
    assert names == [".contents.json", ".sha256.json", "model.so"]


def test_changed_rtl_is_another_model(
    echo: Configuration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build_model(echo.top())
    copy = tmp_path / "echo.sv"
    source = Path(__file__).with_name("echo.sv").read_text()
    copy.write_text(source)
    assert build_model(stand_in(monkeypatch, copy).top()) == path
    copy.write_text(source.replace("s_axis_tdata + Offset", "s_axis_tdata + Offset + 1"))
    with open_model(stand_in(monkeypatch, copy)) as model:
        assert model.exchange([8]) == [9]


def test_another_verilator_on_path_is_not_used(
    echo: Configuration, empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("verilator", "verilator_bin"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("VERILATOR_ROOT", str(tmp_path))
    with open_model(echo) as model:
        assert model.exchange([8]) == [8]


def test_no_compiler(
    echo: Configuration, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert refusal(echo, empty_cache).startswith("the C++ compiler no-such-compiler is missing: ")


def test_a_compiler_that_does_not_run(
    echo: Configuration, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "false")
    assert "does not run" in refusal(echo, empty_cache)


def test_a_full_disk(
    echo: Configuration, empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_compiler(tmp_path, monkeypatch, 'echo "fatal error: x.o: No space left on device"; exit 1')
    assert refusal(echo, empty_cache) == (
        "no space left for g++: free some, or point TOTIENT_CACHE elsewhere"
    )


def test_a_disk_that_is_nearly_full_and_a_compiler_that_says_nothing(
    echo: Configuration, empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_compiler(tmp_path, monkeypatch, "exit 1")
    assert refusal(echo, empty_cache) == "g++ failed: it said nothing"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=600_000))
    assert refusal(echo, empty_cache).startswith("no space left for g++: ")
    fake_compiler(tmp_path, monkeypatch, 'echo "a.h:1: error: bad"; exit 1')
    assert refusal(echo, empty_cache) == "g++ failed: a.h:1: error: bad"


def test_an_error_of_the_compiler(
    echo: Configuration, empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_compiler(tmp_path, monkeypatch, 'echo "In file:"; echo "a.h:1: error: bad" >&2; exit 1')
    assert refusal(echo, empty_cache) == "g++ failed: a.h:1: error: bad"


def test_an_error_in_the_rtl(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "broken.sv"
    file.write_text("module broken #(parameter int Offset = 0) ();\n  wire a = ;\nendmodule\n")
    text = refusal(stand_in(monkeypatch, file), empty_cache)
    assert text.startswith("verilator failed: %Error: ")
    assert "broken.sv:2:" in text


def test_a_parameter_that_the_rtl_refuses(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "picky.sv"
    file.write_text(
        "module picky #(parameter int Offset = 0) ();\n"
        '  if (Offset == 0) $fatal(1, "Offset is 0");\nendmodule\n'
    )
    text = refusal(stand_in(monkeypatch, file), empty_cache)
    assert text.startswith("verilator failed: ")
    assert text.endswith("picky.sv:2:20: Offset is 0")


def test_ctrl_c_in_a_build_leaves_nothing(
    echo: Configuration, empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = tmp_path / "running"
    fake_compiler(tmp_path, monkeypatch, f"echo $$ >> {running}; exec sleep 60")

    def interrupt() -> None:
        while not running.exists() or not running.read_text().strip():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        build_model(echo.top())
    thread.join()
    assert time.monotonic() - before < 20
    for process in running.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)
    assert left_behind(empty_cache) == []


def test_c_is_compiled_again_for_another_header_and_not_for_another_place(
    tmp_path: Path, empty_cache: Path
) -> None:
    def built(folder: Path, answer: int) -> Path:
        (folder / "include").mkdir(parents=True, exist_ok=True)
        source, header = folder / "main.c", folder / "include" / "answer.h"
        source.write_text('#include "answer.h"\nint main(void) { return ANSWER; }\n')
        header.write_text(f"#define ANSWER {answer}\n")
        return toolchain.compile_c(
            *("tests", "program", [source], ["-std=c99"]),
            headers=[header],
            includes=[header.parent],
        )

    first, there, other = built(tmp_path / "a", 3), built(tmp_path / "b", 3), built(tmp_path, 4)
    assert first == there
    assert [subprocess.run([each], check=False).returncode for each in (first, other)] == [3, 4]
