"""The thesis' evaluation: Tables 1 to 14, and the comparison with an MSP430.

Our utilisation is for the thesis' device family (Artix-7, synthesised by Yosys). Our maximum
clock is for an ECP5-85F, for which open tools have place and route. Times at 10 MHz, the thesis'
clock, follow from exact cycle counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product

from totient.catalog import select
from totient.common.papers import published
from totient.flow import find_target
from totient.measure.kinds import SHORT_KINDS
from totient.report import Column, Table, Value, columns
from totient.report.values import duration, grouped, ratio, significant, text
from totient.report.words import as_long, clock, factor, listed
from totient.reproduce import figures
from totient.reproduce.paper import Paper, Sources
from totient.reproduce.results import ROUTED, UTILISED, Measurement
from totient.reproduce.thesis_designs import (
    ROWS,
    contradictions,
    designs,
    device,
    findings,
    throughput,
)
from totient.reproduce.thesis_early import (
    EARLY_NOTE,
    ShortMessage,
    early_cycles,
    early_findings,
    nearest_message,
)
from totient.reproduce.thesis_power import power_table
from totient.reproduce.thesis_rows import ROWS_OF_PAPER

_THESIS, _AREA = "thesis", ("lut", "ff")
_CITED_WIDTH = 1024  # of the microcontroller's figures
_TWO_KINDS = ("public", "private")
_KINDS = (*_TWO_KINDS, "zeros", "ones", "random", *SHORT_KINDS)
_TWO_BITS, _NO_DSP = "T2, 2 bits a cycle", "T3, no DSP"
_VARIANTS: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "T1": ("T1", {}),
    "T2": ("T2", {}),
    _TWO_BITS: ("T2", {"bits_per_cycle": 2}),
    "T3": ("T3", {}),
    _NO_DSP: ("T3", {"multiplier": 1}),
}
"""The thesis' designs, and our variants for its other figures."""


def measurements() -> Iterator[Measurement]:
    """Measurements for the tables, the small widths first."""
    for width in published(_THESIS)["bits"]:
        for variant, (row, parameters) in _VARIANTS.items():
            configuration = select(row, width=width, **parameters)
            kinds = _TWO_KINDS if variant in ("T1", _NO_DSP) else _KINDS
            dsp = variant != _NO_DSP
            yield Measurement(variant, configuration, find_target(UTILISED), kinds, dsp)
            if variant == row:
                yield Measurement(variant, configuration, find_target(ROUTED), kinds)


class _Thesis(Sources):
    """The thesis' figures and ours."""

    def __init__(self) -> None:
        """Add the thesis' figures to ours."""
        super().__init__(_THESIS, measurements())
        self.widths: list[int] = self.paper["bits"]
        self.clock_hz: float = self.paper["clock_mhz"] * 1e6
        for row, latency in self.paper["latency"].items():
            area = (self.paper[each][row] for each in _AREA)
            printed = (latency[each] for each in ("cycles", "seconds", "bits_per_second"))
            for width, lut, ff, cycles, seconds, rate in zip(
                self.widths, *area, *printed, strict=True
            ):
                self.results[row, _THESIS, width] = {
                    "lut": lut,
                    "ff": ff,
                    "cycles public": cycles,
                    "seconds public": seconds,
                    "products": round(cycles / (width + 1)),
                    "bit/s": rate,
                }

    def theirs(self, row: str, quantity: str, width: int) -> Value:
        """A figure of the thesis."""
        return self.results[row, _THESIS, width][quantity]

    def mhz(self, variant: str, width: int) -> Value:
        """Our maximum clock, if the variant is routed."""
        return self.results.get((variant, ROUTED, width), {}).get("mhz")

    def count(self, variant: str, quantity: str, width: int) -> int:
        """A number of cells or cycles of ours."""
        found = self.results[variant, UTILISED, width][quantity]
        assert isinstance(found, int)
        return found

    def cycles(self, variant: str, kind: str, width: int) -> int:
        """Our cycles of an operation kind."""
        return self.count(variant, f"cycles {kind}", width)

    def seconds(self, variant: str, kind: str, width: int) -> float:
        """The same at the thesis' clock."""
        return self.cycles(variant, kind, width) / self.clock_hz

    def rate(self, variant: str, kind: str, width: int) -> float:
        """Bits of messages per second, at the thesis' clock."""
        return self.clock_hz * width / self.cycles(variant, kind, width)

    def nearest(self, width: int) -> ShortMessage:
        """The message with which T2, ending early, comes nearest to the thesis' cycles."""
        cycles = self.paper["latency"]["T2"]["cycles"][self.widths.index(width)]
        return nearest_message(width, cycles)

    def by_width(self, row: str, columns: Sequence[Column], *notes: str) -> Table:
        """A table of cycles and times, with a row for each width."""
        table = self.paper["latency"][row]["table"]
        title = f"Table {table}: {row}, cycles, latency and throughput at 10 MHz"
        return Table.of(title, (Column("bits"), *columns), self.widths, *notes)


