"""No child outlives its parent, and an interrupted run leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import FOLDER

_PROGRAM = """
from pathlib import Path
from totient.catalog import SourceList
from totient.flow import *
rtl = Rtl(SourceList((Path({source!r}),), ()), "products", {{"Count": {count}}})
target = find_target("ecp5-85f")
{call}
"""


def children_below(folder: Path) -> list[int]:
    """Processes that work in a folder below this one."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cwd").readlink().is_relative_to(folder):
                found.append(int(entry.name))
        except OSError:
            continue  # it ended, or is somebody else's
    return found


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("call", "count", "at_once", "kind"),
    [
        ("synthesise(rtl, target, dsp=False)", 40, 1, "synthesis"),
        ("place_and_route(rtl, target)", 40, 2, "routing"),
    ],
)
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_children_end_with_their_parent(
    cache: Path, call: str, count: int, at_once: int, kind: str, stop: signal.Signals
) -> None:
    program = _PROGRAM.format(source=str(FOLDER / "products.sv"), count=count, call=call)
    work = cache / kind
    parent = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE)
    try:
        assert wait_for(lambda: len(children_below(work)) == at_once, 60)
        time.sleep(0.3)  # the child's own first steps
        assert len(children_below(work)) == at_once, "the work is too short for this test"
        os.kill(parent.pid, stop)
        errors = parent.communicate(timeout=10)[1].decode()
        assert wait_for(lambda: not children_below(work), 5)
    finally:
        parent.kill()
        parent.wait()
    if stop == signal.SIGINT:
        assert errors.rstrip().endswith("KeyboardInterrupt")
        assert not [entry for entry in work.iterdir() if entry.name.startswith(".")]
