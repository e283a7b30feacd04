"""The papers' figures, drawn from their tables; see `side_by_side` for formats and errors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from totient.common.papers import published
from totient.report import Report, Table, Value
from totient.report.figure import (
    area_bars,
    bars,
    left_out,
    line,
    logarithmic_ticks,
    points,
    side_by_side,
    widths_axis,
)
from totient.report.labels import name_point

_COLOURS = {"T1": "tab:green", "T2": "tab:blue", "T3": "tab:red"}


def thesis(done: Report, path: Path) -> None:
    """Draw cycles, LUTs and flip-flops against the width of the modulus."""
    widths = [int(column.heading) for column in done.tables["lut"].columns[2:]]
    with side_by_side(path, 3) as (left, *cells):
        for row in ("T2", "T3"):
            table = done.tables[f"latency-{row}"]
            for heading, style, name in (
                ("thesis", "o--", f"{row} thesis (short exponent)"),
                (f"{row}: 65537", "o-", f"{row} ours, 65537"),
                (f"{row}: full length", "s-", f"{row} ours, full length"),
            ):
                line(left, widths, table.column(heading), style, _COLOURS[row], name)
        left.set(title="Cycles of an exponentiation", ylabel="clock cycles")
        for axes, name, what in zip(cells, ("lut", "ff"), ("LUTs", "flip-flops"), strict=True):
            _cells(axes, widths, done.tables[name])
            number = published("thesis")[name]["figure"]
            axes.set(title=f"Figure {number}: {what} on Artix-7", ylabel=name.upper())
        for axes in (left, *cells):
            widths_axis(axes, widths)
            axes.set_yscale("log")


def _cells(axes: Any, widths: Sequence[int], table: Table) -> None:
    """Draw numbers of cells, the thesis' and those of our variants."""
    for variant, whose, *counts in table.rows:
        row = str(variant)[:2]
        style = "o--" if whose == "thesis" else "s-" if variant == row else "^:"
        dsp = ", with DSP blocks" if (variant, whose) == ("T3", "ours") else ""
        # Two that have the same area: one shows around the other. These are the thesis' T1 and T2
        # at most widths, and flip-flops of a design and its variant.
        marks = 8 if (variant, whose) == ("T1", "thesis") else 7 if variant != row else 4
        line(axes, widths, counts, style, _COLOURS[row], f"{variant}, {whose}{dsp}", marks)


def nibouche(done: Report, path: Path) -> None:
    """Draw time against area, of the paper and of ours, and the clock against the width."""
    with side_by_side(path, 3) as (paper, ours, right):
        rows: Sequence[Sequence[Any]] = done.tables["cost"].rows
        for axes, area, time, colour, whose, cells in (
            (paper, 10, 9, "tab:blue", "the paper", "slices of an XC2V8000"),
            (ours, 1, 6, "tab:red", "ours", "LUT of an ECP5-85F"),
        ):
            shown = [row for row in rows if isinstance(row[time], float)]
            x, y = [row[area] for row in shown], [1e3 * row[time] for row in shown]
            axes.plot(x, y, "s", color=colour, label=whose)
            for row, *at in zip(shown, x, y, strict=True):
                name_point(axes, row[0], (at[0], at[1]), size=7)
            title = f"A full-length exponentiation, 1024 bits, {whose}"
            hidden = sum(isinstance(row[time], str) for row in rows)
            axes.set(title=left_out(title, hidden), xlabel=cells, ylabel="ms")
            # From 0, with room for the names of the outermost points.
            axes.set_xlim(0, 1.15 * max(x, default=1))
            axes.set_ylim(0, 1.15 * max(y, default=1))
        table = done.tables["clock"]
        widths = [int(each.heading) for each in table.columns if each.heading.isdecimal()]
        structures = published("nibouche")["structures"]
        clocks = {str(row[0]): row[1 : 1 + len(widths)] for row in table.rows}
        for number, (row, values) in enumerate(clocks.items()):
            style = "s-" if structures[row]["local"] else "o:"
            line(right, widths, values, style, f"C{number}", row)
        hidden = sum(isinstance(mhz, str) for values in clocks.values() for mhz in values)
        title = left_out("Maximum clock; solid: no broadcast lines", hidden)
        right.set(title=title, ylabel="MHz")
        right.set_ylim(bottom=0)
        widths_axis(right, widths)


def _pair(
    draw: Callable[..., None],
    axes: Any,
    labels: Sequence[str],
    series: Mapping[str, Sequence[Value]],
    **titles: str,
) -> None:
    """Draw `bars` or `points` of two named series, blue and red."""
    colours = ("tab:blue", "tab:red")
    draw(axes, labels, [(c, *each) for c, each in zip(colours, series.items(), strict=True)])
    axes.set(**titles)


