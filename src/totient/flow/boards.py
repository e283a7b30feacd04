"""Boards with an ECP5, a clock, a button and a serial port."""

from collections.abc import Mapping
from dataclasses import dataclass

from totient.common.errors import InputError


@dataclass(frozen=True)
class Board:
    """A board.

    Attributes:
        name: as users write it, and as openFPGALoader does.
        title: for people.
        nextpnr: device, package and speed grade, as arguments of nextpnr.
        clock_mhz: the oscillator.
        pins: site of each port of rtl/ip/rsa_board_ecp5.sv, all of 3.3 V CMOS.
        button_active, led_active: level of a button that is pressed, of a LED that is on.
        serial: how a PC sees the serial port.
    """

    name: str
    title: str
    nextpnr: tuple[str, ...]
    clock_mhz: float
    pins: Mapping[str, str]
    button_active: int
    led_active: int
    serial: str

    @property
    def constraints(self) -> str:
        """Sites and clock, as nextpnr reads them (LPF)."""
        lines = [f'FREQUENCY PORT "clk" {self.clock_mhz:g} MHZ;']
        for port, site in self.pins.items():
            lines += [f'LOCATE COMP "{port}" SITE "{site}";', f'IOBUF PORT "{port}" {_IO};']
        return "\n".join([*lines, ""])


_IO = "IO_TYPE=LVCMOS33"

# Sites are those of the boards' schematics.
_BOARDS = (
    Board(
        name="ulx3s",
        title="Radiona ULX3S, LFE5U-85F",
        nextpnr=("--85k", "--package", "CABGA381", "--speed", "6"),
        clock_mhz=25.0,
        pins={
            "clk": "G2",
            "button": "R1",
            "uart_rx": "M1",
            "uart_tx": "L4",
            "led[0]": "B2",
            "led[1]": "C2",
            "led[2]": "C1",
        },
        button_active=1,
        led_active=1,
        serial="the board's USB port, for instance /dev/ttyUSB0",
    ),
    Board(
        name="ecpix5_r03",
        title="LambdaConcept ECPIX-5, LFE5UM5G-85F",
        nextpnr=("--um5g-85k", "--package", "CABGA554", "--speed", "8"),
        clock_mhz=100.0,
        pins={
            "clk": "K23",
            "button": "N5",
            "uart_rx": "R26",
            "uart_tx": "R24",
            "led[0]": "R23",
            "led[1]": "P21",
            "led[2]": "P22",
        },
        button_active=0,
        led_active=0,
        serial="the debug USB port's second channel, for instance /dev/ttyUSB1",
    ),
)

BOARDS: Mapping[str, Board] = {board.name: board for board in _BOARDS}


def find_board(name: str) -> Board:
    """The board called `name`.

    Raises:
        InputError: there is none.
    """
    try:
        return BOARDS[name]
    except KeyError:
        raise InputError(f"unknown board {name!r}, known are {', '.join(BOARDS)}") from None
