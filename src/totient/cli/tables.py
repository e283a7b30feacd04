"""Tables on the standard output."""

from collections.abc import Iterable, Sequence


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
        table.add_column(column, justify="left" if place < left else "right", no_wrap=place >= left)
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False)
    if not console.is_terminal:
        # Piped into a file or a pager, a table keeps its width.
        console = Console(highlight=False, width=max(120, console.measure(table).maximum))
    console.print(table)
