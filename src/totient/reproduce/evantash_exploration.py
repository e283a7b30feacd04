"""Row E5: word size, unrolling, pipelining and clock against area and latency, theirs and ours."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from totient.catalog import Subject, find_subject
from totient.flow import find_target
from totient.measure import kinds_of
from totient.report import Column, Table, Value, columns
from totient.report.values import duration, grouped, significant, text
from totient.report.words import factor, listed
from totient.reproduce.results import ROUTED, UTILISED, Measurement, Results

WORDS = (32, 64)
"""Word sizes in bits, which are those of the modulus, too."""

PERIODS = (10, 9, 8)
"""Clock periods in nanoseconds, as in the paper's table."""


@dataclass(frozen=True)
class Variant:
    """A core of ours for one word.

    Attributes:
        row: or design, with its parameters.
        unrolled: steps of the bit-serial algorithm in a cycle.
        pipelined: where the datapath has registers; empty: nowhere.
        parameters: that differ from the row's.
    """

    row: str
    unrolled: int
    pipelined: str
    parameters: Mapping[str, int]

    def subject(self, word: int) -> Subject:
        """The core for words of this many bits."""
        return find_subject(self.row, width=word, **self.parameters)

    @property
    def design(self) -> str:
        """Its name in the tables: the row without the default parameters."""
        return ", ".join((self.row, *(f"{name} {n}" for name, n in self.parameters.items())))

    def name(self, word: int) -> str:
        """The same with the length of its words."""
        return f"{word} bits, {self.design}"


_ROWS = "between the array's rows"
VARIANTS = (
    Variant("T2", 1, "", {}),
    Variant("T2", 2, "", {"bits_per_cycle": 2}),
    Variant("T3", 8, "between words", {"word_bits": 8}),
    Variant("T3", 16, "between words", {}),
    Variant("T3", 32, "between words", {"word_bits": 32}),
    Variant("N2", 1, _ROWS, {}),
    Variant("N4", 1, "between rows, on a digit's way", {}),
    Variant("N5", 2, _ROWS, {}),
    Variant("N7", 4, _ROWS, {}),
    Variant("N7", 8, _ROWS, {"digit_bits": 8}),
    Variant("N3", 1, "2 products interleaved", {}),
    Variant("N6", 2, "2 products interleaved", {}),
    Variant("N8", 4, "2 products interleaved", {}),
)


def measurements() -> Iterator[Measurement]:
    """Our variants: area on the paper's family, clock where there is a router."""
    for word in WORDS:
        for variant in VARIANTS:
            subject = variant.subject(word)
            for target in map(find_target, (UTILISED, ROUTED)):
                kinds = kinds_of(subject)
                yield Measurement(variant.name(word), subject.suited(target.family), target, kinds)


def area(figures: Mapping[str, Any]) -> int:
    """Area by the paper's own formula: flip-flops, and 100 for each multiplier block."""
    return int(figures["ff"]) + 100 * int(figures["dsp"])


