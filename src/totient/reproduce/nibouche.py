"""The eight digit-serial structures: cycles, cost and clock, and the claim about broadcast lines.

The paper's figures are of a Virtex-II. Ours are of an ECP5-85F, for which open tools have place
and route, and of an Artix-7 for utilisation.
"""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from totient.catalog import Configuration, select
from totient.flow import CriticalPath, find_target
from totient.measure import Record
from totient.report import Column, Table, Value, columns
from totient.report.values import Format, duration, grouped, number, ratio, significant, text
from totient.report.words import listed
from totient.reproduce import figures
from totient.reproduce.nibouche_formula import Loop, of_cycles
from totient.reproduce.nibouche_rows import ROWS_OF_PAPER
from totient.reproduce.paper import Paper, Sources
from totient.reproduce.results import ROUTED, UTILISED, Measurement

ROWS = tuple(f"N{number}" for number in range(1, 9))
WIDTHS = (64, 128, 256, 512, 1024)
"""Widths of the clock measurements. Everything else is at the last one, the paper's."""

FAMILY_WIDTH = 256
"""Width of the general forms, the widest at which all of them fit the device."""

_PAPER = "paper"
_KINDS = ("public", "private")


def measurements() -> Iterator[Measurement]:
    """Measurements for the tables, the small widths first."""
    for width in WIDTHS:
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
            configuration = select("digit_serial", width=FAMILY_WIDTH, **given)
            yield f"J = {digit_bits}, {slots} slots", configuration


class _Structures(Sources):
    """The paper's figures and ours."""

    def __init__(self) -> None:
        """Add what follows from ours, and the paper's figures."""
        super().__init__("nibouche", measurements())
        self.bits: int = self.paper["bits"]
        for key, record in self.results.records.items():
            private, lut = record.operations["private"], record.utilisation.lut
            time = self.results[key]["seconds private"]
            steps = select(record.design).design.operation.term_values(record.parameters)["O"]
            self.results[key] |= {
                "cycles loop": steps * private.exponent_bits,
                "at once": private.bases,
                "LUT x s": ratio(time, 1 / lut),
                "rate": ratio(float(private.bases), time),
                "rate per 1,000 LUT": ratio(1e3 * private.bases / lut, time),
                "limit": _limit(record),
                "in array": _in_array(record),
                "period": ratio(1e3, self.results[key]["mhz"]),
            }
        for row, theirs in self.paper["structures"].items():
            seconds = theirs["milliseconds"] * 1e-3
            divided = theirs["digit"] * theirs["pipelining"]
            self.results[row, _PAPER, self.bits] = {
                "name": theirs["name"],
                "cycles stated": (2 * self.bits + 4) * self.bits // divided,
                "cycles loop": round(theirs["mhz"] * theirs["milliseconds"] * 1e3),
                "mhz": theirs["mhz"],
                "period": theirs["period_ns"],
                "seconds private": seconds,
                "slices": theirs["slices"],
                "slices x s": theirs["slices"] * theirs["milliseconds"] * 1e-3,
            }

    def at(self, source: str, quantity: str, row: str, width: int = WIDTHS[-1]) -> Value:
        """A figure, at the paper's width or at another one."""
        return self.results[row, source, width][quantity]

    def number(self, source: str, quantity: str, row: str, width: int = WIDTHS[-1]) -> float:
        """The same, for a figure that is always a number."""
        found = number(self.at(source, quantity, row, width))
        assert found is not None, (row, source, quantity)
        return found

    def columns(
        self, source: str, form: Format, *named: tuple[str, str], width: int = WIDTHS[-1]
    ) -> list[Column]:
        """Columns of a table of structures: headings with their quantities."""
        of = partial(self.at, source, width=width)
        return columns(form, *((name, partial(of, quantity)) for name, quantity in named))


def _limit(record: Record) -> str | None:
    """Location of the critical path of the median seed: the arrays, their control or the face."""
    path = record.routing.typical if record.routing else None
    return None if path is None else _place(path)


