"""Every Record of the engine on an ECP5: by the longest keys, elements, and devices."""

from totient.measure.engine import CRT
from totient.measure.record import Record, seconds_of
from totient.measure.store import committed, is_stale
from totient.report import Column, Table, columns
from totient.report.values import Value, duration, grouped, significant
from totient.reproduce.results import of_allowed_clock, of_clock

_BITS = 2048  # of the operation that is shown


def table() -> Table:
    """Area, clock and a private operation of each."""
    records = [
        record
        for _, record in committed("engine")
        if record.target.startswith("ecp5") and not is_stale(record)
    ]
    return Table.of(
        f"All measured sizes of the engine on ECP5; RSA-{_BITS} private with CRT",
        (
            *columns(grouped, "keys to, bits", "elements"),
            Column("device"),
            *columns(grouped, "LUT", "FF", "DSP"),
            Column("block RAM", significant),
            Column("max MHz", significant),
            Column("cycles", grouped),
            Column("time, at most 225 MHz", duration),
        ),
        sorted(map(_row, records), key=lambda row: row[:2]),
        "max MHz: the median of the seeds",
    )


def _row(record: Record) -> tuple[int, int, *tuple[Value, ...]]:
    area, figures = record.utilisation, record.operations.get(f"{CRT}-{_BITS}")
    cycles = round(figures.cycles.mean) if figures else None
    return (
        *(record.parameters["width"], record.parameters["elements"], record.target),
        *(area.lut, area.ff, area.dsp, area.block_ram),
        of_clock(record),
        cycles,
        of_allowed_clock(record, lambda mhz: seconds_of(cycles, mhz) if cycles else None),
    )
