"""A Montgomery product from C to assembly to hardware: instructions, cycles, speed-ups.

The report counts ARM instructions by hand, and takes one cycle for each; our counts are from a
simulator. The report's hardware figures are estimates. Ours are routed. Ours is also used as a
coprocessor: the counted cycles of a program include all accesses to it.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from totient.catalog import IpConfiguration, Work, cycle_formulas, select_ip, sources
from totient.common.papers import marked
from totient.flow import Rtl, find_target, synthesise
from totient.measure import kinds_of
from totient.report import Column, Table, Value, columns
from totient.report.values import grouped, ratio, significant, text
from totient.report.words import change, factor
from totient.reproduce import figures
from totient.reproduce.diemert_counts import ProductCount
from totient.reproduce.diemert_names import (
    ARM,
    CORTEX,
    NAMED,
    SOFT,
    TITLES,
    form_of,
    name_of,
    row_of,
)
from totient.reproduce.diemert_powers import (
    SIZES,
    of_stock,
    of_tables,
    powers_table,
    stock,
    stock_table,
)
from totient.reproduce.diemert_programs import known_counts
from totient.reproduce.diemert_rows import ROWS_OF_PAPER
from totient.reproduce.diemert_text import FIGURE_3, HALF_ADDER, XOR, right_share
from totient.reproduce.paper import Paper, Sources
from totient.reproduce.results import ROUTED, UTILISED, Measurement

_ONE, _TWO = "a bit a cycle", "two bits a cycle"
_STEPS = {_ONE: 1, _TWO: 2}
_LONGEST = "longest-modulus"  # kind of operation: a product of 64 bits
_LEVELS = ("-O0", "-O2")
_MOST = ("32 bits, most", "64 bits, most")


def measurements() -> Iterator[Measurement]:
    """Records of the multiplier behind its registers."""
    for variant, steps in _STEPS.items():
        subject = _multiplier(steps)
        for target in (ROUTED, UTILISED):
            yield Measurement(variant, subject, find_target(target), kinds_of(subject))


def _multiplier(steps: int) -> IpConfiguration:
    return select_ip("D6", bits_per_cycle=steps)


class _Product(Sources):
    """The report's figures and ours."""

    def __init__(self) -> None:
        """Count and synthesise where no result exists."""
        width = _multiplier(1).width
        self.counts = known_counts()
        self.stock = [stock(bits) for bits in SIZES]
        super().__init__("diemert", measurements())
        self.routed = {variant: self.results[variant, ROUTED, width] for variant in _STEPS}
        name = "modmul_montgomery_radix2"
        files = sources(f"totient:modmul:{name}")
        given = ({"Width": width, "BitsPerCycle": steps} for steps in _STEPS.values())
        rtl = (Rtl(files, name, each) for each in given)
        # The multiplier without its bus registers.
        cores = (synthesise(each, find_target(ROUTED), True) for each in rtl)
        self.cores = dict(zip(_STEPS, cores, strict=True))

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the tools behind counts and Records, by name."""
        return {**self.counts.tools, **super().versions}

    def period_ns(self, variant: str) -> Value:
        """Period of the maximum clock."""
        return ratio(1e3, self.routed[variant]["mhz"])

    def time_ns(self, variant: str) -> Value:
        """Time of a product of 64 bits."""
        seconds = self.routed[variant][f"seconds {_LONGEST}"]
        return seconds if isinstance(seconds, str | None) else 1e9 * seconds

    def cycles(self, variant: str) -> int:
        """Cycles of a product of 64 bits."""
        found = self.routed[variant][f"cycles {_LONGEST}"]
        assert isinstance(found, int)
        return found

    @property
    def arm_cycles(self) -> Value:
        """The hardware's time in cycles of an ARM with its adder's period, as in the report."""
        return ratio(self.time_ns(_ONE), self.paper["hardware"]["arm_period_ns"])

    def times(self, count: int) -> Value:
        """A count of instructions divided by that."""
        return ratio(count, self.arm_cycles)

    def arm(self, form: str) -> Mapping[str, ProductCount]:
        """A form on the ARM, by its C optimisation level; assembly is the same in both."""
        if form == "assembly":
            return dict.fromkeys(_LEVELS, self.counts.product(ARM, "-O2", form))
        return {level: self.counts.product(ARM, level, form) for level in _LEVELS}

    @cached_property
    def on_soft(self) -> list[ProductCount]:
        """The forms on the soft CPU."""
        return [each for each in self.counts.products if each.processor == SOFT]

    @cached_property
    def soft(self) -> Mapping[str, int]:
        """Cycles of the forms on the soft CPU."""
        return {each.form: each.worst_64 for each in self.on_soft}

    @property
    def compiled(self) -> int:
        """Executed instructions of the report's compiled C."""
        compiled: int = self.paper["executed"]["compiled"]
        return compiled


