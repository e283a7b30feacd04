"""Measurements on many machines: jobs on the workers of a Dask scheduler.

Each worker gets one job at a time for each of its threads. If a worker is lost, its jobs go to
others, `TRIES` times at most. What is finished is kept in the cache of the machine that asks: an
interrupted sweep goes on. A worker with another program, RTL or tools is not used. So a result is
the same whoever computed it.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from totient.common.cache import cache_folder, digest
from totient.common.errors import InputError, ToolError
from totient.measure.job import Job, fingerprint, run_text
from totient.measure.kept import write_kept
from totient.measure.record import Record

if TYPE_CHECKING:
    from distributed import Client, Future

TRIES = 3
"""Workers that a job may lose before it counts as failed."""

PATIENCE = 60.0
"""Seconds to wait for a first worker that can be used."""

_CONNECT = 10.0
"""Seconds to wait for a scheduler."""

_ABSENT = 5.0
"""Seconds after which a worker that the scheduler does not know is lost."""

_SECONDS = 0.5
"""Between looks at the workers."""

Say = Callable[[str], None]
Outcome = Record | str
"""A Record, or in one line why there is none."""


@contextmanager
def cluster(address: str | None, jobs: int) -> Iterator["Client"]:
    """A client of a scheduler.

    Args:
        address: of the scheduler, such as `tcp://10.0.0.7:8786`. `None`: a cluster of processes of
            this machine, for as long as the context lasts.
        jobs: processes of that cluster.

    Raises:
        ToolError: no scheduler answers, or the package `distributed` is missing.
    """
    try:
        import distributed
    except ImportError as error:
        raise ToolError(
            "measurements on several machines require the package distributed: "
            "pip install 'totient[cluster]'"
        ) from error
    if address is None:
        with (
            distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                memory_limit=None,
                silence_logs=logging.CRITICAL,
            ) as local,
            distributed.Client(local) as client,
        ):
            yield client
        return
    try:
        client = distributed.Client(address, timeout=_CONNECT)
    except (OSError, ValueError) as error:
        raise ToolError(f"no Dask scheduler at {address}: {_line(error)}") from error
    with client:
        yield client


def _line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def sweep(client: "Client", jobs: Sequence[Job], say: Say) -> Iterator[tuple[Job, Outcome]]:
    """Measure. Yields each job once, in the order in which they end.

    Args:
        client: from `cluster`.
        jobs: to do, each once.
        say: called with a line about a worker that is refused or lost.

    Raises:
        ToolError: no worker can be used, or the scheduler is lost.
    """
    waiting = []
    for job in jobs:
        known = _known(job)
        if known is None:
            waiting.append(job)
        else:
            yield job, known
    if waiting:
        yield from _Sweep(client, waiting, say).outcomes()


def _kept_path(job: Job) -> Path:
    return cache_folder("sweep") / f"{digest(job.to_text(), fingerprint())}.json"


def _known(job: Job) -> Record | None:
    """The Record that an earlier sweep of the same program and tools has kept."""
    try:
        return job.record(_kept_path(job).read_text())
    except (OSError, InputError):
        return None


class _Sweep:
    """Jobs that wait, those that run, and the workers that may be used."""

    def __init__(self, client: "Client", jobs: Sequence[Job], say: Say) -> None:
        self._client, self._say = client, say
        self._waiting = list(jobs)
        self._tries: dict[str, int] = {}  # of jobs, by their text
        self._running: dict[Future[Any], tuple[Job, str]] = {}
        self._threads: dict[str, int] = {}  # of usable workers, by their address
        self._refused: dict[str, str] = {}
        self._absent: dict[str, float] = {}  # since when the scheduler does not know a usable one
        self._since = time.monotonic()  # since when no worker can be used

    def outcomes(self) -> Iterator[tuple[Job, Outcome]]:
        """Each job with its outcome."""
        from distributed import wait

        try:
            while self._waiting or self._running:
                yield from self._look_at_workers()
                self._submit()
                if not self._running:
                    time.sleep(_SECONDS)
                    continue
                try:
                    wait(list(self._running), timeout=_SECONDS, return_when="FIRST_COMPLETED")
                except TimeoutError:
                    continue
                yield from self._ended()
        finally:
            self._client.cancel(list(self._running), force=True)

    def _look_at_workers(self) -> Iterator[tuple[Job, Outcome]]:
        """Find new workers, and give the jobs of lost ones to others."""
        try:
            present = self._client.nthreads()
        except (OSError, RuntimeError) as error:
            raise ToolError(f"the Dask scheduler is lost: {_line(error)}") from error
        new = [each for each in present if each not in self._threads | self._refused]
        if new:
            self._judge(new, present)
        now = time.monotonic()
        self._absent = {
            each: self._absent.get(each, now) for each in self._threads.keys() - present.keys()
        }
        for address, since in self._absent.items():
            # A scheduler may forget a worker that was asleep, and know it again at its next sign.
            if now - since >= _ABSENT:
                del self._threads[address]
                self._say(f"worker {address} is lost")
        for future, (job, address) in list(self._running.items()):
            if address not in self._threads:
                del self._running[future]
                future.cancel(force=True)
                yield from self._again(job, f"its workers were lost {TRIES} times")
        if self._threads:
            self._since = time.monotonic()
        elif time.monotonic() - self._since > PATIENCE:
            raise ToolError(self._no_worker())

    def _no_worker(self) -> str:
        if not self._refused:
            return f"the Dask scheduler had no worker for {PATIENCE:.0f} s"
        first, why = next(iter(self._refused.items()))
        return f"none of {len(self._refused)} workers can be used: {first} {why}"

    def _judge(self, addresses: Sequence[str], present: Mapping[str, int]) -> None:
        """Ask new workers who they are."""
        told = self._client.run(fingerprint, workers=list(addresses), on_error="return")
        for address, answer in told.items():
            if answer == fingerprint():
                self._threads[address] = present[address]
                continue
            if isinstance(answer, OSError):  # gone already
                continue
            self._refused[address] = (
                f"has no totient of this version ({_line(answer)})"
                if isinstance(answer, BaseException)
                else "has another totient, RTL or tools"
            )
            self._say(f"worker {address} is refused: it {self._refused[address]}")

    def _submit(self) -> None:
        """Give each free thread a job."""
        busy = [address for _, address in self._running.values()]
        for address, threads in self._threads.items():
            if address in self._absent:
                continue
            for _ in range(threads - busy.count(address)):
                if not self._waiting:
                    return
                job = self._waiting.pop(0)
                future = self._client.submit(
                    run_text,
                    job.to_text(),
                    fingerprint(),
                    workers=[address],
                    pure=False,
                    retries=0,
                    key=f"measure-{digest(job.to_text())}-{self._tries.get(job.to_text(), 0)}",
                )
                self._running[future] = job, address

    def _ended(self) -> Iterator[tuple[Job, Outcome]]:
        for future in [each for each in self._running if each.done()]:
            job, _ = self._running.pop(future)
            if future.status != "finished":
                yield from self._again(job, f"its workers failed {TRIES} times")
                continue
            answer = future.result()
            if "record" in answer:
                record = job.record(answer["record"])
                write_kept(_kept_path(job), record.to_text())
                yield job, record
            elif "error" in answer:
                yield job, answer["error"]
            else:
                yield from self._again(job, "its workers have other tools")

    def _again(self, job: Job, why: str) -> Iterator[tuple[Job, Outcome]]:
        """Let a job wait again, or give it up."""
        text = job.to_text()
        self._tries[text] = self._tries.get(text, 0) + 1
        if self._tries[text] < TRIES:
            self._waiting.insert(0, job)
        else:
            yield job, why
