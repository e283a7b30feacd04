"""The engine beside the field: other open cores and software, in the same units.

Ours are of Records and of the catalog's cycles; the others' figures are in `papers/field.toml`,
most of them measured with this project's flow. Nothing is measured here: what has no Record has no
area and no clock, and a note says so.
"""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from totient.catalog import Configuration, RsaLengths, request_cycles, select
from totient.catalog.engine import ELEMENTS, exponentiation
from totient.common.errors import InputError
from totient.common.papers import published
from totient.flow import find_target
from totient.measure import (
    OperationFigures,
    Record,
    allowed_clock,
    clock_limit,
    kinds_of,
    lookup,
)
from totient.measure.engine import CRT, LENGTHS, PAIR, PRIVATE, PUBLIC, figures_by_formula
from totient.reproduce.measurements import Measurement, of_clock
from totient.reproduce.model import (
    Column,
    Reproduction,
    Table,
    Value,
    duration,
    grouped,
    significant,
)
from totient.reproduce.openssl_speed import Speed, measure_openssl

OPERATIONS = ("private", "full", "public")
"""What is compared: the private operation as each does it best, exponents as long as the modulus
without CRT, and the public exponent 65537."""

HERE = "here"
"""Name of the table of software that is timed on this machine."""

TABLES = (
    "headline",
    *OPERATIONS,
    "user",
    "fewer-cycles",
    "times-better",
    "growth",
    "operations",
    "artix7",
    HERE,
)
"""Names of the tables, in order; the last one only where software is timed."""

AIM = 15
"""Times less area x time than the best of the others: what the engine is built for."""

_ROUTED, _UTILISED = "ecp5-85f", "artix7-100t"
_TOO_LONG = 8192

_KINDS = {"private": CRT, "full": PRIVATE, "public": PUBLIC}
_OURS = {
    "private": "CRT, blinded, checked",
    "full": "no CRT, blinded, checked",
    "public": "65537",
}
_THEIRS = {"full": "no CRT", "public": "65537"}


@dataclass(frozen=True)
class Entry:
    """A core or software with one operation.

    Attributes:
        name: of it.
        whose: `ours`, or where the figures come from.
        operation: in words.
        cycles: clock cycles.
        mhz: maximum clock.
        seconds: at that clock.
        at_limit: the same, at a clock that the multiplier blocks allow, too.
        lut, ff, dsp, block_ram: what it takes of an ECP5.
        use: part of the multipliers' cycles that does the products of the exponentiation.
        note: what else has to be known of it.
        unshown: why there is a clock that is not shown, in words.
    """

    name: str
    whose: str
    operation: str
    cycles: int | None = None
    mhz: float | None = None
    seconds: float | None = None
    at_limit: float | None = None
    lut: int | None = None
    ff: int | None = None
    dsp: int | None = None
    block_ram: float | None = None
    use: float | None = None
    note: str = ""
    unshown: str | None = None

    @property
    def is_judge(self) -> bool:
        """Whether ratios are to it: measured in the same flow, on the same device."""
        return self.whose in ("measured", "changed")

    def cost(self, area: str) -> float | None:
        """Area of a kind (`lut` or `dsp`) x milliseconds; `None` where one is not known or 0."""
        count = getattr(self, area)
        return 1e3 * count * self.at_limit if count and self.at_limit else None


def engines() -> dict[str, Configuration]:
    """Our configurations, by name."""
    return {name: select(name) for name in (f"engine-{elements}" for elements in ELEMENTS)}


def measurements(widest: int) -> Iterator[Measurement]:
    """Records of our configurations, up to a width."""
    for name, configuration in engines().items():
        if configuration.width <= widest:
            for target in map(find_target, (_UTILISED, _ROUTED)):
                subject = configuration.suited(target.family)
                yield Measurement(name, subject, target, kinds_of(subject))


