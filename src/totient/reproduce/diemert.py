"""A Montgomery product from C to assembly to hardware: instructions, cycles, speed-ups.

The report counts instructions of an ARM by hand and takes each for a cycle; ours are counted by a
simulator. Its hardware is estimated; ours is routed, and is also used as a coprocessor, where a
program's cycles are counted with all that it takes to reach it.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from totient.catalog import IpConfiguration, Work, cycle_formulas, select_ip, sources
from totient.common.papers import published
from totient.flow import Rtl, Utilisation, find_target, synthesise
from totient.measure import Record, kinds_of
from totient.reproduce.diemert_counts import DiemertCounts, ProductCount, known_counts
from totient.reproduce.measurements import Measurement, of_clock, records
from totient.reproduce.model import Column, Reproduction, Table, Value, grouped, significant
from totient.reproduce.stock_rsa import power_in_full

TABLES = ("products", "powers", "hardware", "coprocessor", "chain")
"""Names of the tables, in order."""

_ROUTED, _UTILISED = "ecp5-85f", "artix7-100t"
_STEPS = {"a bit a cycle": 1, "two bits a cycle": 2}
_ARM, _CORTEX, _SOFT = "arm926", "cortex-m3", "vexriscv"
_TITLES = {_ARM: "ARM926 (A32)", _CORTEX: "Cortex-M3 (Thumb-2)", _SOFT: "VexRiscv (RV32IM)"}
_NAMES = {
    "plain": "plain C",
    "optimised": "optimised C",
    "words": "C by words of 32 bits",
    "assembly": "assembly",
    "driver": "coprocessor, by libtotient",
    "direct": "coprocessor, by its registers",
    "table": "look-up table",
    "remainder": "remainder in the loop",
    "remainder-short": "remainder in the loop, 32 bits",
}
_ROWS = {"plain": "D4", "optimised": "D4", "assembly": "D5", "table": "D2", "remainder": "D3"}
_ROWS |= {"remainder-short": "D3", "driver": "D6", "direct": "D6"}
_TRIED = 500  # random operands for the report's own formula

_Records = Mapping[tuple[str, int, str], Record]


def measurements(widest: int) -> Iterator[Measurement]:
    """Records of the multiplier behind its registers, up to a width."""
    for variant, steps in _STEPS.items():
        subject = _multiplier(steps)
        if subject.width <= widest:
            for target in (_ROUTED, _UTILISED):
                yield Measurement(variant, subject, find_target(target), kinds_of(subject))


def _multiplier(steps: int) -> IpConfiguration:
    return select_ip("D6", bits_per_cycle=steps)


def reproduce() -> Reproduction:
    """Set our counts beside the report's.

    Raises:
        ToolError: a tool failed, or the counts have to be made anew and a compiler is missing.
    """
    paper = published("diemert")
    counts = known_counts()
    width = _multiplier(1).width
    found = records(measurements(width))
    cores = {variant: _core(steps) for variant, steps in _STEPS.items()}
    tools = {**counts.tools, **found["a bit a cycle", width, _ROUTED].provenance.tools}
    versions = ", ".join(f"{name} {version}" for name, version in tools.items())
    chain = _Chain(paper, counts, found)
    return Reproduction(
        title=f"{paper['author']}: {paper['title']}, {paper['source']}",
        command="totient reproduce diemert",
        tables=(
            _products(paper, counts),
            _powers(counts),
            _hardware(paper, found, cores),
            _coprocessor(counts),
            chain.table(),
        ),
        findings=_findings(paper, counts, found, cores, chain),
        provenance=(
            "instructions: executed ones, counted by QEMU from a product's first instruction to "
            f"its return; {counts.products[0].tried} operands of each length, every result judged "
            "by Python's integers",
            "cycles of programs: VexRiscv's RTL with the multiplier on its bus, caches warm",
            f"hardware: the IP with its registers, routed on {_ROUTED}, median of three seeds; the "
            "multiplier alone, synthesis",
            f"tools: {versions}",
        ),
    )


def _core(steps: int) -> Utilisation:
    """The multiplier without its registers on a bus."""
    name = "modmul_montgomery_radix2"
    rtl = Rtl(sources(f"totient:modmul:{name}"), name, {"Width": 64, "BitsPerCycle": steps})
    return synthesise(rtl, find_target(_ROUTED), True)


def _products(paper: Mapping[str, Any], counts: DiemertCounts) -> Table:
    static, executed = paper["static"], paper["executed"]
    theirs = "report, ARM (A32), counted by hand"
    compiled = executed["assembly"] + executed["fewer"]
    rows: list[Sequence[Value]] = [
        ("D4", "plain C", theirs, static["plain"], None, None, None),
        ("D4", "optimised C", theirs, static["optimised"], None, None, None),
        ("D4", "optimised C, compiled", theirs, static["compiled"], None, None, compiled),
        ("D5", "assembly", theirs, static["assembly"], None, None, executed["assembly"]),
    ]
    for each in counts.products:
        if each.processor == _SOFT:
            continue
        level = "" if each.form == "assembly" else f" {each.level}"
        rows.append(
            (
                _ROWS.get(each.form, "ours"),
                f"{_NAMES[each.form]}{level}",
                _TITLES[each.processor],
                each.static,
                each.best,
                each.worst_32,
                each.worst_64,
            )
        )
    return Table(
        "products",
        "Sections 3.3 and 4: instructions of a Montgomery product",
        (
            Column("row"),
            Column("form"),
            Column("whose"),
            Column("in the program", grouped),
            Column("executed, modulus 1", grouped),
            Column("32 bits, most", grouped),
            Column("64 bits, most", grouped),
        ),
        rows,
        (
            "the report's 125 are its 123 as compiled; the executed ones of its compiled form "
            "are those of its assembly and the 1,166 that this saves",
            "by words of 32 bits the product is a b / 2^64, whatever the modulus' length",
        ),
    )


def _powers(counts: DiemertCounts) -> Table:
    rows: list[Sequence[Value]] = [
        (
            _ROWS.get(form, "ours"),
            name,
            _TITLES[each.processor],
            "cycles" if each.processor == _SOFT else "instructions",
            each.public,
            each.full,
        )
        for each in counts.powers
        for form in (each.form.removeprefix("power-"),)
        for name in (_NAMES[form],)
    ]
    return Table(
        "powers",
        "A modular exponentiation of 64 bits, all C with -O2",
        (
            Column("row"),
            Column("form"),
            Column("on"),
            Column("unit"),
            Column("e = 65537", grouped),
            Column("as many ones as n has bits", grouped),
        ),
        rows,
        (
            "base n - 1, n = 2^64 - 1 (2^32 - 1 where the form is for 32 bits); what Montgomery "
            "products need of a modulus is computed each time",
            "row D1, stock RSA, is Python's: with the whole power before its remainder a base of "
            f"64 bits makes {64 * 65537:,} bits for e = 65537, 2^70 for an exponent of 64",
        ),
    )


def _hardware(paper: Mapping[str, Any], found: _Records, cores: Mapping[str, Utilisation]) -> Table:
    theirs, parts = paper["hardware"], paper["components"]
    width = 64
    ours = {variant: found[variant, width, _ROUTED] for variant in _STEPS}
    formula = cycle_formulas(_multiplier(1).ip)["product"]

    def cycles(bits: int) -> list[Value]:
        work = Work(1 << bits - 1, 0)
        return [formula.cycles(_multiplier(steps), work) for steps in _STEPS.values()]

    rows: list[Sequence[Value]] = [
        ("cycles, modulus 1", None, *cycles(1)),
        ("cycles, 32 bits", round(theirs["arm_cycles_32"] * _loop_ratio(theirs)), *cycles(32)),
        ("cycles, 64 bits: the text", theirs["most_cycles"], *cycles(64)),
        ("cycles, 64 bits: the time", theirs["loops"], *cycles(64)),
        ("period, ns", theirs["period_ns"], *(_period(each) for each in ours.values())),
        ("64 bits, ns", theirs["most_ns"], *(_time(each) for each in ours.values())),
        ("adders", parts["adders_64"] + parts["subtractors_64"], *_STEPS.values()),
        ("comparators", parts["comparators_64"], *(0 for _ in _STEPS)),
        ("register bits", parts["register_bits"], *(core.ff for core in cores.values())),
        ("LUT", None, *(core.lut for core in cores.values())),
        ("LUT with the registers", None, *(each.utilisation.lut for each in ours.values())),
        ("FF with the registers", None, *(each.utilisation.ff for each in ours.values())),
    ]
    return Table(
        "hardware",
        "Section 5: the multiplier (row D6)",
        (
            Column("what"),
            Column("report, estimated", significant),
            *(Column(f"ours, {variant}", significant) for variant in _STEPS),
        ),
        rows,
        (
            "adders: the report's two and its subtractor, of 64 bits each; ours of 66 bits, the "
            "first of which compares and subtracts as well",
            f"ours: period routed on {_ROUTED} with the registers of the bus; adders, register "
            "bits and LUT are the multiplier's alone",
            "cycles, 32 bits: the report's 57 cycles of its ARM, as many loops as they are long",
        ),
    )


def _loop_ratio(theirs: Mapping[str, Any]) -> float:
    """The report's loops by an ARM cycle."""
    return float(theirs["arm_period_ns"] / theirs["period_ns"])


