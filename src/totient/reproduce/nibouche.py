"""The eight digit-serial structures: cycles, cost and clock, and the claim about broadcast lines.

The paper's figures are of a Virtex-II; ours of an ECP5-85F, which the open tools can route, with
the utilisation of an Artix-7 beside it.
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from totient.catalog import Configuration, select
from totient.common.papers import published
from totient.flow import find_target
from totient.measure import Record
from totient.reproduce.measurements import Measurement, of_clock, records
from totient.reproduce.model import (
    Column,
    Reproduction,
    Table,
    Value,
    duration,
    grouped,
    significant,
)

TABLES = ("cycles", "cost", "clock", "family", "predecessors")
"""Names of the tables, in order."""

ROWS = tuple(f"N{number}" for number in range(1, 9))
WIDTHS = (64, 128, 256, 512, 1024)
"""Widths at which the clock is measured; everything else is at the last one, the paper's."""

FAMILY_WIDTH = 256
"""Width of the general forms, the widest at which all of them fit the device."""

_ROUTED, _UTILISED = "ecp5-85f", "artix7-100t"
_KINDS = ("public", "private")

_Records = Mapping[tuple[str, int, str], Record]


def measurements(widest: int) -> Iterator[Measurement]:
    """Everything that the tables need up to a width, the small widths first."""
    for width in (each for each in WIDTHS if each <= widest):
        for row in ROWS:
            configuration = select(row, width=width)
            yield Measurement(row, configuration, find_target(_ROUTED), _KINDS)
            if width == WIDTHS[-1]:
                yield Measurement(row, configuration, find_target(_UTILISED), _KINDS)
        if width == FAMILY_WIDTH:
            for name, configuration in _family():
                yield Measurement(name, configuration, find_target(_ROUTED), _KINDS)


def _family() -> Iterator[tuple[str, Configuration]]:
    """The general forms (Figures 3 to 6), all slots filled: digits of J bits, 2 J or 3 J - 1 slots.

    A register after every column, and with 3 J - 1 slots one after every row as well.
    """
    for digit_bits in (1, 2, 4):
        for slots in sorted({2 * digit_bits, 3 * digit_bits - 1}):
            given = {"digit_bits": digit_bits, "slots": slots, "links": 1, "lanes": slots}
            yield (
                f"J = {digit_bits}, {slots} slots",
                select("digit_serial", width=FAMILY_WIDTH, **given),
            )


def reproduce() -> Reproduction:
    """Run the paper's evaluation on our structures.

    Raises:
        ToolError: a tool failed.
    """
    paper = published("nibouche")
    found = records(measurements(WIDTHS[-1]))
    sample = found[ROWS[0], WIDTHS[-1], _ROUTED]
    tools = ", ".join(f"{k} {v}" for k, v in sample.provenance.tools.items())
    return Reproduction(
        title=f"{paper['author']}: {paper['title']}",
        command="totient reproduce nibouche",
        tables=(
            _cycles(paper, found),
            _cost(paper, found),
            _clock(found),
            _family_table(found),
            _predecessors(paper, found),
        ),
        findings=_findings(paper, found),
        provenance=(
            f"utilisation: the core alone, synthesis; maximum clock: {_ROUTED}, the core behind "
            "its stream face, routed, median of seeds "
            f"{', '.join(map(str, sample.provenance.seeds))}",
            "cycles: the RTL, equal to the catalog's formula",
            f"tools: {tools}",
        ),
    )


def without_broadcast() -> list[str]:
    """Rows of the structures that have no broadcast lines."""
    structures = published("nibouche")["structures"]
    return [row for row in ROWS if structures[row]["local"]]


def _loop_cycles(record: Record, exponent_bits: int) -> int:
    """Cycles of the loop over the exponent's bits alone."""
    design = select(record.design).design
    return design.operation.term_values(record.parameters)["O"] * exponent_bits


