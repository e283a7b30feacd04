"""Renewal of Records whose RTL was edited but is the same hardware."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from totient.flow import find_target, place_and_route, synthesise
from totient.flow.boards import find_board
from totient.measure.board_record import BoardRecord, RoutedRecord
from totient.measure.cycles import count_cycles
from totient.measure.measurement import measure_board, recompute
from totient.measure.record import Record
from totient.measure.rtl import core_rtl, ip_rtl
from totient.measure.store import board_records, committed, save, today_of

_Routed = TypeVar("_Routed", Record, BoardRecord, RoutedRecord)


def renewals(
    selected: Callable[[RoutedRecord], bool],
) -> Iterator[tuple[RoutedRecord, Path | None]]:
    """Check the stale committed Records, and write those whose figures still hold.

    Of these the cells are counted anew, in a synthesis. Routes and runs of netlists are kept.
    If the contents of memory blocks differ, cycles are counted anew.

    Args:
        selected: selects the Records to check.

    Returns:
        Each Record for the present RTL with its file, or with `None` if it must be measured again.

    Raises:
        InputError: a file is damaged or of another schema.
        ToolError: RTL cannot be elaborated, or a file cannot be written.
    """
    records: list[RoutedRecord] = [*(each for _, each in committed()), *board_records()]
    for record in filter(selected, records):
        new = renewed(record)
        if new is not record:
            yield record, save(_counted(new)) if new else None


def renewed(record: _Routed) -> _Routed | None:
    """A Record with the digests of the present RTL; itself if it has them.

    Returns:
        With new cycles if its memory blocks had other contents; the runs of its netlists then tell
        theirs. `None` if the Record must be measured again.

    Raises:
        ToolError: the RTL cannot be elaborated.
    """
    now = today_of(record)
    if record.provenance.is_of(now):
        return record
    kept = record.provenance.renewed(now) if now else None
    if kept is None:
        return None
    new = replace(record, provenance=kept)
    before = record.provenance.contents
    if kept.contents == before:
        return new
    if record.netlist:
        new = replace(new, netlist=record.netlist.of_contents(before))
    return new if isinstance(new, BoardRecord) else _counted_again(new)


def _counted_again(record: Record) -> Record:
    """A Record with the cycles of the present RTL."""
    subject = record.subject
    operations = {kind: count_cycles(subject, kind, ip_rtl(subject)) for kind in record.operations}
    return replace(record, operations=operations)


def _counted(record: RoutedRecord) -> RoutedRecord:
    """A Record with the cells of the present RTL, if it has cells.

    The mapper's result depends slightly on names, too: by some LUTs in a thousand.
    """
    if isinstance(record, BoardRecord):
        return record
    rtl, target = core_rtl(record.subject), find_target(record.target)
    return replace(record, utilisation=synthesise(rtl, target, record.dsp))


def routed_today(record: RoutedRecord, seed: int) -> RoutedRecord:
    """A Record whose route by a seed is of the present RTL; measured again whole if it is not.

    The placer's result depends slightly on names. They may differ between the measured and the
    present RTL. A board is routed with all of its seeds.

    Args:
        record: with a routed clock.
        seed: of the route.

    Raises:
        ToolError: a tool failed.
    """
    if isinstance(record, BoardRecord):
        board = measure_board(find_board(record.board), record.subject, record.registers)
        return record if board.fmax_mhz == record.fmax_mhz else board
    target = find_target(record.target)
    today = place_and_route(ip_rtl(record.subject), target, [seed], record.dsp).fmax_mhz
    return record if today == {seed: record.routes[seed]} else recompute(record)
