"""Bitstreams for 7-series by Vivado, through Edalize.

Vivado is not in any package registry. This was written from its documents and tested on a stand-in
(tests/unit/flow/test_vivado.py), which checks the project.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.boards import Board
from totient.flow.processes import Children
from totient.flow.rtl import Rtl
from totient.flow.synthesis import failure
from totient.flow.versions import tool_version

_NAME = "board"
_CONSTRAINTS, _CONFIGURATION = "board.xdc", "configuration.xdc"
_REPORT = "timing.rpt"

# Without this Vivado would time paths between the two related clocks to their nearest edges. The
# crossing signals are a level that a synchroniser samples, or a word that is stable for a period
# before it is taken (rtl/common/stream_crossing.sv): that period is its bound.
_CROSSING_TEXT = """\
set core_output [get_pins -hierarchical -filter {{NAME =~ *u_clock/u_pll/CLKOUT0}}]
set core_clock [get_clocks -of_objects $core_output]
set_max_delay -datapath_only -from [get_clocks clk] -to $core_clock {core_ns:.3f}
set_max_delay -datapath_only -from $core_clock -to [get_clocks clk] {board_ns:.3f}
"""

# The boards' configuration bank has 3.3 V.
_CONFIGURATION_TEXT = """\
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]
"""


def missing() -> str:
    """Missing parts for a run of Vivado, in words; empty if none."""
    absent = [tool for tool in ("vivado", "make") if shutil.which(tool) is None]
    return f"{' and '.join(absent)} not on the path" if absent else ""


def project(board: Board, rtl: Rtl) -> Mapping[str, Any]:
    """The design in Edalize's format. Files have the names of `Rtl.write`.

    Args:
        board: a 7-series board.
        rtl: its top.
    """
    files: list[dict[str, object]] = [
        {"name": name, "file_type": "systemVerilogSource"} for name in rtl.files
    ]
    files += [
        {"name": name, "file_type": "systemVerilogSource", "is_include_file": True}
        for name in rtl.headers
    ]
    files += [{"name": name, "file_type": "xdc"} for name in (_CONSTRAINTS, _CONFIGURATION)]
    return {
        "name": _NAME,
        "toplevel": rtl.top,
        "files": files,
        "parameters": {
            name: {
                "datatype": "int" if isinstance(value, int) else "str",
                "paramtype": "vlogparam",
                "default": value,
            }
            for name, value in rtl.parameters.items()
        },
        "flow_options": {"part": board.device[0]},
    }


def route(
    board: Board, rtl: Rtl, core_mhz: float, say: Callable[[str], None]
) -> tuple[Path, float]:
    """The bitstream, from the cache or new, and the maximum clock of its route, in MHz.

    Args:
        board: a 7-series board.
        rtl: its top, in the form for Vivado.
        core_mhz: the core's clock.
        say: called with the current step.

    Raises:
        ToolError: Vivado failed, or its result would not work at any clock.
    """
    described = project(board, rtl)
    crossing = _CROSSING_TEXT.format(core_ns=1e3 / core_mhz, board_ns=1e3 / board.clock_mhz)
    constraints = board.constraints + crossing
    texts = json.dumps(described), constraints, _CONFIGURATION_TEXT
    name = digest(rtl.digest, *texts, tool_version("edalize"), _version())

    def build(folder: Path) -> None:
        from edalize.flows.vivado import Vivado

        work = folder / "work"
        work.mkdir()
        rtl.write(work)
        (work / _CONSTRAINTS).write_text(constraints)
        (work / _CONFIGURATION).write_text(_CONFIGURATION_TEXT)
        Vivado(dict(described), str(work), False).configure()
        say(f"Vivado for {board.name}")
        with Children() as children:
            if status := children.run_program(["make"], work):
                raise ToolError(f"Vivado failed: {failure(work, name, status)}")
        report = work / f"{_NAME}.runs" / "impl_1" / f"{rtl.top}_timing_summary_routed.rpt"
        for made, kept in ((work / f"{_NAME}.bit", "board.bit"), (report, _REPORT)):
            if not made.exists():
                raise ToolError(
                    f"Vivado has not written {made.relative_to(work)}: {failure(work, name, 0)}"
                )
            shutil.move(made, folder / kept)
        shutil.rmtree(work)

    folder = produce("bitstreams", name, build)
    return folder / "board.bit", fmax_mhz((folder / _REPORT).read_text(), core_mhz)


def fmax_mhz(report: str, core_mhz: float) -> float:
    """The maximum clock of a route, from Vivado's timing summary.

    Args:
        report: of `report_timing_summary`, with only the core's clock timed.
        core_mhz: the core's clock.

    Raises:
        ToolError: the report is malformed, no path was timed, or a hold time or a pulse width is
            violated, which a slower clock would not change.
    """
    lines = iter(report.splitlines())
    heading = next((line for line in lines if re.match(r"\s*WNS\(ns\)\s", line)), "")
    names = re.split(r"\s{2,}", heading.strip())
    next(lines, "")
    values = dict(zip(names, next(lines, "").split(), strict=False))
    try:
        setup, hold, pulse = (float(values[f"{name}(ns)"]) for name in ("WNS", "WHS", "WPWS"))
    except (KeyError, ValueError) as error:
        raise ToolError(f"Vivado's timing summary cannot be read: {error!r}") from error
    if hold < 0 or pulse < 0:
        raise ToolError(
            f"Vivado has left a hold time or a pulse width violated (by {-min(hold, pulse):g} ns)"
        )
    return 1e3 / (1e3 / core_mhz - setup)


def _version() -> str:
    """Vivado's version line: its results depend on it."""
    try:
        done = subprocess.run(
            ["vivado", "-version"], capture_output=True, text=True, check=True, timeout=120
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolError(f"vivado -version failed: {error}") from error
    return done.stdout
