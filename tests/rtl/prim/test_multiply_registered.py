"""The multiplier with registers: every form does the same."""

import importlib.util
import random
import re
from collections import deque
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def multiply(dut: Any) -> None:
    """Products of any operands, three cycles later; a factor stays until another is taken."""
    Clock(dut.clk_i, 10, "ns").start()
    bits = int(dut.Bits.value)
    rng = random.Random(bits)
    expected: deque[int | None] = deque([None] * 3, maxlen=3)
    held = 0
    for cycle in range(2000):
        take = cycle == 0 or rng.random() < 0.5
        x, y = (rng.choice((0, 1, (1 << bits) - 1, rng.getrandbits(bits))) for _ in range(2))
        dut.x_enable_i.value, dut.x_i.value, dut.y_i.value = int(take), x, y
        held = x if take else held
        expected.append(held * y)
        await FallingEdge(dut.clk_i)
        if expected[0] is not None:
            assert int(dut.product_o.value) == expected[0]


@pytest.mark.parametrize(
    ("bits", "form"), [(2, 0), (17, 0), (18, 0), (2, 1), (17, 1), (18, 1), (2, 2), (17, 2)]
)
def test_multiply_registered(run_cocotb: Any, bits: int, form: int) -> None:
    parameters = {"Bits": bits, "Form": form}
    run_cocotb("totient:prim:multiply_registered", parameters)


def test_multiply_registered_on_the_cell_of_yosys(run_cocotb: Any, tmp_path: Path) -> None:
    """Yosys' model of DSP48E1 in place of ours: theirs knows the whole block, ours what we use."""
    package = importlib.util.find_spec("pyosys")
    assert package is not None
    assert package.origin is not None
    cells = (Path(package.origin).parent / "share/xilinx/cells_sim.v").read_text()
    module = re.search(r"^module DSP48E1 \(.*?^endmodule$", cells, re.DOTALL | re.MULTILINE)
    assert module is not None
    cell, lint = tmp_path / "DSP48E1.sv", tmp_path / "cell.vlt"
    cell.write_text(f"{module[0]}\n")
    # Their style is not ours, and outputs that our model does not have are not connected.
    lint.write_text(
        "`verilator_config\n"
        'lint_off -file "*/DSP48E1.sv"\n'
        'lint_off -rule COMBDLY -file "*/DSP48E1.sv"\n'
        'lint_off -rule PINMISSING -file "*/multiply_registered.sv"\n'
    )
    run_cocotb("totient:prim:multiply_registered", {"Bits": 17, "Form": 2}, extra=[cell, lint])
