"""The C interface of libraries, as cffi gives it."""

from pathlib import Path
from typing import Any

import pytest

from totient.catalog import Face, select
from totient.flow import routing
from totient.flow.target import ECP5_ROUTER
from totient.sim import build, library, toolchain


def test_headers_are_parsed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By all processes: the second call stands for another one, as nothing is kept in memory."""
    parsed: list[str] = []

    def parse(text: str, folder: Path) -> None:
        parsed.append(text)
        original(text, folder)

    original = library._parse
    monkeypatch.setattr(library, "_parse", parse)
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path))
    interface = library.interface.__wrapped__
    for _ in range(2):
        ffi = interface(("model",))
        assert ffi.sizeof("size_t") > 0
    assert len(parsed) == 1
    interface(("contract", "totient"))
    assert len(parsed) == 2
    assert capsys.readouterr().out == "", "what signs writes nothing else"


def test_other_headers_are_parsed_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "driver" / "include" / "totient"
    folder.mkdir(parents=True)
    monkeypatch.setattr(library, "project_root", lambda: tmp_path)
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path / "cache"))
    sizes = []
    for field in ("char", "int"):
        (folder / "odd.h").write_text(f"struct odd {{ {field} value; }};\n")
        sizes.append(library.interface.__wrapped__(("odd",)).sizeof("struct odd"))
    assert sizes == [1, 4]


class AskedError(Exception):
    """What was to be kept in the cache."""


def test_what_is_loaded_as_code_is_kept_with_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the patterns of its files."""

    def ask(kind: str, name: str, fill: Any, code: Any = ()) -> Path:
        raise AskedError(kind, list(code))

    for module in (build, toolchain, routing, library):
        monkeypatch.setattr(module, "produce", ask)
    top = select("montgomery", width=64).top(Face.STREAM)
    for call, kind, code in (
        (lambda: build.build_model(top), "models", ["model.so"]),
        (lambda: toolchain.runtime(["verilated"], []), "runtime", ["verilated.o"]),
        (lambda: toolchain.compile_c("driver", "x.so", [], []), "driver", ["x.so"]),
        (lambda: library.interface.__wrapped__(("model",)), "interfaces", ["interface.py"]),
        (lambda: routing.compiled_nextpnr(ECP5_ROUTER, print), "nextpnr", ["yowasp_*"]),
    ):
        with pytest.raises(AskedError) as caught:
            call()
        assert caught.value.args == (kind, code)
