"""Parts of conclusions in words. Every number and every judgement is computed from figures."""

from collections.abc import Iterable, Mapping
from string import Formatter

from totient.report.values import Value


def conclude(templates: Mapping[str, str], values: Mapping[str, object]) -> list[str]:
    """Conclusions from their templates.

    Args:
        templates: texts with values in braces, as of `str.format`.
        values: of the templates. A template with a value that is `None` or missing is left
            out.
    """
    return [
        template.format_map(values)
        for template in templates.values()
        if all(values.get(name) is not None for name in _taken(template))
    ]


def _taken(template: str) -> set[str]:
    """Names of the values in a template."""
    fields = (name for _, name, *_ in Formatter().parse(template) if name)
    return {name.partition("[")[0].partition(".")[0] for name in fields}


def factor(ours: float, theirs: float, less: str = "fewer", more: str = "more") -> str:
    """The ratio of two figures in words: `2.1 times fewer`.

    Args:
        ours: the figure to judge, above 0.
        theirs: the figure to compare with, above 0.
        less: the word if ours is less.
        more: the word if it is more.
    """
    if ours == theirs:
        return "the same"
    ratio = max(ours, theirs) / min(ours, theirs)
    number = f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 100 else _round(ratio)
    return f"{number} times {less if ours < theirs else more}"


def _round(ratio: float) -> str:
    """In three significant digits: `169,000`."""
    return f"{float(f'{ratio:.3g}'):,.0f}"


def as_long(ratio: float) -> str:
    """A ratio of times in words: `1.91 times as long`."""
    return "as long" if ratio == 1 else f"{ratio:.2f} times as long"


def change(before: float, after: float) -> str:
    """The percentage by which a figure has changed: `37 % fewer`."""
    percent = 100 * (after / before - 1)
    return f"{abs(percent):.0f} % {'fewer' if percent < 0 else 'more'}"


def listed(names: Iterable[object]) -> str:
    """Names separated by commas."""
    return ", ".join(map(str, names)) or "none"


def clock(mhz: Value) -> str:
    """A clock, or the word in its place."""
    return f"{mhz:.1f} MHz" if isinstance(mhz, float) else str(mhz)
