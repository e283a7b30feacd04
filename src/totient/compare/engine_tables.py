"""The engine beside the field: its tables, and what follows from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter

from totient.compare.engine_findings import AIM, findings, provenance
from totient.compare.engines import (
    KINDS,
    OPERATIONS,
    Engine,
    Entry,
    Field,
    area_time,
    growth_exponent,
)
from totient.compare.openssl_speed import measure_openssl
from totient.measure import clock_limit
from totient.measure.engine import CRT, LENGTHS, PAIR, PRIVATE, PUBLIC
from totient.report import (
    Column,
    Report,
    Table,
    Value,
    columns,
    duration,
    grouped,
    percent,
    ratio,
    significant,
    text,
)
from totient.reproduce.results import ROUTED, UTILISED

HERE = "here"
"""Name of the table of software that is timed on this machine."""

_TOO_LONG = 8192
_NAME = Column("what", of=attrgetter("name"))
_LUT_NOTE = "LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4"


def _limited() -> str:
    """What times are at, at most."""
    return f"at most {clock_limit():g} MHz"


def _limit_note() -> str:
    return (
        f"{clock_limit():g} MHz at most, the limit of the device's multipliers, which nextpnr does "
        "not know"
    )


def _missing(field: Field) -> tuple[str, ...]:
    """A note on the configurations that have no Record."""
    return _without_record([each.name for each in field.ours if each.record is None], ROUTED)


def _without_record(names: Sequence[str], target: str) -> tuple[str, ...]:
    if not names:
        return ()
    return (f"no Record of {', '.join(names)} on {target}: totient bench makes them, in hours",)


def _headline(field: Field) -> Table:
    """What a user gets, beside the other cores that were measured on the same device."""
    ours = [each for each in field.entries["private"] if each.whose == "ours"]
    others = [each for each in field.entries["private"] if each.is_judge and each.lut]
    waited = {each.name: each.at_limit(each.request_cycles(field.bits)) for each in field.ours}

    def time(entry: Entry) -> Value:
        return waited.get(entry.name, entry.at_limit)

    return Table.of(
        f"RSA-{field.bits}, a private operation on the {field.published['device']}",
        (
            Column("core", of=attrgetter("name")),
            Column("operation", of=attrgetter("operation")),
            Column("LUT", grouped, attrgetter("lut")),
            Column("DSP", grouped, attrgetter("dsp")),
            Column("block RAM", significant, attrgetter("block_ram")),
            Column("time", duration, time),
            Column("LUT x ms", significant, lambda entry: area_time(entry.lut, time(entry))),
        ),
        [*ours, *others],
        (
            f"time: at the maximum clock that nextpnr states, {clock_limit():g} MHz at most, the "
            "limit of the device's multipliers; of ours from the request's first word to the "
            "answer's last one, of the others the operation alone",
            f"LUT: {_LUT_NOTE}, of ours the whole IP, for keys of up to 4096 bits, of the others "
            "the core alone",
            *_notes(others),
            *_missing(field),
        ),
    )


def _notes(entries: Sequence[Entry]) -> Iterator[str]:
    return (f"{each.name}: {each.note}" for each in entries if each.note)


_TITLES = {
    "private": "a private operation, as each does it best",
    "full": "an exponent as long as the modulus, without CRT",
    "public": "a public operation with 65537",
}


def _beside(field: Field, operation: str) -> Table:
    entries = field.entries[operation]
    return Table.of(
        f"RSA-{field.bits}, {_TITLES[operation]}",
        (
            _NAME,
            Column("figures", of=attrgetter("whose")),
            Column("operation", of=attrgetter("operation")),
            Column("cycles", grouped, attrgetter("cycles")),
            Column("max MHz", significant, attrgetter("mhz")),
            Column("time", duration, attrgetter("seconds")),
            Column(f"time, {_limited()}", duration, attrgetter("at_limit")),
            Column("LUT", grouped, attrgetter("lut")),
            Column("FF", grouped, attrgetter("ff")),
            Column("DSP", grouped, attrgetter("dsp")),
            Column("block RAM", significant, attrgetter("block_ram")),
            Column("LUT x ms", significant, lambda entry: entry.cost("lut")),
            Column("DSP x ms", significant, lambda entry: entry.cost("dsp")),
            Column("multiplier use", percent, attrgetter("use")),
        ),
        entries,
        (
            f"LUT are {_LUT_NOTE}, DSP MULT18X18D, block RAM DP16KD of "
            f"{field.published['device']}; ours is the whole IP, for keys of up to 4096 bits, the "
            "others' figures are of the core alone",
            f"area x time: {_limited()}, the limit of the device's multipliers, which nextpnr does "
            "not know",
            "multiplier use: 2 s^2 + s products of digits a Montgomery product, over what the "
            "multipliers could do in the exponentiation",
            "changed: measured, with a part of ours in it or its clock taken over; published: on "
            "the device that is named, by its authors",
            *_notes(entries),
            *_missing(field),
        ),
    )


def _user(field: Field) -> Table:
    """Ours alone: the operation, and what a user waits for."""
    bits = field.bits
    return Table.of(
        f"RSA-{bits} on {ROUTED}, a private operation of ours as its user sees it",
        (
            _NAME,
            Column("cycles", grouped, lambda each: each.cycles(CRT, bits)),
            Column("first word in to last word out", grouped, lambda e: e.request_cycles(bits)),
            Column("max MHz", significant, attrgetter("mhz")),
            Column("time", duration, lambda each: each.seconds(each.cycles(CRT, bits))),
            Column(_limited(), duration, lambda each: each.at_limit(each.cycles(CRT, bits))),
            Column("first in to last out", duration, lambda e: e.at_limit(e.request_cycles(bits))),
            Column("LUT", grouped, lambda each: each.use("lut")),
            Column("nextpnr's", grouped, lambda each: each.record and each.record.placed),
        ),
        field.ours,
        (
            "cycles: of the operation, as the engine counts them; from the request's first word to "
            "the answer's last on the stream, the engine at rest before, for a loaded key",
            f"times: at the maximum clock, and at {_limit_note()}",
            f"LUT: {_LUT_NOTE} of the synthesis; nextpnr's: the TRELLIS_COMB that it has placed, "
            "with those that carry chains begin and end with, and the harness'",
            *_missing(field),
        ),
    )


def _fewer_cycles(field: Field) -> Table:
    """Other cores beside the quickest of ours, in cycles: no clock is in it."""
    ours = [each for each in field.entries["private"] if each.whose == "ours"]
    mine = min(ours, key=lambda each: each.cycles or 0)
    return Table.of(
        f"RSA-{field.bits}, cycles of a private operation beside {mine.name}'s",
        (
            _NAME,
            Column("operation", of=attrgetter("operation")),
            Column("cycles", grouped, attrgetter("cycles")),
            Column(
                f"times those of {mine.name}", significant, lambda e: ratio(e.cycles, mine.cycles)
            ),
        ),
        [each for each in field.entries["private"] if each.cycles and each.whose != "ours"],
        (
            f"{mine.name}: {grouped(mine.cycles)} cycles, {mine.operation}; each core has as many "
            "multipliers as it has, and a clock of its own: neither area nor time is compared here",
        ),
    )


def _times_better(field: Field) -> Table:
    rows = [
        (
            each.name,
            operation,
            *(v for area in ("lut", "dsp") for v in _beside_best(field, each, operation, area)),
        )
        for operation in OPERATIONS
        for each in field.entries[operation]
        if each.whose == "ours"
    ]
    both = (
        (
            Column(f"{area} x ms", significant),
            Column("best other's", significant),
            Column("whose"),
            Column("times less", significant),
        )
        for area in ("LUT", "DSP")
    )
    return Table(
        "Area x time, ours and the best of the others that were measured",
        (*columns(text, "what", "operation"), *(column for each in both for column in each)),
        rows,
        (
            f"what we aim at is {AIM} times less",
            "against figures of the same device and tools only; those of other devices are in the "
            "tables before",
        ),
    )


def _beside_best(field: Field, entry: Entry, operation: str, area: str) -> Sequence[Value]:
    best = field.best(operation, area) or (None, None)
    return entry.cost(area), *best, field.times_less(entry, operation, area)


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
    return Table(
        "Cycles against the length of the modulus",
        (
            *columns(text, "what", "operation"),
            *columns(grouped, *(f"{bits} bits" for bits in (*LENGTHS, _TOO_LONG))),
            Column("grows with the power", significant),
        ),
        rows,
        (
            "the power of the length that fits best (least squares on logarithms)",
            "ours: private with CRT, full without; of 4096 bits, the widest, at all lengths, so "
            "that 8192 do not fit",
        ),
    )


def _operations(field: Field) -> Table:
    rows: list[Sequence[Value]] = []
    for each in field.ours:
        for kind in (CRT, PRIVATE, PUBLIC, PAIR):
            figures = each.figures(kind, field.bits)
            counts = figures.setup_cycles.mean, figures.cycles.mean
            how = "simulated" if figures.simulated else "formula"
            rows.append((each.name, kind, how, *counts, *map(each.at_limit, counts)))
    return Table(
        f"What our configurations do with keys of {field.bits} bits, on {ROUTED}",
        (
            *columns(text, "what", "operation", "cycles are"),
            *columns(grouped, "set-up, cycles", "cycles"),
            *columns(duration, "set-up", "time"),
        ),
        rows,
        (
            f"times at the maximum clock, {_limited()}; operations as in docs/measuring.md",
            "formula: exact, but too long to be simulated for a Record, or there is none",
            *_missing(field),
        ),
    )


def _artix7(field: Field) -> Table:
    def cells(heading: str, quantity: str) -> Column:
        return Column(heading, grouped, lambda each: each.use(quantity))

    def cycles(kind: str, engine: Engine) -> int:
        return engine.cycles(kind, field.bits)

    return Table.of(
        f"Our configurations on {UTILISED}, with digits of 17 bits; RSA-{field.bits}",
        (
            _NAME,
            cells("LUT", "lut"),
            cells("FF", "ff"),
            cells("DSP48E1", "dsp"),
            Column("block RAM of 36 Kbit", significant, lambda each: each.use("block_ram")),
            *(
                Column(f"cycles, {name}", grouped, partial(cycles, kind))
                for name, kind in KINDS.items()
            ),
            Column("device", of=lambda e: e.record and (e.record.misfit or "fits")),
        ),
        field.utilised,
        (
            "synthesis; there is no free router for it",
            *_without_record(
                [each.name for each in field.utilised if each.record is None], UTILISED
            ),
        ),
    )


def _here(field: Field) -> Table:
    speed = measure_openssl(field.bits)
    rows: list[Sequence[Value]] = []
    for operation, seconds in (("private", speed.private_s), ("public", speed.public_s)):
        rows.append((speed.version, operation, seconds, None))
        for each in field.entries[operation]:
            if each.whose == "ours":
                rows.append((each.name, operation, each.at_limit, ratio(seconds, each.at_limit)))
    return Table(
        "OpenSSL, timed on this machine just now, and ours",
        (
            *columns(text, "what", "operation"),
            Column("time", duration),
            Column("times faster than OpenSSL", significant),
        ),
        rows,
        (f"openssl speed for a second an operation, one core of {speed.machine}",),
    )


_MAKERS: Mapping[str, Callable[[Field], Table]] = {
    "headline": _headline,
    **{operation: partial(_beside, operation=operation) for operation in OPERATIONS},
    "user": _user,
    "fewer-cycles": _fewer_cycles,
    "times-better": _times_better,
    "growth": _growth,
    "operations": _operations,
    "artix7": _artix7,
    HERE: _here,
}

TABLES = tuple(_MAKERS)
"""Names of the tables, in order; the last one only where software is timed."""


def compare(bits: int = 2048, software: bool = False) -> Report:
    """The engine beside the others, for keys of a length.

    Args:
        bits: of the modulus, one of `LENGTHS`.
        software: whether OpenSSL is timed on this machine, which takes some seconds.

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
