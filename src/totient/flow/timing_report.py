"""nextpnr's timing report: the maximum clock and its critical path."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
