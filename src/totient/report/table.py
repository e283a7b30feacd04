"""Tables: raw values, with how people and programs read them; and reports made of tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from totient.report.terminal import show_table
from totient.report.values import HIDDEN, UNITS, Format, Value, text

Row = Sequence[Value]


def _itself(item: Any) -> Value:
    value: Value = item
    return value


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: with the unit of its values where they have one.
        format: how people read a value.
        of: gives the value of an item that a row is made of (`Table.of`); by default the item.
    """

    heading: str
    format: Format = text
    of: Callable[[Any], Value] = field(default=_itself, compare=False)

    @property
    def unit(self) -> str:
        """Unit of the raw values where the heading does not tell it: `s`, `J`, `W`, or nothing."""
        return UNITS.get(self.format, "")


def columns(format: Format, *headings: str) -> list[Column]:  # noqa: A002
    """Columns of one format."""
    return [Column(heading, format) for heading in headings]


@dataclass(frozen=True)
class Table:
    """Figures of a paper or of others beside ours.

    Attributes:
        title: what it shows, with the paper's table number.
        columns: in order; rows hold as many raw values.
        rows: the values.
        notes: what a reader has to know to compare the figures.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Say what a clock that is not shown means."""
        cells = {value for row in self.rows for value in row}
        said = (f"{word}: {meaning}" for word, meaning in HIDDEN.items() if word in cells)
        object.__setattr__(self, "notes", (*self.notes, *said))

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[Column],
        items: Iterable[Any],
        notes: Sequence[str] = (),
    ) -> "Table":
        """A table with a row for each item, whose values the columns give."""
        rows = [[column.of(item) for column in columns] for item in items]
        return cls(title, columns, rows, notes)

    @property
    def texts(self) -> list[list[str]]:
        """The rows as people read them."""
        return [
            [column.format(value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    @property
    def of_text(self) -> list[bool]:
        """For each column, whether its values are texts; the first names the rows, and is one."""
        return [
            not place
            or all(
                isinstance(row[place], str | None) and row[place] not in HIDDEN for row in self.rows
            )
            for place in range(len(self.columns))
        ]

    def column(self, heading: str) -> list[Value]:
        """Values of the first column with that heading, from top to bottom."""
        place = [column.heading for column in self.columns].index(heading)
        return [row[place] for row in self.rows]

    def show(self, name: str) -> None:
        """Print it with its name on the standard output, with its notes below."""
        headings = [column.heading for column in self.columns]
        show_table(headings, self.texts, f"{self.title} [{name}]", self.of_text)
        for note in self.notes:
            print(f"  {note}")

    @property
    def markdown(self) -> str:
        """It in Markdown, with its notes below."""
        lines = [
            [column.heading for column in self.columns],
            ["---" if words else "---:" for words in self.of_text],
            *self.texts,
        ]
        notes = "; ".join(self.notes)
        rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{rows}\n\n{notes[:1].upper()}{notes[1:]}." if notes else rows

    @property
    def data(self) -> dict[str, Any]:
        """It for programs."""
        return {
            "title": self.title,
            "columns": [column.heading for column in self.columns],
            "units": [column.unit for column in self.columns],
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Report:
    """What `totient reproduce` and `totient compare` show.

    Attributes:
        title: the paper, or what is compared.
        command: that computes it.
        tables: by name, in the paper's order.
        findings: in words, where we agree with the paper and where not, and why.
        provenance: how our figures came about.
    """

    title: str
    command: str
    tables: Mapping[str, Table]
    findings: Sequence[str]
    provenance: Sequence[str] = ()
