"""A small design of the tests' own, which can misbehave as no core should."""

import dataclasses
from pathlib import Path

import pytest

from totient.catalog import Configuration, Parameter, SourceList, select, sources
from totient.sim import build

ECHO = Path(__file__).with_name("echo.sv")


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> Configuration:
    """The module in `echo.sv`, in place of an IP."""
    return stand_in(monkeypatch, ECHO)


def stand_in(monkeypatch: pytest.MonkeyPatch, file: Path) -> Configuration:
    """Put the module in `file` in place of an IP."""
    common = sources("totient:common:common")
    listing = SourceList((*common.files, file), common.headers)
    monkeypatch.setattr(build, "sources", lambda core, **options: listing)
    design = dataclasses.replace(
        select("T2").design,
        name=file.stem,
        ip_module=file.stem,
        parameters=(Parameter("offset", "Offset", 0, 0, 99, "added to each word"),),
    )
    return Configuration(design, {"offset": 0, "width": 8})
