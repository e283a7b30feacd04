"""Tables of the engine's comparison, and its report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from totient.compare import rings
from totient.compare.engine_findings import AIMED, aims, findings, provenance
from totient.compare.engines import (
    AREAS,
    KINDS,
    OPERATIONS,
    Engine,
    Entry,
    Field,
    area_columns,
    growth_exponent,
)
from totient.compare.openssl_speed import measure_openssl
from totient.flow import NO_ROUTER
from totient.measure import clock_limit
from totient.measure.engine import CRT, LENGTHS, PAIR, PRIVATE, PUBLIC
from totient.measure.record import Record, seconds_of
from totient.measure.store import committed, is_stale
from totient.report import Column, Report, Table, Value, columns
from totient.report.values import duration, grouped, percent, ratio, significant, text
from totient.report.words import listed
from totient.reproduce.results import ROUTED, UTILISED, of_allowed_clock, of_clock

HERE = "here"
"""Name of the table of software timed on this machine."""

_TOO_LONG = 8192
_NAME = Column("what", of="name")
_USER = "Ours: from the request's first word to the answer's last word. Others: the operation alone"
_LUT_NOTE = "LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4"


def _limited() -> str:
    """Upper limit of the clock at which times are stated."""
    return f"at most {clock_limit():g} MHz"


def _missing(engines: Sequence[Engine], target: str) -> tuple[str, ...]:
    """A note on the configurations that have no Record."""
    names = [each.name for each in engines if each.record is None]
    if not names:
        return ()
    return (f"no Record of {', '.join(names)} on {target}: totient bench makes them in hours",)


def _headline(field: Field) -> Table:
    """The engine as its user sees it, and the other cores measured on the same device."""
    others = [each for each in field.entries["private"] if each.is_judge and each.lut]
    return Table.of(
        f"RSA-{field.bits}, a private operation on the {field.published['device']}",
        (
            *columns(text, ("core", "name"), ("operation", "operation")),
            *area_columns(),
            Column("max MHz", significant, "mhz"),
            Column("time", duration, "user_time"),
            Column("LUT x ms", significant, lambda entry: entry.cost("lut")),
        ),
        [*field.ours_in("private"), *others],
        f"max MHz: from nextpnr. Time: at that clock, but at most {clock_limit():g} MHz, the "
        f"limit of the device's multipliers. {_USER}",
        f"LUT: {_LUT_NOTE}. Ours: the whole IP, for keys of up to 4096 bits. Others: the core "
        "alone",
        *_notes(others),
        *_missing(field.ours, ROUTED),
    )


def _notes(entries: Sequence[Entry]) -> Iterator[str]:
    return (f"{each.name}: {each.note}" for each in entries if each.note)


_TITLES = {
    "private": "a private operation, at each core's best",
    "full": "an exponent as long as the modulus, without CRT",
    "public": "a public operation with 65537",
}


def _beside(field: Field, operation: str) -> Table:
    entries = field.entries[operation]
    return Table.of(
        f"RSA-{field.bits}, {_TITLES[operation]}",
        (
            *columns(text, ("what", "name"), ("figures", "whose"), ("operation", "operation")),
            Column("cycles", grouped, "cycles"),
            Column("max MHz", significant, "mhz"),
            *columns(duration, ("time", "seconds"), (f"time, {_limited()}", "at_limit")),
            *area_columns(),
            Column("LUT x ms", significant, lambda entry: entry.cost("lut")),
            Column("DSP x ms", significant, lambda entry: entry.cost("dsp")),
            Column("multiplier use", percent, "use"),
        ),
        entries,
        f"LUT: {_LUT_NOTE}. DSP: MULT18X18D. Block RAM: DP16KD of {field.published['device']}. "
        "Ours: the whole IP, for keys of up to 4096 bits. Others: the core alone",
        f"area x time: {_limited()}, the limit of the device's multipliers. nextpnr does not "
        f"model this limit. {_USER}",
        "multiplier use: 2 s^2 + s products of digits in a Montgomery product, divided by the "
        "products that the multipliers could do during the exponentiation",
        "changed: measured with a part of ours in the core, or with the clock of a similar "
        "core. Published: by its authors, on the named device",
        *_notes(entries),
        *_missing(field.ours, ROUTED),
    )


def _user(field: Field) -> Table:
    """Ours alone: the operation, and the time that a user waits."""
    bits = field.bits

    def waited(engine: Engine) -> int:
        return engine.request_cycles("private", bits)

    return Table.of(
        f"RSA-{bits} on {ROUTED}, a private operation of ours as its user sees it",
        (
            _NAME,
            Column("cycles", grouped, lambda each: each.cycles(CRT, bits)),
            Column("first word in to last word out", grouped, waited),
            Column("max MHz", significant, "mhz"),
            Column("time", duration, lambda each: each.seconds(each.cycles(CRT, bits))),
            Column(_limited(), duration, lambda each: each.at_limit(each.cycles(CRT, bits))),
            Column("first in to last out", duration, lambda each: each.at_limit(waited(each))),
            Column("LUT", grouped, "area.lut"),
            Column("nextpnr's", grouped, lambda each: each.record and each.record.placed),
        ),
        field.ours,
        "cycles: of the operation, counted by the engine; and on the stream from the request's "
        "first word to the answer's last word, for an idle engine and a loaded key",
        f"times: at the maximum clock, and at {clock_limit():g} MHz at most, the limit of the "
        "device's multipliers. nextpnr does not model this limit",
        f"LUT: {_LUT_NOTE} after synthesis. nextpnr's count: placed TRELLIS_COMB, including "
        "those at the ends of carry chains, and those of the harness",
        *_missing(field.ours, ROUTED),
    )


def _fewer_cycles(field: Field) -> Table:
    """Cycles of other cores beside our fastest engine's, without clocks."""
    cycles, mine = field.quickest
    return Table.of(
        f"RSA-{field.bits}, cycles of a private operation, compared with {mine.name}",
        (
            *columns(text, ("what", "name"), ("operation", "operation")),
            Column("cycles", grouped, "cycles"),
            Column(f"times those of {mine.name}", significant, lambda e: ratio(e.cycles, cycles)),
        ),
        [each for each in field.entries["private"] if each.cycles and each.whose != "ours"],
        f"{mine.name}: {grouped(cycles)} cycles, {mine.operation}",
        "the cores differ in clock and in number of multipliers. This table compares neither "
        "area nor time",
    )


