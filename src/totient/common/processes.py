"""Child processes in groups of their own, so that what they start ends with them."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO


def start(
    command: Sequence[str], folder: Path, output: IO[bytes], extra: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a program that reads nothing.

    Args:
        command: the program with its arguments.
        folder: working folder.
        output: where all that it says goes.
        extra: environment variables on top of ours.
    """
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **extra},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program of `start` with all that it started, and wait for its end."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
