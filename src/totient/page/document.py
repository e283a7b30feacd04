"""The page: reports as sections of HTML, with style, script and data in the same file."""

import base64
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path

from totient.compare import (
    boards,
    engine_figure,
    engine_tables,
    power,
    power_figure,
    processor_figure,
    processor_tables,
)
from totient.measure.kept import write_kept
from totient.page.designs import TARGET, pictures
from totient.report import Report, Table
from totient.reproduce import PAPERS, find_paper, scoreboard

Draw = Callable[[Report, Path], None]
Say = Callable[[str], None]

STEPS = len(PAPERS) + 9
"""Calls of `say` while a page is made."""

_HERE = Path(__file__).parent


def write_page(path: Path, say: Say = lambda _: None) -> int:
    """Write the page.

    Args:
        path: of the file.
        say: called with each step.

    Returns:
        Bytes of the file.

    Raises:
        ToolError: a Record is missing and could not be measured, or the file cannot be written.
    """
    text = page(say)
    write_kept(path, text)
    return len(text.encode())


def page(say: Say = lambda _: None) -> str:
    """The page's HTML."""
    sections = [*_sections(say)]
    # `</` would end the script.
    data = json.dumps([*pictures(say)], separators=(",", ":")).replace("</", "<\\/")
    links = "".join(f'<a href="#{name}">{escape(title)}</a>' for name, title, _ in sections)
    body = "".join(
        f'<section id="{name}"><h2>{escape(title)}</h2>{content}</section>'
        for name, title, content in sections
    )
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>Totient: RSA in hardware, measured</title>"
        '<link rel="icon" href="data:,">'
        f"<style>{(_HERE / 'page.css').read_text()}</style></head>\n"
        "<body><header><h1>Totient</h1>"
        "<p>RSA in hardware: cores, measured by one method, beside published figures. "
        "<code>totient report</code> wrote this page; it needs no network.</p>"
        f"<nav>{links}</nav></header>\n<main>{body}</main>\n"
        f'<script id="data" type="application/json">{data}</script>\n'
        f"<script>{(_HERE / 'page.js').read_text()}</script></body></html>\n"
    )


def _sections(say: Say) -> Iterator[tuple[str, str, str]]:
    """Name, title and content of each section."""
    say("the engine beside other cores")
    engine = engine_tables.compare(2048, False)
    shown = ("headline", "fewer-cycles")
    rest = [name for name in engine.tables if name not in shown]
    yield (
        "scoreboard",
        "Scoreboard",
        f"{_tables(engine, shown)}{_figure(engine, engine_figure.draw)}"
        f"{_folded('All tables of the comparison', _tables(engine, rest) + _lists(engine))}",
    )
    yield "explore", "All designs: time against area", _explorer()
    say("the rows of the papers")
    papers = {name: find_paper(name) for name in PAPERS}
    verdicts = scoreboard.judge(papers)
    rows = scoreboard.report(verdicts, False)
    passed = sum(each.passed for each in verdicts)
    content = [f"<p>{passed} of {len(verdicts)} rows of the five papers work.</p>"]
    content.append(_folded("The rows, with verdicts and commands", _tables(rows, [*rows.tables])))
    for name, paper in papers.items():
        say(f"the tables of {name}")
        found = paper.reproduce()
        inside = _figure(found, paper.draw) + _tables(found, [*found.tables]) + _lists(found)
        content.append(_folded(found.title, inside, name))
    yield "papers", "The papers", "".join(content)
    say("processors")
    software = processor_tables.compare(1024, "public", False)
    private = processor_tables.compare(1024, "private", False)
    inside = _figure(software, processor_figure.draw)
    for each in (software, private):
        inside += _folded(each.title, _tables(each, [*each.tables]) + _lists(each))
    yield "software", "Beside software", inside
    say("power")
    energy = power.compare()
    inside = _figure(energy, power_figure.draw)
    inside += _folded(energy.title, _tables(energy, [*energy.tables]) + _lists(energy))
    yield "power", "Power and energy", inside
    say("boards")
    found = boards.compare()
    yield "boards", "Boards", _tables(found, [*found.tables])


def _folded(title: str, content: str, name: str = "") -> str:
    """Content that a click on its title shows."""
    place = f' id="{name}"' if name else ""
    return f"<details{place}><summary>{escape(title)}</summary>{content}</details>"


def _tables(report: Report, names: Sequence[str]) -> str:
    return "".join(_table(report.tables[name]) for name in names if name in report.tables)


def _table(table: Table) -> str:
    """A table, which scrolls to the side on a narrow screen."""
    kinds = ["" if words else ' class="n"' for words in table.of_text]
    head = "".join(
        f"<th{kind}>{escape(column.heading)}</th>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for row in table.texts
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in table.notes)
    return (
        f'<figure><figcaption>{escape(table.title)}</figcaption><div class="wide" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        + (f'<ul class="notes">{notes}</ul>' if notes else "")
        + "</figure>"
    )


def _lists(report: Report) -> str:
    """Findings and sources of a report, and its command."""
    parts = ("Findings", report.findings), ("How our figures were obtained", report.provenance)
    lists = "".join(
        f"<h4>{title}</h4><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
        for title, lines in parts
        if lines
    )
    return f"{lists}<p><code>{escape(report.command)}</code></p>"


def _figure(report: Report, draw: Draw) -> str:
    """A report's figure, as an image in the page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.svg"
        draw(report, path)
        data = base64.b64encode(path.read_bytes()).decode()
    return (
        f'<div class="picture"><img alt="{escape(report.title)}" '
        f'src="data:image/svg+xml;base64,{data}"></div>'
    )


def _explorer() -> str:
    """The picture of all designs: the script draws it."""
    sliders = "".join(
        f'<label>{title} <output id="{name}-value"></output>'
        f'<input type="range" id="{name}" min="0" max="1000" value="1000"></label>'
        for name, title in (("deadline", "Deadline"), ("area", "LUTs"), ("energy", "Energy"))
    )
    return (
        f"<p>Every mark is a design on {TARGET}. Full: its clock is measured. Open: predicted, "
        "with an interval. Move the limits; point at a mark, or tap it. Shown are all measured "
        "designs, those than which none is better, and a sample of the others. "
        "<code>totient explore</code> looks at all of them, on every device.</p>"
        '<noscript><p class="warning">The picture needs JavaScript.</p></noscript>'
        '<div id="explorer"><label>Operation <select id="operation"></select></label>'
        f'<div id="sliders">{sliders}</div><p id="count" role="status"></p>'
        '<div id="chart"></div><p id="legend"></p><div id="detail" aria-live="polite"></div>'
        '<div class="wide" tabindex="0"><table id="best"></table></div></div>'
    )
