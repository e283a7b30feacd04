"""Routed netlists as files for a simulator, by the family of the device."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from totient.common.cache import digest
from totient.flow.target import ECP5_ROUTER, Router, Target
from totient.flow.targets import GOWIN_ROUTER, ICE40_ROUTER

_FLOW = Path(__file__).parent
_FOLDERS = {ECP5_ROUTER: "ecp5", ICE40_ROUTER: "ice40", GOWIN_ROUTER: "gowin"}
_COMMON = ("extraction.py", "harness.py", "netlist.py", "netlist_verilog.py")
_SIMULATION = ("build.py", "harness.cpp", "unknowns.h")


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, ...]:
    """The netlist extracted from a route, as files for `totient.sim.netlist`.

    Args:
        route: folder of the route (`totient.flow.routing.routed`).
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: there is no extraction for this device, or the configuration is not as
            expected.
    """
    # Only here: what reads configurations takes long to load, and few commands need it.
    way = import_module(f"totient.flow.{_FOLDERS[target.router]}.netlists")
    files: tuple[Path, ...] = way.routed_files(route, top, target)
    return files


@cache
def netlist_check_digest(router: Router) -> str:
    """Digest of the code by which routed netlists run: extraction, models of cells, simulation.

    Comments and docstrings of Python do not count.

    Args:
        router: of the target.
    """
    return digest(*(part for path in _code(router) for part in (path.name, _code_of(path))))


def _code(router: Router) -> Iterator[Path]:
    folder = _FOLDERS[router]
    yield from sorted((_FLOW / folder).glob("*.py"))
    yield from sorted((_FLOW / "cells" / folder).glob("*.v"))
    yield from (_FLOW / name for name in _COMMON)
    yield from (_FLOW.parent / "sim" / name for name in _SIMULATION)


def _code_of(path: Path) -> str:
    """A file's text; of Python its syntax tree without docstrings."""
    if path.suffix != ".py":
        return path.read_text()
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                each
                for each in body
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ]
    return ast.dump(tree)
