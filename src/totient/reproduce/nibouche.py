"""The eight digit-serial structures: cycles, cost and clock, and the claim about broadcast lines.

The paper's figures are of a Virtex-II. Ours are of an ECP5-85F, for which open tools have place
and route, and of an Artix-7 for utilisation.
"""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from totient.catalog import Configuration, select
from totient.common.papers import published
from totient.flow import find_target
from totient.measure import Record
from totient.report import Column, Table, Value, columns
from totient.report.values import Format, duration, grouped, number, ratio, significant, text
from totient.report.words import listed
from totient.reproduce import figures
from totient.reproduce.paper import Paper
from totient.reproduce.results import ROUTED, UTILISED, Measurement, Results

ROWS = tuple(f"N{number}" for number in range(1, 9))
WIDTHS = (64, 128, 256, 512, 1024)
"""Widths of the clock measurements. Everything else is at the last one, the paper's."""

FAMILY_WIDTH = 256
"""Width of the general forms, the widest at which all of them fit the device."""

_PAPER = "paper"
_KINDS = ("public", "private")


def measurements(widest: int) -> Iterator[Measurement]:
    """Measurements for the tables up to a width, the small widths first."""
    for width in (each for each in WIDTHS if each <= widest):
        for row in ROWS:
            configuration = select(row, width=width)
            yield Measurement(row, configuration, find_target(ROUTED), _KINDS)
            if width == WIDTHS[-1]:
                yield Measurement(row, configuration, find_target(UTILISED), _KINDS)
        if width == FAMILY_WIDTH:
            for name, configuration in _family_members():
                yield Measurement(name, configuration, find_target(ROUTED), _KINDS)


def _family_members() -> Iterator[tuple[str, Configuration]]:
    """The general forms (Figures 3 to 6), all slots filled: digits of J bits, 2 J or 3 J - 1 slots.

    A register after every column; with 3 J - 1 slots also after every row.
    """
    for digit_bits in (1, 2, 4):
        for slots in sorted({2 * digit_bits, 3 * digit_bits - 1}):
            given = {"digit_bits": digit_bits, "slots": slots, "links": 1, "lanes": slots}
            yield (
                f"J = {digit_bits}, {slots} slots",
                select("digit_serial", width=FAMILY_WIDTH, **given),
            )


class _Structures:
    """The paper's figures and ours."""

    def __init__(self) -> None:
        """Measure ours where no Record exists."""
        self.paper = published("nibouche")
        self.bits: int = self.paper["bits"]
        self.results = Results()
        self.results.measure(measurements(WIDTHS[-1]))
        for (name, source, width), record in self.results.records.items():
            private, lut = record.operations["private"], record.utilisation.lut
            time = self.results[name, source, width]["seconds private"]
            loop = (
                select(record.design).design.operation.term_values(record.parameters)["O"]
                * private.exponent_bits
            )
            self.results[name, source, width] |= {
                "cycles loop": loop,
                "at once": private.bases,
                "LUT x s": ratio(time, 1 / lut),
                "rate": ratio(float(private.bases), time),
                "rate per 1,000 LUT": ratio(1e3 * private.bases / lut, time),
                "limit": _limit(record),
            }
        for row in ROWS:
            theirs = self.paper["structures"][row]
            seconds = theirs["milliseconds"] * 1e-3
            divided = theirs["digit"] * theirs["pipelining"]
            self.results[row, _PAPER, self.bits] = {
                "name": theirs["name"],
                "cycles stated": (2 * self.bits + 4) * self.bits // divided,
                "cycles loop": round(theirs["mhz"] * theirs["milliseconds"] * 1e3),
                "mhz": theirs["mhz"],
                "seconds private": seconds,
                "slices": theirs["slices"],
                "slices x s": theirs["slices"] * theirs["milliseconds"] * 1e-3,
            }

    def at(self, source: str, quantity: str, row: str) -> Value:
        """A figure at the paper's width."""
        return self.results[row, source, self.bits][quantity]

    def number(self, source: str, quantity: str, row: str) -> float:
        """The same, for a figure that is always a number."""
        found = number(self.at(source, quantity, row))
        assert found is not None, (row, source, quantity)
        return found

    def clock(self, width: int, row: str) -> Value:
        """Our maximum clock."""
        return self.results[row, ROUTED, width]["mhz"]

    def column(self, heading: str, form: Format, source: str, quantity: str) -> Column:
        """A column of a table of `ROWS`, at the paper's width."""
        return Column(heading, form, partial(self.at, source, quantity))


