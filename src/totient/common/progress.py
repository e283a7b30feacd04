"""Progress bars on the error stream, for work of more than a second."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_SILENT: ContextVar[bool] = ContextVar("silent", default=False)
"""Whether bars that this thread opens show nothing."""

_LINE_SECONDS = 10.0
"""Without a terminal, print a line with the current step at this interval."""

_LATER_SECONDS = 0.5
"""A bar that is not shown at once is shown for work that takes longer."""


class Bar:
    """The bar of one task; without a terminal, an occasional line."""

    def __init__(self, description: str, total: int | None, at_once: bool) -> None:
        self._description = description
        self._total = total
        self._done = 0
        self._began = self._said = time.monotonic()
        self._silent = _SILENT.get()
        self._progress: Progress | None = None
        self._is_shown = not self._silent and _may_be_terminal()
        if self._is_shown and at_once:
            self._open()

    def advance(self, steps: int = 1) -> None:
        """Count `steps` more steps as done."""
        self._done += steps
        self._update()

    def describe(self, description: str) -> None:
        """Show the current step."""
        self._description = description
        self._update()
        now = time.monotonic()
        if self._silent or self._is_shown or sys.stderr is None:
            return
        if now - self._said > _LINE_SECONDS:
            self._said = now
            print(description, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Remove the bar."""
        if self._progress is not None:
            self._progress.stop()

    def _update(self) -> None:
        if self._progress is not None:
            (task,) = self._progress.task_ids
            self._progress.update(task, description=self._description, completed=self._done)
        elif self._is_shown and time.monotonic() - self._began > _LATER_SECONDS:
            self._open()

    def _open(self) -> None:
        # Imported for those bars that are shown: it takes long.
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        console, counts = Console(stderr=True), self._total is not None
        self._is_shown = console.is_terminal
        if not self._is_shown:
            return
        self._progress = Progress(
            TextColumn("[progress.description]{task.description}"),
            BarColumn(),
            *([MofNCompleteColumn()] if counts else []),
            TimeElapsedColumn(),
            *([TimeRemainingColumn()] if counts else []),
            console=console,
            transient=True,
        )
        self._progress.add_task(self._description, total=self._total, completed=self._done)
        self._progress.start()


def _may_be_terminal() -> bool:
    """Whether it is worth to ask `rich`, which takes long to import, if a bar can be shown."""
    if {"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys():
        return True
    return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()


@contextmanager
def bar(description: str, total: int | None = None, at_once: bool = True) -> Iterator[Bar]:
    """Show a bar until the end.

    Args:
        description: of the current step.
        total: number of steps. With `None` the bar shows only activity.
        at_once: otherwise only if it is told of steps after half a second.
    """
    opened = Bar(description, total, at_once)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def silent() -> Iterator[None]:
    """Bars that this thread opens show nothing: somebody else shows the progress."""
    token = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(token)