def _summary(data: _Thesis) -> Table:
    width, msp430 = _CITED_WIDTH, data.paper["msp430"]
    rows: list[list[Value]] = []
    for name in _VARIANTS:
        area = (data.count(name, each, width) for each in (*_AREA, "dsp", "cycles public"))
        # T1 multiplies repeatedly: the number of products is the exponent's value.
        private = None if name == "T1" else data.seconds(name, "private", width)
        rows.append([name, "ours", *area, data.seconds(name, "public", width), private])
    for row in ROWS:
        lut, ff = (data.theirs(row, each, width) for each in _AREA)
        short = (data.theirs(row, f"{each} public", width) for each in ("cycles", "seconds"))
        rows.append([row, "thesis", lut, ff, None, *(short if row != "T1" else (None, None)), None])
    times = (msp430[f"{each}_seconds"][-1] for each in _TWO_KINDS)
    rows.append([f"MSP430, {msp430['clock_mhz'][-1]} MHz", "cited", *(None,) * 4, *times])
    return Table.of(
        f"RSA-{width}: cost of the three classic architectures",
        (
            *columns(text, "design", "whose"),
            *columns(grouped, "LUT", "FF", "DSP", "cycles, 65537"),
            *columns(duration, "65537", "private"),
        ),
        rows,
        "LUT, FF, DSP: on Artix-7",
        "times: at 10 MHz, the thesis' clock. The MSP430's are at its own clock",
        "private: one exponentiation with a full-length exponent (MSP430: CRT)",
    )


def _frequency(data: _Thesis) -> Table:
    frequency = data.paper["frequency"]
    ours = ((f"ours {width}", partial(data.mhz, width=width)) for width in data.widths)
    return Table.of(
        f"Table {frequency['table']}: maximum clock, MHz",
        (
            Column("design"),
            *columns(significant, ("thesis (Artix-7)", frequency.get), *ours),
        ),
        ROWS,
        "ours: another device (ECP5-85F, speed grade 8), as there is no open place and route "
        "for the thesis' device. The thesis gives one figure, without a width",
        f"the thesis' clocks are from the {data.paper['frequency_method']['slack']} slack, which a "
        "period does not change",
    )


def _utilisation(data: _Thesis, quantity: str) -> Table:
    rows: list[list[Value]] = []
    for row in ROWS:
        rows.append([row, "thesis", *(data.theirs(row, quantity, width) for width in data.widths)])
        for name in (each for each, (base, _) in _VARIANTS.items() if base == row):
            rows.append([name, "ours", *(data.count(name, quantity, w) for w in data.widths)])
    notes = (
        f"T3 with DSP blocks takes {listed(data.count('T3', 'dsp', w) for w in data.widths)} of "
        "the device's 240",
        "every LUT cell counts as one LUT. Vivado, used in the thesis, merges two small LUTs into "
        "one",
    )
    return Table.of(
        f"Table {data.paper[quantity]['table']}: {quantity.upper()} on the XC7A100T",
        (*columns(text, "design", "whose"), *columns(grouped, *map(str, data.widths))),
        rows,
        *(notes if quantity == "lut" else ()),
    )


def _repeated(data: _Thesis) -> Table:
    theirs = partial(partial, data.theirs, "T1")
    return data.by_width(
        "T1",
        (
            *columns(
                grouped, ("thesis", theirs("cycles public")), ("products in it", theirs("products"))
            ),
            Column("thesis latency", duration, theirs("seconds public")),
            Column("thesis bit/s", significant, theirs("bit/s")),
            Column("ours 65537", grouped, partial(data.cycles, "T1", "public")),
            Column("how", of=lambda width: data.results["T1", UTILISED, width]["how public"]),
            Column("latency", duration, partial(data.seconds, "T1", "public")),
            Column("bit/s", significant, partial(data.rate, "T1", "public")),
            Column("full length", grouped, partial(data.cycles, "T1", "private")),
        ),
        "the thesis does not name its exponents. The number of products is its cycles divided by a "
        "product's bits + 1",
        "a full-length exponent never ends on this design; its cycles are by formula",
        *contradictions(data.paper, "T1"),
    )