def _seconds(record: Record, mhz: float) -> float:
    """Time of a full-length exponentiation at a clock."""
    return record.operations["private"].cycles.mean / (mhz * 1e6)


def _time(record: Record) -> Value:
    """Time of a full-length exponentiation at the maximum clock."""
    return of_clock(record, partial(_seconds, record))


def _limit(record: Record) -> str | None:
    """What the critical path runs through: the arrays, their control or the stream face."""
    path = record.routing.typical if record.routing else None
    if path is None:
        return None
    if any(".u_modmul." in name for name in (path.start, path.end)):
        return "array"
    if all(name.startswith("u_stream.") for name in (path.start, path.end)):
        return "face"
    return "control"


def _ratio(over: Value, under: Value) -> Value:
    """One figure over another, or the word that stands in place of one of them."""
    if isinstance(over, float) and isinstance(under, float):
        return over / under
    return over if isinstance(over, str) else under if isinstance(under, str) else None


def _cycles(paper: Mapping[str, Any], found: _Records) -> Table:
    bits: int = paper["bits"]
    rows: list[Sequence[Value]] = []
    for row in ROWS:
        theirs = paper["structures"][row]
        record = found[row, bits, _ROUTED]
        private = record.operations["private"]
        stated = (2 * bits + 4) * bits // (theirs["digit"] * theirs["pipelining"])
        rows.append(
            (
                row,
                theirs["name"],
                stated,
                round(theirs["mhz"] * theirs["milliseconds"] * 1e3),
                _loop_cycles(record, private.exponent_bits),
                private.cycles.mean,
                record.operations["public"].cycles.mean,
                private.setup_cycles.mean,
            )
        )
    return Table(
        "cycles",
        f"Cycles of an exponentiation at {bits} bits",
        (
            Column("row"),
            Column("structure"),
            Column("(2n+4)k/(d l)", grouped),
            Column("MHz x ms", grouped),
            Column("ours: loop", grouped),
            Column("all", grouped),
            Column("65537", grouped),
            Column("set-up", grouped),
        ),
        rows,
        (
            "the paper's formula and its frequency times time, which is what it measured; ours: "
            "the loop alone, and with reading, conversion and the last subtraction, which the "
            "paper leaves out; set-up once a key",
        ),
    )


def _cost(paper: Mapping[str, Any], found: _Records) -> Table:
    bits: int = paper["bits"]
    rows: list[Sequence[Value]] = []
    for row in ROWS:
        theirs = paper["structures"][row]
        routed, utilised = (found[row, bits, name] for name in (_ROUTED, _UTILISED))
        lut = routed.utilisation.lut
        rows.append(
            (
                row,
                lut,
                routed.utilisation.ff,
                utilised.utilisation.lut,
                utilised.utilisation.ff,
                of_clock(routed),
                _time(routed),
                _ratio(_time(routed), 1 / lut),
                theirs["mhz"],
                theirs["milliseconds"] * 1e-3,
                theirs["slices"],
                theirs["slices"] * theirs["milliseconds"] * 1e-3,
            )
        )
    return Table(
        "cost",
        f"Table {paper['table']}: cost and time of a full-length exponentiation at {bits} bits",
        (
            Column("row"),
            Column("LUT ECP5", grouped),
            Column("FF", grouped),
            Column("LUT Artix-7", grouped),
            Column("FF", grouped),
            Column("max MHz", significant),
            Column("time", duration),
            Column("LUT x s", significant),
            Column("paper MHz", significant),
            Column("time", duration),
            Column("slices", grouped),
            Column("slices x s", significant),
        ),
        rows,
        (
            f"ours: LUT, FF of the core, maximum clock and time on {_ROUTED}, speed grade 8; the "
            f"paper's: {paper['device']}; a slice of it has two LUTs and two registers",
        ),
    )