def _period(record: Record) -> Value:
    """In ns."""
    return of_clock(record, lambda mhz: 1e3 / mhz)


def _time(record: Record) -> Value:
    """Of the longest product, in ns."""
    return of_clock(record, lambda mhz: 1e3 / mhz * _cycles(record))


def _cycles(record: Record) -> int:
    """Of the longest product."""
    return record.operations["longest-modulus"].cycles.maximum


def _coprocessor(counts: DiemertCounts) -> Table:
    powers = {each.form: each for each in counts.powers if each.processor == _SOFT}
    base = counts.product(_SOFT, "-O2", "optimised")
    rows: list[Sequence[Value]] = []
    for each in counts.products:
        if each.processor != _SOFT:
            continue
        power = powers.get(f"power-{each.form}")
        rows.append(
            (
                _ROWS.get(each.form, "ours"),
                _NAMES[each.form],
                each.best,
                each.worst_32,
                each.worst_64,
                base.worst_64 / each.worst_64,
                power.full if power else None,
                powers["power-optimised"].full / power.full if power else None,
            )
        )
    return Table(
        "coprocessor",
        "Section 5.1: the hardware used from a program, cycles of the soft CPU",
        (
            Column("row"),
            Column("form"),
            Column("modulus 1", grouped),
            Column("32 bits, most", grouped),
            Column("64 bits, most", grouped),
            Column("times faster", significant),
            Column("64-bit power", grouped),
            Column("times faster", significant),
        ),
        rows,
        (
            "processor, bus and multiplier have one clock; times faster than optimised C on the "
            "same processor",
            "a power has 128 products and two more",
        ),
    )