def compare(bits: int = 2048, software: bool = False) -> Reproduction:
    """The engine beside the others, for keys of a length.

    Args:
        bits: of the modulus, one of `LENGTHS`.
        software: whether OpenSSL is timed on this machine, which takes some seconds.

    Raises:
        InputError: another length.
        ToolError: a Record or the others' data are damaged, or OpenSSL cannot be timed.
    """
    if bits not in LENGTHS:
        raise InputError(
            f"--bits is {bits}, allowed is {', '.join(map(str, LENGTHS[:-1]))} or {LENGTHS[-1]}"
        )
    field = published("field")
    routed, utilised = _on(_ROUTED), _on(_UTILISED)
    entries = {
        operation: [
            *(_ours(each, operation, bits) for each in routed),
            *_others(field, operation, bits),
        ]
        for operation in OPERATIONS
    }
    ratios = _times_better(entries)
    missing = _missing(routed, _ROUTED)
    tables = [
        _headline(field, bits, routed, entries["private"], missing),
        *(_beside(field, name, bits, each, missing) for name, each in entries.items()),
        _user(bits, routed, missing),
        _fewer_cycles(bits, entries["private"]),
        ratios,
        _growth(field, routed),
        _operations(bits, routed, missing),
        _artix7(bits, utilised),
    ]
    if software:
        tables.append(_here(measure_openssl(bits), entries))
    return Reproduction(
        title=f"The engine beside other open cores and software, RSA-{bits}",
        command=f"totient compare-engine --bits {bits}" + (" --software" if software else ""),
        tables=tables,
        findings=_findings(bits, ratios, entries["private"]),
        provenance=_provenance(field, routed),
    )


@dataclass(frozen=True)
class _Ours:
    """One of our configurations on a target.

    Attributes:
        name: of it.
        configuration: as it suits the target.
        record: the committed one, if there is one that is not stale.
    """

    name: str
    configuration: Configuration
    record: Record | None

    def figures(self, kind: str, bits: int) -> OperationFigures:
        """Cycles of an operation kind: the Record's, or else the same by the catalog."""
        named = f"{kind}-{bits}"
        found = self.record.operations.get(named) if self.record else None
        return found or figures_by_formula(self.configuration, named)

    def seconds(self, cycles: int, mhz: float) -> float:
        """Time of so many cycles at a routed clock, as far as the multiplier blocks allow it."""
        dsp = self.record.utilisation.dsp if self.record else 0
        return cycles / allowed_clock(mhz, dsp) / 1e6


def _on(target_name: str) -> list[_Ours]:
    """Our configurations on a target."""
    target = find_target(target_name)
    ours = []
    for name, each in engines().items():
        suited = each.suited(target.family)
        ours.append(_Ours(name, suited, lookup(suited, target, True)))
    return ours


def _missing(ours: Sequence[_Ours], target: str) -> tuple[str, ...]:
    """A note on the configurations that have no Record."""
    names = [each.name for each in ours if each.record is None]
    if not names:
        return ()
    return (f"no Record of {', '.join(names)} on {target}: totient bench makes them, in hours",)


def word_products(bits: int, digit_bits: int) -> int:
    """Products of digits in a Montgomery product of numbers of so many bits, at least."""
    digits = math.ceil(bits / digit_bits)
    return 2 * digits**2 + digits


