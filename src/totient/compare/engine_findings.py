"""Findings of the engine's comparison, and the sources of its figures."""

from collections.abc import Iterator

from totient.compare.engines import Field
from totient.report.values import significant
from totient.report.words import conclude, factor, listed
from totient.reproduce.results import ROUTED

AIM = 15
"""Target: times less area x time than the best of the others."""


def findings(field: Field) -> Iterator[str]:
    """How far ahead ours are, computed from the figures."""
    templates, ours = field.published["conclusions"], field.ours_in("private")
    said = False
    for each in ours:
        beside = {area: field.beside(each, "private", area) for area in ("lut", "dsp")}
        less = {area: times for area, (*_, times) in beside.items()}
        numbers = [times for times in less.values() if isinstance(times, float)]
        if len(numbers) == len(less):
            said = True
            yield from conclude(
                {"ahead": templates["ahead"]},
                {
                    "name": each.name,
                    "less": {area: significant(times) for area, times in less.items()},
                    "whose": {area: whose for area, (_, _, whose, _) in beside.items()},
                    "aim": AIM,
                    "met": "met" if min(numbers) >= AIM else "not met",
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