def _in_array(record: Record) -> str | None:
    """Seeds whose critical path runs through an array, of all: `2 of 3`."""
    paths = record.routing.critical.values() if record.routing else ()
    inside = sum(_place(path) == "array" for path in paths)
    return f"{inside} of {len(paths)}" if paths else None


def _place(path: CriticalPath) -> str:
    if any(".u_modmul." in name for name in (path.start, path.end)):
        return "array"
    if all(name.startswith("u_stream.") for name in (path.start, path.end)):
        return "face"
    return "control"


def _cycles(data: _Structures) -> Table:
    ours = (("ours: loop", "cycles loop"), ("all", "cycles private"), ("65537", "cycles public"))
    theirs = (("(2n+4)k/(d l)", "cycles stated"), ("MHz x ms", "cycles loop"))
    return Table.of(
        f"Cycles of an exponentiation at {data.bits} bits",
        (
            Column("row"),
            *data.columns(_PAPER, text, ("structure", "name")),
            *data.columns(_PAPER, grouped, *theirs),
            *data.columns(ROUTED, grouped, *ours, ("set-up", "set-up private")),
        ),
        ROWS,
        "paper: its formula, and its measured frequency times time",
        "ours: the loop alone, and all cycles with reading, conversion and the last "
        "subtraction, which the paper leaves out. Set-up once a key",
    )


def _cost(data: _Structures) -> Table:
    clock, time = ("max MHz", "mhz"), ("time", "seconds private")
    return Table.of(
        f"Table {data.paper['table']}: cost and time of a full-length exponentiation at "
        f"{data.bits} bits",
        (
            Column("row"),
            *data.columns(ROUTED, grouped, ("LUT ECP5", "lut"), ("FF", "ff")),
            *data.columns(UTILISED, grouped, ("LUT Artix-7", "lut"), ("FF", "ff")),
            *data.columns(ROUTED, significant, clock),
            *data.columns(ROUTED, duration, time),
            *data.columns(ROUTED, significant, ("LUT x s", "LUT x s")),
            *data.columns(_PAPER, significant, ("paper MHz", "mhz")),
            *data.columns(_PAPER, duration, time),
            *data.columns(_PAPER, grouped, ("slices", "slices")),
            *data.columns(_PAPER, significant, ("slices x s", "slices x s")),
            *data.columns(ROUTED, significant, ("period, ns", "period")),
            *data.columns(_PAPER, significant, ("paper period, ns", "period")),
        ),
        ROWS,
        f"ours: LUT, FF of the core, maximum clock and time on {ROUTED}, speed grade 8. Paper: "
        f"{data.paper['device']}; one of its slices has two LUTs and two registers",
    )


def _clock(data: _Structures) -> Table:
    first, last = WIDTHS[0], WIDTHS[-1]
    quantities = ("mhz", "limit", "in array")
    clock, limit, inside = (partial(data.at, ROUTED, quantity) for quantity in quantities)
    return Table.of(
        f"Maximum clock against the width of the modulus, MHz on {ROUTED}",
        (
            Column("row"),
            *columns(significant, *((str(width), partial(clock, width=width)) for width in WIDTHS)),
            Column(
                f"{last} / {first}",
                significant,
                lambda row: ratio(clock(row, width=last), clock(row, width=first)),
            ),
            *(
                column
                for width in (first, last)
                for column in columns(
                    text,
                    (f"limit at {width}", partial(limit, width=width)),
                    (f"array, seeds at {width}", partial(inside, width=width)),
                )
            ),
        ),
        ROWS,
        "limit: location of the critical path of the median seed: an array, the control "
        "around the arrays or the stream face. Array, seeds: those whose critical path runs "
        "through an array. Where it does not, the array's own clock is not measured",
    )