def multiplier_use(
    configuration: Configuration, operation: str, bits: int, multipliers: int
) -> float | None:
    """Part of the multipliers' cycles that an exponentiation's own products take.

    Args:
        configuration: of an engine.
        operation: `private` or `full`; of others there is none.
        bits: of the modulus.
        multipliers: how many it has.
    """
    if operation not in ("private", "full"):
        return None
    crt = operation == "private"
    primes = (bits // 2, bits // 2) if crt else None
    lengths = RsaLengths(bits, prime_bits=primes)
    products, cycles = exponentiation(configuration.parameters, lengths)
    streams, length = (2, bits // 2) if crt else (1, bits)
    digit_bits = configuration.parameters["digit_bits"]
    return streams * products * word_products(length, digit_bits) / (multipliers * cycles)


def _ours(ours: _Ours, operation: str, bits: int) -> Entry:
    cycles = ours.figures(_KINDS[operation], bits).cycles.mean
    if ours.record is None:
        return Entry(ours.name, "ours", _OURS[operation], cycles)
    use = ours.record.utilisation
    mhz = ours.record.shown_mhz
    return Entry(
        name=ours.name,
        whose="ours",
        operation=_OURS[operation],
        cycles=cycles,
        mhz=mhz,
        seconds=cycles / mhz / 1e6 if mhz else None,
        at_limit=cycles / allowed_clock(mhz, use.dsp) / 1e6 if mhz else None,
        lut=use.lut,
        ff=use.ff,
        dsp=use.dsp,
        block_ram=use.block_ram,
        use=multiplier_use(ours.configuration, operation, bits, use.dsp),
        unshown=ours.record.unshown,
    )


def _others(field: Mapping[str, Any], operation: str, bits: int) -> Iterator[Entry]:
    """Cores and software that do an operation of a length."""
    for part in ("cores", "software"):
        for each in field[part]:
            # A private operation by CRT where there is one.
            wanted = ("crt", "full") if operation == "private" else (operation,)
            found = next((name for name in wanted if name in each["milliseconds"]), None)
            if each["bits"] == bits and found:
                yield _other(each, found)


def _other(each: Mapping[str, Any], operation: str) -> Entry:
    cycles, mhz = each.get("cycles", {}).get(operation), each.get("mhz")
    seconds = cycles / mhz / 1e6 if cycles and mhz else each["milliseconds"][operation] / 1e3
    area = each.get("area", {})
    crt = f"CRT, {each['crt']}" if "crt" in each else "CRT"
    device = f", {each['device']}" if "device" in each else ""
    return Entry(
        name=f"{each['name']}{device}",
        whose=each["whose"],
        operation=_THEIRS.get(operation, crt),
        cycles=cycles,
        mhz=mhz,
        seconds=seconds,
        at_limit=seconds,
        lut=area.get("lut"),
        dsp=area.get("dsp"),
        block_ram=area.get("block_ram"),
        use=each.get("multiplier_use"),
        note=each.get("note", ""),
    )


def _percent(value: Value) -> str:
    return f"{100 * value:.0f} %" if isinstance(value, int | float) else significant(value)


def _beside(
    field: Mapping[str, Any],
    operation: str,
    bits: int,
    entries: Sequence[Entry],
    missing: Sequence[str],
) -> Table:
    limit = clock_limit()
    return Table(
        operation,
        {
            "private": f"RSA-{bits}, a private operation, as each does it best",
            "full": f"RSA-{bits}, an exponent as long as the modulus, without CRT",
            "public": f"RSA-{bits}, a public operation with 65537",
        }[operation],
        (
            Column("what"),
            Column("figures"),
            Column("operation"),
            Column("cycles", grouped),
            Column("max MHz", significant),
            Column("time", duration),
            Column(f"time, at most {limit:g} MHz", duration),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("DSP", grouped),
            Column("block RAM", significant),
            Column("LUT x ms", significant),
            Column("DSP x ms", significant),
            Column("multiplier use", _percent),
        ),
        [
            (
                *(each.name, each.whose, each.operation, each.cycles),
                *(value or each.unshown for value in (each.mhz, each.seconds, each.at_limit)),
                *(each.lut, each.ff, each.dsp, each.block_ram),
                *(each.cost(area) or each.unshown for area in ("lut", "dsp")),
                each.use,
            )
            for each in entries
        ],
        (
            f"LUT are LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4, DSP MULT18X18D, block RAM DP16KD of "
            f"{field['device']}; ours is the whole IP, for keys of up to 4096 bits, the others' "
            "figures are of the core alone",
            f"area x time: at most {limit:g} MHz, the limit of the device's multipliers, which "
            "nextpnr does not know",
            "multiplier use: 2 s^2 + s products of digits a Montgomery product, over what the "
            "multipliers could do in the exponentiation",
            "changed: measured, with a part of ours in it or its clock taken over; published: on "
            "the device that is named, by its authors",
            *(f"{each.name}: {each.note}" for each in entries if each.note),
            *missing,
        ),
    )


def _at(cycles: int, mhz: float) -> float:
    """Seconds."""
    return cycles / mhz / 1e6


def _user(bits: int, ours: Sequence[_Ours], missing: Sequence[str]) -> Table:
    """Ours alone: the operation, and what a user waits for."""
    limit = clock_limit()
    rows: list[Sequence[Value]] = []
    for each in ours:
        operation = each.figures(CRT, bits).cycles.mean
        whole = request_cycles(each.configuration.parameters, bits)
        use = each.record.utilisation if each.record else None
        rows.append(
            (
                each.name,
                *(operation, whole),
                of_clock(each.record),
                of_clock(each.record, partial(_at, operation)),
                *(of_clock(each.record, partial(each.seconds, n)) for n in (operation, whole)),
                use.lut if use else None,
                each.record.placed if each.record else None,
            )
        )
    return Table(
        "user",
        f"RSA-{bits} on {_ROUTED}, a private operation of ours as its user sees it",
        (
            Column("what"),
            Column("cycles", grouped),
            Column("first word in to last word out", grouped),
            Column("max MHz", significant),
            Column("time", duration),
            Column(f"at most {limit:g} MHz", duration),
            Column("first in to last out", duration),
            Column("LUT", grouped),
            Column("nextpnr's", grouped),
        ),
        rows,
        (
            "cycles: of the operation, as the engine counts them; from the request's first word to "
            "the answer's last on the stream, the engine at rest before, for a loaded key",
            f"times: at the maximum clock, and at {limit:g} MHz at most, the limit of the device's "
            "multipliers, which nextpnr does not know",
            "LUT: LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4 of the synthesis; nextpnr's: the TRELLIS_COMB "
            "that it has placed, with those that carry chains begin and end with, and the harness'",
            *missing,
        ),
    )


def _headline(
    field: Mapping[str, Any],
    bits: int,
    ours: Sequence[_Ours],
    entries: Sequence[Entry],
    missing: Sequence[str],
) -> Table:
    """What a user gets, beside the other cores that were measured on the same device."""
    limit = clock_limit()
    rows: list[Sequence[Value]] = []
    for each in ours:
        whole = request_cycles(each.configuration.parameters, bits)
        time = of_clock(each.record, partial(each.seconds, whole))
        use = each.record.utilisation if each.record else None
        area = (use.lut, use.dsp, use.block_ram) if use else (None,) * 3
        cost = 1e3 * time * use.lut if isinstance(time, float) and use else time
        rows.append((each.name, _OURS["private"], *area, time, cost))
    others = [each for each in entries if each.is_judge and each.lut]
    rows += [
        (
            *(each.name, each.operation, each.lut, each.dsp, each.block_ram),
            *(each.at_limit, each.cost("lut")),
        )
        for each in others
    ]
    return Table(
        "headline",
        f"RSA-{bits}, a private operation on the {field['device']}",
        (
            Column("core"),
            Column("operation"),
            Column("LUT", grouped),
            Column("DSP", grouped),
            Column("block RAM", significant),
            Column("time", duration),
            Column("LUT x ms", significant),
        ),
        rows,
        (
            f"time: at the maximum clock that nextpnr states, {limit:g} MHz at most, the limit of "
            "the device's multipliers; of ours from the request's first word to the answer's last "
            "one, of the others the operation alone",
            "LUT: LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4, of ours the whole IP, for keys of up to 4096 "
            "bits, of the others the core alone",
            *(f"{each.name}: {each.note}" for each in others if each.note),
            *missing,
        ),
    )


def _fewer_cycles(bits: int, entries: Sequence[Entry]) -> Table:
    """Other cores beside the quickest of ours, in cycles: no clock is in it."""
    mine = min(
        (each for each in entries if each.whose == "ours"), key=lambda each: each.cycles or 0
    )
    rows: list[Sequence[Value]] = [
        (each.name, each.operation, each.cycles, each.cycles / mine.cycles)
        for each in entries
        if each.cycles and mine.cycles and each.whose != "ours"
    ]
    return Table(
        "fewer-cycles",
        f"RSA-{bits}, cycles of a private operation beside {mine.name}'s",
        (
            Column("what"),
            Column("operation"),
            Column("cycles", grouped),
            Column(f"times those of {mine.name}", significant),
        ),
        rows,
        (
            f"{mine.name}: {grouped(mine.cycles)} cycles, {mine.operation}; each core has as many "
            "multipliers as it has, and a clock of its own: neither area nor time is compared here",
        ),
    )


def _best(entries: Sequence[Entry], area: str) -> tuple[str, float] | None:
    """The least area x time of the others that were measured in the same flow."""
    found = [
        (cost, each.name)
        for each in entries
        if each.is_judge and (cost := each.cost(area)) is not None
    ]
    if not found:
        return None
    cost, name = min(found)
    return name, cost


def _times_better(entries: Mapping[str, Sequence[Entry]]) -> Table:
    rows: list[Sequence[Value]] = []
    for operation, found in entries.items():
        best = {area: _best(found, area) for area in ("lut", "dsp")}
        for each in found:
            if each.whose != "ours":
                continue
            row: list[Value] = [each.name, operation]
            for area, least in best.items():
                cost = each.cost(area)
                row += [cost or each.unshown, *(reversed(least) if least else (None, None))]
                row.append(least[1] / cost if least and cost else least and each.unshown)
            rows.append(row)
    return Table(
        "times-better",
        "Area x time, ours and the best of the others that were measured",
        (
            Column("what"),
            Column("operation"),
            Column("LUT x ms", significant),
            Column("best other's", significant),
            Column("whose"),
            Column("times less", significant),
            Column("DSP x ms", significant),
            Column("best other's", significant),
            Column("whose"),
            Column("times less", significant),
        ),
        rows,
        (
            f"what we aim at is {AIM} times less",
            "against figures of the same device and tools only; those of other devices are in the "
            "tables before",
        ),
    )


def growth_exponent(lengths: Sequence[int], values: Sequence[float]) -> float | None:
    """The power of the length with which values grow: least squares on logarithms.

    Returns:
        The exponent; `None` for fewer than two points.
    """
    if len(lengths) < 2:
        return None
    x, y = [math.log(each) for each in lengths], [math.log(each) for each in values]
    return statistics.linear_regression(x, y).slope


def _growth(field: Mapping[str, Any], ours: Sequence[_Ours]) -> Table:
    rows: list[Sequence[Value]] = []
    for each in ours:
        for operation, kind in _KINDS.items():
            cycles = {bits: each.figures(kind, bits).cycles.mean for bits in LENGTHS}
            rows.append(_growth_row(each.name, operation, cycles, "does not fit"))
    others: dict[tuple[str, str], dict[int, int]] = {}
    for core in field["cores"]:
        for operation, count in core.get("cycles", {}).items():
            named = "private" if operation == "crt" else operation
            others.setdefault((core["name"], named), {})[core["bits"]] = count
    for (name, operation), found in others.items():
        if len(found) > 1:
            rows.append(_growth_row(name, operation, found, None))
    return Table(
        "growth",
        "Cycles against the length of the modulus",
        (
            Column("what"),
            Column("operation"),
            *(Column(f"{bits} bits", grouped) for bits in (*LENGTHS, _TOO_LONG)),
            Column("grows with the power", significant),
        ),
        rows,
        (
            "the power of the length that fits best (least squares on logarithms)",
            "ours: private with CRT, full without; of 4096 bits, the widest, at all lengths, so "
            "that 8192 do not fit",
        ),
    )


def _growth_row(
    name: str, operation: str, cycles: Mapping[int, int], too_long: str | None
) -> Sequence[Value]:
    power = growth_exponent(list(cycles), list(cycles.values()))
    return name, operation, *(cycles.get(bits) for bits in LENGTHS), too_long, power


def _operations(bits: int, ours: Sequence[_Ours], missing: Sequence[str]) -> Table:
    rows: list[Sequence[Value]] = []
    for each in ours:
        for kind in (CRT, PRIVATE, PUBLIC, PAIR):
            figures = each.figures(kind, bits)
            counts = figures.setup_cycles.mean, figures.cycles.mean
            times = [of_clock(each.record, partial(each.seconds, count)) for count in counts]
            how = "simulated" if figures.simulated else "formula"
            rows.append((each.name, kind, how, *counts, *times))
    return Table(
        "operations",
        f"What our configurations do with keys of {bits} bits, on {_ROUTED}",
        (
            Column("what"),
            Column("operation"),
            Column("cycles are"),
            Column("set-up, cycles", grouped),
            Column("cycles", grouped),
            Column("set-up", duration),
            Column("time", duration),
        ),
        rows,
        (
            f"times at the maximum clock, at most {clock_limit():g} MHz; operations as in "
            "docs/measuring.md",
            "formula: exact, but too long to be simulated for a Record, or there is none",
            *missing,
        ),
    )


def _artix7(bits: int, ours: Sequence[_Ours]) -> Table:
    rows: list[Sequence[Value]] = []
    for each in ours:
        record = each.record
        use = record.utilisation if record else None
        cycles = [each.figures(kind, bits).cycles.mean for kind in (CRT, PRIVATE, PUBLIC)]
        area = (use.lut, use.ff, use.dsp, use.block_ram) if use else (None,) * 4
        fits = (record.misfit or "fits") if record else None
        rows.append((each.name, *area, *cycles, fits))
    return Table(
        "artix7",
        f"Our configurations on {_UTILISED}, with digits of 17 bits; RSA-{bits}",
        (
            Column("what"),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("DSP48E1", grouped),
            Column("block RAM of 36 Kbit", significant),
            Column("cycles, private", grouped),
            Column("cycles, full", grouped),
            Column("cycles, public", grouped),
            Column("device"),
        ),
        rows,
        ("synthesis; there is no free router for it", *_missing(ours, _UTILISED)),
    )


def _here(speed: Speed, entries: Mapping[str, Sequence[Entry]]) -> Table:
    rows: list[Sequence[Value]] = []
    for operation, seconds in (("private", speed.private_s), ("public", speed.public_s)):
        rows.append((speed.version, operation, seconds, None))
        for each in entries[operation]:
            if each.whose == "ours":
                faster = seconds / each.at_limit if each.at_limit else each.unshown
                rows.append((each.name, operation, each.at_limit or each.unshown, faster))
    return Table(
        HERE,
        "OpenSSL, timed on this machine just now, and ours",
        (
            Column("what"),
            Column("operation"),
            Column("time", duration),
            Column("times faster than OpenSSL", significant),
        ),
        rows,
        (f"openssl speed for a second an operation, one core of {speed.machine}",),
    )


def _findings(bits: int, ratios: Table, private: Sequence[Entry]) -> list[str]:
    """How far ours are ahead, computed from the figures."""
    findings = []
    for name, operation, _, _, whose, less_lut, _, _, whose_dsp, less_dsp in ratios.rows:
        parts = [
            f"{significant(times)} times less {area} x time than {theirs}"
            for area, times, theirs in (("LUT", less_lut, whose), ("DSP", less_dsp, whose_dsp))
            if isinstance(times, float)
        ]
        if parts and operation == "private":
            met = all(isinstance(each, float) and each >= AIM for each in (less_lut, less_dsp))
            findings.append(
                f"{name}: {', '.join(parts)}, the best of the others measured; the aim of "
                f"{AIM} in both is {'met' if met else 'not met'}."
            )
    hidden = [each.name for each in private if each.unshown]
    if hidden:
        findings.append(
            f"No clock, time or area x time of {', '.join(hidden)}: not all of their netlists "
            "have been run, and compute (totient netlists)."
        )
    if not findings:
        findings.append("No configuration has a Record: there is nothing to compare but cycles.")
    fewest = min(
        (each.cycles, each.name) for each in private if each.whose == "ours" and each.cycles
    )
    theirs = [(each.cycles, each.name) for each in private if each.whose != "ours" and each.cycles]
    if theirs:
        cycles, name = min(theirs)
        findings.append(
            f"Cycles: {fewest[1]} takes {fewest[0]:,} for RSA-{bits}, {cycles / fewest[0]:.1f} "
            f"times fewer than {name} ({cycles:,})."
        )
    return findings


def _provenance(field: Mapping[str, Any], ours: Sequence[_Ours]) -> tuple[str, ...]:
    records = [each.record for each in ours if each.record]
    lines = [
        "our cycles: the catalog's, of whole operations with blinding and check, which simulation "
        "equals",
        f"the others': papers/field.toml, {field['date']}; measured ones with this project's flow",
    ]
    if records:
        tools = ", ".join(f"{k} {v}" for k, v in records[0].provenance.tools.items())
        lines.append(
            f"our area and maximum clock: the whole IP, routed on {_ROUTED}, median of three seeds"
        )
        lines.append(f"tools: {tools}")
    return (*lines, *(f"of others: {note}" for note in field["notes"]))
