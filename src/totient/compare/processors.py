"""RSA on processors beside the designs of the catalog and the papers' figures: time and energy.

Software is of the figures under `results/software/`, designs of the committed Records, the papers'
figures of `papers/`. Nothing is measured here but what `--software` times. Energy is time x power:
of processors by their datasheets, of what stands on an FPGA by the estimate of `totient.power`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from totient.catalog import Configuration, designs, select
from totient.common.errors import InputError
from totient.common.papers import published
from totient.flow import Utilisation, find_target
from totient.measure import allowed_clock, clock_limit, committed, lookup, subject_of
from totient.measure.cycles import cycles_by_formula
from totient.measure.engine import CRT
from totient.measure.host import measure_here
from totient.measure.software import (
    ASSEMBLY,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    PRIVATE,
    PUBLIC,
    TINY,
    Figures,
    SoftwareRecord,
    Work,
    software_record,
)
from totient.power import ERROR, FABRICS, estimate
from totient.processor import Counts, Processor, processors
from totient.reproduce.field import engines
from totient.reproduce.model import (
    Column,
    Reproduction,
    Table,
    Value,
    duration,
    energy,
    grouped,
    power,
    rough_duration,
    rough_energy,
    significant,
)
from totient.reproduce.openssl_speed import measure_openssl

HERE = "here"
"""Name of the table of software that is timed on this machine."""

TABLES = (
    *("processors", "designs", "published", "library", "tiny", "datasheets", "calibration"),
    HERE,
)
"""Names of the tables, in order; the last one only where software is timed."""

_TARGET = "ecp5-85f"
_SOFT = "artix7-100t"  # of the soft CPU, whose Record is of the system of row B3
_ENERGY_SOURCE = (
    "LUT and FF set by the thesis' power figures [calibration]; DSP and RAM chosen in the order "
    "of a product's and a memory access' energies at 45 nm (M. Horowitz, ISSCC 2014); 40 nm from "
    "28 nm by feature size and voltage"
)
_CORE_WATTS = {"x86_64": 10.0}
"""One core of a computer at work, by kind of machine: an estimate, as 65 W for 8 cores of a
desktop's processor or 200 W for 20 of a server's come to."""

_FORMS = {OURS: "ours, C", ASSEMBLY: "ours, assembly", BEARSSL15: "", BEARSSL31: ""}


def compare(bits: int = 1024, operation: str = PUBLIC, software: bool = False) -> Reproduction:
    """Processors, designs and published figures with one operation.

    Args:
        bits: of the modulus, one of `LENGTHS`.
        operation: `public` (65537) or `private`.
        software: whether OpenSSL is timed on this machine, which takes some seconds.

    Raises:
        InputError: another length or operation.
        ToolError: a Record or a paper's data are damaged, or OpenSSL cannot be timed.
    """
    if bits not in LENGTHS:
        allowed = " or ".join(map(str, LENGTHS))
        raise InputError(f"--bits is {bits}, allowed is {allowed}")
    if operation not in OPERATIONS:
        raise InputError(f"--op is {operation!r}, allowed is {' or '.join(OPERATIONS)}")
    records = {each: software_record(each) for each in processors()}
    lacking = [each.name for each, record in records.items() if record is None]
    missing = (f"no figures of {', '.join(lacking)}: totient bench makes them",) if lacking else ()
    found = {each: record for each, record in records.items() if record is not None}
    watts = {each: _watts(each) for each in records}
    tables = [
        _processors(found, watts, bits, operation, missing),
        _designs(bits, operation),
        _published(bits, operation),
        _library(found, missing),
        _tiny(found, missing),
        _datasheets(watts),
        _calibration(),
    ]
    if software:
        tables.append(_here(bits, operation))
    return Reproduction(
        title=f"RSA-{bits}, a {operation} operation: processors, designs, published figures",
        command=f"totient compare --bits {bits} --op {operation}"
        + (" --software" if software else ""),
        tables=tables,
        findings=_findings(found, tables, bits, operation),
        provenance=_provenance(found),
    )


def _name(form: str) -> str:
    return _FORMS[form] or form


def _processors(
    found: Mapping[Processor, SoftwareRecord],
    watts: Mapping[Processor, float | None],
    bits: int,
    operation: str,
    missing: Sequence[str],
) -> Table:
    rows: list[Sequence[Value]] = []
    for processor, record in found.items():
        for work, figures in record.figures.items():
            if (work.operation, work.bits) == (operation, bits):
                rows.append(_row(processor, watts[processor], work, figures))
    notes = [
        "time at the clock of the board that people meet the processor on; where instructions are "
        "counted, a range: the executed instructions with the least and with the most cycles that "
        "the manual has [datasheets], memory without wait states; an estimate, which can be off by "
        "as much as the two are apart",
        "energy: time x active power [datasheets], of the processor alone; that of VexRiscv is an "
        "estimate as that of designs, that of the ATmega1284P is by a smaller chip's current",
        "code: the whole program, with its start and the output of the result; RAM: static data "
        "and the deepest stack; window: bits of the exponent at once, as many as fit the RAM",
        *missing,
    ]
    unfit = [row for row in rows if row[3] is None and row[4] is None]
    if unfit:
        notes.append("no count: the program does not fit the chip, the bytes are what it wants")
    return Table(
        "processors",
        f"RSA-{bits} in software, a {operation} operation"
        + (" by CRT" if operation == PRIVATE else " with 65537"),
        (
            Column("processor"),
            Column("board"),
            Column("program"),
            Column("cycles", grouped),
            Column("instructions", grouped),
            Column("time", duration),
            Column("at most", duration),
            Column("energy", energy),
            Column("at most", energy),
            Column("code, bytes", grouped),
            Column("RAM, bytes", grouped),
            Column("window", grouped),
        ),
        rows,
        notes,
    )


def _row(
    processor: Processor, watts: float | None, work: Work, figures: Figures
) -> Sequence[Value]:
    count = figures.count
    cycles = count if processor.counts is Counts.CYCLES else None
    instructions = count if processor.counts is Counts.INSTRUCTIONS else None
    times = figures.seconds(processor.clock_hz)
    least, most = times or (None, None)
    most = most if processor.pace else None
    return (
        *(processor.title, processor.board, _name(work.form), cycles, instructions, least, most),
        *(_joules(least, watts), _joules(most, watts)),
        *(figures.code_bytes, figures.ram_bytes, figures.window or None),
    )


def _watts(processor: Processor) -> float | None:
    """Active power by the datasheet; of the soft CPU by our estimate, where there are Records.

    That is of VexRiscv with its memories and serial port: the system of row B3 without its IP.
    """
    if processor.power:
        return processor.power.watts
    use = {
        record.design: record.utilisation
        for _, record in committed()
        if record.target == _SOFT
        and record.dsp
        and record.design in ("rsa_system", "rsa_keygen")
        and not subject_of(record).own
    }
    if len(use) < 2:
        return None
    whole, ip = use["rsa_system"], use["rsa_keygen"]
    alone = Utilisation(
        **{
            name: getattr(whole, name) - getattr(ip, name)
            for name in ("lut", "ff", "dsp", "block_ram", "carry")
        },
        cells={},
    )
    return estimate(_SOFT, alone, processor.clock_hz / 1e6).total


def _joules(seconds: float | None, watts: float | None) -> float | None:
    return seconds * watts if seconds is not None and watts is not None else None


def _rows_of_catalog(bits: int) -> dict[str, Configuration]:
    """The papers' exponentiators of that width, and our engines, by name."""
    rows = {
        f"{row}, {design.name}": select(row, width=bits)
        for design in designs()
        for row in design.rows
    }
    return {**rows, **engines()}