def _family(data: _Structures) -> Table:
    ours = partial(data.columns, ROUTED, width=FAMILY_WIDTH)
    counts = (("at once", "at once"), ("cycles", "cycles private"), ("LUT", "lut"), ("FF", "ff"))
    rates = (("exponentiations/s", "rate"), ("per 1,000 LUT", "rate per 1,000 LUT"))
    return Table.of(
        f"General forms with every slot filled, at {FAMILY_WIDTH} bits",
        (
            Column("structure"),
            *ours(grouped, *counts),
            *ours(significant, ("max MHz", "mhz")),
            *ours(duration, ("latency", "seconds private")),
            *ours(significant, *rates),
        ),
        ("N2", "N4", *(name for name, _ in _family_members())),
        f"on {ROUTED}. J: bits of a digit. Two multipliers, links = 1 and a lane for each "
        "slot; N2 and N4 have one multiplier. Full-length exponents",
    )


def _predecessors(data: _Structures) -> Table:
    rows: list[Sequence[Value]] = []
    for row in ("N4", "N7"):
        for whose, source, device in (("ours", ROUTED, ROUTED), ("paper", _PAPER, "XC2V8000")):
            figures = (data.at(source, each, row) for each in ("mhz", "seconds private"))
            rows.append((f"{row}, {whose}", device, *figures, None, None, None))
    for each in data.paper["predecessors"]:
        shares = each["row"], each["improvement"] / 100, _less_time(data, each)
        seconds = each["milliseconds"] * 1e-3
        rows.append((each["name"], each["device"], each["mhz"], seconds, *shares))
    return Table.of(
        "Table 2: comparison with earlier designs",
        (
            *columns(text, "", "device"),
            *(Column("MHz", significant), Column("time", duration), Column("improved by")),
            *columns(_tenths, "less time, printed", "by its times (derived)"),
        ),
        rows,
        "different devices of different years; the paper calls this an illustration",
    )


def _less_time(data: _Structures, earlier: Mapping[str, Any]) -> float:
    """The part of an earlier design's time that the paper's structure saves."""
    ours = data.number(_PAPER, "seconds private", earlier["row"])
    return 1 - ours / (float(earlier["milliseconds"]) * 1e-3)


def _tenths(value: Value) -> str:
    """A fraction in percent, with tenths."""
    return f"{100 * value:.1f} %" if isinstance(value, float) else text(value)


def _conclusions(data: _Structures) -> Mapping[str, object]:
    """Values of the conclusions' templates; those on clocks only if all clocks are shown."""
    first, last = WIDTHS[0], data.bits
    loops = [
        Loop(
            row,
            data.paper["structures"][row]["pipelining"],
            data.number(_PAPER, "cycles stated", row),
            *(data.number(each, "cycles loop", row) for each in (_PAPER, ROUTED)),
        )
        for row in ROWS
    ]
    hidden = [
        f"{row} at {width} bits"
        for width in (first, last)
        for row in ROWS
        if not isinstance(data.at(ROUTED, "mhz", row, width), float)
    ]
    values: dict[str, object] = {
        "first": first,
        "last": last,
        **of_cycles(loops),
        **_of_limits(data, first, last),
        "improvements": listed(
            f"{each['row']} {each['improvement']} % and {_tenths(_less_time(data, each))}"
            for each in data.paper["predecessors"]
        ),
        "hidden": listed(hidden) if hidden else None,
    }
    return values if hidden else values | _of_clocks(data, first, last)


def _of_limits(data: _Structures, first: int, last: int) -> dict[str, object]:
    """Structures by what limits their clock, at two widths."""
    values: dict[str, object] = {}
    for end, width in (("", last), ("_first", first)):
        limits = {row: data.at(ROUTED, "limit", row, width) for row in ROWS}
        values[f"arrays{end}"] = listed(row for row in ROWS if limits[row] == "array")
        values[f"others{end}"] = listed(row for row in ROWS if limits[row] != "array")
    return values


