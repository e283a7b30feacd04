"""Tables on the standard output."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import JustifyMethod


def show_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "", left: int = 1
) -> None:
    """Print a table.

    Args:
        columns: headings.
        rows: texts, as many a row as there are headings.
        title: line above the table.
        left: so many columns are set to the left, the others, which hold numbers, to the right.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        justify: JustifyMethod = "left" if place < left else "right"
        table.add_column(column, justify=justify, no_wrap=place >= left, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False)
    needed = Console(width=10_000).measure(table)
    # A narrow terminal wraps the lines, and no figure is cut off; a file or a pager takes it all.
    width = max(console.width, needed.minimum if console.is_terminal else needed.maximum)
    Console(highlight=False, width=width).print(table)
