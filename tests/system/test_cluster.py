"""Measurements on a real Dask cluster: processes, each worker with its own cache."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from distributed import Client

from totient.catalog import select
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.flow import find_target
from totient.measure import cluster as module
from totient.measure.cluster import cluster, sweep
from totient.measure.job import Job, fingerprint
from totient.measure.record import Record

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the machine that asks."""
    folder = tmp_path / "own"
    monkeypatch.setenv("TOTIENT_CACHE", str(folder))
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a program of Dask, which ends with the test."""
    started = []

    def call(program: str, *words: object, **environment: object) -> "subprocess.Popen[bytes]":
        with (tmp_path / "log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{program}", *map(str, words)],
                env=os.environ | {name: str(value) for name, value in environment.items()},
                stdout=log,
                stderr=log,
                cwd=tmp_path,
            )
        started.append(process)
        return process

    yield call
    for process in started:
        process.send_signal(signal.SIGKILL)
        process.wait()


@pytest.fixture
def address(start: Start, tmp_path: Path) -> str:
    """The address of a new scheduler."""
    start(
        "scheduler",
        "--port",
        0,
        "--host",
        "127.0.0.1",
        "--no-dashboard",
        "--scheduler-file",
        tmp_path / "scheduler.json",
    )
    _until(lambda: (tmp_path / "scheduler.json").exists())
    time.sleep(0.2)
    return str(json.loads((tmp_path / "scheduler.json").read_text())["address"])


def _until(ready: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.1)


def _worker(start: Start, address: str, cache: Path, **more: object) -> "subprocess.Popen[bytes]":
    return start(
        *("worker", address, "--nthreads", 1, "--no-nanny", "--no-dashboard", "--host"),
        "127.0.0.1",
        TOTIENT_CACHE=cache,
        **more,
    )


def _jobs(*widths: int, kinds: tuple[str, ...] = ()) -> list[Job]:
    target = find_target("artix7-100t")
    return [Job.of(select("binary", width=width), target, kinds) for width in widths]


def _records(found: list[tuple[Job, Record | str]]) -> dict[str, Record]:
    for _, outcome in found:
        assert isinstance(outcome, Record), outcome
    return {job.to_text(): outcome for job, outcome in found if isinstance(outcome, Record)}


def test_a_killed_worker_changes_no_result(
    start: Start, address: str, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its measurement is done by the other one, and nothing is lost or done twice."""
    first = _worker(start, address, tmp_path / "first")
    _worker(start, address, tmp_path / "second")
    jobs = [*_jobs(40, kinds=("public",)), *_jobs(41, 42, 43)]
    said: list[str] = []
    with cluster(address, 1) as client:
        _until(lambda: len(client.nthreads()) == 2)
        with _killed_at_work(client, first):
            found = list(sweep(client, jobs, said.append))
    assert [line for line in said if line.endswith("is lost")] == said
    assert len(said) == 1
    records = _records(found)
    assert len(found) == len(records) == len(jobs)
    # The same as without a cluster, in a cache that no worker has seen.
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path / "direct"))
    for job in (jobs[0], jobs[-1]):
        assert job.run() == records[job.to_text()]


@contextmanager
def _killed_at_work(client: "Client", worker: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Kill a worker as soon as both have a job, in a thread beside the sweep."""

    def kill() -> None:
        _until(lambda: sum(map(bool, client.processing().values())) == 2)
        time.sleep(1)
        worker.send_signal(signal.SIGKILL)

    thread = Thread(target=kill)
    thread.start()
    yield
    thread.join()


def test_a_sweep_goes_on_where_it_was(
    start: Start, address: str, tmp_path: Path, cache: Path
) -> None:
    _worker(start, address, tmp_path / "worker")
    first, second = _jobs(12, 13)
    with cluster(address, 1) as client:
        done = _records([next(sweep(client, [first], pytest.fail))])
        folder = cache / "sweep"
        (kept,) = folder.iterdir()
        # A damaged file is measured again; a good one is read, without a worker.
        assert next(sweep(None, [first], pytest.fail))[1] == done[first.to_text()]  # type: ignore[arg-type]
        kept.write_text("{")
        both = _records(list(sweep(client, [first, second], pytest.fail)))
    assert both[first.to_text()] == done[first.to_text()]
    assert len([*folder.iterdir()]) == 2


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A totient whose RTL differs in one character."""
    root = tmp_path / "other"
    shutil.copytree(project_root() / "src", root / "src")
    shutil.copytree(project_root() / "rtl", root / "rtl")
    shutil.copytree(project_root() / "firmware", root / "firmware")
    changed = next((root / "rtl").rglob("*.sv"))
    changed.write_text(changed.read_text() + "\n")
    return root / "src"


def test_a_worker_with_other_rtl_is_not_used(
    start: Start,
    address: str,
    tmp_path: Path,
    cache: Path,
    other: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Alone it makes the sweep fail with one line. Beside a right one it gets nothing to do."""
    _worker(start, address, tmp_path / "wrong", PYTHONPATH=other)
    monkeypatch.setattr(module, "PATIENCE", 2.0)
    said: list[str] = []
    with cluster(address, 1) as client:
        _until(lambda: bool(client.nthreads()))
        told = client.run(fingerprint)
        assert set(told.values()) != {fingerprint()}
        with pytest.raises(
            ToolError, match=r"none of 1 workers can be used: tcp://\S+ has another"
        ):
            list(sweep(client, _jobs(9), said.append))
        assert len(said) == 1
        assert said[0].endswith("is refused: it has another totient, RTL or tools")
        monkeypatch.undo()
        _worker(start, address, tmp_path / "right")
        assert len(_records(list(sweep(client, _jobs(9, 10), said.append)))) == 2
    assert not (tmp_path / "wrong").exists()


def test_what_a_worker_refuses_is_told_once(
    start: Start, address: str, tmp_path: Path, cache: Path
) -> None:
    """A measurement that is not possible is not tried again."""
    _worker(start, address, tmp_path / "worker")
    wrong = Job("engine", {**select("engine").parameters, "form": 1}, "artix7-100t")
    with cluster(address, 1) as client:
        ((job, outcome),) = sweep(client, [wrong], pytest.fail)
    assert job == wrong
    assert outcome == "form is 1, which is for Lattice ECP5 only: artix7-100t is AMD Artix-7"


def test_no_scheduler_is_one_line() -> None:
    with (
        pytest.raises(ToolError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9: ") as error,
        cluster("tcp://127.0.0.1:9", 1),
    ):
        pass
    assert "\n" not in str(error.value)