def _clock(found: _Records) -> Table:
    rows: list[Sequence[Value]] = []
    for row in ROWS:
        clocks = [of_clock(found[row, width, _ROUTED]) for width in WIDTHS]
        kept = _ratio(clocks[-1], clocks[0])
        limits = (_limit(found[row, width, _ROUTED]) for width in (WIDTHS[0], WIDTHS[-1]))
        rows.append((row, *clocks, kept, *limits))
    return Table(
        "clock",
        f"Maximum clock against the width of the modulus, MHz on {_ROUTED}",
        (
            Column("row"),
            *(Column(str(width), significant) for width in WIDTHS),
            Column(f"{WIDTHS[-1]} / {WIDTHS[0]}", significant),
            *(Column(f"limit at {width}") for width in (WIDTHS[0], WIDTHS[-1])),
        ),
        rows,
        (
            "limit: what the critical path of the median seed runs through, an array, the control "
            "around the arrays or the stream face",
        ),
    )


def _family_table(found: _Records) -> Table:
    rows: list[Sequence[Value]] = []
    for name in ("N2", "N4", *(name for name, _ in _family())):
        record = found[name, FAMILY_WIDTH, _ROUTED]
        figures, lut = record.operations["private"], record.utilisation.lut
        rows.append(
            (
                name,
                figures.bases,
                figures.cycles.mean,
                lut,
                record.utilisation.ff,
                of_clock(record),
                _time(record),
                _ratio(float(figures.bases), _time(record)),
                _ratio(1e3 * figures.bases / lut, _time(record)),
            )
        )
    return Table(
        "family",
        f"General forms with every slot filled, at {FAMILY_WIDTH} bits",
        (
            Column("structure"),
            Column("at once", grouped),
            Column("cycles", grouped),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("max MHz", significant),
            Column("latency", duration),
            Column("exponentiations/s", significant),
            Column("per 1,000 LUT", significant),
        ),
        rows,
        (
            f"on {_ROUTED}; J: bits of a digit; two multipliers, links = 1 and a lane for each "
            "slot, but for N2 and N4, which have one; full-length exponents",
        ),
    )


def _predecessors(paper: Mapping[str, Any], found: _Records) -> Table:
    bits: int = paper["bits"]
    rows: list[Sequence[Value]] = []
    for row in ("N4", "N7"):
        theirs, ours = paper["structures"][row], found[row, bits, _ROUTED]
        rows.append((f"{row}, ours", _ROUTED, of_clock(ours), _time(ours)))
        rows.append((f"{row}, paper", "XC2V8000", theirs["mhz"], theirs["milliseconds"] * 1e-3))
    rows += [
        (each["name"], each["device"], each["mhz"], each["milliseconds"] * 1e-3)
        for each in paper["predecessors"]
    ]
    return Table(
        "predecessors",
        "Table 2: beside earlier designs",
        (
            Column(""),
            Column("device"),
            Column("MHz", significant),
            Column("time", duration),
        ),
        rows,
        ("different devices of different years: the paper calls this an illustration",),
    )


def _findings(paper: Mapping[str, Any], found: _Records) -> list[str]:
    """Where we agree with the paper and where not, computed from the figures."""
    bits: int = paper["bits"]
    structures = paper["structures"]
    equal = [
        row
        for row in ROWS
        if abs(
            _loop_cycles(found[row, bits, _ROUTED], bits)
            / (structures[row]["mhz"] * structures[row]["milliseconds"] * 1e3)
            - 1
        )
        < 0.005
    ]
    findings = [
        f"Cycles: our loop takes what frequency times time of the paper say, within 0.5 %, for "
        f"{', '.join(equal)}. The formula (2n+4)k/(d l) does not hold where two operations are "
        "interleaved (N3, N6, N8): there l divides what it should multiply."
    ]
    limits = {row: _limit(found[row, bits, _ROUTED]) for row in ROWS}
    arrays = [row for row in ROWS if limits[row] == "array"]
    findings.append(
        f"At {bits} bits the critical path runs through an array in {', '.join(arrays) or 'none'}; "
        "the others are limited by what is around the arrays, which is the same for all."
    )
    hidden = [
        f"{row} at {width} bits"
        for width in (WIDTHS[0], bits)
        for row in ROWS
        if found[row, width, _ROUTED].shown_mhz is None
    ]
    if hidden:
        return [
            *findings,
            f"Clock, and what follows from it: nothing is said of it, as not all netlists of "
            f"{', '.join(hidden)} have been run, and compute.",
        ]
    return [*findings, *_clock_findings(paper, found)]


