"""Tables of the comparison of processors, designs and published figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from totient.common.papers import published
from totient.compare.energy import growth_note
from totient.compare.engines import area_columns
from totient.compare.openssl_speed import measure_openssl
from totient.compare.processor_findings import conclusions
from totient.compare.processors import FORMS, Comparison
from totient.compare.tiny_ips import tiny_ips
from totient.flow import Utilisation
from totient.measure import clock_limit
from totient.measure.host import measure_here
from totient.measure.software_programs import (
    ASSEMBLY,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    PRIVATE,
    PUBLIC,
    TINY,
    Work,
)
from totient.power.by_cells import CELLS, ERROR, dynamic_watts
from totient.power.static import STATIC
from totient.processor import Counts
from totient.report import Column, Report, Table, Value, columns
from totient.report.values import (
    duration,
    energy,
    grouped,
    power,
    product,
    ratio,
    rough_duration,
    rough_energy,
    significant,
    text,
)
from totient.report.words import conclude, listed
from totient.reproduce.results import ROUTED, UTILISED

HERE = "here"
"""Name of the table of software timed on this machine."""

_ENERGY_SOURCE = (
    "LUT and FF fitted to the thesis' power figures [calibration]. DSP and RAM have the order of "
    "magnitude of the energies of a product and a memory access at 45 nm (M. Horowitz, ISSCC 2014)"
)
_CORE_WATTS = {"x86_64": 10.0}
"""Power of one core of a computer at work, by kind of machine. Estimates: 65 W for 8 cores of a
desktop processor, 200 W for 20 cores of a server."""


def _processors(data: Comparison) -> Table:
    notes = [
        "time: at the clock of a common board with the processor. Where instructions are counted "
        "it is a range: executed instructions, each with the least and with the most cycles of "
        "the manual [datasheets], memory without wait states. The error is at most the width of "
        "the range",
        "energy: time x active power of the processor alone [datasheets]. VexRiscv: an estimate "
        "from its cells [datasheets]. ATmega1284P: from the current of a smaller chip",
        "code: the whole program, with start-up and output of the result. RAM: static data and the "
        "deepest stack. Window: bits of the exponent in one step, as many as fit the RAM",
        *data.missing,
    ]
    if any(each.figures.count is None for each in data.programs):
        notes.append("no count: the program does not fit the chip. The bytes are its size")
    return Table.of(
        f"RSA-{data.bits} in software, a {data.operation} operation"
        + (" by CRT" if data.operation == PRIVATE else " with 65537"),
        (
            *columns(text, ("processor", "processor.title"), ("board", "processor.board")),
            Column("program", of=lambda each: FORMS[each.work.form]),
            Column("cycles", grouped, lambda each: each.counted(Counts.CYCLES)),
            Column("instructions", grouped, lambda each: each.counted(Counts.INSTRUCTIONS)),
            *columns(duration, ("time", "least_s"), ("at most", "most_s")),
            Column("energy", energy, lambda each: product(each.least_s, each.watts)),
            Column("at most", energy, lambda each: product(each.most_s, each.watts)),
            Column("code, bytes", grouped, "figures.code_bytes"),
            Column("RAM, bytes", grouped, "figures.ram_bytes"),
            Column("window", grouped, lambda each: each.figures.window or None),
        ),
        data.programs,
        *notes,
    )


def _designs(data: Comparison) -> Table:
    notes = [
        f"LUT, FF, DSP, block RAM and maximum clock on {ROUTED}, from the committed Records",
        f"time: at the maximum clock; with DSP at most {clock_limit():g} MHz, the limit of the "
        "device's multipliers. nextpnr does not model this limit",
        "power and energy: estimates from the switching activity of the netlist (totient "
        "compare-power), with the static power of the whole device "
        f"({power(STATIC[ROUTED].watts)}). At least, at most: by the error of the dynamic part",
        "no CRT: an exponent as long as the modulus. CRT: the whole private operation, blinded and "
        "checked",
    ]
    widths = {each.activity.scaled_from for each in data.designs if each.activity} - {None}
    if widths:
        notes.append(
            f"energy of T1 to T3, N1 to N8: that of the netlist with {listed(widths)} bits, "
            f"{growth_note()}"
        )
    if any(each.record is None for each in data.designs):
        notes.append(
            f"no clock, no area, no energy: no Record has {data.bits} bits. The cycles are from "
            "the catalog's formula"
        )
    return Table.of(
        f"The designs of the catalog, RSA-{data.bits}, a {data.operation} operation",
        (
            *columns(text, ("design", "name"), ("operation", "how")),
            Column("cycles", grouped, "cycles"),
            Column("max MHz", significant, "mhz"),
            Column("time", duration, "time"),
            Column("power", power, "watts"),
            Column("energy", energy, "joules"),
            *columns(energy, ("at least", "least_joules"), ("at most", "most_joules")),
            *area_columns("area."),
        ),
        data.designs,
        *notes,
    )


def _published(data: Comparison) -> Table:
    rows: list[Sequence[Value]] = []
    msp430 = published("thesis")["msp430"]
    if data.bits == 1024:
        seconds = msp430[f"{data.operation}_seconds"]
        for mhz, each in zip(msp430["clock_mhz"], seconds, strict=True):
            watts = msp430["active_watts"] if mhz == max(msp430["clock_mhz"]) else None
            joules = product(each, watts)
            rows.append(("MSP430", float(mhz), each, round(each * mhz * 1e6), joules, "T5"))
    kind = "public" if data.operation == PUBLIC else "crt"
    for each in published("field")["software"]:
        milliseconds = each["milliseconds"].get(kind)
        # The MSP430's figures are from the thesis.
        if each["bits"] == data.bits and milliseconds is not None and "MSP430" not in each["name"]:
            rows.append((each["name"], None, milliseconds / 1e3, None, None, each["whose"]))
    return Table.of(
        f"Published figures of RSA-{data.bits}, a {data.operation} operation",
        (
            *(Column("what"), Column("MHz", significant), Column("time", duration)),
            *(Column("cycles", grouped), Column("energy", energy), Column("from")),
        ),
        rows,
        f"T5: {msp430['source']}. Its {1e3 * msp430['active_watts']:.0f} mW are those at the "
        "highest clock. Cycles are time x clock",
        "measured, published: results/published/field.toml",
    )


def _library(data: Comparison) -> Table:
    rows: list[Sequence[Value]] = []
    for processor, record in data.records.items():
        for bits, operation in ((b, o) for b in LENGTHS for o in OPERATIONS):
            of = {
                form: each.count
                for form in FORMS
                if (each := record.figures.get(Work(form, operation, bits)))
            }
            ours, assembly = of.get(OURS), of.get(ASSEMBLY)
            theirs = [(n, form) for form in (BEARSSL15, BEARSSL31) if (n := of.get(form))]
            best, form = min(theirs) if theirs else (None, None)
            if ours is not None or best is not None:
                who = (processor.title, bits, operation, str(processor.counts))
                against = (best, form, ratio(best, ours), assembly, ratio(ours, assembly))
                rows.append((*who, ours, *against))
    return Table.of(
        "Ours and BearSSL, with the same processor and flags",
        (
            *(Column("processor"), Column("bits", str), *columns(text, "operation", "counted")),
            *columns(grouped, "ours, C", "BearSSL, C"),
            *(Column("its words"), Column("times ours", significant)),
            *(Column("ours, assembly", grouped), Column("times faster than C", significant)),
        ),
        rows,
        "BearSSL 0.6 from Debian's source, its portable C, the faster of its two word sizes. "
        "Both are written for constant time. Ours has the widest window that fits",
        *data.missing,
    )


def _tiny(data: Comparison) -> Table:
    paper = published("becannon")
    example = paper["examples"][0]
    rows: list[Sequence[Value]] = []
    for processor, record in data.records.items():
        parts = [record.figures[Work(OURS, part, 30)] for part in TINY]
        times = [each.seconds(processor.clock_hz) or (0.0, 0.0) for each in parts]
        least, most = (sum(each) for each in zip(*times, strict=True))
        at_most = most if processor.pace else None
        counts = [each.count for each in parts]
        rows.append((processor.title, "ours, C", str(processor.counts), *counts, least, at_most))
    clock, steps = paper["clock_mhz"], list(example["cycles"].values())
    named = (("paper, derived", "the IP", steps), *tiny_ips(example))
    for whose, ip, cycles in named:
        seconds = sum(cycles) / (clock * 1e6)
        rows.append((f"{ip}, {clock:g} MHz", whose, "cycles", *cycles, seconds, None))
    for device in paper["processors"]["devices"]:
        rows.append((device["name"], "paper", None, None, None, None, device["ms"] / 1e3, None))
    return Table.of(
        f"Row B4: the key of p = {example['p']}, q = {example['q']}, message {example['message']}",
        (
            *columns(text, "what", "whose", "counted"),
            *columns(grouped, "making the key", "encryption", "decryption"),
            *columns(duration, "all, time", "at most"),
        ),
        rows,
        *paper["processors"]["notes"],
        "the paper prints times of its IP; its cycles are time x clock. Ours are the catalog's "
        "formulas, equal to the RTL's; rsa_restoring is the paper's own algorithm. The paper's "
        "decryption is of message-only mode, ours of a key that the IP has made from the primes",
        *(
            f"{each.title}: mean of {each.runs:,} runs, as in the paper, which states no spread. "
            "Each run executes the same instructions"
            for each in data.records
            if each.runs > 1
        ),
        *data.missing,
    )


def _datasheets(data: Comparison) -> Table:
    rows: list[Sequence[Value]] = []
    for each, watts in data.watts.items():
        if each.power:
            rows.append((each.title, "active power", power(watts), each.power.source))
        elif watts:
            source = (
                "the system of row B3 without its IP, on an XC7A100T, at "
                f"{each.clock_hz / 1e6:g} MHz: cells x energy below + static power"
            )
            rows.append((each.title, "active power, an estimate", power(watts), source))
        if each.pace:
            rows.append((each.title, "cycles of instructions", "a range", each.pace.source))
    for name, static in STATIC.items():
        rows.append((name, "static power", power(static.watts), static.source))
    named = zip(("LUT", "FF", "DSP", "36 Kbit of RAM"), CELLS.values(), strict=True)
    cells = listed(f"{what} {1e12 * joules:.2g}" for what, joules in named)
    rows.append((UTILISED, "energy of a clock cycle, pJ, an estimate", cells, _ENERGY_SOURCE))
    title = "Data for times and energies"
    return Table.of(title, columns(text, "of", "what", "value", "source"), rows)


def _calibration(_: Comparison) -> Table:
    """The power estimate compared with Vivado's figures for the thesis' designs."""
    paper = published("thesis")
    clock = paper["clock_mhz"]
    rows: list[Sequence[Value]] = []
    for design, dynamic in paper["power"]["dynamic"].items():
        for bits, lut, ff, watts in zip(
            paper["bits"], paper["lut"][design], paper["ff"][design], dynamic, strict=True
        ):
            use = Utilisation(lut=lut, ff=ff, dsp=0, block_ram=0, carry=0, cells={})
            ours = dynamic_watts(use, clock)
            rows.append((design, bits, lut, ff, watts, ours, ours / watts))
    return Table.of(
        f"The estimate of power from cells and the thesis' figures, {clock:g} MHz",
        (
            *(Column("design"), Column("bits", str), *columns(grouped, "its LUT", "its FF")),
            *columns(power, "dynamic power, Vivado", "by its cells"),
            Column("ratio", significant),
        ),
        rows,
        "only the soft CPU's power is estimated from its cells. totient power counts transitions, "
        "and totient compare-power compares that estimate with the same figures",
        "T1 and T2 determine the energies of a LUT and of a flip-flop. T3 multiplies in long "
        "combinational paths. Their signals change several times in a cycle, which a count of "
        "cells does not show",
        "results/published/thesis.toml, tables 4, 5, 11 to 13. They are in whole milliwatts: "
        "the smallest can be off by a quarter",
    )


def _here(data: Comparison) -> Table:
    speed = measure_openssl(data.bits)
    openssl = speed.public_s if data.operation == PUBLIC else speed.private_s
    ours = measure_here(data.bits, data.operation)
    watts = _CORE_WATTS.get(speed.machine)
    return Table.of(
        "OpenSSL and our C, timed on this machine during this command",
        (
            *columns(text, "what", "machine", "operation"),
            *(Column("time", rough_duration), Column("energy", rough_energy)),
        ),
        [
            (what, speed.machine, data.operation, seconds, product(seconds, watts))
            for what, seconds in ((speed.version, openssl), ("ours, C", ours))
        ],
        "one core. OpenSSL: openssl speed for a second, with its assembly. Ours: -O2, words "
        "of 64 bits",
        f"energy: with {watts:g} W for the core, an estimate with an error of up to a factor "
        f"of {ERROR:g}"
        if watts
        else f"no energy: we have no estimate of a core's power on {speed.machine}",
    )


_MAKERS: Mapping[str, Callable[[Comparison], Table]] = {
    "processors": _processors,
    "designs": _designs,
    "published": _published,
    "library": _library,
    "tiny": _tiny,
    "datasheets": _datasheets,
    "calibration": _calibration,
    HERE: _here,
}

TABLES = tuple(_MAKERS)
"""Names of the tables, in order. The last one only if software is timed."""


def compare(bits: int = 1024, operation: str = PUBLIC, software: bool = False) -> Report:
    """Processors, designs and published figures with one operation.

    Args:
        bits: of the modulus, one of `LENGTHS`.
        operation: `public` (65537) or `private`.
        software: whether to time OpenSSL on this machine, which takes some seconds.

    Raises:
        InputError: another length or operation.
        ToolError: a Record or a paper's data are damaged, or OpenSSL cannot be timed.
    """
    data = Comparison(bits, operation)
    makers = {name: make for name, make in _MAKERS.items() if software or name != HERE}
    tables = {name: make(data) for name, make in makers.items()}
    return Report(
        title=f"RSA-{bits}, a {operation} operation: processors, designs, published figures",
        command=f"totient compare --bits {bits} --op {operation}"
        + (" --software" if software else ""),
        tables=tables,
        findings=conclude(published("processors")["conclusions"], conclusions(data, tables)),
        provenance=list(_provenance(data)),
    )


def _provenance(data: Comparison) -> Iterator[str]:
    yield (
        "software: compiled for the processor and run on its simulator. Python's pow checks the "
        "result. Every run gives the same counts"
    )
    yield "designs: committed Records. Without one, cycles are from the catalog's formula"
    for processor, record in data.records.items():
        tools = listed(f"{name} {version}" for name, version in record.tools.items())
        yield f"{processor.title}: {processor.simulator}, counts {processor.counts}; {tools}"