def becannon(done: Report, path: Path) -> None:
    """Draw cycles of the steps, and area."""
    with side_by_side(path) as (left, right):
        table = done.tables["cycles"]
        labels = [f"{row[1]}\n{row[0]}" for row in table.rows]
        paper = next(c.heading for c in table.columns if c.heading.startswith("paper, cycles"))
        shown = {"paper": paper, "ours": "ours, cycles"}
        series = {whose: table.column(heading) for whose, heading in shown.items()}
        titles = {"title": "Clock cycles of the steps", "xlabel": "clock cycles"}
        _pair(bars, left, labels, series, **titles)
        area = done.tables["area"]
        area_bars(right, [f"{row[0]}\n{row[1]}" for row in area.rows], area)


def evantash(done: Report, path: Path) -> None:
    """Draw times of the text, area, and the explorations with their Pareto fronts."""
    with side_by_side(path, 4) as (left, right, theirs, ours):
        times = done.tables["times"]
        series = {
            "paper, with Python and DMA": times.column("paper"),
            "ours, the IP at 100 MHz": times.column("ours at 100 MHz"),
        }
        titles = {"title": "Encryption of a text", "xlabel": "seconds"}
        _pair(points, left, [row[0] for row in times.texts], series, **titles)
        area = done.tables["area"]
        area_bars(right, [str(row[0]) for row in area.rows], area)
        # The paper has one front of all its variants, ours one for each word size.
        table, cost = done.tables["exploration"], "latency as printed"
        _front(theirs, table, cost, "s", "tab:blue")
        theirs.set(title="Exploration, the paper", ylabel=cost)
        table, cost = done.tables["ours"], "cycles"
        words = table.column("word, bits")
        for word, mark, colour in zip(dict.fromkeys(words), "so", _OF_WORDS, strict=True):
            own = [row for row, bits in zip(table.rows, words, strict=True) if bits == word]
            _front(ours, replace(table, rows=own), cost, mark, colour, f", {word} bits")
        ours.set(title="Exploration, ours, FF and DSP on Artix-7", ylabel=cost)
        for axes in (theirs, ours):
            axes.set(xlabel="FF + 100 DSP", xscale="log", yscale="log")
            axes.margins(0.1)  # room for the names
            for axis in (axes.xaxis, axes.yaxis):
                logarithmic_ticks(axis, _ROUND)


_OF_WORDS = ("tab:red", "tab:purple")
_ROUND = [figure * 10**power for power in range(1, 6) for figure in (1, 2, 5)]


def _front(axes: Any, table: Table, cost: str, mark: str, colour: str, of: str = "") -> None:
    """Draw a cost against the area, and steps between the variants that no other one beats."""
    kept = [
        (area, cost, name, best)
        for name, area, cost, best in zip(
            *map(table.column, ("variant", "area", cost, "on the front")), strict=True
        )
        if cost is not None
    ]
    x, y, names, best = (list(each) for each in zip(*kept, strict=True))
    axes.plot(x, y, mark, color=colour, label=f"variant{of}", markerfacecolor="white")
    along = sorted((a, c) for a, c, _, on in kept if on == "yes")
    # With each step's corner, which names keep away from.
    steps = [along[0]]
    for (_, before), (area, after) in pairwise(along):
        steps += [(area, before), (area, after)]
    style = {"color": colour, "label": f"Pareto front{of}", "markevery": 2}
    axes.plot(*zip(*steps, strict=True), f"{mark}-", **style)
    for place, name in enumerate(names):
        if best[place] == "yes":
            name_point(axes, name, (x[place], y[place]))


def _label(row: Sequence[Value]) -> str:
    return f"report: {row[1]}" if "report" in str(row[2]) else str(row[1])


def diemert(done: Report, path: Path) -> None:
    """Draw instructions, and cycles on a soft CPU."""
    with side_by_side(path) as (left, right):
        rows = [row for row in done.tables["products"].rows if row[6] is not None]
        names = list(dict.fromkeys(map(_label, rows)))
        counts = {(_label(row), "Cortex" in str(row[2])): row[6] for row in rows}
        chips = {"ARM, A32": False, "Cortex-M3": True}
        series = {chip: [counts.get((n, which)) for n in names] for chip, which in chips.items()}
        title, cells = "Executed instructions of a product", "instructions, modulus of 64 bits"
        _pair(points, left, names, series, title=title, xlabel=cells)
        soft = done.tables["coprocessor"]
        series = {
            "product of 64 bits": soft.column("64 bits, most"),
            "power of 64 bits": soft.column("64-bit power"),
        }
        title, names = "On one soft CPU, bus included", [str(name) for name in soft.column("form")]
        _pair(points, right, names, series, title=title, xlabel="clock cycles")