def _clock_findings(paper: Mapping[str, Any], found: _Records) -> list[str]:
    """The same of clocks, times and area x time, at the first and the last of the widths."""
    bits: int = paper["bits"]
    structures = paper["structures"]
    local = without_broadcast()
    broadcast = [row for row in ROWS if row not in local]

    def clock(row: str, width: int = bits) -> float:
        return found[row, width, _ROUTED].shown_mhz or 0.0

    def mean(rows: Sequence[str], width: int = bits) -> float:
        return statistics.mean(clock(row, width) for row in rows)

    theirs = statistics.mean(structures[row]["mhz"] for row in local) / statistics.mean(
        structures[row]["mhz"] for row in broadcast
    )
    findings = []
    ours = {width: mean(local, width) / mean(broadcast, width) for width in (bits, WIDTHS[0])}
    findings.append(
        f"Clock: the paper's structures without broadcast lines ({', '.join(local)}) clock "
        f"{theirs:.2f} times as fast as the others on average; ours "
        + " and ".join(f"{ratio:.2f} times at {width} bits" for width, ratio in ours.items())
        + "."
    )
    pairs = (("N4", "N2"), ("N6", "N5"))
    findings.append(
        "Like with like: "
        + ", ".join(
            f"{fast} clocks {clock(fast) / clock(slow):.2f} times as fast as {slow} at {bits} bits "
            f"(paper {structures[fast]['mhz'] / structures[slow]['mhz']:.2f}) and "
            f"{clock(fast, WIDTHS[0]) / clock(slow, WIDTHS[0]):.2f} times at {WIDTHS[0]}"
            for fast, slow in pairs
        )
        + "."
    )
    verdict = "holds" if ours[bits] > 1.8 else "holds in part" if ours[bits] > 1.2 else "fails"
    findings.append(
        f'The claim, "about twice the clock without broadcast lines", {verdict} on this FPGA: '
        f"at {WIDTHS[0]} bits such a line costs little ({ours[WIDTHS[0]]:.2f} times), and the more "
        f"the longer it is ({ours[bits]:.2f} times at {bits} bits). It is some nanoseconds of wire "
        "that grow with the array, where the others keep their wires between neighbours. Part of "
        "the paper's factor is not the lines': digits of 2 and 4 bits by unfolding alone (N5, N7) "
        "also have rows of adders one after another in a cycle."
    )
    kept = ", ".join(f"{row} {clock(row) / clock(row, WIDTHS[0]):.2f}" for row in ROWS)
    findings.append(f"Of the clock at {WIDTHS[0]} bits there is left at {bits}: {kept}.")
    times = {row: _seconds(found[row, bits, _ROUTED], clock(row)) for row in ROWS}
    areas = {row: found[row, bits, _ROUTED].utilisation.lut * times[row] for row in ROWS}
    their_times = {row: structures[row]["milliseconds"] * 1e-3 for row in ROWS}
    their_areas = {row: structures[row]["slices"] * their_times[row] for row in ROWS}
    fastest, best, their_fastest, their_best = (
        min(values, key=values.__getitem__) for values in (times, areas, their_times, their_areas)
    )
    findings.append(
        f"Choice: the fastest of ours is {fastest} ({duration(times[fastest])}; the paper's "
        f"{their_fastest}, {duration(their_times[their_fastest])}); the least LUT x time has "
        f"{best} ({areas[best]:.0f} LUT s; the paper's {their_best}, in slices)."
    )
    return findings