def _designs(bits: int, operation: str) -> Table:
    target = find_target(_TARGET)
    rows: list[Sequence[Value]] = []
    lacking = False
    for name, configuration in _rows_of_catalog(bits).items():
        suited = configuration.suited(target.family)
        record = lookup(suited, target, True)
        is_engine = name in engines()
        lacking = lacking or record is None
        kind = (CRT if operation == PRIVATE else "rsa-public") if is_engine else operation
        named = f"{kind}-{bits}" if is_engine else kind
        figures = record.operations.get(named) if record else None
        cycles = (figures or cycles_by_formula(suited, named)).cycles.mean
        mhz = record.shown_mhz if record else None
        unshown = record.unshown if record else None
        use = record.utilisation if record else None
        clock = allowed_clock(mhz, use.dsp) if mhz and use else mhz
        area = (use.lut, use.ff, use.dsp, use.block_ram) if use else (None,) * 4
        how = "65537" if operation == PUBLIC else "CRT" if is_engine else "no CRT"
        seconds = _seconds(cycles, clock)
        watts = estimate(_TARGET, use, clock).total if use and clock else None
        clocked = (mhz, seconds, watts, _joules(seconds, watts))
        rows.append((name, how, cycles, *(each or unshown for each in clocked), *area))
    notes = [
        f"LUT, FF, DSP, block RAM and maximum clock on {_TARGET}, of the committed Records",
        f"time: at the maximum clock; with DSP at most {clock_limit():g} MHz, the limit of the "
        "device's multipliers, which nextpnr does not know",
        "power and energy: estimates from cells and clock [datasheets], with the static power of "
        f"the whole device ({1e3 * FABRICS[_TARGET].static_watts:.0f} mW); we take them to be at "
        f"most {ERROR:g} times too large or too small, but for long combinational paths, which "
        "take more [calibration]",
        "no CRT: an exponent as long as the modulus; CRT: the whole private operation, blinded and "
        "checked",
    ]
    if lacking:
        notes.append(
            f"no clock, no area and no energy: there is no Record with {bits} bits, the cycles are "
            "those of the catalog's formula"
        )
    return Table(
        "designs",
        f"The designs of the catalog, RSA-{bits}, a {operation} operation",
        (
            Column("design"),
            Column("operation"),
            Column("cycles", grouped),
            Column("max MHz", significant),
            Column("time", duration),
            Column("power", power),
            Column("energy", energy),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("DSP", grouped),
            Column("block RAM", significant),
        ),
        rows,
        notes,
    )