def _products(data: _Product) -> Table:
    static, executed = data.paper["static"], data.paper["executed"]
    theirs = "report, ARM (A32), counted by hand"
    compiled = marked(data.paper, "executed.compiled", "optimised C, compiled")
    rows: list[Sequence[Value]] = [
        ("D4", "plain C", theirs, static["plain"], None, None, None),
        ("D4", "optimised C", theirs, static["optimised"], None, None, None),
        ("D4", compiled, theirs, static["compiled"], None, None, data.compiled),
        ("D5", "assembly", theirs, static["assembly"], None, None, executed["assembly"]),
    ]
    for each in data.counts.products:
        if each.processor != SOFT:
            level = "" if each.form == "assembly" else f" {each.level}"
            counts = (each.static, each.best, each.worst_32, each.worst_64)
            rows.append((row_of(each), f"{name_of(each)}{level}", TITLES[each.processor], *counts))
    return Table.of(
        "Sections 3.3 and 4: instructions of a Montgomery product",
        (
            *columns(text, "row", "form", "whose"),
            *columns(grouped, "in the program", "executed, modulus 1", *_MOST),
        ),
        rows,
        "the report's 125 are its 123 after compilation. The executed instructions of its "
        "compiled form are derived: those of its assembly plus the 1,166 that assembly saves",
        "the report's plain C (its figure 2) is in 32-bit int, its optimised C (figure 3) in "
        "64-bit long long: its 198 and 123 may be of unlike types. All of ours are of 64 bits",
        "by words of 32 bits the product is a b / 2^64 for every length of the modulus",
    )


def _hardware(data: _Product) -> Table:
    theirs, parts = data.paper["hardware"], data.paper["components"]
    formula = cycle_formulas(_multiplier(1).ip)["product"]
    routed, cores = data.routed.values(), data.cores.values()

    def cycles(bits: int) -> list[int]:
        work = Work(1 << bits - 1, 0)
        return [formula.cycles(_multiplier(steps), work) for steps in _STEPS.values()]

    most = cycles(64)

    def derived(path: str, label: str) -> str:
        return marked(data.paper, path, label)

    rows: list[Sequence[Value]] = [
        ("cycles, modulus 1", None, *cycles(1)),
        (derived("hardware.loops_32", "cycles, 32 bits"), theirs["loops_32"], *cycles(32)),
        ("cycles, 64 bits: section 5.1", theirs["most_cycles"], *most),
        (derived("hardware.loops", "cycles, 64 bits: section 5.4"), theirs["loops"], *most),
        ("period, ns", theirs["period_ns"], *map(data.period_ns, _STEPS)),
        ("64 bits, ns", theirs["most_ns"], *map(data.time_ns, _STEPS)),
        (
            "64 bits, ns, at the report's period",
            theirs["most_ns"],
            *(each * theirs["period_ns"] for each in most),
        ),
        ("adders", parts["adders_64"], *_STEPS.values()),
        ("subtractors", parts["subtractors_64"], *(0 for _ in _STEPS)),
        ("comparators", parts["comparators_64"], *(0 for _ in _STEPS)),
        ("multiplexers of 64 bits", parts["multiplexers_64"], *(None for _ in _STEPS)),
        ("multiplexers of a bit", parts["multiplexers_1"], *(None for _ in _STEPS)),
        ("xor of a bit", parts["xor"], *(None for _ in _STEPS)),
        (
            derived("components.register_bits", "register bits"),
            parts["register_bits"],
            *(core.ff for core in cores),
        ),
        ("LUT", None, *(core.lut for core in cores)),
        ("LUT with the registers", None, *(each["lut"] for each in routed)),
        ("FF with the registers", None, *(each["ff"] for each in routed)),
    ]
    return Table.of(
        "Section 5: the multiplier (row D6)",
        (
            Column("what"),
            *columns(significant, "report, estimated", *(f"ours, {each}" for each in _STEPS)),
        ),
        rows,
        "parts: table 1 of the report, of 64 bits. Our adders are of 66 bits; the first one also "
        "compares and subtracts. Our multiplexers and gates are in the LUTs",
        "derived: cycles of 32 bits are the report's 57 cycles of its ARM, as loops of the same "
        "duration; those of section 5.4 its 340 ns in periods; register bits 6 registers of 64 "
        "and one of 1",
        f"ours: period routed on {ROUTED} with the bus registers. Adders, register bits and "
        "LUT are those of the multiplier alone",
    )