def _times_better(field: Field) -> Table:
    rows = [
        (each.name, operation, *(v for area in AREAS for v in field.beside(each, operation, area)))
        for operation in OPERATIONS
        for each in field.ours_in(operation)
    ]
    pairs = [
        (Column(f"{heading} x ms", significant), Column("times less", significant))
        for heading in AREAS.values()
    ]
    return Table.of(
        "Area x time, ours and the best of the others that were measured",
        (*columns(text, "what", "operation"), *chain(*pairs)),
        rows,
        *(
            f"the best of the others, {operation}, x ms: {_best(field, operation)}"
            for operation in OPERATIONS
        ),
        f"the aim from {AIMED} elements on, in private operations: {aims()}",
        f"area x time: {_limited()}. {_USER}",
        "compared only with figures of the same device and tools. The tables above have those "
        "of other devices",
    )


def _best(field: Field, operation: str) -> str:
    """The best of the others in each kind of area x time."""
    by_name: dict[str, list[str]] = {}
    for area, heading in AREAS.items():
        if best := field.best(operation, area):
            cost, name = best
            by_name.setdefault(name, []).append(f"{heading} {significant(cost)}")
    return "; ".join(f"{name}, {listed(costs)}" for name, costs in by_name.items()) or "none"


def _growth(field: Field) -> Table:
    found: dict[tuple[str, str], dict[int, Value]] = {}
    for each in field.ours:
        for operation, kind in KINDS.items():
            cycles = {bits: each.cycles(kind, bits) for bits in LENGTHS}
            found[each.name, operation] = {**cycles, _TOO_LONG: "does not fit"}
    for core in field.published["cores"]:
        for operation, count in core.get("cycles", {}).items():
            named = "private" if operation == "crt" else operation
            found.setdefault((core["name"], named), {})[core["bits"]] = count
    rows: list[Sequence[Value]] = []
    for names, counts in found.items():
        known = {bits: count for bits, count in counts.items() if isinstance(count, int)}
        if len(known) > 1:
            power = growth_exponent(list(known), list(known.values()))
            rows.append((*names, *map(counts.get, (*LENGTHS, _TOO_LONG)), power))
    return Table.of(
        "Cycles against the length of the modulus",
        (
            *columns(text, "what", "operation"),
            *columns(grouped, *(f"{bits} bits" for bits in (*LENGTHS, _TOO_LONG))),
            Column("exponent of growth", significant),
        ),
        rows,
        "exponent of growth: the power of the length that fits best (least squares on logarithms)",
        "ours: private with CRT, full without. The same engine for 4096 bits at all lengths: "
        "8192 bits do not fit",
    )


def _rings(field: Field) -> Table:
    """With our longest ring."""
    return rings.table(max(each.configuration.parameters["elements"] for each in field.ours))


