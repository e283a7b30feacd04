"""No child outlives its parent, and an interrupted run leaves nothing behind."""

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
    ("call", "count", "processes", "kind", "stop"),
    [
        # Yosys in its two processes, and ABC in a shell.
        ("synthesise(rtl, target, dsp=False)", 4, 4, "synthesis", signal.SIGINT),
        ("synthesise(rtl, target, dsp=False)", 4, 4, "synthesis", signal.SIGKILL),
        # nextpnr, twice, in two processes each.
        ("place_and_route(rtl, target)", 20, 4, "routing", signal.SIGINT),
        ("place_and_route(rtl, target)", 20, 4, "routing", signal.SIGTERM),
    ],
)
def test_children_end_with_their_parent(
    cache: Path,
    tmp_path: Path,
    call: str,
    count: int,
    processes: int,
    kind: str,
    stop: signal.Signals,
) -> None:
    program = _PROGRAM.format(source=str(FOLDER / "products.sv"), count=count, call=call)
    work = cache / kind
    with (tmp_path / "errors").open("wb") as errors:
        parent = subprocess.Popen([sys.executable, "-c", program], stderr=errors)
    try:
        assert wait_for(lambda: len(children_below(work)) >= processes, 60)
        time.sleep(0.3)
        assert len(children_below(work)) >= processes, "the work is too short for this test"
        parent.send_signal(stop)
        parent.wait(timeout=10)
        assert wait_for(lambda: not children_below(work), 5)
    finally:
        parent.kill()
        parent.wait()
    if stop == signal.SIGINT:
        assert (tmp_path / "errors").read_text().rstrip().endswith("KeyboardInterrupt")
        assert not [entry for entry in work.iterdir() if entry.name.startswith(".")]