def _latency(data: _Thesis, names: Sequence[str]) -> Table:
    theirs = partial(partial, data.theirs, names[0])
    columns = [
        Column("thesis", grouped, theirs("cycles public")),
        Column("thesis latency", duration, theirs("seconds public")),
        Column("thesis bit/s", significant, theirs("bit/s")),
    ]
    for name, kind in product(names, _TWO_KINDS):
        what = f"{name}: {'65537' if kind == 'public' else 'full length'}"
        columns += [
            Column(what, grouped, partial(data.cycles, name, kind)),
            Column(f"{what}, latency", duration, partial(data.seconds, name, kind)),
            Column(f"{what}, bit/s", significant, partial(data.rate, name, kind)),
        ]
    notes = ["the thesis' figures are of a short exponent, like 65537. Ours leave the set-up out"]
    if names[0] == "T2":
        columns += [
            Column("early end: 65537", grouped, partial(early_cycles, kind="public")),
            Column("message, bits", grouped, lambda width: data.nearest(width).bits),
            Column("early end: 65537, that message", grouped, lambda w: data.nearest(w).cycles),
        ]
        notes.append(EARLY_NOTE)
    return data.by_width(names[0], columns, *notes)


_SPREAD = (
    ("minimum", "zeros", "all zeros"),
    ("mean", "random", "40 random"),
    ("maximum", "ones", "all ones"),
)


def _spread(data: _Thesis, row: str) -> Table:
    theirs = data.paper["spread"][row]
    early = row == "T2"  # its multipliers can end early

    def short(kind: str, width: int) -> list[Value]:
        if not early:
            return []
        cycles = early_cycles(width, f"short-{kind}", data.nearest(width).bits)
        return [cycles / data.clock_hz]

    return Table.of(
        f"Table {theirs['table']}: {row}, latency over keys at 10 MHz",
        (
            *columns(text, "bits", "of the keys", "key"),
            *columns(duration, "thesis", "ours, 17-bit keys", "ours, full length"),
            *columns(duration, *(["early end, short messages, 17-bit keys"] if early else [])),
        ),
        [
            (
                *(width, what, key, theirs[what][place]),
                *(data.seconds(row, each, width) for each in (f"short-{kind}", kind)),
                *short(kind, width),
            )
            for place, width in enumerate(data.widths)
            for what, kind, key in _SPREAD
        ],
        *(["early end: T2 with early_end=1, by formula, messages of Table 7"] if early else []),
    )


def _msp430(data: _Thesis) -> Table:
    width, msp430 = _CITED_WIDTH, data.paper["msp430"]
    names = [f"MSP430 at {mhz} MHz" for mhz in msp430["clock_mhz"]]
    times = (msp430["public_seconds"], msp430["private_seconds"])
    rows: list[tuple[str, Value, Value]] = [*zip(names, *times, strict=True)]
    _, *fastest_chip = rows[-1]
    for name in ("T2", _TWO_BITS, "T3"):
        public, private = (data.seconds(name, kind, width) for kind in _TWO_KINDS)
        rows.append((f"{name} at 10 MHz", public, private))
        if fastest := data.results.get((name, ROUTED, width)):
            mhz = fastest["mhz"]
            shown = clock(mhz) if isinstance(mhz, float) else "its maximum clock"
            of = [fastest[f"seconds {kind}"] for kind in _TWO_KINDS]
            rows.append((f"{name} at {shown} (ECP5)", of[0], of[1]))
    for name in ("T2", "T3"):
        rows.append((f"thesis {name} at 10 MHz", data.paper["latency"][name]["seconds"][-1], None))
    return Table.of(
        f"Table {msp430['table']} and section 6.2: RSA-{width}, compared with the MSP430",
        (
            Column("what"),
            *columns(duration, "65537", "private"),
            *columns(significant, "times faster, 65537", "times faster, private"),
        ),
        [(*row, *map(ratio, fastest_chip, row[1:])) for row in rows],
        "the MSP430's private operation uses CRT. Ours is one full-length exponentiation",
        "times faster than the MSP430 at 25 MHz",
    )


