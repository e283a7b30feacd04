"""Progress bars on the error stream, for work of more than a second."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_SILENT: ContextVar[bool] = ContextVar("silent", default=False)
"""Whether bars that this thread opens show nothing."""

# Without a terminal, print a line with the current step at this interval in seconds.
_LINE_SECONDS = 10.0


class Bar:
    """The bar of one task; without a terminal, an occasional line."""

    def __init__(self, progress: Progress, description: str, total: int | None) -> None:
        self._progress = progress
        self._task = progress.add_task(description, total=total)
        self._said = time.monotonic()
        self._silent = _SILENT.get()

    def advance(self, steps: int = 1) -> None:
        """Count `steps` more steps as done."""
        self._progress.advance(self._task, steps)

    def describe(self, description: str) -> None:
        """Show the current step."""
        self._progress.update(self._task, description=description)
        now = time.monotonic()
        if self._silent:
            return
        if self._progress.disable and now - self._said > _LINE_SECONDS and sys.stderr is not None:
            self._said = now
            print(description, file=sys.stderr, flush=True)


@contextmanager
def bar(description: str, total: int | None = None) -> Iterator[Bar]:
    """Show a bar of `total` steps until the end. With `None` it shows only activity."""
    console = Console(stderr=True)
    columns = [
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        *([MofNCompleteColumn()] if total is not None else []),
        TimeElapsedColumn(),
        *([TimeRemainingColumn()] if total is not None else []),
    ]
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=_SILENT.get() or not console.is_terminal,
    ) as progress:
        yield Bar(progress, description, total)


@contextmanager
def silent() -> Iterator[None]:
    """Bars that this thread opens show nothing: somebody else shows the progress."""
    token = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(token)
