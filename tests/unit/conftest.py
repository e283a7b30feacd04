"""What tests of several parts start from: doubles of devices, a key, committed Records."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.rsa.double import Workshop
from totient.device import RsaKey
from totient.measure import NetlistRun, NetlistRuns, Record, RoutedRecord, store
from totient.measure.kept import read_kept
from totient.rsa import accelerator
from totient.rsa.keys import generate

Ran = Callable[..., None]


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Doubles instead of devices."""
    shop = Workshop()
    monkeypatch.setattr(accelerator, "open_core", shop.open)
    return shop


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