def _coprocessor(data: _Product) -> Table:
    powers = {form_of(each): each.full for each in data.counts.powers if each.processor == SOFT}
    most = ("worst_32", "worst_64")

    def power(each: ProductCount) -> int | None:
        return powers.get(each.form)

    return Table.of(
        "Section 5.1: the hardware called from a program, cycles of the soft CPU",
        (
            *NAMED,
            *columns(grouped, ("modulus 1", "best"), *zip(_MOST, most, strict=True)),
            Column("times faster", significant, lambda e: data.soft["optimised"] / e.worst_64),
            Column("64-bit power", grouped, power),
            Column("times faster", significant, lambda e: ratio(powers["optimised"], power(e))),
        ),
        data.on_soft,
        "processor, bus and multiplier have one clock",
        "times faster: than optimised C on the same processor",
        "a power has 130 products",
    )


def _fewer(before: int, after: int) -> float:
    """Reduction in percent."""
    return 100 * (1 - after / before)


def _chain(data: _Product) -> Table:
    theirs, hardware, soft = data.paper["reduction"], data.paper["hardware"], data.soft

    def fewer(before: str, after: str, quantity: str) -> list[Value]:
        """Reduction from one form to another in percent, for C at each level."""
        pairs = zip(data.arm(before).values(), data.arm(after).values(), strict=True)
        return [_fewer(*(getattr(each, quantity) for each in pair)) for pair in pairs]

    def less(form: str, level: str = "-O2") -> Value:
        """The hardware's time against a form's, both in cycles of an ARM."""
        return data.times(data.arm(form)[level].worst_64)

    in_program, executed = "instructions in the program, %", "executed, %"
    optimised, assembly = ("plain", "optimised"), ("optimised", "assembly")
    soft_fewer, by_words = _fewer(soft["plain"], soft["optimised"]), soft["words"] / soft["direct"]
    stated, whole = hardware["speedup_percent"] / 100, hardware["whole_speedup"]
    plain = (*(less("plain", level) for level in _LEVELS), soft["plain"] / soft["direct"])
    rows: list[Sequence[Value]] = [
        (f"C optimised: {in_program}", theirs["optimised"], *fewer(*optimised, "static"), None),
        (f"C optimised: {executed}", None, *fewer(*optimised, "worst_64"), soft_fewer),
        (f"assembly: {in_program}", theirs["assembly_best"], *fewer(*assembly, "static"), None),
        (f"assembly: {executed}", theirs["assembly_worst"], *fewer(*assembly, "worst_64"), None),
        ("hardware against assembly, times", stated, *(less("assembly"),) * 2, None),
        ("hardware against plain C, times", whole, *plain),
        ("hardware against C by words, times", None, None, less("words"), by_words),
    ]
    arm = f", {data.arm_cycles:.4g} of them" if isinstance(data.arm_cycles, float) else ""
    return Table.of(
        "Section 7: the chain of speed-ups, a modulus of 64 bits",
        (
            Column("step"),
            *columns(significant, "report", *(f"ours, C with {level}" for level in _LEVELS)),
            Column("on one soft CPU", significant),
        ),
        rows,
        "%: fewer instructions than the form before",
        "hardware in the first two columns of ours, as in the report: its time in cycles "
        f"of 3 ns{arm} (report {hardware['arm_cycles_64']}), one cycle for each instruction",
        "on one soft CPU: cycles, C with -O2, the multiplier through its registers, bus included",
    )


def _shares() -> Mapping[str, object]:
    """Percent of products that the report's formulas get right, by length of the modulus."""
    ways = {"sum": FIGURE_3, "half": HALF_ADDER, "xor": XOR}
    lengths = (32, 62, 64)
    return {name: {bits: right_share(bits, way) for bits in lengths} for name, way in ways.items()}


