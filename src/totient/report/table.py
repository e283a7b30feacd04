"""Tables of raw values, with their formats for people and programs; and reports of tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from totient.report.terminal import show_note, show_table
from totient.report.values import HIDDEN, UNITS, Format, Value, text

Row = Sequence[Value]

Of = str | Callable[[Any], Value]
"""Key or attribute of an item, or function of it, which a column shows."""


def _sentence(note: str) -> str:
    """A note with a full stop, and a capital unless it begins with a name such as `engine-4`."""
    word = note.split()[0].rstrip(":,")
    return f"{note[0].upper() if word.isalpha() else note[0]}{note[1:]}."


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: with the unit of the values if they have one.
        format: of a value for people.
        of: what it shows of an item from which a row is made; if empty, the item or its next value.
    """

    heading: str
    format: Format = text
    of: Of = field(default="", compare=False)

    @property
    def unit(self) -> str:
        """Unit of the raw values if the heading has none: `s`, `J`, `W`, or nothing."""
        return UNITS.get(self.format, "")

    def value(self, item: Any) -> Value:
        """What the column shows of an item."""
        if callable(self.of):
            return self.of(item)
        found: Value = item.get(self.of) if isinstance(item, Mapping) else attrgetter(self.of)(item)
        return found


def columns(form: Format, *headings: str | tuple[str, Of]) -> list[Column]:
    """Columns of one format: their headings, or each heading with what it shows of an item."""
    pairs = ((each, "") if isinstance(each, str) else each for each in headings)
    return [Column(heading, form, of) for heading, of in pairs]


@dataclass(frozen=True)
class Table:
    """Figures of a paper or of others beside ours.

    Attributes:
        title: its subject, with the paper's table number.
        columns: in order; rows hold as many raw values.
        rows: the values.
        notes: conditions for comparing the figures, a sentence or more each, without the last stop.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Add a note on each word that stands in place of a clock."""
        cells = {value for row in self.rows for value in row}
        said = (f"{word}: {meaning}" for word, meaning in HIDDEN.items() if word in cells)
        object.__setattr__(self, "notes", (*self.notes, *said))

    @classmethod
    def of(
        cls, title: str, columns: Sequence[Column], items: Iterable[Any], *notes: str
    ) -> "Table":
        """A table with a row for each item.

        An item is a row of values for the columns without `of`, or one value for all of them.
        """
        places = [place for place, column in enumerate(columns) if not column.of]
        rows = []
        for item in items:
            values = item if isinstance(item, tuple | list) else [item] * len(places)
            own = dict(zip(places, values, strict=True))
            rows.append(
                [own[p] if p in own else column.value(item) for p, column in enumerate(columns)]
            )
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
        """For each column, whether its values are texts. The first column names the rows."""
        every = range(len(self.columns))
        cells = ([row[place] for row in self.rows] for place in every)
        words = [all(isinstance(v, str | None) and v not in HIDDEN for v in each) for each in cells]
        return [not place or words[place] for place in every]

    def column(self, heading: str) -> list[Value]:
        """Values of the first column with that heading, from top to bottom."""
        place = [column.heading for column in self.columns].index(heading)
        return [row[place] for row in self.rows]

    def show(self, name: str) -> None:
        """Print the table with its name on the standard output, and its notes below."""
        headings = [column.heading for column in self.columns]
        show_table(headings, self.texts, f"{self.title} [{name}]", self.of_text)
        for note in self.notes:
            show_note(note)

    @property
    def markdown(self) -> str:
        """The table in Markdown, with its notes below."""
        lines = [
            [column.heading for column in self.columns],
            ["---" if words else "---:" for words in self.of_text],
            *self.texts,
        ]
        rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{rows}\n\n{' '.join(map(_sentence, self.notes))}" if self.notes else rows

    @property
    def data(self) -> dict[str, Any]:
        """The table for programs."""
        return {
            "title": self.title,
            "columns": [column.heading for column in self.columns],
            "units": [column.unit for column in self.columns],
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Report:
    """Output of `totient reproduce` and `totient compare`.

    Attributes:
        title: the paper, or the subject of the comparison.
        command: that computes it.
        tables: by name, in the paper's order.
        findings: in words: agreement with the paper, disagreement, and causes.
        provenance: sources of our figures.
    """

    title: str
    command: str
    tables: Mapping[str, Table]
    findings: Sequence[str]
    provenance: Sequence[str] = ()
