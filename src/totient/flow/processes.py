"""Child processes that end with the work they belong to."""

import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from totient.common.errors import ToolError
from totient.common.processes import kill, start

_CHILD = Path(__file__).with_name("child.py")


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
        self, tool: str, arguments: Sequence[str], folder: Path, extra: Mapping[str, str]
    ) -> int:
        """Run a tool of `child.py` to its end.

        Args:
            tool: `yosys`, `nextpnr-ecp5` or another one of `child.py`.
            arguments: for the tool; file names relative to `folder`.
            folder: working and temporary folder; all output goes to `log.txt` there.
            extra: environment variables on top of ours.

        Returns:
            The exit status, negative for a signal.

        Raises:
            ToolError: `kill` was called.
        """
        # Yosys passes the name to ABC, which stops at a space in it.
        temporary = "." if tool == "yosys" else str(folder)
        # Without -P Python would search the folder of child.py for modules first.
        command = [sys.executable, "-P", str(_CHILD), tool, *arguments]
        return self._run(tool, command, folder, {"TMPDIR": temporary, **extra})

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
        self, tool: str, command: Sequence[str], folder: Path, extra: Mapping[str, str]
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
                status = process.wait()
            except BaseException:
                kill(process)
                raise
            finally:
                with self._lock:
                    self._running.discard(process)
        if self._ended:
            raise ToolError(f"{tool} was stopped: the work was interrupted")
        return status