def _limit(record: Record) -> str | None:
    """Location of the critical path: the arrays, their control or the stream face."""
    path = record.routing.typical if record.routing else None
    if path is None:
        return None
    if any(".u_modmul." in name for name in (path.start, path.end)):
        return "array"
    if all(name.startswith("u_stream.") for name in (path.start, path.end)):
        return "face"
    return "control"


def _cycles(data: _Structures) -> Table:
    return Table.of(
        f"Cycles of an exponentiation at {data.bits} bits",
        (
            Column("row"),
            data.column("structure", text, _PAPER, "name"),
            data.column("(2n+4)k/(d l)", grouped, _PAPER, "cycles stated"),
            data.column("MHz x ms", grouped, _PAPER, "cycles loop"),
            data.column("ours: loop", grouped, ROUTED, "cycles loop"),
            data.column("all", grouped, ROUTED, "cycles private"),
            data.column("65537", grouped, ROUTED, "cycles public"),
            data.column("set-up", grouped, ROUTED, "set-up private"),
        ),
        ROWS,
        (
            "paper: its formula, and its measured frequency times time",
            "ours: the loop alone, and all cycles with reading, conversion and the last "
            "subtraction, which the paper leaves out. Set-up once a key",
        ),
    )


def _cost(data: _Structures) -> Table:
    return Table.of(
        f"Table {data.paper['table']}: cost and time of a full-length exponentiation at "
        f"{data.bits} bits",
        (
            Column("row"),
            data.column("LUT ECP5", grouped, ROUTED, "lut"),
            data.column("FF", grouped, ROUTED, "ff"),
            data.column("LUT Artix-7", grouped, UTILISED, "lut"),
            data.column("FF", grouped, UTILISED, "ff"),
            data.column("max MHz", significant, ROUTED, "mhz"),
            data.column("time", duration, ROUTED, "seconds private"),
            data.column("LUT x s", significant, ROUTED, "LUT x s"),
            data.column("paper MHz", significant, _PAPER, "mhz"),
            data.column("time", duration, _PAPER, "seconds private"),
            data.column("slices", grouped, _PAPER, "slices"),
            data.column("slices x s", significant, _PAPER, "slices x s"),
        ),
        ROWS,
        (
            f"ours: LUT, FF of the core, maximum clock and time on {ROUTED}, speed grade 8. Paper: "
            f"{data.paper['device']}; one of its slices has two LUTs and two registers",
        ),
    )


def _clock(data: _Structures) -> Table:
    ends = WIDTHS[0], WIDTHS[-1]

    def limit(width: int, row: str) -> Value:
        return data.results[row, ROUTED, width]["limit"]

    return Table.of(
        f"Maximum clock against the width of the modulus, MHz on {ROUTED}",
        (
            Column("row"),
            *(Column(str(width), significant, partial(data.clock, width)) for width in WIDTHS),
            Column(
                f"{ends[1]} / {ends[0]}",
                significant,
                lambda row: ratio(*(data.clock(width, row) for width in reversed(ends))),
            ),
            *(Column(f"limit at {width}", of=partial(limit, width)) for width in ends),
        ),
        ROWS,
        (
            "limit: location of the critical path of the median seed: an array, the control "
            "around the arrays or the stream face",
        ),
    )


def _family(data: _Structures) -> Table:
    def column(heading: str, form: Format, quantity: str) -> Column:
        return Column(heading, form, lambda row: data.results[row, ROUTED, FAMILY_WIDTH][quantity])

    return Table.of(
        f"General forms with every slot filled, at {FAMILY_WIDTH} bits",
        (
            Column("structure"),
            column("at once", grouped, "at once"),
            column("cycles", grouped, "cycles private"),
            column("LUT", grouped, "lut"),
            column("FF", grouped, "ff"),
            column("max MHz", significant, "mhz"),
            column("latency", duration, "seconds private"),
            column("exponentiations/s", significant, "rate"),
            column("per 1,000 LUT", significant, "rate per 1,000 LUT"),
        ),
        ("N2", "N4", *(name for name, _ in _family_members())),
        (
            f"on {ROUTED}. J: bits of a digit. Two multipliers, links = 1 and a lane for each "
            "slot; N2 and N4 have one multiplier. Full-length exponents",
        ),
    )


