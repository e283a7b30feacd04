"""The thesis' evaluation: Tables 3 to 10, and the comparison with an MSP430.

Our utilisation is for the thesis' device family (Artix-7, synthesised by Yosys). Our maximum
clock is for an ECP5-85F, for which open tools have place and route. Times at 10 MHz, the thesis'
clock, follow from exact cycle counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter

from totient.catalog import select
from totient.common.papers import published
from totient.flow import find_target
from totient.measure.kinds import SHORT_KINDS
from totient.report import Column, Table, Value, columns
from totient.report.values import duration, grouped, ratio, significant, text
from totient.report.words import as_long, clock, factor, listed
from totient.reproduce import figures
from totient.reproduce.paper import Paper
from totient.reproduce.results import ROUTED, UTILISED, Measurement, Results

ROWS = ("T1", "T2", "T3")
_THESIS = "thesis"
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


def measurements(widest: int) -> Iterator[Measurement]:
    """Measurements for the tables up to a width, the small widths first."""
    for width in (each for each in published("thesis")["bits"] if each <= widest):
        for variant, (row, parameters) in _VARIANTS.items():
            configuration = select(row, width=width, **parameters)
            kinds = _TWO_KINDS if variant in ("T1", _NO_DSP) else _KINDS
            dsp = variant != _NO_DSP
            yield Measurement(variant, configuration, find_target(UTILISED), kinds, dsp)
            if variant == row:
                yield Measurement(variant, configuration, find_target(ROUTED), kinds)


class _Thesis:
    """The thesis' figures and ours."""

    def __init__(self) -> None:
        """Measure ours where no Record exists."""
        self.paper = published("thesis")
        self.widths: list[int] = self.paper["bits"]
        self.clock_hz: float = self.paper["clock_mhz"] * 1e6
        self.results = Results()
        self.results.measure(measurements(self.widths[-1]))
        for row in ROWS:
            latency = self.paper["latency"][row]
            for place, width in enumerate(self.widths):
                self.results[row, _THESIS, width] = {
                    "lut": self.paper["lut"][row][place],
                    "ff": self.paper["ff"][row][place],
                    "cycles public": latency["cycles"][place],
                    "seconds public": latency["cycles"][place] / self.clock_hz,
                    "products": round(latency["cycles"][place] / (width + 1)),
                    "bit/s": latency["bits_per_second"][place],
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


def _summary(data: _Thesis) -> Table:
    width, msp430 = _CITED_WIDTH, data.paper["msp430"]
    rows: list[list[Value]] = []
    for name, (row, _) in _VARIANTS.items():
        times: list[Value] = [data.seconds(name, "public", width), None]
        if row != "T1":  # repeated multiplication: the number of products is the exponent's value
            times[1] = data.seconds(name, "private", width)
        area = [data.count(name, each, width) for each in ("lut", "ff", "dsp")]
        rows.append([name, "ours", *area, data.cycles(name, "public", width), *times])
    for row in ROWS:
        lut, ff, cycles, seconds = (
            data.theirs(row, each, width)
            for each in ("lut", "ff", "cycles public", "seconds public")
        )
        short = (cycles, seconds) if row != "T1" else (None, None)
        rows.append([row, "thesis", lut, ff, None, *short, None])
    times = [msp430[f"{each}_seconds"][-1] for each in ("public", "private")]
    rows.append([f"MSP430, {msp430['clock_mhz'][-1]} MHz", "cited", *(None,) * 4, *times])
    return Table(
        f"RSA-{width}: cost of the three classic architectures",
        (
            *columns(text, "design", "whose"),
            *columns(grouped, "LUT", "FF", "DSP"),
            Column("cycles, 65537", grouped),
            *columns(duration, "65537", "private"),
        ),
        rows,
        (
            "LUT, FF, DSP: on Artix-7",
            "times: at 10 MHz, the thesis' clock. The MSP430's are at its own clock",
            "private: one exponentiation with a full-length exponent (MSP430: CRT)",
        ),
    )


def _frequency(data: _Thesis) -> Table:
    def ours(width: int, row: str) -> Value:
        return data.mhz(row, width)

    frequency = data.paper["frequency"]
    return Table.of(
        f"Table {frequency['table']}: maximum clock, MHz",
        (
            Column("design"),
            Column("thesis (Artix-7)", significant, frequency.get),
            *(Column(f"ours {each}", significant, partial(ours, each)) for each in data.widths),
        ),
        ROWS,
        (
            "ours: another device (ECP5-85F, speed grade 8), as there is no open place and route "
            "for the thesis' device. The thesis gives one figure, without a width",
        ),
    )


def _utilisation(data: _Thesis, quantity: str, unit: str) -> Table:
    rows: list[list[Value]] = []
    for row in ROWS:
        theirs = partial(data.theirs, row, quantity)
        rows.append([row, "thesis", *map(theirs, data.widths)])
        for variant in (each for each, (base, _) in _VARIANTS.items() if base == row):
            rows.append(
                [variant, "ours", *(data.count(variant, quantity, each) for each in data.widths)]
            )
    notes = []
    if quantity == "lut":
        dsp = ", ".join(str(data.count("T3", "dsp", width)) for width in data.widths)
        notes.append(f"T3 with DSP blocks takes {dsp} of the device's 240")
        notes.append(
            "every LUT cell counts as one LUT. Vivado, used in the thesis, merges two small LUTs "
            "into one"
        )
    return Table(
        f"Table {data.paper[quantity]['table']}: {unit} on the XC7A100T",
        (
            *columns(text, "design", "whose"),
            *columns(grouped, *map(str, data.widths)),
        ),
        rows,
        notes,
    )


def _repeated(data: _Thesis) -> Table:
    return Table.of(
        f"Table {data.paper['latency']['T1']['table']}: T1, cycles, latency and throughput at "
        "10 MHz",
        (
            Column("bits"),
            Column("thesis", grouped, partial(data.theirs, "T1", "cycles public")),
            Column("products in it", grouped, partial(data.theirs, "T1", "products")),
            Column("thesis bit/s", significant, partial(data.theirs, "T1", "bit/s")),
            Column("ours 65537", grouped, partial(data.cycles, "T1", "public")),
            Column("how", of=lambda width: data.results["T1", UTILISED, width]["how public"]),
            Column("latency", duration, partial(data.seconds, "T1", "public")),
            Column("bit/s", significant, partial(data.rate, "T1", "public")),
            Column("full length", grouped, partial(data.cycles, "T1", "private")),
        ),
        data.widths,
        (
            "the thesis does not name its exponents. The number of products is its cycles divided "
            "by a product's bits + 1",
            "a full-length exponent never ends on this design; its cycles are by formula",
        ),
    )


def _latency(data: _Thesis, names: Sequence[str]) -> Table:
    row = names[0]
    columns = [
        Column("bits"),
        Column("thesis", grouped, partial(data.theirs, row, "cycles public")),
        Column("thesis latency", duration, partial(data.theirs, row, "seconds public")),
        Column("thesis bit/s", significant, partial(data.theirs, row, "bit/s")),
    ]
    for name in names:
        for kind, exponent in (("public", "65537"), ("private", "full length")):
            what = f"{name}: {exponent}"
            columns += [
                Column(what, grouped, partial(data.cycles, name, kind)),
                Column(f"{what}, latency", duration, partial(data.seconds, name, kind)),
                Column(f"{what}, bit/s", significant, partial(data.rate, name, kind)),
            ]
    return Table.of(
        f"Table {data.paper['latency'][row]['table']}: {row}, cycles, latency and throughput at "
        "10 MHz",
        columns,
        data.widths,
        ("the thesis' figures are of a short exponent, like 65537. Ours leave the set-up out",),
    )


_SPREAD = (
    ("minimum", "zeros", "all zeros"),
    ("mean", "random", "40 random"),
    ("maximum", "ones", "all ones"),
)


def _spread(data: _Thesis, row: str) -> Table:
    theirs = data.paper["spread"][row]
    return Table(
        f"Table {theirs['table']}: {row}, latency over keys at 10 MHz",
        (
            *columns(text, "bits", "of the keys", "key"),
            *columns(duration, "thesis", "ours, 17-bit keys", "ours, full length"),
        ),
        [
            (
                *(width, what, key, theirs[what][place]),
                *(data.seconds(row, each, width) for each in (f"short-{kind}", kind)),
            )
            for place, width in enumerate(data.widths)
            for what, kind, key in _SPREAD
        ],
    )


def _msp430(data: _Thesis) -> Table:
    width, msp430 = _CITED_WIDTH, data.paper["msp430"]
    times = list(zip(msp430["public_seconds"], msp430["private_seconds"], strict=True))
    rows: list[tuple[str, Value, Value]] = [
        (f"MSP430 at {mhz} MHz", *both)
        for mhz, both in zip(msp430["clock_mhz"], times, strict=True)
    ]
    for name in ("T2", _TWO_BITS, "T3"):
        public, private = (data.seconds(name, kind, width) for kind in _TWO_KINDS)
        rows.append((f"{name} at 10 MHz", public, private))
        fastest = data.results.get((name, ROUTED, width))
        if fastest and isinstance(fastest["mhz"], float):
            label = f"{name} at {fastest['mhz']:.1f} MHz (ECP5)"
            rows.append((label, fastest["seconds public"], fastest["seconds private"]))
        elif fastest:
            rows.append((f"{name} at its maximum clock (ECP5)", *(fastest["mhz"],) * 2))
    for name in ("T2", "T3"):
        rows.append((f"thesis {name} at 10 MHz", data.paper["latency"][name]["seconds"][-1], None))
    return Table.of(
        f"Table {msp430['table']} and section 6.2: RSA-{width}, compared with the MSP430",
        (
            Column("what", of=itemgetter(0)),
            Column("65537", duration, itemgetter(1)),
            Column("private", duration, itemgetter(2)),
            Column("times faster, 65537", significant, lambda row: ratio(times[-1][0], row[1])),
            Column("times faster, private", significant, lambda row: ratio(times[-1][1], row[2])),
        ),
        rows,
        (
            "the MSP430's private operation uses CRT. Ours is one full-length exponentiation",
            "times faster than the MSP430 at 25 MHz",
        ),
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
    short = {name: data.cycles(name, "public", last) for name in _VARIANTS}
    full = {name: data.cycles(name, "private", last) for name in _VARIANTS}
    slower = [
        f"{width} bits: {ours} against {cycles}"
        for width, cycles in zip(data.widths, paper["latency"]["T3"]["cycles"], strict=True)
        if (ours := data.cycles("T3", "public", width)) > cycles
    ]
    msp430, keys = paper["msp430"], paper["spread"]["T3"]
    spread = {
        "thesis": keys["maximum"][-1] / keys["minimum"][-1],
        "T3": data.cycles("T3", "ones", last) / data.cycles("T3", "zeros", last),
        "T2": data.cycles("T2", "short-ones", last) / data.cycles("T2", "short-random", last),
    }
    seconds = {kind: data.seconds("T3", kind, last) for kind in _TWO_KINDS}
    clocks = (
        f"{row} {clock(data.mhz(row, first))} at {first} bits and {clock(data.mhz(row, last))} at "
        f"{last}"
        for row in ROWS
    )
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
        "longer": "It does not"
        if all(full[row] > short[row] for row in ("T2", "T3"))
        else "WRONG, it does",
        "full": full,
        "spread": {name: as_long(each) for name, each in spread.items()},
        "msp430_mhz": msp430["clock_mhz"][-1],
        "faster": {kind: msp430[f"{kind}_seconds"][-1] / seconds[kind] for kind in seconds}
        | {"thesis": msp430["public_seconds"][-1] / paper["latency"]["T3"]["seconds"][-1]},
        "by_clock": listed(sorted(ROWS, key=paper["frequency"].get, reverse=True)),
        "clocks": listed(clocks),
    }


def _provenance(data: _Thesis) -> Sequence[str]:
    return (
        f"utilisation: {UTILISED}, the core alone, from synthesis",
        f"maximum clock: {ROUTED}, the core with its stream face, routed, median of seeds "
        f"{data.results.seeds}",
        "cycles: the RTL where it could be simulated, equal to the catalog's formula. T1 with "
        "large exponents: by formula",
        f"tools: {data.results.tools}",
    )


PAPER = Paper(
    "thesis",
    _Thesis,
    {
        "summary": _summary,
        "frequency": _frequency,
        "lut": partial(_utilisation, quantity="lut", unit="LUT"),
        "ff": partial(_utilisation, quantity="ff", unit="FF"),
        "repeated": _repeated,
        "latency-T2": partial(_latency, names=("T2", _TWO_BITS)),
        "spread-T2": partial(_spread, row="T2"),
        "latency-T3": partial(_latency, names=("T3",)),
        "spread-T3": partial(_spread, row="T3"),
        "msp430": _msp430,
    },
    _conclusions,
    _provenance,
    figures.thesis,
    measurements,
)
