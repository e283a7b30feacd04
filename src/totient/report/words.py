"""Parts of conclusions in words: every number and every judgement is computed from figures."""

from collections.abc import Iterable, Mapping
from string import Formatter

from totient.report.values import Value


def conclude(templates: Mapping[str, str], values: Mapping[str, object]) -> list[str]:
    """Conclusions from their templates.

    Args:
        templates: texts with values in braces, as of `str.format`.
        values: what the templates take; one that takes a value that is `None` or lacking is left
            out.
    """
    return [
        template.format_map(values)
        for template in templates.values()
        if all(values.get(name) is not None for name in _taken(template))
    ]


def _taken(template: str) -> set[str]:
    """Names of the values that a template takes."""
    fields = (name for _, name, *_ in Formatter().parse(template) if name)
    return {name.partition("[")[0].partition(".")[0] for name in fields}


def factor(ours: float, theirs: float, less: str = "fewer", more: str = "more") -> str:
    """How many times one figure is another, and which one is less: `2.1 times fewer`.

    Args:
        ours: what is judged, above 0.
        theirs: what it is compared with, above 0.
        less: the word where ours is less.
        more: the word where it is more.
    """
    if ours == theirs:
        return "the same"
    ratio = max(ours, theirs) / min(ours, theirs)
    number = f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"
    return f"{number} times {less if ours < theirs else more}"


def as_long(ratio: float) -> str:
    """How long something takes beside another: `1.91 times as long`."""
    return "as long" if ratio == 1 else f"{ratio:.2f} times as long"


def change(before: float, after: float, less: str = "fewer", more: str = "more") -> str:
    """By how many percent a figure has changed: `37 % fewer`."""
    percent = 100 * (after / before - 1)
    return f"{abs(percent):.0f} % {less if percent < 0 else more}"


def listed(names: Iterable[object], none: str = "none") -> str:
    """Names with commas between."""
    return ", ".join(map(str, names)) or none


def clock(mhz: Value) -> str:
    """A clock, or the word that stands in its place."""
    return f"{mhz:.1f} MHz" if isinstance(mhz, float) else str(mhz)
