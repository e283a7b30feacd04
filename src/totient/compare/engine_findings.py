"""Findings of the engine's comparison, and the sources of its figures."""

from collections.abc import Collection, Iterator

from totient.compare.engines import AREAS, Field
from totient.report.words import conclude, factor, listed
from totient.reproduce.results import ROUTED

AIMED = 16
"""Elements from which on the aims hold."""

_AIMS = {"lut": 20, "ff": 20, "dsp": 18}
"""Aims of private operations: times less area x time than the best of the others."""


def aims(areas: Collection[str] = AREAS) -> str:
    """The aims of these kinds of area, in words."""
    aimed = ((AREAS[area], times) for area, times in _AIMS.items() if area in areas)
    return listed(f"{times} times less {heading} x time" for heading, times in aimed)


def findings(field: Field) -> Iterator[str]:
    """How far ahead ours are, computed from the figures."""
    templates, ours = field.published["conclusions"], field.ours_in("private")
    said = False
    elements = {each.name: each.configuration.parameters["elements"] for each in field.ours}
    for each in ours:
        found = {area: field.beside(each, "private", area)[1] for area in AREAS}
        less = {area: times for area, times in found.items() if isinstance(times, float)}
        if not less:
            continue
        said = True
        met = all(times >= _AIMS.get(area, 0) for area, times in less.items())
        yield from conclude(
            {"ahead": templates["ahead"], "aim": templates["aim"]},
            {
                "name": each.name,
                "less": listed(
                    f"{factor(1, times, 'less')} {AREAS[area]} x time"
                    for area, times in less.items()
                ),
                "aim": aims(less) if elements[each.name] >= AIMED else None,
                "met": "met" if met else "not met",
            },
        )
    hidden = [each.name for each in ours if isinstance(each.mhz, str)]
    cycles, mine = field.quickest
    others = (each for each in field.entries["private"] if each.whose != "ours")
    theirs = min(((each.cycles, each.name) for each in others if each.cycles), default=None)
    yield from conclude(
        {name: templates[name] for name in ("hidden", "without", "cycles")},
        {
            "hidden": listed(hidden) if hidden else None,
            "without": None if said or hidden else "nothing to compare but cycles",
            "bits": field.bits,
            "mine": (cycles, mine.name),
            "theirs": theirs,
            "fewer": factor(cycles, theirs[0]) if theirs else None,
        },
    )


def provenance(field: Field) -> Iterator[str]:
    """Sources of our figures and of the others'."""
    records = [each.record for each in field.ours if each.record]
    yield (
        "our cycles: from the catalog, for whole operations with blinding and check; simulation "
        "equals"
    )
    yield (
        f"the others': results/published/field.toml, {field.published['date']}; the measured ones "
        "used this project's flow"
    )
    if records:
        tools = listed(f"{k} {v}" for k, v in records[0].provenance.tools.items())
        yield f"our area and maximum clock: the whole IP, routed on {ROUTED}, median of three seeds"
        yield f"tools: {tools}"
    yield from (f"of others: {note}" for note in field.published["notes"])
