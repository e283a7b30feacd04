"""Boards with a clock, a button and a serial port."""

from collections.abc import Mapping
from dataclasses import dataclass

from totient.common.errors import InputError
from totient.flow.clocks import ECP5_LOOP, SERIES7_LOOP, PhaseLockedLoop


@dataclass(frozen=True)
class Board:
    """A board.

    Attributes:
        name: as users write it.
        title: for people.
        loader: as openFPGALoader calls it.
        target: the target whose device it has, but for package and speed grade.
        device: device, package and speed grade, as the arguments of nextpnr or, on 7-series, the
            vendor's name of the part.
        loop: bounds of the device's phase-locked loop.
        clock_mhz: the oscillator.
        pins: site of each port of rtl/ip/rsa_board.sv, all of 3.3 V CMOS.
        button_active, led_active: level of a button that is pressed, of a LED that is on.
        serial: how a PC sees the serial port.
    """

    name: str
    title: str
    loader: str
    target: str
    device: tuple[str, ...]
    loop: PhaseLockedLoop
    clock_mhz: float
    pins: Mapping[str, str]
    button_active: int
    led_active: int
    serial: str

    @property
    def is_7series(self) -> bool:
        """Whether the device is an AMD 7-series one; it is an ECP5 otherwise."""
        return self.loop is SERIES7_LOOP

    @property
    def constraints(self) -> str:
        """Sites and clock, as the router of the device reads them: LPF, or XDC."""
        return self._xdc if self.is_7series else self._lpf

    @property
    def _lpf(self) -> str:
        lines = [f'FREQUENCY PORT "clk" {self.clock_mhz:g} MHZ;']
        for port, site in self.pins.items():
            lines += [
                f'LOCATE COMP "{port}" SITE "{site}";',
                f'IOBUF PORT "{port}" IO_TYPE=LVCMOS33;',
            ]
        return "\n".join([*lines, ""])

    @property
    def _xdc(self) -> str:
        # No more than nextpnr-xilinx reads, too. Vivado derives the core's clock from this one; the
        # other pins need no timing: what comes in is synchronised, what goes out is slow.
        lines = [f"create_clock -period {1e3 / self.clock_mhz:.3f} [get_ports {{clk}}]"]
        for port, site in self.pins.items():
            pin = f"PACKAGE_PIN {site} IOSTANDARD LVCMOS33"
            lines.append(f"set_property -dict {{{pin}}} [get_ports {{{port}}}]")
        return "\n".join([*lines, ""])


def _pins(
    clk: str, button: str, uart: tuple[str, str], leds: tuple[str, str, str]
) -> dict[str, str]:
    """Sites by port; of the serial port what the device receives and what it sends."""
    ports = ("clk", "button", "uart_rx", "uart_tx", "led[0]", "led[1]", "led[2]")
    return dict(zip(ports, (clk, button, *uart, *leds), strict=True))


# Sites are those of the boards' schematics, on Digilent's boards also of their master XDC files.
_BOARDS = (
    Board(
        name="ulx3s",
        title="Radiona ULX3S, LFE5U-85F",
        loader="ulx3s",
        target="ecp5-85f",
        device=("--85k", "--package", "CABGA381", "--speed", "6"),
        loop=ECP5_LOOP,
        clock_mhz=25.0,
        pins=_pins("G2", "R1", ("M1", "L4"), ("B2", "C2", "C1")),
        button_active=1,
        led_active=1,
        serial="the board's USB port, for instance /dev/ttyUSB0",
    ),
    Board(
        name="ecpix5_r03",
        title="LambdaConcept ECPIX-5, LFE5UM5G-85F",
        loader="ecpix5_r03",
        target="ecp5-85f",
        device=("--um5g-85k", "--package", "CABGA554", "--speed", "8"),
        loop=ECP5_LOOP,
        clock_mhz=100.0,
        pins=_pins("K23", "N5", ("R26", "R24"), ("R23", "P21", "P22")),
        button_active=0,
        led_active=0,
        serial="the debug USB port's second channel, for instance /dev/ttyUSB1",
    ),
    Board(
        name="nexys_a7",
        title="Digilent Nexys A7-100T, XC7A100T",
        loader="nexys_a7_100",
        target="artix7-100t",
        device=("xc7a100tcsg324-1",),
        loop=SERIES7_LOOP,
        clock_mhz=100.0,
        pins=_pins("E3", "C12", ("C4", "D4"), ("H17", "K15", "J13")),
        button_active=0,
        led_active=1,
        serial="the USB port's second channel, for instance /dev/ttyUSB1",
    ),
    Board(
        name="arty_a7",
        title="Digilent Arty A7-100T, XC7A100T",
        loader="arty_a7_100t",
        target="artix7-100t",
        device=("xc7a100tcsg324-1",),
        loop=SERIES7_LOOP,
        clock_mhz=100.0,
        pins=_pins("E3", "C2", ("A9", "D10"), ("H5", "J5", "T9")),
        button_active=0,
        led_active=1,
        serial="the USB port's second channel, for instance /dev/ttyUSB1",
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