def _seconds(cycles: int, mhz: float | None) -> float | None:
    # T1's private operation takes more than floating-point numbers reach.
    return cycles / mhz / 1e6 if mhz and cycles < 10**300 else None


def _published(bits: int, operation: str) -> Table:
    rows: list[Sequence[Value]] = []
    msp430 = published("thesis")["msp430"]
    if bits == 1024:
        seconds = msp430[f"{operation}_seconds"]
        for mhz, each in zip(msp430["clock_mhz"], seconds, strict=True):
            watts = msp430["active_watts"] if mhz == max(msp430["clock_mhz"]) else None
            rows.append(
                ("MSP430", float(mhz), each, round(each * mhz * 1e6), _joules(each, watts), "T5")
            )
    field = published("field")
    kind = "public" if operation == PUBLIC else "crt"
    for each in field["software"]:
        milliseconds = each["milliseconds"].get(kind)
        # The MSP430's are the thesis' own.
        if each["bits"] == bits and milliseconds is not None and "MSP430" not in each["name"]:
            rows.append((each["name"], None, milliseconds / 1e3, None, None, each["whose"]))
    return Table(
        "published",
        f"Published figures of RSA-{bits}, a {operation} operation",
        (
            Column("what"),
            Column("MHz", significant),
            Column("time", duration),
            Column("cycles", grouped),
            Column("energy", energy),
            Column("from"),
        ),
        rows,
        (
            f"T5: {msp430['source']}; its {1e3 * msp430['active_watts']:.0f} mW are those at the "
            "highest clock; cycles are time x clock",
            "measured, published: papers/field.toml",
        ),
    )