def _predecessors(data: _Structures) -> Table:
    rows: list[Sequence[Value]] = []
    for row in ("N4", "N7"):
        for whose, source, device in (("ours", ROUTED, ROUTED), ("paper", _PAPER, "XC2V8000")):
            figures = (data.at(source, each, row) for each in ("mhz", "seconds private"))
            rows.append((f"{row}, {whose}", device, *figures))
    rows += [
        (each["name"], each["device"], each["mhz"], each["milliseconds"] * 1e-3)
        for each in data.paper["predecessors"]
    ]
    return Table(
        "Table 2: comparison with earlier designs",
        (*columns(text, "", "device"), Column("MHz", significant), Column("time", duration)),
        rows,
        ("different devices of different years; the paper calls this an illustration",),
    )


def _conclusions(data: _Structures) -> Mapping[str, object]:
    """Values of the conclusions' templates; those on clocks only if all clocks are shown."""
    first, last = WIDTHS[0], data.bits
    equal = [
        row
        for row in ROWS
        if abs(
            data.number(ROUTED, "cycles loop", row) / data.number(_PAPER, "cycles loop", row) - 1
        )
        < 0.005
    ]
    hidden = [
        f"{row} at {width} bits"
        for width in (first, last)
        for row in ROWS
        if not isinstance(data.clock(width, row), float)
    ]
    values: dict[str, object] = {
        "first": first,
        "last": last,
        "equal": listed(equal),
        "arrays": listed(row for row in ROWS if data.at(ROUTED, "limit", row) == "array"),
        "hidden": listed(hidden) if hidden else None,
    }
    return values if hidden else values | _of_clocks(data, first, last)


def _of_clocks(data: _Structures, first: int, last: int) -> dict[str, object]:
    """Values that require all clocks at two widths."""
    local = [row for row in ROWS if data.paper["structures"][row]["local"]]
    broadcast = [row for row in ROWS if row not in local]

    def mhz(row: str, width: int = last) -> float:
        found = data.clock(width, row)
        assert isinstance(found, float)
        return found

    def theirs(row: str) -> float:
        return data.number(_PAPER, "mhz", row)

    def advantage(clock: Callable[[str], float]) -> float:
        return statistics.mean(map(clock, local)) / statistics.mean(map(clock, broadcast))

    ours = {width: advantage(partial(mhz, width=width)) for width in (first, last)}
    pairs = (("N4", "N2"), ("N6", "N5"))
    kept = (f"{row} {mhz(row) / mhz(row, first):.2f}" for row in ROWS)
    like = (
        f"{fast} clocks {mhz(fast) / mhz(slow):.2f} times as fast as {slow} at {last} bits (paper "
        f"{theirs(fast) / theirs(slow):.2f}) and {mhz(fast, first) / mhz(slow, first):.2f} times "
        f"at {first}"
        for fast, slow in pairs
    )

    def least(source: str, quantity: str) -> str:
        return min(ROWS, key=partial(data.number, source, quantity))

    fastest, theirs_fastest = (least(source, "seconds private") for source in (ROUTED, _PAPER))
    best = least(ROUTED, "LUT x s")
    return {
        "local": listed(local),
        "theirs": advantage(theirs),
        "ours_first": ours[first],
        "ours_last": ours[last],
        "like": listed(like),
        "verdict": "holds"
        if ours[last] > 1.8
        else "holds in part"
        if ours[last] > 1.2
        else "fails",
        "grows": "grows" if ours[last] > ours[first] else "does not grow",
        "kept": listed(kept),
        "fastest": f"{fastest} ({duration(data.at(ROUTED, 'seconds private', fastest))})",
        "fastest_theirs": f"{theirs_fastest} "
        f"({duration(data.at(_PAPER, 'seconds private', theirs_fastest))})",
        "best": best,
        "best_cost": data.number(ROUTED, "LUT x s", best),
        "best_theirs": least(_PAPER, "slices x s"),
    }


def _provenance(data: _Structures) -> Sequence[str]:
    return (
        f"utilisation: the core alone, from synthesis. Maximum clock: {ROUTED}, the core with "
        f"its stream face, routed, median of seeds {data.results.seeds}",
        "cycles: the RTL, equal to the catalog's formula",
        f"tools: {data.results.tools}",
    )


PAPER = Paper(
    "nibouche",
    _Structures,
    {
        "cycles": _cycles,
        "cost": _cost,
        "clock": _clock,
        "family": _family,
        "predecessors": _predecessors,
    },
    _conclusions,
    _provenance,
    figures.nibouche,
    measurements,
)
