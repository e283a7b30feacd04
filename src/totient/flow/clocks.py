"""Clocks that a device's phase-locked loop generates from a board's clock."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from totient.common.errors import InputError

_MOST_OFF = 0.08  # maximum error of a clock


@dataclass(frozen=True)
class Dividers:
    """Dividers of a phase-locked loop (rtl/prim/clock_ecp5.sv and similar)."""

    input: int
    feedback: int
    output: int


@dataclass(frozen=True)
class PhaseLockedLoop:
    """Bounds of a device family's phase-locked loop.

    Attributes:
        oscillator_mhz: least and most of the oscillator.
        detector_mhz: least and most of the compared clock, after the input's divider.
        most: largest dividers.
        least_feedback: smallest divider of the feedback.
        feedback_of_output: whether the feedback is the output, and not the oscillator itself.
        outputs: available dividers of the output; if empty, all up to the largest.
    """

    oscillator_mhz: tuple[float, float]
    detector_mhz: tuple[float, float]
    most: Dividers
    least_feedback: int
    feedback_of_output: bool
    outputs: tuple[int, ...] = ()

    def made_mhz(self, board_mhz: float, dividers: Dividers) -> float:
        """The clock with these dividers."""
        made = board_mhz * dividers.feedback / dividers.input
        return made if self.feedback_of_output else made / dividers.output

    def dividers(self, board_mhz: float, core_mhz: float) -> Dividers:
        """Dividers for the closest possible clock.

        Raises:
            InputError: no clock within 8 % is possible.
        """

        def off(made: Dividers) -> float:
            return abs(self.made_mhz(board_mhz, made) - core_mhz) / core_mhz

        found = min(self._possible(board_mhz, core_mhz), key=off, default=None)
        if found is None or off(found) > _MOST_OFF:
            made = (
                "the board's own"
                if self is NO_LOOP
                else f"what its loop makes, within {_MOST_OFF:.0%}"
            )
            raise InputError(
                f"--clock is {core_mhz:g} MHz, of the board's {board_mhz:g} MHz; allowed is {made}"
            )
        return found

    def fastest(self, board_mhz: float, most_mhz: float) -> Dividers:
        """Dividers of the fastest clock up to a limit.

        Raises:
            InputError: all clocks are above it.
        """
        found = max(
            (
                made
                for made in self._possible(board_mhz, most_mhz)
                if self.made_mhz(board_mhz, made) <= most_mhz
            ),
            key=lambda made: self.made_mhz(board_mhz, made),
            default=None,
        )
        if found is None:
            raise InputError(f"no clock of {most_mhz:g} MHz or less is made of {board_mhz:g} MHz")
        return found

    def _possible(self, board_mhz: float, near_mhz: float) -> Iterator[Dividers]:
        """Dividers within all bounds, small ones first; of a free output divider the close ones."""
        feedbacks = range(self.least_feedback, self.most.feedback + 1)
        for low, high in product(range(1, self.most.input + 1), feedbacks):
            if not _inside(board_mhz / low, self.detector_mhz):
                continue
            multiplied = board_mhz * high / low
            outputs: tuple[int, ...]
            if self.outputs:
                outputs = self.outputs
            elif self.feedback_of_output:
                outputs = (round(sum(self.oscillator_mhz) / 2 / multiplied),)
            else:
                outputs = (int(multiplied / near_mhz), int(multiplied / near_mhz) + 1)
            for output in outputs:
                oscillator = multiplied * output if self.feedback_of_output else multiplied
                fits = 1 <= output <= self.most.output
                if fits and _inside(oscillator, self.oscillator_mhz):
                    yield Dividers(low, high, output)


def _inside(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


ECP5_LOOP = PhaseLockedLoop((400.0, 800.0), (3.125, 400.0), Dividers(128, 80, 128), 1, True)
"""Lattice FPGA-DS-02012, "sysCLOCK PLL Timing"."""

SERIES7_LOOP = PhaseLockedLoop((800.0, 1600.0), (19.0, 450.0), Dividers(56, 64, 128), 2, False)
"""Xilinx DS181, "PLL Specification", speed grade -1."""

_GOWIN_OUTPUTS = (2, 4, 8, *range(16, 129, 16))
GOWIN_LOOP = PhaseLockedLoop(
    (400.0, 1200.0), (3.0, 400.0), Dividers(64, 64, 128), 1, True, _GOWIN_OUTPUTS
)
"""Gowin DS117, "PLL Switching Characteristics", GW1NR-9 C6/I5."""

NO_LOOP = PhaseLockedLoop((1.0, 400.0), (1.0, 400.0), Dividers(1, 1, 1), 1, True, (1,))
"""The core runs on the board's clock."""