def _library(found: Mapping[Processor, SoftwareRecord], missing: Sequence[str]) -> Table:
    rows: list[Sequence[Value]] = []
    for processor, record in found.items():
        for bits in LENGTHS:
            for operation in OPERATIONS:
                of = {
                    form: each.count
                    for form in _FORMS
                    if (each := record.figures.get(Work(form, operation, bits)))
                }
                ours, assembly = of.get(OURS), of.get(ASSEMBLY)
                theirs = [(n, form) for form in (BEARSSL15, BEARSSL31) if (n := of.get(form))]
                best, form = min(theirs) if theirs else (None, None)
                if ours is None and best is None:
                    continue
                rows.append(
                    (
                        *(processor.title, bits, operation, str(processor.counts), ours),
                        *(best, form, _ratio(best, ours), assembly, _ratio(ours, assembly)),
                    )
                )
    return Table(
        "library",
        "Ours beside a well-kept library, the same processor and flags",
        (
            Column("processor"),
            Column("bits", str),
            Column("operation"),
            Column("counted"),
            Column("ours, C", grouped),
            Column("BearSSL, C", grouped),
            Column("its words"),
            Column("times ours", significant),
            Column("ours, assembly", grouped),
            Column("times faster than C", significant),
        ),
        rows,
        (
            "BearSSL 0.6 as Debian holds its source, its portable C, the faster of its two sizes "
            "of words; both are written for constant time, ours has the widest window that fits",
            *missing,
        ),
    )


def _ratio(of: int | None, by: int | None) -> float | None:
    return of / by if of and by else None


def _tiny(found: Mapping[Processor, SoftwareRecord], missing: Sequence[str]) -> Table:
    paper = published("becannon")
    example = paper["examples"][0]
    rows: list[Sequence[Value]] = []
    for processor, record in found.items():
        parts = [record.figures[Work(OURS, part, 30)] for part in TINY]
        times = [each.seconds(processor.clock_hz) or (0.0, 0.0) for each in parts]
        least, most = (sum(each) for each in zip(*times, strict=True))
        at_most = most if processor.pace else None
        counts = [each.count for each in parts]
        rows.append((processor.title, "ours, C", str(processor.counts), *counts, least, at_most))
    cycles = example["cycles"]
    steps = [cycles[part] for part in ("keys", "encrypt", "decrypt")]
    rows.append(("the IP, 100 MHz", "paper, and ours", "cycles", *steps, sum(steps) / 1e8, None))
    for device in paper["processors"]["devices"]:
        rows.append((device["name"], "paper", None, None, None, None, device["ms"] / 1e3, None))
    return Table(
        "tiny",
        f"Row B4: the key of p = {example['p']}, q = {example['q']}, message {example['message']}",
        (
            Column("what"),
            Column("whose"),
            Column("counted"),
            Column("making the key", grouped),
            Column("encryption", grouped),
            Column("decryption", grouped),
            Column("all, time", duration),
            Column("at most", duration),
        ),
        rows,
        (*paper["processors"]["notes"], *missing),
    )


def _datasheets(watts: Mapping[Processor, float | None]) -> Table:
    rows: list[Sequence[Value]] = []
    for each in processors():
        if each.power:
            rows.append((each.title, "active power", power(watts[each]), each.power.source))
        elif watts[each]:
            rows.append(
                (
                    *(each.title, "active power, an estimate", power(watts[each])),
                    "the system of row B3 without its IP, on an XC7A100T, at "
                    f"{each.clock_hz / 1e6:g} MHz: cells x energy below + static power",
                )
            )
        if each.pace:
            rows.append((each.title, "cycles of instructions", "a range", each.pace.source))
    for name, fabric in FABRICS.items():
        rows.append((name, "static power", power(fabric.static_watts), fabric.source))
        of = {
            "LUT": fabric.lut_joules,
            "FF": fabric.ff_joules,
            "DSP": fabric.dsp_joules,
            "18 Kbit of RAM": fabric.ram_joules,
        }
        cells = ", ".join(f"{what} {1e12 * joules:.2g}" for what, joules in of.items())
        rows.append((name, "energy of a clock cycle, pJ, an estimate", cells, _ENERGY_SOURCE))
    return Table(
        "datasheets",
        "What times and energies are computed with",
        (Column("of"), Column("what"), Column("value"), Column("source")),
        rows,
        (),
    )