def front(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Of each point whether no other one is as good in both and better in one. Less is better."""
    return [
        not any(
            other[0] <= point[0] and other[1] <= point[1] and other != point for other in points
        )
        for point in points
    ]


def published_table(paper: Mapping[str, Any]) -> Table:
    """All variants of the paper's table 1, with its Pareto front."""
    designs = paper["designs"]
    built = [each for each in designs if "latency" in each]
    best = dict(
        zip(
            (each["name"] for each in built),
            front([(each["area"], each["latency"]) for each in built]),
            strict=True,
        )
    )
    return Table.of(
        "Table 1: the paper's exploration of its core with fixed keys",
        (
            Column("variant", of="name"),
            *columns(grouped, ("latency as printed", lambda each: each.get("latency"))),
            *columns(grouped, ("area", "area"), ("FF + 100 DSP", area)),
            *columns(grouped, ("LUT", "lut"), ("FF", "ff"), ("DSP", "dsp")),
            Column("on the front", of=lambda each: _mark(best.get(each["name"]))),
        ),
        designs,
        "a variant without a latency exceeds the board. The latencies have no unit",
        "on the front: no other variant has less area and at most the same latency, or the reverse",
    )


def _mark(best: bool | None) -> Value:
    return None if best is None else "yes" if best else "no"


@dataclass(frozen=True)
class Built:
    """A variant of ours with its figures.

    Attributes:
        variant: the core.
        word: bits.
        utilised: figures on the paper's device family.
        routed: figures where there is a router.
    """

    variant: Variant
    word: int
    utilised: Mapping[str, Value]
    routed: Mapping[str, Value]

    @property
    def cycles(self) -> int:
        """Cycles of a message with the exponent 65537."""
        cycles = self.utilised["cycles public"]
        assert isinstance(cycles, int)
        return cycles

    def latency(self, period: float) -> float:
        """Seconds at a clock period in nanoseconds."""
        return self.cycles * period * 1e-9


def built(results: Results) -> list[Built]:
    """Our variants."""
    return [
        Built(
            variant,
            word,
            results[variant.name(word), UTILISED, word],
            results[variant.name(word), ROUTED, word],
        )
        for word in WORDS
        for variant in VARIANTS
    ]


def _at(period: float) -> Callable[[Built], Value]:
    return lambda each: each.latency(period)


def our_table(done: Sequence[Built]) -> Table:
    """Our variants, each with the Pareto front of its word size."""
    best: list[bool] = []
    for word in WORDS:
        own = [each for each in done if each.word == word]
        best += front([(area(each.utilised), each.cycles) for each in own])
    marks = dict(zip((each.variant.name(each.word) for each in done), best, strict=True))
    return Table.of(
        "Row E5: our exploration, a message to the exponent 65537",
        (
            Column("variant", of="variant.design"),
            Column("word, bits", of="word"),
            Column("bits a cycle", of="variant.unrolled"),
            Column("registers", text, "variant.pipelined"),
            *columns(
                grouped,
                ("area", lambda each: area(each.utilised)),
                ("LUT", lambda each: each.utilised["lut"]),
                ("FF", lambda each: each.utilised["ff"]),
                ("DSP", lambda each: each.utilised["dsp"]),
                ("cycles", "cycles"),
            ),
            *(Column(f"{period} ns", duration, _at(period)) for period in PERIODS),
            Column("max MHz", significant, lambda each: each.routed["mhz"]),
            Column("at max MHz", duration, lambda each: each.routed["seconds public"]),
            Column("on the front", of=lambda each: _mark(marks[each.variant.name(each.word)])),
        ),
        done,
        f"area: FF + 100 DSP, the paper's formula, on {UTILISED}, a device of the paper's family. "
        "It counts no LUT",
        f"{listed(f'{period} ns' for period in PERIODS)}: cycles x the paper's clock period, "
        f"without a new synthesis. Max MHz: on {ROUTED}, which has a free router. A period below "
        "that clock's is not reached there",
        "on the front: of the variants with the same word size, by area and cycles",
    )


def conclusions(paper: Mapping[str, Any], results: Results) -> Mapping[str, object]:
    """Values of the conclusions' templates on the exploration."""
    designs = {each["name"]: each for each in paper["designs"]}
    plain = designs["no pipeline"]
    unrolled = [designs[name] for name in ("unroll 2", "unroll 8")]
    keys = ("latency", "area")
    same = all(each[key] == plain[key] for each in unrolled for key in keys)
    ours = {each.variant.name(each.word): each for each in built(results)}
    short, long = WORDS
    serial = ours[f"{short} bits, T2"]
    twice = ours[f"{short} bits, T2, bits_per_cycle 2"]
    systolic = ours[f"{short} bits, T3"]
    return {
        "unrolling": "changes neither latency nor area" if same else "WRONG: changes one of them",
        "unrolled_cycles": factor(twice.cycles, serial.cycles),
        "unrolled_lut": factor(_lut(twice), _lut(serial)),
        "pipelined_cycles": factor(systolic.cycles, serial.cycles),
        "pipelined_area": factor(area(systolic.utilised), area(serial.utilised), "less"),
        "short": short,
        "long": long,
        "short_cycles": factor(serial.cycles, ours[f"{long} bits, T2"].cycles),
        "fastest": _fastest(ours.values(), short),
    }


def _lut(each: Built) -> int:
    return int(each.utilised["lut"] or 0)


def _fastest(done: Iterable[Built], word: int) -> str:
    """The variant with the least latency at its own clock."""
    times = {
        each.variant.name(each.word): each.routed["seconds public"]
        for each in done
        if each.word == word
    }
    shown = {name: time for name, time in times.items() if isinstance(time, float)}
    if len(shown) < len(times):
        return f"not all of the {len(times)} have a clock of a netlist that computes"
    name = min(shown, key=lambda each: shown[each])
    return f"{name} with {duration(shown[name])}"
