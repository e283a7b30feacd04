"""What place and route gives: maximum clocks and critical paths, and nextpnr's report of them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from totient.common.errors import ToolError


@dataclass(frozen=True)
class CriticalPath:
    """The longest path from a register or memory to another, which limits the clock.

    Attributes:
        start, end: by their names in the RTL, as far as synthesis kept them.
        logic_ns, routing_ns: delay in cells and between them.
    """

    start: str
    end: str
    logic_ns: float
    routing_ns: float


@dataclass(frozen=True)
class Routing:
    """Outcome of place and route.

    Attributes:
        fmax_mhz: maximum clock frequency after routing, by seed; empty for a misfit.
        misfit: why the design does not fit the device, or `None`.
        critical: the critical path, by seed.
        folders: in the cache, by seed; empty if the outcome was read from a Record.
    """

    fmax_mhz: Mapping[int, float]
    misfit: str | None = None
    critical: Mapping[int, CriticalPath] = field(default_factory=dict)
    folders: Mapping[int, Path] = field(default_factory=dict, compare=False)

    @property
    def median_mhz(self) -> float | None:
        """Median over the seeds, in MHz; `None` for a misfit."""
        import statistics  # here, as it takes long to import, and few commands need it

        return statistics.median(self.fmax_mhz.values()) if self.fmax_mhz else None

    @property
    def typical(self) -> CriticalPath | None:
        """The critical path of the seed whose clock is the lower median; `None` for a misfit."""
        seeds = sorted(self.fmax_mhz, key=self.fmax_mhz.__getitem__)
        return self.critical[seeds[(len(seeds) - 1) // 2]] if seeds else None


def parse_report(text: str) -> tuple[float, CriticalPath]:
    """Maximum clock frequency in MHz and its critical path, from nextpnr's `--report` JSON.

    Args:
        text: the report of a design with one clock.

    Raises:
        ToolError: a field is missing, or the design has not exactly one clock with a path from a
            register to a register.
    """
    try:
        report = json.loads(text)
        clocks = report["fmax"]
        achieved = [float(clock["achieved"]) for clock in clocks.values()]
        paths = [
            _critical(path["path"])
            for path in report["critical_paths"]
            if path["from"] == path["to"] and path["from"].startswith("posedge ")
        ]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ToolError(f"nextpnr's report cannot be read: {error!r}") from error
    if len(achieved) != 1:
        raise ToolError(f"nextpnr reports {len(achieved)} clocks with internal paths, not one")
    if len(paths) != 1:
        raise ToolError(f"nextpnr reports {len(paths)} critical paths of a clock, not one")
    return achieved[0], paths[0]


def _critical(path: Sequence[Mapping[str, Any]]) -> CriticalPath:
    def total(*, routing: bool) -> float:
        delays = (float(step["delay"]) for step in path if (step["type"] == "routing") == routing)
        return round(sum(delays), 3)

    # Yosys names a cell after the net that it drives, with a suffix for the kind of cell.
    start, end = (
        re.sub(r"(_(SB_)?[A-Z][A-Z0-9]{2,}_[A-Z].*|\$.*)", "", cell)
        for cell in (path[0]["from"]["cell"], path[-1]["to"]["cell"])
    )
    return CriticalPath(start, end, total(routing=False), total(routing=True))
