"""Clocks that a device's phase-locked loop makes of a board's one."""

from dataclasses import dataclass
from itertools import product

from totient.common.errors import InputError

_MOST_OFF = 0.08  # of a clock


@dataclass(frozen=True)
class Dividers:
    """Dividers of a phase-locked loop (rtl/prim/clock_ecp5.sv, rtl/prim/clock_7series.sv)."""

    input: int
    feedback: int
    output: int


@dataclass(frozen=True)
class PhaseLockedLoop:
    """Bounds of a device family's phase-locked loop.

    Attributes:
        oscillator_mhz: least and most of the oscillator.
        detector_mhz: least and most of the clock that is compared, behind the input's divider.
        most: largest dividers.
        least_feedback: smallest divider of the feedback.
        feedback_of_output: whether the feedback is the output, and not the oscillator itself.
    """

    oscillator_mhz: tuple[float, float]
    detector_mhz: tuple[float, float]
    most: Dividers
    least_feedback: int
    feedback_of_output: bool

    def made_mhz(self, board_mhz: float, dividers: Dividers) -> float:
        """The clock that these dividers make."""
        made = board_mhz * dividers.feedback / dividers.input
        return made if self.feedback_of_output else made / dividers.output

    def dividers(self, board_mhz: float, core_mhz: float) -> Dividers:
        """Dividers that make one clock of another, as near as it gets.

        Raises:
            InputError: none come nearer than 8 %.
        """
        found = None
        feedbacks = range(self.least_feedback, self.most.feedback + 1)
        for low, high in product(range(1, self.most.input + 1), feedbacks):
            if not _inside(board_mhz / low, self.detector_mhz):
                continue
            multiplied = board_mhz * high / low
            if self.feedback_of_output:
                output = round(sum(self.oscillator_mhz) / 2 / multiplied)
                oscillator = multiplied * output
            else:
                output = round(multiplied / core_mhz)
                oscillator = multiplied
            if not 1 <= output <= self.most.output or not _inside(oscillator, self.oscillator_mhz):
                continue
            made = Dividers(low, high, output)
            off = abs(self.made_mhz(board_mhz, made) - core_mhz) / core_mhz
            if off <= _MOST_OFF and (found is None or off < found[0]):
                found = off, made
        if found is None:
            raise InputError(f"no clock of {core_mhz:g} MHz is made of {board_mhz:g} MHz")
        return found[1]


def _inside(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


ECP5_LOOP = PhaseLockedLoop((400.0, 800.0), (3.125, 400.0), Dividers(128, 80, 128), 1, True)
"""Lattice FPGA-DS-02012, "sysCLOCK PLL Timing"."""

SERIES7_LOOP = PhaseLockedLoop((800.0, 1600.0), (19.0, 450.0), Dividers(56, 64, 128), 2, False)
"""Xilinx DS181, "PLL Specification", speed grade -1."""
