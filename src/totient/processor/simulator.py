"""Simulators as child processes in a folder, with a time limit and one-line errors."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from totient.common.errors import ToolError


def run_simulator(
    command: Sequence[str], folder: Path, seconds: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a simulator to its end, without an input.

    Args:
        command: its name and arguments.
        folder: working folder.
        seconds: time limit on this machine.

    Raises:
        ToolError: it exceeded the time limit.
    """
    try:
        return subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"the program did not end within {seconds:.0f} s") from error


def failure(name: str, done: subprocess.CompletedProcess[bytes]) -> ToolError:
    """The error of a failed simulator: its name, and its last line of output."""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return ToolError(f"{name} failed: {said[-1] if said else 'it said nothing'}")
