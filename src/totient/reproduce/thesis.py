"""The thesis' evaluation: Tables 3 to 10, and the comparison with an MSP430.

Our utilisation is of the thesis' own device family (Artix-7, synthesised by Yosys), our maximum
clock is of an ECP5-85F, the device that the open tools can route; times at 10 MHz, the thesis'
clock, follow from exact cycle counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from totient.catalog import select
from totient.common.papers import published
from totient.flow import find_target
from totient.measure import Record
from totient.measure.kinds import SHORT_KINDS
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

TABLES = (
    "summary",
    "frequency",
    "lut",
    "ff",
    "repeated",
    "latency-T2",
    "spread-T2",
    "latency-T3",
    "spread-T3",
    "msp430",
)
"""Names of the tables, in order."""

_ROUTED, _UTILISED = "ecp5-85f", "artix7-100t"
_TWO_KINDS = ("public", "private")
_KINDS = (*_TWO_KINDS, "zeros", "ones", "random", *SHORT_KINDS)

# The designs as the thesis has them, and the variants that answer its figures.
_VARIANTS: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "T1": ("T1", {}),
    "T2": ("T2", {}),
    "T2, 2 bits a cycle": ("T2", {"bits_per_cycle": 2}),
    "T3": ("T3", {}),
    "T3, no DSP": ("T3", {"multiplier": 1}),
}


@dataclass(frozen=True)
class _Measured:
    """Records of one variant at one width: utilisation with cycles, and the clock if routed."""

    utilised: Record
    routed: Record | None


_Results = Mapping[tuple[str, int], _Measured]


def measurements(widest: int) -> Iterator[Measurement]:
    """Everything that the tables need up to a width, the small widths first."""
    for width in (each for each in published("thesis")["bits"] if each <= widest):
        for variant, (row, parameters) in _VARIANTS.items():
            configuration = select(row, width=width, **parameters)
            kinds = {"T1": _TWO_KINDS, "T3, no DSP": _TWO_KINDS}.get(variant, _KINDS)
            dsp = variant != "T3, no DSP"
            yield Measurement(variant, configuration, find_target(_UTILISED), kinds, dsp)
            if variant == row:
                yield Measurement(variant, configuration, find_target(_ROUTED), kinds)


def _results(widest: int) -> dict[tuple[str, int], _Measured]:
    """Records of everything."""
    found = records(measurements(widest))
    keys = dict.fromkeys(key[:2] for key in found)
    return {key: _Measured(found[*key, _UTILISED], found.get((*key, _ROUTED))) for key in keys}


def reproduce() -> Reproduction:
    """Run the thesis' evaluation on our cores.

    Raises:
        ToolError: a tool failed.
    """
    paper = published("thesis")
    bits: list[int] = paper["bits"]
    found = _results(bits[-1])
    sample = found["T3", bits[0]]
    assert sample.routed is not None
    tools = ", ".join(f"{k} {v}" for k, v in sample.utilised.provenance.tools.items())
    return Reproduction(
        title=f"{paper['author']}: {paper['title']}, {paper['source']}",
        command="totient reproduce thesis",
        tables=(
            _summary(paper, found),
            _frequency(paper, found),
            _utilisation(paper, found, "lut", "LUT"),
            _utilisation(paper, found, "ff", "FF"),
            _repeated(paper, found),
            _latency(paper, found, "T2", "T2, 2 bits a cycle"),
            _spread(paper, found, "T2"),
            _latency(paper, found, "T3"),
            _spread(paper, found, "T3"),
            _msp430(paper, found),
        ),
        findings=_findings(paper, found),
        provenance=(
            f"utilisation: {_UTILISED}, the core alone, synthesis",
            f"maximum clock: {_ROUTED}, the core behind its stream face, routed, median of seeds "
            f"{', '.join(map(str, sample.routed.provenance.seeds))}",
            "cycles: the RTL where it could be simulated, equal to the catalog's formula; T1 with "
            "large exponents by formula",
            f"tools: {tools}",
        ),
    )


def _summary(paper: Mapping[str, Any], found: _Results) -> Table:
    width = 1024
    place = paper["bits"].index(width)
    clock = paper["clock_mhz"] * 1e6
    msp430 = paper["msp430"]
    rows: list[Sequence[Value]] = []
    for name, (row, _) in _VARIANTS.items():
        record = found[name, width].utilised
        public = record.operations["public"].cycles.mean
        private = record.operations.get("private")
        # Repeated multiplication takes as many products as the exponent's value.
        full = private.cycles.mean / clock if private and row != "T1" else None
        rows.append(
            (
                name,
                "ours",
                record.utilisation.lut,
                record.utilisation.ff,
                record.utilisation.dsp,
                _fmax(found, name, width),
                public,
                public / clock,
                full,
            )
        )
    for row in ("T1", "T2", "T3"):
        cycles = paper["latency"][row]["cycles"][place]
        rows.append(
            (
                row,
                "thesis",
                paper["lut"][row][place],
                paper["ff"][row][place],
                None,
                paper["frequency"][row],
                cycles if row != "T1" else None,
                cycles / clock if row != "T1" else None,
                None,
            )
        )
    rows.append(
        (
            f"MSP430, {msp430['clock_mhz'][-1]} MHz",
            "cited",
            *(None,) * 5,
            msp430["public_seconds"][-1],
            msp430["private_seconds"][-1],
        )
    )
    return Table(
        "summary",
        f"RSA-{width}: what the three classic architectures cost",
        (
            Column("design"),
            Column("whose"),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("DSP", grouped),
            Column("max MHz", significant),
            Column("cycles, 65537", grouped),
            Column("65537", duration),
            Column("private", duration),
        ),
        rows,
        (
            "LUT, FF, DSP on Artix-7; times at 10 MHz, the thesis' clock, the MSP430's at its own; "
            "private: one exponentiation with a full-length exponent (MSP430: CRT)",
            "max MHz: ours routed on an ECP5-85F speed 8, the designs as the thesis has them only; "
            "the thesis' on its Artix-7",
        ),
    )


def _frequency(paper: Mapping[str, Any], found: _Results) -> Table:
    widths: list[int] = paper["bits"]
    rows = []
    for row in ("T1", "T2", "T3"):
        ours = [_fmax(found, row, width) for width in widths]
        rows.append((row, paper["frequency"][row], *ours))
    return Table(
        "frequency",
        f"Table {paper['frequency']['table']}: maximum clock, MHz",
        (
            Column("design"),
            Column("thesis (Artix-7)", significant),
            *(Column(f"ours {width}", significant) for width in widths),
        ),
        rows,
        (
            "ours is of another device (ECP5-85F, speed grade 8): the thesis' one has no open "
            "place and route; its one figure has no width",
        ),
    )


def _utilisation(paper: Mapping[str, Any], found: _Results, name: str, unit: str) -> Table:
    widths: list[int] = paper["bits"]
    rows: list[Sequence[Value]] = []
    for row in ("T1", "T2", "T3"):
        rows.append((row, "thesis", *paper[name][row]))
        for variant in (v for v, (base, _) in _VARIANTS.items() if base == row):
            counts = [getattr(found[variant, w].utilised.utilisation, name) for w in widths]
            rows.append((variant, "ours", *counts))
    notes = []
    if name == "lut":
        dsp = [found["T3", width].utilised.utilisation.dsp for width in widths]
        notes.append(f"T3 with DSP blocks takes {', '.join(map(str, dsp))} of the device's 240")
        notes.append(
            "every LUT cell counts as one LUT; Vivado, which the thesis used, puts two small ones "
            "into one"
        )
    return Table(
        name,
        f"Table {paper[name]['table']}: {unit} on the XC7A100T",
        (
            Column("design"),
            Column("whose"),
            *(Column(str(width), grouped) for width in widths),
        ),
        rows,
        notes,
    )


def _repeated(paper: Mapping[str, Any], found: _Results) -> Table:
    published_cycles: list[int] = paper["latency"]["T1"]["cycles"]
    clock = paper["clock_mhz"] * 1e6
    rows: list[Sequence[Value]] = []
    for width, cycles, bits_per_second in zip(
        paper["bits"], published_cycles, paper["latency"]["T1"]["bits_per_second"], strict=True
    ):
        operations = found["T1", width].utilised.operations
        public = operations["public"]
        private = operations["private"]
        rows.append(
            (
                width,
                cycles,
                round(cycles / (width + 1)),
                bits_per_second,
                public.cycles.mean,
                "simulated" if public.simulated else "formula",
                public.cycles.mean / clock,
                clock * width / public.cycles.mean,
                private.cycles.mean,
            )
        )
    return Table(
        "repeated",
        f"Table {paper['latency']['T1']['table']}: T1, cycles, latency and throughput at 10 MHz",
        (
            Column("bits"),
            Column("thesis", grouped),
            Column("products in it", grouped),
            Column("thesis bit/s", significant),
            Column("ours 65537", grouped),
            Column("how"),
            Column("latency", duration),
            Column("bit/s", significant),
            Column("full length", grouped),
        ),
        rows,
        (
            "the thesis does not name its exponents; its cycles divided by a product's bits + 1 "
            "give the number of products",
            "a full-length exponent never ends on this design: cycles by formula",
        ),
    )


def _latency(paper: Mapping[str, Any], found: _Results, *names: str) -> Table:
    row = names[0]
    clock = paper["clock_mhz"] * 1e6
    rows: list[Sequence[Value]] = []
    for width, cycles, bits_per_second in zip(
        paper["bits"],
        paper["latency"][row]["cycles"],
        paper["latency"][row]["bits_per_second"],
        strict=True,
    ):
        values: list[Value] = [width, cycles, cycles / clock, bits_per_second]
        for name in names:
            public = found[name, width].utilised.operations["public"].cycles.mean
            private = found[name, width].utilised.operations["private"].cycles.mean
            values += [public, public / clock, clock * width / public]
            values += [private, private / clock, clock * width / private]
        rows.append(values)
    columns = [
        Column("bits"),
        Column("thesis", grouped),
        Column("thesis latency", duration),
        Column("thesis bit/s", significant),
    ]
    for name in names:
        for exponent in ("65537", "full length"):
            columns += [
                Column(f"{name}: {exponent}", grouped),
                Column(f"{name}: {exponent}, latency", duration),
                Column(f"{name}: {exponent}, bit/s", significant),
            ]
    return Table(
        f"latency-{row}",
        f"Table {paper['latency'][row]['table']}: {row}, cycles, latency and throughput at 10 MHz",
        columns,
        rows,
        ("the thesis' figures are of a short exponent, like 65537; ours leave the set-up out",),
    )


def _spread(paper: Mapping[str, Any], found: _Results, row: str) -> Table:
    clock = paper["clock_mhz"] * 1e6
    rows: list[Sequence[Value]] = []
    for place, width in enumerate(paper["bits"]):
        operations = found[row, width].utilised.operations
        for what in ("minimum", "mean", "maximum"):
            kind = {"minimum": "zeros", "mean": "random", "maximum": "ones"}[what]
            short, full = operations[f"short-{kind}"].cycles, operations[kind].cycles
            rows.append(
                (
                    width,
                    what,
                    {"zeros": "all zeros", "ones": "all ones", "random": "40 random"}[kind],
                    paper["spread"][row][what][place],
                    short.mean / clock,
                    full.mean / clock,
                )
            )
    return Table(
        f"spread-{row}",
        f"Table {paper['spread'][row]['table']}: {row}, latency over keys at 10 MHz",
        (
            Column("bits"),
            Column("of the keys"),
            Column("key"),
            Column("thesis", duration),
            Column("ours, 17-bit keys", duration),
            Column("ours, full length", duration),
        ),
        rows,
    )


def _msp430(paper: Mapping[str, Any], found: _Results) -> Table:
    width = 1024
    msp430 = paper["msp430"]
    rows: list[Sequence[Value]] = [
        (f"MSP430 at {mhz} MHz", public, private, 1.0, 1.0)
        if mhz == msp430["clock_mhz"][-1]
        else (
            f"MSP430 at {mhz} MHz",
            public,
            private,
            msp430["public_seconds"][-1] / public,
            msp430["private_seconds"][-1] / private,
        )
        for mhz, public, private in zip(
            msp430["clock_mhz"], msp430["public_seconds"], msp430["private_seconds"], strict=True
        )
    ]
    best = msp430["public_seconds"][-1], msp430["private_seconds"][-1]
    for name in ("T2", "T2, 2 bits a cycle", "T3"):
        measured = found[name, width]
        operations = measured.utilised.operations
        public, private = operations["public"].cycles.mean, operations["private"].cycles.mean
        clocks = [(f"{name} at 10 MHz", paper["clock_mhz"])]
        fmax = _fmax(found, name, width)
        if isinstance(fmax, float):
            clocks.append((f"{name} at {fmax:.1f} MHz (ECP5)", fmax))
        for label, mhz in clocks:
            times = public / (mhz * 1e6), private / (mhz * 1e6)
            rows.append((label, *times, best[0] / times[0], best[1] / times[1]))
        if isinstance(fmax, str):
            rows.append((f"{name} at its maximum clock (ECP5)", *(fmax,) * 4))
    for name in ("T2", "T3"):
        seconds = paper["latency"][name]["seconds"][-1]
        rows.append((f"thesis {name} at 10 MHz", seconds, None, best[0] / seconds, None))
    return Table(
        "msp430",
        f"Table {msp430['table']} and section 6.2: RSA-{width} beside the MSP430",
        (
            Column("what"),
            Column("65537", duration),
            Column("private", duration),
            Column("times faster, 65537", significant),
            Column("times faster, private", significant),
        ),
        rows,
        (
            "the MSP430's private operation uses CRT; ours is one full-length exponentiation",
            "times faster than the MSP430 at 25 MHz",
        ),
    )


def _fmax(found: _Results, name: str, width: int) -> Value:
    return of_clock(found[name, width].routed)


def _told(mhz: Value) -> str:
    """A clock in a sentence."""
    return f"{mhz:.1f} MHz" if isinstance(mhz, float) else str(mhz)


def _findings(paper: Mapping[str, Any], found: _Results) -> list[str]:
    """Where we agree with the thesis and where not, computed from the figures."""
    widths: list[int] = paper["bits"]
    last = widths[-1]

    def cycles(name: str, kind: str, width: int = last) -> int:
        return found[name, width].utilised.operations[kind].cycles.mean

    def lut(name: str) -> int:
        return found[name, last].utilised.utilisation.lut

    t2, t3 = paper["latency"]["T2"]["cycles"], paper["latency"]["T3"]["cycles"]
    findings = []
    order = sorted(("T1", "T2", "T3"), key=lut)
    more = [
        t3 / max(t1, t2) - 1
        for t1, t2, t3 in zip(*(paper["lut"][row] for row in ("T1", "T2", "T3")), strict=True)
    ]
    findings.append(
        f"Area: the thesis finds T3 the largest at every size, by {100 * min(more):.0f} to "
        f"{100 * max(more):.0f} %; ours at {last} bits, from "
        f"the smallest to the largest: {', '.join(f'{r} {lut(r):,}' for r in order)} LUT, "
        f"and T3 without DSP blocks {lut('T3, no DSP'):,} (thesis {paper['lut']['T3'][-1]:,})."
    )
    ratio = cycles("T2", "public") / cycles("T3", "public")
    findings.append(
        f"Short exponent: T3 takes {cycles('T3', 'public'):,} cycles for 65537 at {last} bits "
        f"(thesis {t3[-1]:,}), T2 {cycles('T2', 'public'):,} with one bit a cycle and "
        f"{cycles('T2, 2 bits a cycle', 'public'):,} with two (thesis {t2[-1]:,}). That T3 is "
        f"several times faster is true of ours too: {ratio:.1f} times "
        f"(thesis {t2[-1] / t3[-1]:.1f})."
    )
    slower = [w for w, c in zip(widths, t3, strict=True) if cycles("T3", "public", w) > c]
    if slower:
        listed = ", ".join(
            f"{w} bits: {cycles('T3', 'public', w)} against {t3[widths.index(w)]}" for w in slower
        )
        findings.append(
            f"At small sizes our T3 takes more cycles than the thesis' ({listed}): a word more, so "
            "that no product is ever reduced, and reading and answering the request are counted."
        )
    findings.append(
        "Full-length exponent: the thesis says that decryption costs the same as encryption. It "
        f"does not: ours takes {cycles('T3', 'private'):,} cycles instead of "
        f"{cycles('T3', 'public'):,} on T3 and {cycles('T2', 'private'):,} instead of "
        f"{cycles('T2', 'public'):,} on T2. The thesis' latencies, and so its comparison with the "
        "MSP430's decryption, are those of a short exponent."
    )
    findings.append(
        "Spread over keys: the thesis' T3 takes 1.7 times as long for all ones as for all zeros; "
        "ours squares and multiplies at the same time and takes the same for every key of a "
        "length, which is what a private key needs. T2's time tells the number of ones, as in the "
        "thesis, unless fixed_time is set."
    )
    msp430 = paper["msp430"]
    encrypt = msp430["public_seconds"][-1] / (cycles("T3", "public") / (paper["clock_mhz"] * 1e6))
    decrypt = msp430["private_seconds"][-1] / (cycles("T3", "private") / (paper["clock_mhz"] * 1e6))
    findings.append(
        f"MSP430: the thesis' 169 times is its T3 at 10 MHz against an encryption at 25 MHz; ours "
        f"is {encrypt:.0f} times there, and {decrypt:.0f} times for a private operation."
    )
    clocks = [
        f"{row} {_told(_fmax(found, row, widths[0]))} at {widths[0]} bits and "
        f"{_told(_fmax(found, row, last))} at {last}"
        for row in ("T1", "T2", "T3")
    ]
    findings.append(
        f"Clock: the thesis ranks T2, T3, T1; ours on the ECP5: {', '.join(clocks)}. T1 and T2 "
        "carry through all bits in one cycle, T3 through the bits of a word."
    )
    return findings
