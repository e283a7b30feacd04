"""Utilisation of a device by a netlist."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from totient.common.errors import ToolError
from totient.flow.target import Target


@dataclass(frozen=True)
class Utilisation:
    """Resources of a synthesised module; counts, in the device's own units.

    Attributes:
        lut: look-up tables. ECP5: LUT4 + 2 CCU2C + 4 TRELLIS_DPR16X4. 7-series: LUT1 to LUT6 and
            inverters (one each; two small ones are not counted as sharing a LUT), shift registers,
            and the LUTs of LUT RAM.
        ff: flip-flops.
        dsp: MULT18X18D or DSP48E1.
        block_ram: DP16KD (18 Kbit), or RAMB36E1 (36 Kbit) with RAMB18E1 as a half.
        carry: CCU2C (2 bits) or CARRY4 (4 bits).
        cells: the netlist's cells by type, as counted by Yosys.
    """

    lut: int
    ff: int
    dsp: int
    block_ram: float
    carry: int
    cells: Mapping[str, int]

    def shortage(self, target: Target) -> str | None:
        """Why the module does not fit, such as `does not fit: 260 of 156 MULT18X18D`, or `None`."""
        over = [
            f"{getattr(self, name):g} of {getattr(target.available, name):g} {word}"
            for name, word in target.words.items()
            if getattr(self, name) > getattr(target.available, name)
        ]
        return f"does not fit: {', '.join(over)}" if over else None


def count(cells: Mapping[str, int], target: Target) -> Utilisation:
    """Utilisation of cells by type.

    Raises:
        ToolError: a cell type of unknown cost on the target.
    """
    unknown = sorted(set(cells) - set(target.costs))
    if unknown:
        raise ToolError(f"cells of unknown cost on {target.name}: {', '.join(unknown)}")
    costs = [(target.costs[cell], number) for cell, number in cells.items()]
    return Utilisation(
        lut=sum(cost.lut * number for cost, number in costs),
        ff=sum(cost.ff * number for cost, number in costs),
        dsp=sum(cost.dsp * number for cost, number in costs),
        block_ram=sum(cost.block_ram * number for cost, number in costs),
        carry=sum(cost.carry * number for cost, number in costs),
        cells=dict(sorted(cells.items())),
    )


def parse_statistics(text: str, target: Target) -> Utilisation:
    """Utilisation from the output of Yosys' `stat -json` on a flattened design.

    Raises:
        ToolError: the output is not that of `stat -json`, or has a cell of unknown cost.
    """
    try:
        report = json.loads(text)
        modules, cells = report["modules"], report["design"]["num_cells_by_type"]
    except (ValueError, KeyError, TypeError) as error:
        raise ToolError(f"Yosys' statistics cannot be read: {error!r}") from error
    if len(modules) != 1:
        raise ToolError(f"Yosys' statistics are of {len(modules)} modules, not of a flattened one")
    return count(cells, target)
