"""Findings of the comparison of processors, designs and published figures."""

from collections.abc import Mapping

from totient.compare.processors import FORMS, Comparison
from totient.measure.software_programs import ASSEMBLY, Work
from totient.power.by_activity import told_apart
from totient.report import Table
from totient.report.values import duration, energy, number, product
from totient.report.words import factor, listed


def conclusions(data: Comparison, tables: Mapping[str, Table]) -> Mapping[str, object]:
    """Values of the conclusions' templates."""
    slower = [
        " ".join(map(str, row[:3]))
        for row in tables["library"].rows
        if isinstance(row[7], float) and row[7] < 1
    ]
    return {
        **_of_times(data),
        **_of_energy(data),
        "slower": listed(slower) if slower else None,
        "not_slower": None if slower else "no more than BearSSL's",
        **_of_msp430(data, tables["published"]),
        **_of_tiny(tables["tiny"]),
    }


def _of_times(data: Comparison) -> Mapping[str, object]:
    software = [
        (each.least_s, each.processor.title, FORMS[each.work.form])
        for each in data.programs
        if each.least_s
    ]
    hardware = [
        (seconds, each.name) for each in data.designs if (seconds := number(each.time)) is not None
    ]
    if not software or not hardware:
        return {}
    slowest, best = (choose(software) for choose in (max, min))
    quickest = min(hardware)
    return {
        "quickest": (duration(quickest[0]), quickest[1]),
        "best": (duration(best[0]), *best[1:]),
        "slowest": (duration(slowest[0]), *slowest[1:]),
        "than_best": factor(quickest[0], best[0], "less"),
        "than_slowest": factor(quickest[0], slowest[0], "less"),
    }


def _of_energy(data: Comparison) -> Mapping[str, object]:
    """The design with the least energy, and software."""
    software = [
        (joules, each.processor.title, FORMS[each.work.form])
        for each in data.programs
        if (joules := number(product(each.least_s, each.watts)))
    ]
    designs = sorted(
        ((joules, each) for each in data.designs if (joules := number(each.joules)) is not None),
        key=lambda found: found[0],
    )
    if not software or not designs:
        return {}
    (joules, design), *others = designs
    lowest, highest = number(design.least_joules), number(design.most_joules)
    assert lowest
    assert highest
    least = min(software)
    alike = [
        each.name
        for other, each in others
        if not told_apart(other, joules, max(each.error, design.error))
    ]
    return {
        "least": (energy(joules), design.name),
        "alike": f" (not told apart from it: {listed(alike)})" if alike else "",
        "least_software": (energy(least[0]), *least[1:]),
        "less_energy": least[0] / joules,
        "less_energy_range": (least[0] / highest, least[0] / lowest),
    }


def _of_msp430(data: Comparison, papers: Table) -> Mapping[str, object]:
    """The chip in the thesis' comparison."""
    record = next((r for p, r in data.records.items() if p.name == "msp430-mpy"), None)
    ours = record.figures.get(Work(ASSEMBLY, data.operation, data.bits)) if record else None
    theirs = [row for row in papers.rows if row[0] == "MSP430"]
    if not ours or not ours.count or not theirs:
        return {}
    _, mhz, _, cycles, *_ = theirs[-1]
    assert isinstance(cycles, int)
    return {
        "msp430": {"ours": ours.count, "theirs": cycles, "mhz": mhz, "ratio": ours.count / cycles}
    }


def _of_tiny(tiny: Table) -> Mapping[str, object]:
    """Row B4's processor, the paper's and ours."""
    seconds = dict(zip(tiny.column("what"), tiny.column("all, time"), strict=True))
    paper, ours = seconds.get("Arduino Uno"), seconds.get("AVR, ATmega328P")
    if not isinstance(paper, float) or not isinstance(ours, float):
        return {}
    values: dict[str, object] = {"arduino": (duration(paper), duration(ours), paper / ours)}
    most = dict(zip(tiny.column("what"), tiny.column("at most"), strict=True))
    board, least = seconds.get("Raspberry Pi 4"), seconds.get("ARM Cortex-A72")
    longest = most.get("ARM Cortex-A72")
    if isinstance(board, float) and isinstance(least, float) and isinstance(longest, float):
        place = "below" if board < least else "above" if board > longest else "within"
        values["raspberry"] = (duration(board), place, duration(least), duration(longest))
    return values