def _seeds(data: _Structures, row: str, width: int) -> Sequence[float]:
    """Clocks of a structure in MHz, by rising frequency, one of each seed."""
    return sorted(data.results.records[row, ROUTED, width].routes.values())


def _spread(data: _Structures, row: str, width: int) -> float:
    """The fastest seed's clock over the slowest one's."""
    clocks = _seeds(data, row, width)
    return clocks[-1] / clocks[0]


def _beyond(data: _Structures, fast: str, slow: str, width: int) -> str:
    """Whether every seed of one structure is faster than every seed of another."""
    return "beyond" if _seeds(data, fast, width)[0] > _seeds(data, slow, width)[-1] else "within"


def _bound(data: _Structures, local: Sequence[str], width: int) -> str:
    """What a ratio of clocks says of the arrays."""
    inside = {row for row in ROWS if data.at(ROUTED, "limit", row, width) == "array"}
    if inside == {*ROWS}:
        return "a ratio of the arrays' clocks"
    if inside == {*ROWS} - {*local}:
        return (
            "a lower bound of the arrays' ratio, as logic around them limits "
            "all without broadcast lines"
        )
    return "no ratio of the arrays' clocks, as logic around them limits structures of both kinds"


def _of_clocks(data: _Structures, first: int, last: int) -> dict[str, object]:
    """Values that require all clocks at two widths."""
    local = [row for row in ROWS if data.paper["structures"][row]["local"]]
    broadcast = [row for row in ROWS if row not in local]
    mhz, theirs = (partial(data.number, source, "mhz") for source in (ROUTED, _PAPER))
    mhz_first = partial(mhz, width=first)

    def advantage(clock: Callable[[str], float]) -> float:
        return statistics.mean(map(clock, local)) / statistics.mean(map(clock, broadcast))

    def least(source: str, quantity: str) -> str:
        return min(ROWS, key=partial(data.number, source, quantity))

    def fastest(source: str) -> str:
        row = least(source, "seconds private")
        return f"{row} ({duration(data.at(source, 'seconds private', row))})"

    ours_first, ours_last = advantage(mhz_first), advantage(mhz)
    like = (
        f"{fast} clocks {mhz(fast) / mhz(slow):.2f} times as fast as {slow} at {last} bits (paper "
        f"{theirs(fast) / theirs(slow):.2f}) and {mhz_first(fast) / mhz_first(slow):.2f} times "
        f"at {first}, {_beyond(data, fast, slow, last)} the spread of the seeds at {last}"
        for fast, slow in (("N4", "N2"), ("N6", "N5"))
    )
    verdicts = {1.8: "holds", 1.2: "holds in part", 0: "fails"}
    best = least(ROUTED, "LUT x s")
    return {
        "local": listed(local),
        "theirs": advantage(theirs),
        "ours_first": ours_first,
        "ours_last": ours_last,
        "like": listed(like),
        "verdict": next(word for above, word in verdicts.items() if ours_last > above),
        "bound": _bound(data, local, last),
        "nothing": f"is {_bound(data, local, first)}",
        "widest": listed(
            f"{row} ({_seeds(data, row, last)[0]:.0f} to {_seeds(data, row, last)[-1]:.0f} MHz)"
            for row in sorted(ROWS, key=lambda row: _spread(data, row, last))[:-3:-1]
        ),
        "kept": listed(f"{row} {mhz(row) / mhz_first(row):.2f}" for row in ROWS),
        "fastest": fastest(ROUTED),
        "fastest_theirs": fastest(_PAPER),
        "best": best,
        "best_cost": data.number(ROUTED, "LUT x s", best),
        "best_theirs": least(_PAPER, "slices x s"),
    }


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
    (
        f"utilisation: the core alone, from synthesis. Maximum clock: {ROUTED}, the core with its "
        "stream face, routed, median of three seeds each ({data.results.seeds})",
        "cycles: the RTL, equal to the catalog's formula",
    ),
    figures.nibouche,
    measurements,
    ROWS_OF_PAPER,
)