class _Chain:
    """The speed-ups from step to step, the report's and ours."""

    def __init__(self, paper: Mapping[str, Any], counts: DiemertCounts, found: _Records) -> None:
        self.paper = paper
        plain, optimised = (
            {level: counts.product(_ARM, level, form) for level in ("-O0", "-O2")}
            for form in ("plain", "optimised")
        )
        self.plain, self.optimised = plain, optimised
        self.assembly = counts.product(_ARM, "-O2", "assembly")
        self.words = counts.product(_ARM, "-O2", "words")
        # The report's way: the hardware's time in cycles of an ARM that has its adder's.
        self.one = found["a bit a cycle", 64, _ROUTED]
        self.arm_cycles = of_clock(self.one, self._arm_cycles)
        self.soft = {
            form: counts.product(_SOFT, "-O2", form).worst_64
            for form in ("plain", "optimised", "words", "driver", "direct")
        }

    def _arm_cycles(self, mhz: float) -> float:
        return 1e3 / mhz * _cycles(self.one) / float(self.paper["hardware"]["arm_period_ns"])

    def times(self, count: int) -> Value:
        """How many times the hardware's time in cycles of the ARM a count of instructions is."""
        return of_clock(self.one, lambda mhz: count / self._arm_cycles(mhz))

    def fewer(self, before: int, after: int) -> float:
        """Reduction in percent."""
        return 100 * (1 - after / before)

    def table(self) -> Table:
        """The steps."""
        theirs, hardware = self.paper["reduction"], self.paper["hardware"]
        plain, optimised, assembly, soft = self.plain, self.optimised, self.assembly, self.soft

        def fewer(before: Mapping[str, ProductCount], after: str, part: str) -> list[Value]:
            """Percent by which something is less than before, for C with each level."""
            now = {"optimised": optimised}.get(after, dict.fromkeys(before, assembly))
            return [
                self.fewer(getattr(each, part), getattr(now[level], part))
                for level, each in before.items()
            ]

        told = f", {self.arm_cycles:.4g} of them" if isinstance(self.arm_cycles, float) else ""
        rows: list[Sequence[Value]] = [
            (
                "C optimised: instructions in the program, %",
                theirs["optimised"],
                *fewer(plain, "optimised", "static"),
                None,
            ),
            (
                "C optimised: executed, %",
                None,
                *fewer(plain, "optimised", "worst_64"),
                self.fewer(soft["plain"], soft["optimised"]),
            ),
            (
                "assembly: instructions in the program, %",
                theirs["assembly_best"],
                *fewer(optimised, "assembly", "static"),
                None,
            ),
            (
                "assembly: executed, %",
                theirs["assembly_worst"],
                *fewer(optimised, "assembly", "worst_64"),
                None,
            ),
            (
                "hardware against assembly, times",
                hardware["speedup_percent"] / 100,
                *(self.times(assembly.worst_64) for _ in plain),
                None,
            ),
            (
                "hardware against plain C, times",
                hardware["whole_speedup"],
                *(self.times(each.worst_64) for each in plain.values()),
                soft["plain"] / soft["direct"],
            ),
            (
                "hardware against C by words, times",
                None,
                None,
                self.times(self.words.worst_64),
                soft["words"] / soft["direct"],
            ),
        ]
        return Table(
            "chain",
            "Section 7: the chain of speed-ups, a modulus of 64 bits",
            (
                Column("step"),
                Column("report", significant),
                Column("ours, C with -O0", significant),
                Column("ours, C with -O2", significant),
                Column("on one soft CPU", significant),
            ),
            rows,
            (
                "%: fewer instructions than the form before",
                "hardware in the first two columns of ours as in the report: its time in cycles "
                f"of 3 ns{told} (report {hardware['arm_cycles_64']}), an instruction for a cycle",
                "on one soft CPU: cycles, C with -O2, the multiplier by its registers, bus "
                "included",
            ),
        )