def _calibration() -> Table:
    """How far the estimate is from what Vivado gave for the thesis' designs."""
    paper = published("thesis")
    rows: list[Sequence[Value]] = []
    for design, dynamic in paper["power"]["dynamic"].items():
        for bits, lut, ff, watts in zip(
            paper["bits"], paper["lut"][design], paper["ff"][design], dynamic, strict=True
        ):
            use = Utilisation(lut=lut, ff=ff, dsp=0, block_ram=0, carry=0, cells={})
            ours = estimate(_SOFT, use, paper["clock_mhz"]).dynamic
            rows.append((design, bits, lut, ff, watts, ours, ours / watts))
    return Table(
        "calibration",
        f"The estimate of power beside the thesis' figures, {paper['clock_mhz']:g} MHz",
        (
            Column("design"),
            Column("bits", str),
            Column("its LUT", grouped),
            Column("its FF", grouped),
            Column("dynamic power, Vivado", power),
            Column("by our estimate", power),
            Column("ratio", significant),
        ),
        rows,
        (
            "T1 and T2 are what the energies of a LUT and of a flip-flop are set by; T3 multiplies "
            "in long combinational paths, whose signals change several times in a cycle, which no "
            "count of cells tells",
            "papers/thesis.toml, tables 4, 5, 11 to 13; whole milliwatts, so that the smallest can "
            "be off by a quarter",
        ),
    )


def _here(bits: int, operation: str) -> Table:
    speed = measure_openssl(bits)
    openssl = speed.public_s if operation == PUBLIC else speed.private_s
    ours = measure_here(bits, operation)
    watts = _CORE_WATTS.get(speed.machine)
    return Table(
        HERE,
        "OpenSSL, and ours in C, timed on this machine just now",
        (
            Column("what"),
            Column("machine"),
            Column("operation"),
            Column("time", rough_duration),
            Column("energy", rough_energy),
        ),
        [
            (what, speed.machine, operation, seconds, _joules(seconds, watts))
            for what, seconds in ((speed.version, openssl), ("ours, C", ours))
        ],
        (
            "one core; OpenSSL by openssl speed for a second, with its assembly; ours with "
            "-O2, and words of 64 bits",
            f"energy: with {watts:g} W for the core, an estimate, which can be {ERROR:g} times too "
            "large or too small"
            if watts
            else f"no energy: we have no estimate of a core's power on {speed.machine}",
        ),
    )


