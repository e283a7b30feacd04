"""Parallel child processes that end with the work they belong to."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

from totient.common.errors import ToolError
from totient.common.processes import kill, start

_LITTLE = 1 << 20
"""Free bytes on a disk, below which an error without a message may be a full disk."""


def processors() -> int:
    """Processors available to this process."""
    return len(os.sched_getaffinity(0))


def _no_step() -> None:
    """Count nothing."""


def run_all(
    commands: Sequence[Sequence[str]],
    folder: Path,
    extra: Mapping[str, str],
    step: Callable[[], None] = _no_step,
) -> None:
    """Run commands in parallel, one per processor.

    If one fails, or this process is interrupted, the others are killed.

    Args:
        commands: programs with their arguments.
        folder: working folder, also for temporary files with output.
        extra: environment variables on top of ours.
        step: called after each command that ends.

    Raises:
        ToolError: a command failed; its whole output is attached as a note.
    """
    environment = {"LC_ALL": "C", "TMPDIR": str(folder), **extra}
    waiting = list(enumerate(commands))[::-1]
    running: dict[int, subprocess.Popen[bytes]] = {}

    def log(index: int) -> Path:
        return folder / f".output.{index}"

    try:
        while waiting or running:
            while waiting and len(running) < processors():
                index, command = waiting.pop()
                with log(index).open("wb") as output, _interrupts_held():
                    running[index] = start(command, folder, output, environment)
            ended = [index for index, process in running.items() if process.poll() is not None]
            for index in ended:
                if running.pop(index).returncode != 0:
                    raise _failure(commands[index], folder, log(index).read_text(errors="replace"))
                step()
            if not ended:
                time.sleep(0.005)
    finally:
        for process in running.values():
            kill(process)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the block has ended, so that no child is started and then lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {
        number: signal.signal(number, lambda number, frame: held.append((number, frame)))
        for number in numbers
        if callable(signal.getsignal(number))
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for first, frame in held[:1]:
        handler = handlers[signal.Signals(first)]
        assert callable(handler)
        handler(first, frame)


def _failure(command: Sequence[str], folder: Path, output: str) -> ToolError:
    name = Path(command[0]).name.removesuffix("_bin")
    # On a full disk there may be no room for the message about it.
    full = shutil.disk_usage(folder).free < (1 if output.strip() else _LITTLE)
    if "No space left on device" in output or full:
        return ToolError(f"no space left for {name}: free some, or point TOTIENT_CACHE elsewhere")
    error = ToolError(f"{name} failed: {reason(output)}")
    error.add_note(output)
    return error


def reason(output: str) -> str:
    """First line of a compiler's output that states an error."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for mark in ("%Error", "error:", "%Warning"):
        for line in lines:
            if mark in line:
                return line
    return lines[0] if lines else "it said nothing"
