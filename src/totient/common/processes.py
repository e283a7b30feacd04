"""Child processes in process groups, so that their own children end with them."""

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
    """Start a program without input.

    Args:
        command: the program with its arguments.
        folder: working folder.
        output: file for all its output.
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
    """Kill a program of `start` with its own children, and wait for its end."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