def _findings(
    found: Mapping[Processor, SoftwareRecord],
    tables: Sequence[Table],
    bits: int,
    operation: str,
) -> list[str]:
    """What the figures say, computed from them."""
    findings = []
    named = {each.name: each for each in tables}
    software = [(row[5], row[0], row[2]) for row in named["processors"].rows if row[5]]
    hardware = [(row[4], row[0]) for row in named["designs"].rows if isinstance(row[4], float)]
    if software and hardware:
        slow, chip, program = max(software, key=lambda each: _number(each[0]))
        quick, design = min(hardware, key=lambda each: _number(each[0]))
        fast, best, form = min(software, key=lambda each: _number(each[0]))
        findings.append(
            f"The quickest design, {design}, takes {duration(quick)}: "
            f"{_number(fast) / _number(quick):,.0f} times less than {best} ({form}, "
            f"{duration(fast)} at least), {_number(slow) / _number(quick):,.0f} times less than "
            f"{chip} ({program}, {duration(slow)})."
        )
    findings += _least_energy(named)
    slower = [
        f"{row[0]} {row[1]} {row[2]}"
        for row in named["library"].rows
        if isinstance(row[7], float) and row[7] < 1
    ]
    findings.append(
        f"Our C takes more than BearSSL's on {', '.join(slower)}."
        if slower
        else "Our C takes no more than BearSSL's on any processor, at any length."
    )
    record = next((r for p, r in found.items() if p.name == "msp430-mpy"), None)
    if record and bits == 1024 and (ours := record.figures.get(Work(ASSEMBLY, operation, bits))):
        theirs = [row for row in named["published"].rows if row[0] == "MSP430"]
        last = theirs[-1]
        if ours.count and isinstance(last[3], int):
            findings.append(
                f"MSP430: ours in assembly with the 16-bit multiplier takes {ours.count:,} cycles, "
                f"{ours.count / last[3]:.1f} times the {last[3]:,} that the thesis' figure for "
                f"{last[1]:g} MHz comes to; the thesis does not say how that one multiplies, nor "
                "on which chip of the family."
            )
    tiny = {row[0]: row for row in named["tiny"].rows}
    paper, ours_row = tiny.get("Arduino Uno"), tiny.get("AVR, ATmega328P")
    if paper and ours_row:
        findings.append(
            f"Row B4: the paper's Arduino takes {duration(paper[6])}, "
            f"{_number(paper[6]) / _number(ours_row[6]):.0f} times as long as the same algorithm "
            f"on its processor, cycle for cycle ({duration(ours_row[6])}, key, encryption and "
            "decryption); what else its time holds the paper does not say."
        )
    return findings


def _least_energy(named: Mapping[str, Table]) -> Iterator[str]:
    """Which design takes the least, beside software."""
    software = [(_number(row[7]), row[0], row[2]) for row in named["processors"].rows if row[7]]
    designs = [(row[6], row[0]) for row in named["designs"].rows if isinstance(row[6], float)]
    if software and designs:
        (joules, design), *others = sorted(designs)
        least, chip, program = min(software)
        ratio = least / joules
        alike = [name for other, name in others if other < 2 * joules]
        beside = f" (less than twice that: {', '.join(map(str, alike))})" if alike else ""
        yield (
            f"By our estimate {design} takes the least energy of the designs, {energy(joules)}"
            f"{beside}: {ratio:.2g} times less than {chip} ({program}, {energy(least)} at least); "
            f"as the estimate goes, {ratio / ERROR:.2g} to {ratio * ERROR:.2g} times."
        )


def _number(value: Value) -> float:
    assert isinstance(value, int | float)
    return float(value)


def _provenance(found: Mapping[Processor, SoftwareRecord]) -> tuple[str, ...]:
    lines = [
        "software: built for the processor and run on its simulator, the result checked by "
        "Python's pow; the same counts in every run",
        "designs: committed Records; cycles of those without one by the catalog's formula",
    ]
    for processor, record in found.items():
        tools = ", ".join(f"{name} {version}" for name, version in record.tools.items())
        lines.append(
            f"{processor.title}: {processor.simulator}, counts {processor.counts}; {tools}"
        )
    return tuple(lines)


def software_rows(tables: Mapping[str, Table]) -> list[tuple[str, float, float, float | None]]:
    """For a figure: each processor with least and most seconds, and joules, of our quickest."""
    best: dict[str, Any] = {}
    for row in tables["processors"].rows:
        if row[5] is None or "BearSSL" in str(row[2]):
            continue
        name = str(row[0])
        if name not in best or _number(row[5]) < _number(best[name][5]):
            best[name] = row
    return [
        (name, _number(row[5]), _number(row[6] if row[6] is not None else row[5]), row[7])
        for name, row in best.items()
    ]
