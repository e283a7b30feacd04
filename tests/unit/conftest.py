"""What tests of several parts start from: doubles of devices, commands, a key, Records."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from tests.outcome import Outcome
from tests.unit.rsa.double import Workshop
from totient.cli import main
from totient.device import RsaKey
from totient.measure import NetlistRun, NetlistRuns, Record, RoutedRecord, store
from totient.measure.kept import read_kept
from totient.rsa import accelerator
from totient.rsa.keys import generate

Ran = Callable[..., None]


class Run(Protocol):
    """Runs a command with what it reads from its standard input."""

    def __call__(self, *words: object, stdin: bytes = b"") -> Outcome:
        """Run `totient` with these words."""


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Doubles instead of devices."""
    shop = Workshop()
    monkeypatch.setattr(accelerator, "open_core", shop.open)
    return shop


@pytest.fixture
def run(
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """Run a command in this process, on doubles instead of devices."""

    def call(*words: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        status = main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return Outcome(status, out, err.decode())

    return call


@pytest.fixture(scope="session")
def key() -> RsaKey:
    """A new key of 1024 bits."""
    return generate(1024)


@pytest.fixture
def not_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a Record is of this RTL takes long to compute, and is not checked here."""
    monkeypatch.setattr(store, "is_stale", lambda record: False)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """Lets all committed Records have a run of their netlists, and their clocks times a number."""

    def give(run: NetlistRun | None, times: float = 1) -> None:
        def changed(path: Path, parse: Callable[[str], RoutedRecord]) -> RoutedRecord:
            found = read_kept(path, parse)
            if not isinstance(found, Record) or not found.routing:
                return found
            clocks = {seed: times * mhz for seed, mhz in found.routing.fmax_mhz.items()}
            runs = NetlistRuns("totient check", dict.fromkeys(clocks, run)) if run else None
            return replace(found, routing=replace(found.routing, fmax_mhz=clocks), netlist=runs)

        monkeypatch.setattr(store, "read_kept", changed)

    return give
