"""Tables on the standard output."""

import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import JustifyMethod

_GAP = 2  # blanks between columns
_EASY = 20  # a width at which a text of some words has few lines


def show_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str = "",
    texts: int | Sequence[bool] = 1,
) -> None:
    """Print a table.

    If it is wider than the terminal, headings and texts are broken between words. Numbers are never
    broken. If that is not enough, the columns are printed in several parts, each with the first
    column. A file or a pager gets the full width.

    Args:
        columns: headings.
        rows: texts, as many in a row as there are headings.
        title: line above the table.
        texts: which columns hold texts, or how many of the first ones do. Texts are aligned to the
            left, the others, numbers, to the right.
    """
    from rich.console import Console

    body = [list(row) for row in rows]
    of_text = [place < texts for place in range(len(columns))] if isinstance(texts, int) else texts
    cells = [[column, *(row[place] for row in body)] for place, column in enumerate(columns)]
    most = [max(map(len, column)) for column in cells]
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        _print(cells, of_text, most, title)
        return
    least = [_narrowest(*each) for each in zip(cells, of_text, strict=True)]
    for part, places in enumerate(_parts(least, most, console.width)):
        if part:
            console.print()
        room = console.width - _GAP * (len(places) - 1)
        widths = _fit([least[at] for at in places], [most[at] for at in places], room)
        shown = "" if part else title
        _print([cells[at] for at in places], [of_text[at] for at in places], widths, shown)


def show_note(note: str) -> None:
    """Print a sentence below a table. On a terminal it is broken between words."""
    from rich.console import Console

    console = Console()
    width = console.width if console.is_terminal else sys.maxsize
    print(textwrap.fill(note, width, initial_indent="  ", subsequent_indent="  "))


def _print(
    cells: Sequence[Sequence[str]], of_text: Sequence[bool], widths: Sequence[int], title: str
) -> None:
    """Print columns, their headings first, at these widths."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(
        title=title or None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP - 1, 0, 0),
    )
    for (heading, *_), words, width in zip(cells, of_text, widths, strict=True):
        justify: JustifyMethod = "left" if words else "right"
        table.add_column(heading, justify=justify, width=width)
    _, *body = zip(*cells, strict=True)
    for row in body:
        table.add_row(*row)
    total = sum(widths) + _GAP * len(widths)
    console = Console(highlight=False, markup=False)
    Console(highlight=False, markup=False, width=max(console.width, total)).print(table)


def _parts(least: Sequence[int], most: Sequence[int], room: int) -> list[list[int]]:
    """Places of the columns of each part. There is one part if their least widths fit into it.

    Otherwise a part takes columns while they fit at widths at which a few words take few lines.
    """
    whole = list(range(len(least)))
    if sum(least) + _GAP * (len(least) - 1) <= room:
        return [whole]
    easy = [max(low, min(high, _EASY)) for low, high in zip(least, most, strict=True)]
    parts = [[0]]
    for place in whole[1:]:
        part = parts[-1]
        if len(part) > 1 and sum(easy[at] + _GAP for at in part) + easy[place] > room:
            parts.append([0, place])
        else:
            part.append(place)
    return parts


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