def _modelled(x: int, y: int, m: int) -> int:
    """The report's optimised C (figure 3), in 64 bits as its compiler has them.

    Each step adds the modulus once for an odd sum so far and once for an odd addend.
    """
    t, word = 0, (1 << 64) - 1
    for place in range(m.bit_length()):
        bit = x >> place & 1
        t = (t + bit * y + ((t & 1) + bit * (y & 1)) * m & word) >> 1
    return t - m if t >= m else t


def _three(value: Value) -> str:
    """A figure in a sentence."""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _right_share(bits: int) -> float:
    """Percent of random operands for which the report's C gives the product."""
    draw = Random(f"totient diemert share {bits}")
    right = 0
    for _ in range(_TRIED):
        m = 1 << bits - 1 | draw.getrandbits(bits) >> 1 | 1
        x, y = draw.randrange(m), draw.randrange(m)
        right += _modelled(x, y, m) == x * y * pow(2, -bits, m) % m
    return 100 * right / _TRIED


def _findings(
    paper: Mapping[str, Any],
    counts: DiemertCounts,
    found: _Records,
    cores: Mapping[str, Utilisation],
    chain: _Chain,
) -> list[str]:
    """Where we agree with the report and where not, computed from the figures."""
    reduction, hardware = paper["reduction"], paper["hardware"]
    optimised, assembly = chain.optimised, chain.assembly
    cortex = {form: counts.product(_CORTEX, "-O2", form) for form in ("optimised", "assembly")}
    ratio = 100 * cortex["assembly"].worst_64 / cortex["optimised"].worst_64
    compiled = paper["executed"]["assembly"] + paper["executed"]["fewer"]
    static = chain.fewer(chain.plain["-O0"].static, optimised["-O0"].static)
    parts = (
        hardware["speedup_percent"]
        / 100
        / (1 - reduction["optimised"] / 100)
        / (1 - reduction["assembly_worst"] / 100)
    )
    two = found["two bits a cycle", 64, _ROUTED]
    one = found["a bit a cycle", 64, _ROUTED]
    soft = chain.soft
    shorter = paper["executed"]["assembly"] / assembly.worst_64
    most_ns = hardware["most_ns"]
    full = power_in_full(9, (7, 143)) == pow(9, 7, 143)
    shares = {bits: _right_share(bits) for bits in (32, 64)}
    return [
        f"Optimised C ({reduction['optimised']} % fewer instructions in the report): ours has "
        f"{static:.0f} % fewer with -O0. The reasons are the same, tests and remainders by masks "
        "and each found once; ours also keeps the 65th and 66th bit of the sum, which the report's "
        "drops.",
        f"The report's optimised C, worked through in Python, gives the product for "
        f"{shares[32]:.0f} % of random operands of 32 bits and for {shares[64]:.0f} % of those of "
        "64 bits: where the sum so far and the addend are both odd it adds the modulus twice "
        "instead of not at all, so that one subtraction is not enough, and sums above 64 bits are "
        "cut off. Section 5.2 has the right formula for the hardware: an exclusive or.",
        f"Assembly ({reduction['assembly_worst']} % fewer executed): ours executes "
        f"{chain.fewer(optimised['-O0'].worst_64, assembly.worst_64):.0f} % fewer than -O0, "
        f"{chain.fewer(optimised['-O2'].worst_64, assembly.worst_64):.0f} % fewer than -O2. The "
        f"report's {compiled:,} are near our {optimised['-O0'].worst_64:,} of -O0, which loads and "
        "stores every variable; what its authors removed by hand, -O2 removes by itself. Ours "
        "wins the rest by carries that stay in the flag and by b + n, which is formed once.",
        f"On Cortex-M3 the assembly executes {ratio:.1f} % of the optimised C's instructions in "
        f"the worst 64-bit case ({cortex['assembly'].worst_64:,} of "
        f"{cortex['optimised'].worst_64:,}; the report's would be 76 %).",
        f"Hardware against assembly ({hardware['speedup_percent'] / 100:.4g} times in the report): "
        + (
            f"{_three(chain.times(assembly.worst_64))} times by its way of counting. Our assembly "
            f"is {shorter:.3g} times shorter, and our time is "
            f"{_three(of_clock(one, lambda mhz: 1e3 / mhz * _cycles(one) / most_ns))} times the "
            f"report's: a period of {_three(_period(one))} ns is routed, with a bus's registers, "
            f"on another device, where the report's {hardware['period_ns']:.4g} ns is an estimate "
            "before routing."
            if one.shown_mhz
            else f"nothing is said of ours, whose netlist is {one.unshown}, beside the report's "
            f"period of {hardware['period_ns']:.4g} ns, an estimate before routing. Our assembly "
            f"is {shorter:.3g} times shorter."
        ),
        f"Cycles of the hardware: {_cycles(one)} with a modulus of 64 bits, one for each bit and "
        "six more: both operands are compared with the modulus, b + n is formed, n taken off in "
        f"two steps, the result handed over. The report says {hardware['most_cycles']} in one "
        f"place and {hardware['loops']} loops in another, and has no checks; with two bits a cycle "
        f"ours has {_cycles(two)}"
        + (
            f", and takes {_three(_time(two))} ns instead of {_three(_time(one))} ns."
            if one.shown_mhz and two.shown_mhz
            else "."
        ),
        f"Area: {cores['a bit a cycle'].ff} register bits (report "
        f"{paper['components']['register_bits']}) and one adder of 66 bits in place of two adders, "
        "a subtractor and a comparator.",
        f"The whole speed-up of {hardware['whole_speedup']} times does not follow from the "
        f"report's parts, whose product is {parts:.3g}. Ours"
        + (
            f", by its way: {_three(chain.times(chain.plain['-O0'].worst_64))} times against -O0, "
            f"{_three(chain.times(chain.plain['-O2'].worst_64))} against -O2; measured"
            if one.shown_mhz
            else ", measured"
        )
        + f" on one soft CPU, bus included: {soft['plain'] / soft['direct']:.3g} times against "
        f"plain C, {soft['optimised'] / soft['direct']:.3g} against optimised C, and through the "
        f"driver, which looks at everything, {soft['optimised'] / soft['driver']:.3g}.",
        f"What the report does not compare: by words of 32 bits, with the processor's multiplier, "
        f"a product takes {chain.words.worst_64} instructions on the ARM926 and {soft['words']} "
        f"cycles on the soft CPU, {'fewer' if soft['words'] < soft['direct'] else 'more'} than the "
        f"{soft['direct']} of the coprocessor. A multiplier that works bit by bit pays beside a "
        "processor that has none.",
        "Stock RSA in Python (row D1): "
        + ("right" if full else "WRONG")
        + " with the whole power computed before its remainder, which is feasible for exponents of "
        "a few digits only; Python's pow is what judges all the others.",
    ]
