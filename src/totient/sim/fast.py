"""Models in which the engine's array is a program instead of RTL: faster, the same in every cycle.

`engine_array.sv` beside this file computes all elements of the array at once. A test holds it to
the RTL, word by word, also on streams that no engine sends. What checks or measures RTL builds its
models with `build_model` instead.
"""

from dataclasses import replace
from pathlib import Path

from totient.catalog import Top, sources
from totient.sim.build import build_listing, build_model

ARRAY = Path(__file__).with_name("engine_array.sv")
"""Takes the place of `rtl/engine/engine_array.sv`."""

LEAST = 4
"""Elements from which on the program is faster than the RTL. Measured: 3.1 times with 64."""


def build_fast_model(top: Top) -> Path:
    """Shared library as `build_model` makes it, with the array as a program where that is faster.

    Args:
        top: to simulate.

    Raises:
        ToolError: as for `build_model`.
    """
    listing = sources(top.core, tool="verilator")
    files = tuple(ARRAY if file.name == ARRAY.name else file for file in listing.files)
    is_engine = files != listing.files and top.parameters.get("Design", "engine") == "engine"
    if is_engine and int(top.parameters["Elements"]) >= LEAST:
        return build_listing(replace(listing, files=files), top)
    return build_model(top)
