"""bench --renew: Records of RTL that was rewritten."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from totient.catalog import select
from totient.flow import find_target
from totient.measure import Record, lookup, save, stale, store


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Record:
    """A committed Record whose RTL was rewritten since, alone in its folder."""
    found = lookup(select("binary", width=32), find_target("ecp5-85f"), dsp=True)
    assert found is not None
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path)
    return replace(found, provenance=replace(found.provenance, sources="0" * 24))


def test_the_same_hardware_is_kept(kept: Record, run: Run) -> None:
    """Its cells are counted anew, as the mapper's result depends on names."""
    counted = kept.utilisation
    path = save(replace(kept, utilisation=replace(counted, lut=counted.lut + 1)))
    for others in (["--only", "montgomery"], ["--widest", "31"]):
        assert run("bench", "--renew", *others).good.err == ""
        assert stale() == [path]
    same = "binary-width32-ecp5-85f.json: the same hardware\n"
    assert run("bench", "--renew").good.err == same
    assert stale() == []
    ((_, renewed),) = store.committed()
    assert (renewed.utilisation, renewed.routing) == (counted, kept.routing)


def test_other_hardware_is_named(kept: Record, run: Run) -> None:
    path = save(replace(kept, provenance=replace(kept.provenance, structure="0" * 24)))
    shown = run("bench", "--renew")
    assert shown.status == 1
    assert shown.err.startswith("binary width=32 ")
    assert shown.err.endswith(": requires a new measurement\n")
    assert stale() == [path]
