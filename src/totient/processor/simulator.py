"""A simulator as a program that is run in a folder, with a limit of time and one-line errors."""

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
        folder: where it runs.
        seconds: of this machine's time that it may take.

    Raises:
        ToolError: it did not end in time.
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
    """What to raise where a simulator has failed: its name, and the last that it said."""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return ToolError(f"{name} failed: {said[-1] if said else 'it said nothing'}")
