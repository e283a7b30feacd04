"""The digest of the code by which routed netlists run."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from totient.common.files import project_root
from totient.flow import netlist_check_digest, routed_netlists
from totient.flow.target import ECP5_ROUTER
from totient.flow.targets import GOWIN_ROUTER, ICE40_ROUTER

ROUTERS = {"ecp5": ECP5_ROUTER, "ice40": ICE40_ROUTER, "gowin": GOWIN_ROUTER}


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the code."""
    for part in ("flow", "sim"):
        shutil.copytree(project_root() / "src" / "totient" / part, tmp_path / part)
    monkeypatch.setattr(routed_netlists, "_FLOW", tmp_path / "flow")
    yield tmp_path
    netlist_check_digest.cache_clear()


def digests() -> dict[str, str]:
    netlist_check_digest.cache_clear()
    return {name: netlist_check_digest(router) for name, router in ROUTERS.items()}


def changed(file: Path, old: str, new: str) -> set[str]:
    """Families whose digest another text of a file changes."""
    before, text = digests(), file.read_text()
    assert text.count(old) >= 1
    file.write_text(text.replace(old, new, 1))
    after = digests()
    file.write_text(text)
    return {name for name in ROUTERS if before[name] != after[name]}


def test_what_a_verdict_depends_on(code: Path) -> None:
    flow, everything = code / "flow", set(ROUTERS)
    assert len(set(digests().values())) == len(ROUTERS)
    assert changed(flow / "ecp5" / "verilog.py", "posedge", "anyedge") == {"ecp5"}
    assert changed(flow / "ice40" / "netlists.py", "import", "import ast, ") == {"ice40"}
    assert changed(flow / "gowin" / "netlists.py", "import", "import ast, ") == {"gowin"}
    assert changed(flow / "cells" / "ecp5" / "MULT18X18D.v", "CE0", "CE1") == {"ecp5"}
    assert changed(flow / "harness.py", "return", "return not") == everything
    assert changed(code / "sim" / "unknowns.h", "complement", "same") == everything
    assert changed(code / "sim" / "build.py", "--x-initial", "--x") == everything


def test_words_about_the_code_do_not_count(code: Path) -> None:
    file = code / "flow" / "ecp5" / "bits.py"
    assert changed(file, '"""', '"""Other words. ') == set()
    assert changed(file, "\n\nfrom", "\n\n# A remark.\nfrom") == set()