def _sizes(field: Field) -> Table:
    """Every Record of the engine on an ECP5, also of other widths and speed grades."""

    def cycles(record: Record) -> int | None:
        figures = record.operations.get(f"{CRT}-{field.bits}")
        return round(figures.cycles.mean) if figures else None

    def at_limit(record: Record) -> Value:
        count = cycles(record)
        return of_allowed_clock(record, partial(seconds_of, count)) if count else None

    records = [
        record
        for _, record in committed("engine")
        if record.target.startswith("ecp5") and not is_stale(record)
    ]
    return Table.of(
        f"All measured sizes of the engine on ECP5; RSA-{field.bits} private with CRT",
        (
            Column("keys to, bits", grouped, lambda record: record.parameters["width"]),
            Column("elements", grouped, lambda record: record.parameters["elements"]),
            Column("device", of=lambda record: record.target),
            *area_columns("utilisation."),
            Column("max MHz", significant, of_clock),
            Column("cycles", grouped, cycles),
            Column(f"time, {_limited()}", duration, at_limit),
        ),
        sorted(records, key=lambda each: (each.parameters["width"], each.parameters["elements"])),
        "max MHz: the median of the seeds",
    )


def _operations(field: Field) -> Table:
    rows: list[Sequence[Value]] = []
    for each in field.ours:
        for kind in (CRT, PRIVATE, PUBLIC, PAIR):
            figures = each.figures(kind, field.bits)
            counts = figures.setup_cycles.mean, figures.cycles.mean
            how = "simulated" if figures.simulated else "formula"
            rows.append((each.name, kind, how, *counts, *map(each.at_limit, counts)))
    return Table.of(
        f"Operations of our configurations with keys of {field.bits} bits, on {ROUTED}",
        (
            *columns(text, "what", "operation", "cycles are"),
            *columns(grouped, "set-up, cycles", "cycles"),
            *columns(duration, "set-up", "time"),
        ),
        rows,
        f"times at the maximum clock, {_limited()}; operations as in docs/measuring.md",
        "formula: exact. Used where a simulation takes too long for a Record, or no Record exists",
        *_missing(field.ours, ROUTED),
    )


def _artix7(field: Field) -> Table:
    def cycles(kind: str, engine: Engine) -> int:
        return engine.cycles(kind, field.bits)

    return Table.of(
        f"Our configurations on {UTILISED}, with digits of 17 bits; RSA-{field.bits}",
        (
            _NAME,
            *columns(grouped, ("LUT", "area.lut"), ("FF", "area.ff"), ("DSP48E1", "area.dsp")),
            Column("block RAM of 36 Kbit", significant, "area.block_ram"),
            *columns(grouped, *((f"cycles, {n}", partial(cycles, k)) for n, k in KINDS.items())),
            Column("device", of=lambda e: e.record and (e.record.misfit or "fits")),
        ),
        field.utilised,
        f"synthesis only: {NO_ROUTER}",
        *_missing(field.utilised, UTILISED),
    )


def _here(field: Field) -> Table:
    speed = measure_openssl(field.bits)
    rows: list[Sequence[Value]] = []
    for operation, seconds in (("private", speed.private_s), ("public", speed.public_s)):
        rows.append((speed.version, operation, seconds, None))
        for each in field.ours_in(operation):
            rows.append((each.name, operation, each.at_limit, ratio(seconds, each.at_limit)))
    return Table.of(
        "OpenSSL, timed on this machine during this command, and ours",
        (
            *columns(text, "what", "operation"),
            Column("time", duration),
            Column("times faster than OpenSSL", significant),
        ),
        rows,
        f"openssl speed, one second for each operation, one core of {speed.machine}",
    )


_MAKERS: Mapping[str, Callable[[Field], Table]] = {
    "headline": _headline,
    **{operation: partial(_beside, operation=operation) for operation in OPERATIONS},
    "user": _user,
    "fewer-cycles": _fewer_cycles,
    "times-better": _times_better,
    "growth": _growth,
    "rings": _rings,
    "sizes": _sizes,
    "operations": _operations,
    "artix7": _artix7,
    HERE: _here,
}

TABLES = tuple(_MAKERS)
"""Names of the tables, in order. The last one only if software is timed."""


def compare(bits: int = 2048, software: bool = False) -> Report:
    """The engine and the others, for keys of a length.

    Args:
        bits: of the modulus, one of `LENGTHS`.
        software: whether to time OpenSSL on this machine, which takes some seconds.

    Raises:
        InputError: another length.
        ToolError: a Record or the others' data are damaged, or OpenSSL cannot be timed.
    """
    field = Field(bits)
    makers = {name: make for name, make in _MAKERS.items() if software or name != HERE}
    return Report(
        title=f"The engine beside other open cores and software, RSA-{bits}",
        command=f"totient compare-engine --bits {bits}" + (" --software" if software else ""),
        tables={name: make(field) for name, make in makers.items()},
        findings=list(findings(field)),
        provenance=list(provenance(field)),
    )
