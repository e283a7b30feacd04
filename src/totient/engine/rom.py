"""The engine's program as a SystemVerilog package: `python -m totient.engine.rom FILE`."""

import sys
from pathlib import Path

from totient.engine.assembler import INSTRUCTION_BITS, Program
from totient.engine.layout import PARTIAL, RESULT
from totient.engine.program import engine_program

_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// The engine's program, written by `make program` from src/totient/engine/program.py:
// do not edit. An instruction is an engine_instruction_pkg::instruction_t.
`default_nettype none

package engine_program_pkg;
  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants
  localparam int unsigned Partial = {partial};  // block of the results between passes
  localparam int unsigned Result = {result};  // block of the result that is sent
  localparam int unsigned Length = {length};
  localparam int unsigned InstructionBits = {bits};
  localparam logic [Length-1:0][InstructionBits-1:0] Content = {{
"""
_TAIL = """\
  };
  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
"""


def package(program: Program) -> str:
    """The package's text; the last instruction comes first."""
    places: dict[int, list[str]] = {}
    for name, place in program.labels.items():
        places.setdefault(place, []).append(name)
    encoded = program.encode()
    lines = []
    digits = -(-INSTRUCTION_BITS // 4)
    for place in range(len(encoded) - 1, -1, -1):
        comma = "," if place else ""
        names = ", ".join(places.get(place, ()))
        note = f"  // {place} {names}" if names else f"  // {place}"
        lines.append(f"    {INSTRUCTION_BITS}'h{encoded[place]:0{digits}x}{comma}{note}\n")
    head = _HEAD.format(length=len(encoded), bits=INSTRUCTION_BITS, partial=PARTIAL, result=RESULT)
    return head + "".join(lines) + _TAIL


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(package(engine_program()))
