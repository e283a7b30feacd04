"""nextpnr under watch: its router may look for its last arcs for hours."""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from totient.flow.processes import Children
from totient.flow.target import Router

_LEAST_SECONDS, _TIMES = 1800.0, 30.0

_ROUTING = re.compile(r"^Info: Routing\.\.", re.M)
_ARCS = re.compile(r"^Info: Routing (\d+) arcs\.", re.M)
_LEFT = re.compile(r"^Info: +\d+ \| +\d+ +\d+ \| +\d+ +\d+ \| +(\d+)\|", re.M)


class RouteWatch:
    """Tells when a route is given up: routing takes 30 times as long as all steps before it.

    At least half an hour, too. Most routes take at most twice as long as the steps before, but one
    of engine-32 on an ECP5-85F took 15 times as long (651 s of 696 s), and ended.

    Args:
        log: nextpnr's output.
        clock: seconds.
    """

    def __init__(self, log: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._start = clock()
        self._routing: float | None = None  # when it began

    def __call__(self) -> str | None:
        """Why the route is given up, or `None`. To be called every few seconds."""
        now = self._clock()
        text = self._log.read_text(errors="replace")
        if not _ROUTING.search(text):
            return None
        if self._routing is None:
            self._routing = now
        took = now - self._routing
        if took <= max(_LEAST_SECONDS, _TIMES * (self._routing - self._start)):
            return None
        every, left = _ARCS.search(text), _LEFT.findall(text)
        arcs = f"{int(left[-1]):,} of {int(every[1]):,} arcs" if every and left else "some arcs"
        return f"{arcs} are not routed after {took / 60:.0f} minutes; choose another seed"


def run_nextpnr(
    children: Children, router: Router, arguments: Sequence[str], folder: Path, compiled: Path
) -> int:
    """Run nextpnr, as `Children.run` does, until it ends or its route is given up.

    Args:
        children: that it becomes one of.
        router: which nextpnr.
        arguments: file names are relative to `folder`.
        folder: working folder, with its input.
        compiled: its machine code (`routing.compiled_nextpnr`).

    Returns:
        The exit status, negative for a signal.

    Raises:
        GivenUpError: the route does not end.
        ToolError: the work was interrupted.
    """
    environment = {"YOWASP_CACHE_DIR": str(compiled)}
    watch = RouteWatch(folder / "log.txt")
    return children.run(router.tool, arguments, folder, environment, watch)
