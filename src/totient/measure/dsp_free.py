"""Activity of a published core whose RTL is not here: W. A. S. Wijesinghe's exponentiation of 2025.

Its power is compared with a prediction. It sets no weight. The activity is kept as data; with a
folder of the published RTL, this counts it again, and keeps it:

    python -m totient.measure.dsp_free FOLDER [WIDTH ...]
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from totient.catalog import Face, SourceList, Top
from totient.common.errors import ToolError
from totient.flow import Rtl, find_target, tool_version
from totient.flow.rtl import without_comments
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.store import results_folder
from totient.power.circuits import cells_cost, circuit_netlist
from totient.power.switching import Switching
from totient.sim import Model

_SCHEMA = 1

TARGET = find_target("artix7-100t")
"""The prototype's XC7A35T has the same fabric."""

REPOSITORY = "github.com/susantha-wijesinghe/dsp-free-modexp-fpga"
COMMIT = "5437f2ba3779f7baea639b985e1f1ff266fa755c"
"""The revision whose activity is kept."""

CHANGED = (
    "RTL unchanged. Its UART and clock divider are left out: dsp_free_stream.sv feeds the operand "
    "registers. Nothing reads the cycle counter, so synthesis removes it"
)

_WIDTHS = (64, 128, 256, 1024)
_FILES = ("modulus.v", "cycle_counter.v", "my_sarme4.v", "my_sarme_top.v")
_FACE = "dsp_free_stream"
_EXPONENT = 5
_SKIPPED = 16  # cycles for each bit: more than the first product, by 1, takes
_LONGEST = 1000  # the same, of the operation


@dataclass(frozen=True)
class CoreActivity:
    """Activity of the core at one width.

    Attributes:
        bits: of an operand.
        cells: of the netlist, by type.
        sources: digest of the RTL and its parameters, without comments.
        tools: versions.
        switching: from the second product of an exponentiation on, whose result was correct.
    """

    bits: int
    cells: Mapping[str, int]
    sources: str
    tools: Mapping[str, str]
    switching: Switching = field(repr=False)

    @property
    def luts(self) -> int:
        """Look-up tables."""
        return cells_cost(self.cells, TARGET).lut

    def to_json(self) -> dict[str, Any]:
        """The activity as JSON."""
        return {**vars(self), "switching": self.switching.to_json()}


def _path() -> Path:
    return results_folder() / "activity" / "circuits" / "dsp_free.json"


def kept_core() -> Sequence[CoreActivity]:
    """The committed activity, by width.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    return read_kept(_path(), _parse)


def _parse(text: str) -> Sequence[CoreActivity]:
    with parsing(text, _SCHEMA, "activity of a published core") as data:
        return tuple(
            CoreActivity(**{**each, "switching": Switching.from_json(each["switching"])})
            for each in data["widths"]
        )


def save_core(found: Iterable[CoreActivity]) -> Path:
    """Write the activity, and return the file."""
    data = {
        "schema": _SCHEMA,
        "repository": REPOSITORY,
        "commit": COMMIT,
        "changed": CHANGED,
        "widths": [each.to_json() for each in found],
    }
    return write_kept(_path(), json.dumps(data, indent=2) + "\n")


def core_activity(folder: Path, bits: int) -> CoreActivity:
    """Synthesise the core for the Artix-7 and count its transitions.

    The exponent is 5: five products. The first one is by 1, and changes little. The count begins
    behind it, so its energy of a cycle is that of a long exponent.

    Args:
        folder: with the published RTL.
        bits: of an operand, a multiple of 32.

    Raises:
        ToolError: a tool failed, or the netlist gave a wrong result.
    """
    face = Path(__file__).parents[1] / "power" / "circuits" / f"{_FACE}.sv"
    rtl = Rtl(
        SourceList(tuple(folder / name for name in _FILES), ()),
        _FACE,
        {"N": bits},
        {f"{_FACE}.v": without_comments(face.read_text())},
    )
    top = Top("", _FACE, rtl.parameters, frozenset({Face.STREAM}), _FACE)
    made = circuit_netlist(rtl, TARGET, top)
    model = made.model
    draw = Random(f"totient activity {bits}")
    modulus = 1 << (bits - 1) | draw.getrandbits(bits - 1) | 1
    base = draw.randrange(modulus)
    with Model(model.library) as core:
        core.send([word for value in (base, _EXPONENT, modulus) for word in _words(value, bits)])
        core.advance(_SKIPPED * bits)
        model.count(True)
        (answer,) = core.receive(limit=_LONGEST * bits)
        model.count(False)
        counted = made.switching()
    expected = 0
    for word in _words(pow(base, _EXPONENT, modulus), bits):
        expected ^= word
    if answer != expected:
        raise ToolError(f"the netlist of {bits} bits gave a wrong result")
    if counted.cycles < _SKIPPED * bits:
        raise ToolError(f"the netlist of {bits} bits answered in the cycles that are not counted")
    return CoreActivity(
        bits,
        made.cells,
        rtl.digest,
        {"pyosys": tool_version("pyosys")},
        counted,
    )


def _words(value: int, bits: int) -> list[int]:
    """Words of 32 bits, the highest first."""
    return [value >> place & 0xFFFFFFFF for place in range(bits - 32, -1, -32)]


if __name__ == "__main__":
    widths = [int(width) for width in sys.argv[2:]] or _WIDTHS
    again = {each.bits: each for each in kept_core()} if _path().exists() else {}
    for width in widths:
        again[width] = core_activity(Path(sys.argv[1]), width)
    save_core(again[width] for width in sorted(again))
