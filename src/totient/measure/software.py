"""RSA in software: measured on processors' simulators, kept under `results/software/`."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from totient.common.cache import digest
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.flow import tool_version
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.software_programs import (
    ASSEMBLY,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    TINY,
    TINY_MEAN,
    Figures,
    Work,
    measure_work,
)
from totient.processor import Processor, find_processor
from totient.processor.bearssl import VERSION

SCHEMA = 1


_FIRMWARE = ("processor", "rsa", "rsa_counted", "tiny_rsa")


@dataclass(frozen=True)
class SoftwareRecord:
    """All measurements on a processor, with their provenance.

    Attributes:
        processor: its name.
        figures: by operation.
        command: that computes them.
        tools: versions of compiler and simulator.
        sources: digest of all inputs of the programs.
    """

    processor: str
    figures: Mapping[Work, Figures]
    command: str
    tools: Mapping[str, str]
    sources: str

    def to_text(self) -> str:
        """The JSON of the file."""
        rows = [{**vars(work), **vars(found)} for work, found in self.figures.items()]
        return json.dumps({"schema": SCHEMA, **vars(self), "figures": rows}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "SoftwareRecord":
        """Parse the text of `to_text`.

        Raises:
            InputError: damaged, or of another schema.
        """
        with parsing(text, SCHEMA, "figures of software") as data:
            figures = {}
            for row in data.pop("figures"):
                work = Work(*(row.pop(name) for name in ("form", "operation", "bits")))
                if row.get("cycles") is not None:
                    row["cycles"] = tuple(row["cycles"])
                figures[work] = Figures(**row)
            return cls(figures=figures, **data)


def works(processor: Processor) -> Iterator[Work]:
    """All that is measured on a processor, the short ones first."""
    forms = [OURS, *([ASSEMBLY] if processor.assembly else []), BEARSSL15]
    if processor.multiplies_words:
        forms.append(BEARSSL31)
    for operation in TINY:
        yield Work(OURS, operation, 30)
    if processor.only_small:
        return
    for bits in LENGTHS:
        for operation in OPERATIONS:
            for form in forms:
                yield Work(form, operation, bits)


def tools(processor: Processor) -> dict[str, str]:
    """Versions of the tools behind a processor's figures.

    Raises:
        ToolError: one is missing.
    """
    return {
        **{name: tool_version(name) for name in processor.tools},
        **{name: _debian_version(name) for name in processor.packages},
        "BearSSL": VERSION,
    }


@cache
def _debian_version(package: str) -> str:
    command = ["dpkg-query", "--show", "--showformat=${Version}", package]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ToolError(f"cannot read the version of {package}: {error.strerror}") from error
    if done.returncode:
        raise ToolError(f"the package {package} is missing: make processors")
    return done.stdout


def sources_digest(processor: Processor) -> str:
    """Digest of a processor's program sources, build commands and cycles of instructions."""
    firmware = project_root() / "firmware"
    files = [
        each
        for folder in (*_FIRMWARE, *([TINY_MEAN] if processor.runs > 1 else []))
        for each in sorted((firmware / folder).rglob("*"))
        if each.is_file() and _concerns(each.relative_to(firmware), processor)
    ]
    made_by = (processor.compiler, *processor.flags, *processor.linker, *processor.machine)
    pace = [repr((processor.pace.cycles, processor.pace.issue))] if processor.pace else []
    return digest(
        *made_by, *pace, *(part for each in files for part in (each.name, each.read_bytes()))
    )


def _concerns(path: Path, processor: Processor) -> bool:
    if path.parts[0] == "processor" and len(path.parts) > 2:
        return path.parts[1] in (processor.folder, *([] if processor.c_library else ["library"]))
    return path.parts[0] != "rsa" or path.suffix != ".S" or path.name == processor.assembly


def is_stale(record: SoftwareRecord, processor: Processor) -> bool:
    """Whether the program sources have changed since the measurement."""
    return record.sources != sources_digest(processor)


def _path(processor: Processor) -> Path:
    return project_root() / "results" / "software" / f"{processor.name}.json"


def software_record(processor: Processor) -> SoftwareRecord | None:
    """The committed figures of a processor; `None` if there are none.

    Raises:
        InputError: they are damaged.
    """
    path = _path(processor)
    return read_kept(path, SoftwareRecord.from_text) if path.exists() else None


def measure_software(processor: Processor) -> SoftwareRecord:
    """Measure all operations of a processor.

    Raises:
        ToolError: a tool is missing or failed, or a result is wrong.
    """
    return SoftwareRecord(
        processor.name,
        {work: measure_work(processor, work) for work in works(processor)},
        f"totient bench --only {processor.name}",
        tools(processor),
        sources_digest(processor),
    )


def save_software(record: SoftwareRecord) -> Path:
    """Write the figures of a processor under `results/software/`.

    Raises:
        ToolError: the folder cannot be written.
    """
    return write_kept(_path(find_processor(record.processor)), record.to_text())
