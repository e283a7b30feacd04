"""What tells whether two machines measure alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from totient.common.files import project_root
from totient.measure import job


@pytest.mark.parametrize(
    "name",
    [
        "src/totient/measure/job.py",
        "src/totient/sim/harness.cpp",
        "src/totient/flow/cells/ecp5/DP16KD.v",
        "rtl/engine/engine_element.sv",
        "rtl/engine/engine_datapath.core",
        "rtl/common/totient_assert.svh",
    ],
)
def test_every_file_behind_a_record_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = project_root() / name
    assert changed.is_file()
    files = job._files
    before = job.fingerprint.__wrapped__()

    def other(path: Path) -> Path:
        return Path(__file__) if path == changed else path

    def with_another() -> Iterator[tuple[str, Path]]:
        return ((inside, other(path)) for inside, path in files())

    monkeypatch.setattr(job, "_files", with_another)
    assert job.fingerprint.__wrapped__() != before


def test_no_file_counts_that_a_run_makes() -> None:
    assert not [path for _, path in job._files() if "__pycache__" in path.parts]


@pytest.mark.parametrize("seeds", [(), (2, 5)])
def test_without_seeds_nothing_is_routed(
    monkeypatch: pytest.MonkeyPatch, seeds: tuple[int, ...]
) -> None:
    asked: dict[str, object] = {}
    monkeypatch.setattr(job, "measure", lambda *_, **options: asked.update(options))
    job.Job("binary", {"width": 32}, "ecp5-85f", seeds=seeds).run()
    assert (asked["route"], asked["seeds"]) == (bool(seeds), seeds)
