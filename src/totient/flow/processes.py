"""Child processes that end with the work they belong to."""

import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from totient.common.errors import ToolError
from totient.common.processes import kill, start

_CHILD = Path(__file__).with_name("child.py")

_LOOK_SECONDS = 2.0


class GivenUpError(ToolError):
    """A tool takes too long."""


class Children:
    """The child processes of one piece of work, killed together.

    Use as a context manager: an exception (Ctrl-C included) that leaves the block kills all running
    children. `run` may be called from several threads; `kill` ends it in all of them.
    """

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def __enter__(self) -> "Children":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill every child, with its own children. No further child can be started."""
        with self._lock:
            self._ended = True
            running = list(self._running)
        for process in running:
            kill(process)

    def run(
        self,
        tool: str,
        arguments: Sequence[str],
        folder: Path,
        extra: Mapping[str, str],
        watch: Callable[[], str | None] | None = None,
    ) -> int:
        """Run a tool of `child.py` to its end.

        Args:
            tool: `yosys`, `nextpnr-ecp5` or another one of `child.py`.
            arguments: for the tool; file names relative to `folder`.
            folder: working and temporary folder; all output goes to `log.txt` there.
            extra: environment variables on top of ours.
            watch: called every few seconds; the tool is killed when it gives a reason.

        Returns:
            The exit status, negative for a signal.

        Raises:
            ToolError: `kill` was called.
            GivenUpError: `watch` gave a reason.
        """
        # Yosys passes the name to ABC, which stops at a space in it.
        temporary = "." if tool == "yosys" else str(folder)
        # Without -P Python would search the folder of child.py for modules first.
        command = [sys.executable, "-P", str(_CHILD), tool, *arguments]
        return self._run(tool, command, folder, {"TMPDIR": temporary, **extra}, watch)

    def run_program(self, command: Sequence[str], folder: Path) -> int:
        """Run a program from the path to its end.

        Args:
            command: its name and arguments.
            folder: working folder; all output goes to `log.txt` there.

        Returns:
            The exit status, negative for a signal.

        Raises:
            ToolError: it cannot be started, or `kill` was called.
        """
        return self._run(command[0], command, folder, {})

    def _run(
        self,
        tool: str,
        command: Sequence[str],
        folder: Path,
        extra: Mapping[str, str],
        watch: Callable[[], str | None] | None = None,
    ) -> int:
        with (folder / "log.txt").open("wb") as log:
            with self._lock:
                if self._ended:
                    raise ToolError(f"{tool} was not started: the work was interrupted")
                try:
                    process = start(command, folder, log, extra)
                except OSError as error:
                    raise ToolError(f"{tool} cannot be started: {error.strerror}") from error
                self._running.add(process)
            try:
                status = process.wait() if watch is None else _watched(process, tool, watch)
            except BaseException:
                kill(process)
                raise
            finally:
                with self._lock:
                    self._running.discard(process)
        if self._ended:
            raise ToolError(f"{tool} was stopped: the work was interrupted")
        return status


def _watched(process: subprocess.Popen[bytes], tool: str, watch: Callable[[], str | None]) -> int:
    """Wait for a process; `GivenUpError` with the reason for which it is."""
    while True:
        try:
            return process.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            if reason := watch():
                raise GivenUpError(f"{tool} was stopped: {reason}") from None
