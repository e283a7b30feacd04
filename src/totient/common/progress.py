"""Progress bars on the error stream, for work of more than a second."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

# Without a terminal, a line at most every so many seconds says what is going on.
_LINE_SECONDS = 10.0


class Bar:
    """One task's bar; where there is no terminal, a line now and then."""

    def __init__(self, progress: Progress, description: str, total: int | None) -> None:
        self._progress = progress
        self._task = progress.add_task(description, total=total)
        self._said = time.monotonic()

    def advance(self, steps: int = 1) -> None:
        """Count `steps` more steps as done."""
        self._progress.advance(self._task, steps)

    def describe(self, description: str) -> None:
        """Say what is going on now."""
        self._progress.update(self._task, description=description)
        now = time.monotonic()
        if self._progress.disable and now - self._said > _LINE_SECONDS and sys.stderr is not None:
            self._said = now
            print(description, file=sys.stderr, flush=True)


@contextmanager
def bar(description: str, total: int | None = None) -> Iterator[Bar]:
    """Show a bar of `total` steps (`None`: it only shows that work goes on) until the end."""
    console = Console(stderr=True)
    columns = [
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        *([MofNCompleteColumn()] if total is not None else []),
        TimeElapsedColumn(),
        *([TimeRemainingColumn()] if total is not None else []),
    ]
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        yield Bar(progress, description, total)