def _conclusions(data: _Thesis) -> Mapping[str, object]:
    """Values of the conclusions' templates."""
    paper, first, last = data.paper, data.widths[0], data.widths[-1]
    lut = {name: data.count(name, "lut", last) for name in _VARIANTS}
    more = [
        100 * (most / max(others) - 1)
        for *others, most in zip(*(paper["lut"][row] for row in ROWS), strict=True)
    ]
    theirs = {row: paper["latency"][row]["cycles"][-1] for row in ("T2", "T3")}
    short, full = (
        {name: data.cycles(name, kind, last) for name in _VARIANTS} for kind in _TWO_KINDS
    )
    slower = [
        f"{width} bits: {ours} against {cycles}"
        for width, cycles in zip(data.widths, paper["latency"]["T3"]["cycles"], strict=True)
        if (ours := data.cycles("T3", "public", width)) > cycles
    ]
    msp430, keys = paper["msp430"], paper["spread"]["T3"]
    longest = [most / least for least, most in zip(keys["minimum"], keys["maximum"], strict=True)]
    spread = {
        "T3": data.cycles("T3", "ones", last) / data.cycles("T3", "zeros", last),
        "T2": data.cycles("T2", "short-ones", last) / data.cycles("T2", "short-random", last),
    }
    seconds = {kind: data.seconds("T3", kind, last) for kind in _TWO_KINDS}
    clocks = (
        f"{row} {clock(data.mhz(row, first))} at {first} bits and {clock(data.mhz(row, last))} at "
        f"{last}"
        for row in ROWS
    )
    longer = all(full[row] > short[row] for row in ("T2", "T3"))
    return {
        "last": last,
        "least_more": min(more),
        "most_more": max(more),
        "by_lut": listed(f"{row} {lut[row]:,}" for row in sorted(ROWS, key=lut.__getitem__)),
        "lut": lut,
        "lut_theirs": paper["lut"]["T3"][-1],
        "short": short,
        "theirs": theirs,
        "ours_t3_t2": factor(short["T3"], short["T2"]),
        "theirs_t3_t2": factor(theirs["T3"], theirs["T2"]),
        "slower": listed(slower) if slower else None,
        "longer": "It does not" if longer else "WRONG, it does",
        "full": full,
        "spread": {name: as_long(each) for name, each in spread.items()}
        | {"thesis": f"{min(longest):.2f} to {as_long(max(longest))}"},
        "early": early_findings(data.widths, paper["latency"]["T2"]["cycles"]),
        "msp430_mhz": msp430["clock_mhz"][-1],
        "faster": {kind: msp430[f"{kind}_seconds"][-1] / seconds[kind] for kind in seconds}
        | {"thesis": msp430["public_seconds"][-1] / paper["latency"]["T3"]["seconds"][-1]},
        "by_clock": listed(sorted(ROWS, key=paper["frequency"].get, reverse=True)),
        "clocks": listed(clocks),
        **findings(data),
    }


PAPER = Paper(
    _THESIS,
    _Thesis,
    {
        "summary": _summary,
        "frequency": _frequency,  # Table 3
        "lut": partial(_utilisation, quantity="lut"),  # Table 4
        "ff": partial(_utilisation, quantity="ff"),  # Table 5
        "repeated": _repeated,  # Table 6
        "latency-T2": partial(_latency, names=("T2", _TWO_BITS)),  # Table 7
        "spread-T2": partial(_spread, row="T2"),  # Table 8
        "latency-T3": partial(_latency, names=("T3",)),  # Table 9
        "spread-T3": partial(_spread, row="T3"),  # Table 10
        "msp430": _msp430,  # Table 1
        "throughput": throughput,  # Table 2
        "device": device,
        "power": power_table,  # Tables 11 to 14
        "designs": designs,
    },
    _conclusions,
    (
        f"utilisation: {UTILISED}, the core alone, from synthesis",
        f"maximum clock: {ROUTED}, the core with its stream face, routed, median of three "
        "seeds each ({data.results.seeds})",
        "cycles: the RTL where it could be simulated, equal to the catalog's formula. T1 with "
        "large exponents: by formula",
        "power: an estimate from the activity of our netlists (totient compare-power)",
    ),
    figures.thesis,
    measurements,
    ROWS_OF_PAPER,
)
