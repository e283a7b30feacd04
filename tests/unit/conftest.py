"""Committed Records whose netlists have been run, or have not."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from totient.measure import NetlistRun, NetlistRuns, Record, store

Ran = Callable[..., None]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """Lets all committed Records have a run of their netlists, and their clocks times a number."""
    load = store._load

    def give(run: NetlistRun | None, times: float = 1) -> None:
        def changed(path: Path) -> Record:
            found = load(path)
            if not found.routing:
                return found
            clocks = {seed: times * mhz for seed, mhz in found.routing.fmax_mhz.items()}
            runs = NetlistRuns("totient check", dict.fromkeys(clocks, run)) if run else None
            return replace(found, routing=replace(found.routing, fmax_mhz=clocks), netlist=runs)

        monkeypatch.setattr(store, "_load", changed)

    return give
