"""Tables on the standard output."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import JustifyMethod

_GAP = 2  # blanks between columns


def show_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str = "",
    texts: int | Sequence[bool] = 1,
) -> None:
    """Print a table.

    If it is wider than the terminal, headings and texts are broken between words. Numbers are never
    broken; they may exceed the terminal's width. A file or a pager gets the full width.

    Args:
        columns: headings.
        rows: texts, as many in a row as there are headings.
        title: line above the table.
        texts: which columns hold texts, or how many of the first ones do. Texts are aligned to the
            left, the others, numbers, to the right.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    body = [list(row) for row in rows]
    of_text = [place < texts for place in range(len(columns))] if isinstance(texts, int) else texts
    console = Console(highlight=False)
    cells = [[column, *(row[place] for row in body)] for place, column in enumerate(columns)]
    whole = [max(map(len, column)) for column in cells]
    widths = whole
    if console.is_terminal:
        room = console.width - _GAP * (len(columns) - 1)
        widths = _fit([_narrowest(*each) for each in zip(cells, of_text, strict=True)], whole, room)
    table = Table(
        title=title or None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP - 1, 0, 0),
    )
    for place, column in enumerate(columns):
        justify: JustifyMethod = "left" if of_text[place] else "right"
        table.add_column(column, justify=justify, width=widths[place])
    for row in body:
        table.add_row(*row)
    total = sum(widths) + _GAP * len(columns)
    Console(highlight=False, markup=False, width=max(console.width, total)).print(table)


def _narrowest(cells: Sequence[str], words: bool) -> int:
    """Least width of a column, its heading first. With `words`, all its texts may be broken."""
    heading, *texts = cells
    parts = [word for text in cells for word in text.split()] if words else [*heading.split()]
    return max(map(len, parts if words else [*parts, *texts]), default=1)


def _fit(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Widths between `least` and `most` that fill `room`, as far as possible.

    The column with the most slack is narrowed.
    """
    widths = list(most)
    while sum(widths) > room:
        give = [width - low for width, low in zip(widths, least, strict=True)]
        if not any(give):
            break
        widths[give.index(max(give))] -= 1
    return widths