def _whole(paper: Mapping[str, Any]) -> Mapping[str, object]:
    """The report's whole speed-up against its parts'."""
    hardware, executed = paper["hardware"], paper["executed"]
    kept = [1 - paper["reduction"][each] / 100 for each in ("optimised", "assembly_worst")]
    parts = hardware["speedup_percent"] / 100 / math.prod(kept)
    near = math.isclose(parts, hardware["whole_speedup"], rel_tol=0.02)
    return {
        "parts": parts,
        "follows": "follows" if near else "does not follow",
        "theirs": executed,
        "plain_ratio": factor(executed["plain"], executed["compiled"]),
    }


def _of_software(data: _Product) -> Mapping[str, object]:
    """Values of the conclusions' templates on C and assembly."""
    paper, plain, optimised = data.paper, data.arm("plain"), data.arm("optimised")
    assembly, words = (data.arm(form)["-O2"] for form in ("assembly", "words"))
    cortex = [data.counts.product(CORTEX, "-O2", form) for form in ("assembly", "optimised")]
    return {
        "static": change(plain["-O0"].static, optimised["-O0"].static),
        "executed": {
            level: change(each.worst_64, assembly.worst_64) for level, each in optimised.items()
        },
        "compiled": data.compiled,
        "unoptimised": optimised["-O0"].worst_64,
        "cortex": {"assembly": cortex[0].worst_64, "optimised": cortex[1].worst_64},
        "cortex_percent": 100 * cortex[0].worst_64 / cortex[1].worst_64,
        "cortex_theirs": 100 - paper["reduction"]["assembly_worst"],
        "shorter": factor(assembly.worst_64, paper["executed"]["assembly"], "shorter", "longer"),
        "words": words.worst_64,
        **_shares(),
        **of_stock(data.stock),
        **of_tables(data.counts),
    }


def _conclusions(data: _Product) -> Mapping[str, object]:
    """Values of the conclusions' templates. Without a clock, `shown` is missing."""
    paper, soft, hardware = data.paper, data.soft, data.paper["hardware"]
    at_their_period = data.cycles(_ONE) * hardware["period_ns"]
    values: dict[str, object] = {
        **{name: paper[name] for name in ("reduction", "hardware", "components")},
        **_of_software(data),
        **_whole(paper),
        "speedup": hardware["speedup_percent"] / 100,
        "cycles": {steps: data.cycles(variant) for variant, steps in _STEPS.items()},
        "more_cycles": data.cycles(_ONE) - 64,
        "at_their_period": at_their_period,
        "than_theirs": factor(at_their_period, hardware["most_ns"], "less", "more"),
        "register_bits": data.cores[_ONE].ff,
        "on_soft": {form: soft[form] / soft["direct"] for form in ("plain", "optimised")},
        "by_driver": soft["optimised"] / soft["driver"],
        "soft": soft,
        "than_direct": factor(soft["words"], soft["direct"]),
        "hidden": None,
    }
    times = {variant: data.time_ns(variant) for variant in _STEPS}
    one = times[_ONE]
    if not isinstance(one, float):
        return values | {"hidden": one}
    assembly = data.arm("assembly")["-O2"]
    return values | {
        "against_assembly": data.times(assembly.worst_64),
        "against": {level: data.times(each.worst_64) for level, each in data.arm("plain").items()},
        "slower": one / hardware["most_ns"],
        "period": data.period_ns(_ONE),
        "time": times if all(isinstance(each, float) for each in times.values()) else None,
    }


PAPER = Paper(
    "diemert",
    _Product,
    {
        "products": _products,
        "stock": lambda data: stock_table(data.stock),
        "powers": lambda data: powers_table(data.counts),
        "hardware": _hardware,
        "coprocessor": _coprocessor,
        "chain": _chain,
    },
    _conclusions,
    (
        "instructions: executed ones, counted by QEMU from a product's first instruction to its "
        "return, for {data.counts.products[0].tried} operands of each length. Python's integers "
        "check every result",
        "cycles of programs: VexRiscv's RTL with the multiplier on its bus, caches warm",
        f"hardware: the IP with its registers, routed on {ROUTED}, median of three seeds. The "
        "multiplier alone, from synthesis",
    ),
    figures.diemert,
    measurements,
    ROWS_OF_PAPER,
)
