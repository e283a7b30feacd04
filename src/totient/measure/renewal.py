"""Renewal of Records whose RTL was edited but is the same hardware."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from totient.flow import find_target, place_and_route, synthesise
from totient.flow.boards import find_board
from totient.measure.board_record import BoardRecord, board_records, measure_board, save_board
from totient.measure.board_record import today_of as today_of_board
from totient.measure.measurement import recompute
from totient.measure.provenance import Today
from totient.measure.record import Record
from totient.measure.rtl import core_rtl, ip_rtl
from totient.measure.store import committed, save, subject_of, today_of

_Kept = TypeVar("_Kept", Record, BoardRecord)


def renewals(
    selected: Callable[[Record | BoardRecord], bool],
) -> Iterator[tuple[Record | BoardRecord, Path | None]]:
    """Check the stale committed Records, and write those whose figures still hold.

    Of these the cells are counted anew, in a synthesis. Routes and cycles are kept.

    Args:
        selected: selects the Records to check.

    Returns:
        Each Record for the present RTL with its file, or with `None` if it must be measured again.

    Raises:
        InputError: a file is damaged or of another schema.
        ToolError: RTL cannot be elaborated, or a file cannot be written.
    """
    records = (each for _, each in committed())
    yield from _renewals(filter(selected, records), today_of, _save_synthesised)
    yield from _renewals(filter(selected, board_records()), today_of_board, save_board)


def _save_synthesised(record: Record) -> Path:
    """Save a Record with the cells of the present RTL.

    The mapper's result depends slightly on names, too: by some LUTs in a thousand.
    """
    rtl, target = core_rtl(subject_of(record)), find_target(record.target)
    return save(replace(record, utilisation=synthesise(rtl, target, record.dsp)))


def _renewals(
    records: Iterable[_Kept],
    today_of: Callable[[_Kept], Today | None],
    save: Callable[[_Kept], Path],
) -> Iterator[tuple[_Kept, Path | None]]:
    for record in records:
        now = today_of(record)
        if not record.provenance.is_of(now):
            kept = record.provenance.renewed(now) if now else None
            yield record, save(replace(record, provenance=kept)) if kept else None


def routed_today(record: Record | BoardRecord, seed: int) -> Record | BoardRecord:
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
    assert record.routing is not None
    ip = ip_rtl(subject_of(record))
    today = place_and_route(ip, find_target(record.target), [seed], record.dsp).fmax_mhz
    return record if today == {seed: record.routing.fmax_mhz[seed]} else recompute(record)
