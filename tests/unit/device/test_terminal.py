"""Signals that come while a terminal is served."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from totient.catalog import Face, select
from totient.device.terminal import Terminal
from totient.sim import build_model

# A signal after Python has looked for one and before the system waits: it comes from C, in the
# call that asks the last of the files for its number, which then is 0, that of a silent pipe.
JUST_BEFORE = """
import ctypes, functools, os, pathlib, select, signal, sys, types
from totient.device import served, terminal

class Last:
    pass

last = Last()
last.fileno = functools.partial(ctypes.CDLL(None).kill, os.getpid(), signal.SIGINT)
wait = lambda ours, out, urgent, seconds: select.select([*ours, last], out, urgent, seconds)
served.select = types.SimpleNamespace(select=wait)
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    terminal.Terminal(pathlib.Path(sys.argv[1])).serve()
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.fixture
def model() -> Path:
    return build_model(select("T2", width=8).top(Face.SERIAL))


def test_a_signal_just_before_the_wait_ends_it(model: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", JUST_BEFORE, model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.wait(30) == 0
        finally:
            process.kill()
        assert process.stdout.read() == "interrupted\n"


def test_another_signal_ends_nothing(model: Path) -> None:
    """One whose handler returns; serving goes on, and leaves the process as it was."""
    come: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: come.append(number))
    begin = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with Terminal(model) as terminal:
            terminal.serve(0.5)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert come == [signal.SIGALRM]
    assert time.monotonic() - begin >= 0.5
    assert signal.set_wakeup_fd(-1) == -1
