"""The soft-CPU system as RTL, and what is said where its packages are not installed."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest

from totient.cli import main
from totient.common.errors import MissingExtraError
from totient.common.files import project_root
from totient.litex.rtl import system_rtl
from totient.reproduce import becannon


def test_the_rtl_is_the_same_everywhere() -> None:
    """Nothing of this machine or of today is in it; the program is in its memory."""
    rtl = system_rtl()
    generated = dict(rtl.generated)
    assert set(generated) == {"VexRiscv.v", "soc.v", "soc_rom.init", "soc_sram.init"}
    assert rtl.files[-2:] == ["VexRiscv.v", "soc.v"]
    assert "ip/rsa_keygen_axil.sv" in rtl.files
    assert not any("rsa_axil" in file for file in rtl.files)
    assert rtl.headers == ["common/totient_assert.svh"]
    for text in generated.values():
        assert str(project_root()) not in text
        assert "Date" not in text
    words = generated["soc_rom.init"].split()
    rom = b"".join(int(word, 16).to_bytes(4, "little") for word in words)
    assert b"0 key generation with message generation" in rom
    assert len(set(words)) > 300
    again = system_rtl.__wrapped__()
    assert again.digest == rtl.digest


@pytest.fixture
def without_litex(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed."""
    find = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in ("litex", "ziglang") else find(name, package)

    kept = {name: sys.modules.pop(name) for name in [*sys.modules] if "totient.litex" in name}
    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    yield
    for name in [name for name in sys.modules if "totient.litex" in name]:
        del sys.modules[name]
    sys.modules.update(kept)


@pytest.mark.usefixtures("without_litex")
def test_without_its_packages(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "totient.litex needs the Python packages litex, ziglang: make setup installs them, or pip "
        "install '.[soc]' in the project's folder"
    )
    with pytest.raises(MissingExtraError) as caught:
        importlib.import_module("totient.litex")
    assert str(caught.value) == words
    assert isinstance(caught.value, ImportError)
    assert main(["measure", "B3", "--target", "artix7-100t"]) == 2
    assert capsys.readouterr().err.splitlines() == [f"totient: {words}"]
    area = becannon.PAPER.reproduce().tables["area"]
    assert [row[1] for row in area.rows if row[0] == "system"] == ["paper, XC7A100T"]
    assert area.notes[-1] == f"our system is left out: {words}"
