"""Boards with a clock, a button and a serial port."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field

from totient.catalog import SERIAL_BAUD
from totient.common.errors import InputError
from totient.flow.clocks import ECP5_LOOP, GOWIN_LOOP, NO_LOOP, SERIES7_LOOP, PhaseLockedLoop

_LEAST_BAUD = 9600
_LEAST_BIT_CYCLES = 4  # rtl/bus/uart_receiver.sv


def check_baud(baud: int, clock_mhz: float, where: str) -> None:
    """Raise `InputError` for a rate with too few clock cycles per bit, or without a close match.

    Args:
        baud: the rate.
        clock_mhz: the clock.
        where: location of the clock, for the message.
    """
    most = int(clock_mhz * 1e6) // _LEAST_BIT_CYCLES
    if not _LEAST_BAUD <= baud <= most:
        raise InputError(f"--baud is {baud}, allowed on {where} is {_LEAST_BAUD} to {most}")


def bit_parameters(clock_mhz: float, baud: int) -> dict[str, int]:
    """The length of a bit on a serial line, as parameters of `rtl/bus/uart_stream.sv`."""
    whole, sixteenths = divmod(round(16e6 * clock_mhz / baud), 16)
    return {"BitCycles": whole, "BitSixteenths": sixteenths}


@dataclass(frozen=True)
class Board:
    """A board.

    Attributes:
        name: as users write it.
        title: for people.
        load: the command that loads a bitstream, with `{file}` for it.
        target: the target with its die and speed grade; the package may differ.
        device: device, package and speed grade, as the arguments of nextpnr or, on 7-series, the
            vendor's name of the part.
        loop: bounds of the device's phase-locked loop.
        clock_mhz: of the oscillator.
        pins: site of each port of rtl/ip/rsa_board.sv; some boards have only one or two of the
            three LEDs.
        button_active, led_active: level of a pressed button, of a lit LED.
        serial: the serial port as seen by a PC.
        baud: rate of the serial port: the highest that its USB bridge supports, as far as known,
            and that POSIX defines.
        standards: electrical standard of ports other than 3.3 V CMOS.
    """

    name: str
    title: str
    load: str
    target: str
    device: tuple[str, ...]
    loop: PhaseLockedLoop
    clock_mhz: float
    pins: Mapping[str, str]
    button_active: int
    led_active: int
    serial: str
    baud: int = SERIAL_BAUD
    standards: Mapping[str, str] = field(default_factory=dict)

    @property
    def leds(self) -> int:
        """The number of LEDs available to us."""
        return sum(port.startswith("led[") for port in self.pins)

    @property
    def address(self) -> str:
        """The device behind the serial port, with a path to be set by the user."""
        return "tty:PATH" + (f"?baud={self.baud}" if self.baud != SERIAL_BAUD else "")

    def standard(self, port: str) -> str:
        """Electrical standard of a port."""
        return self.standards.get(port, "LVCMOS33")

    def at(self, baud: int | None) -> "Board":
        """The board with another rate of its serial port.

        Args:
            baud: the rate; `None` leaves the board's.

        Raises:
            InputError: a bit has too few cycles of the board's clock, or no rate is close.
        """
        if baud is None:
            return self
        check_baud(baud, self.clock_mhz, self.name)
        return dataclasses.replace(self, baud=baud)

    @property
    def family(self) -> int:
        """The device's family, as numbered in rtl/ip/rsa_board.sv."""
        return _LOOPS.index(self.loop)

    @property
    def is_7series(self) -> bool:
        """Whether the device is an AMD 7-series one."""
        return self.loop is SERIES7_LOOP

    @property
    def is_ecp5(self) -> bool:
        """Whether the device is an ECP5."""
        return self.loop is ECP5_LOOP

    @property
    def constraints(self) -> str:
        """Sites and clock in the format of the device's router: LPF, XDC, CST or PCF."""
        return (self._lpf, self._xdc, self._cst, self._pcf)[self.family]

    @property
    def _cst(self) -> str:
        # CST has no clocks. The line's clock is later compared with the route's figure.
        lines = []
        for port, site in self.pins.items():
            pull = " PULL_MODE=UP" if port in ("uart_rx", "button") else ""
            lines += [
                f'IO_LOC "{port}" {site};',
                f'IO_PORT "{port}" IO_TYPE={self.standard(port)}{pull};',
            ]
        return "\n".join([*lines, ""])

    @property
    def _pcf(self) -> str:
        lines = [f"set_frequency clk {self.clock_mhz:g}"]
        for port, site in self.pins.items():
            pull = "-pullup yes " if port in ("uart_rx", "button") else ""
            lines.append(f"set_io {pull}{port} {site}")
        return "\n".join([*lines, ""])

    @property
    def _lpf(self) -> str:
        # nextpnr derives the core's clock from the board's, and does not time paths between them.
        lines = [f'FREQUENCY PORT "clk" {self.clock_mhz:g} MHZ;']
        # An unconnected input is inactive.
        pulls = {"uart_rx": "UP", "button": "DOWN" if self.button_active else "UP"}
        for port, site in self.pins.items():
            standard = self.standard(port)
            pull = f" PULLMODE={pulls[port]}" if port in pulls and standard == "LVCMOS33" else ""
            lines += [
                f'LOCATE COMP "{port}" SITE "{site}";',
                f'IOBUF PORT "{port}" IO_TYPE={standard}{pull};',
            ]
        return "\n".join([*lines, ""])

    @property
    def _xdc(self) -> str:
        # Only commands that nextpnr-xilinx reads as well. Vivado derives the core's clock from this
        # one. The other pins need no timing: inputs are synchronised, outputs are slow.
        lines = [f"create_clock -period {1e3 / self.clock_mhz:.3f} [get_ports {{clk}}]"]
        for port, site in self.pins.items():
            pin = f"PACKAGE_PIN {site} IOSTANDARD LVCMOS33"
            lines.append(f"set_property -dict {{{pin}}} [get_ports {{{port}}}]")
        return "\n".join([*lines, ""])


_LOOPS = (ECP5_LOOP, SERIES7_LOOP, GOWIN_LOOP, NO_LOOP)


def _pins(clk: str, button: str, uart: tuple[str, str], *leds: str) -> dict[str, str]:
    """Sites by port; for the serial port, the device's receiving and sending pins."""
    ports = (
        "clk",
        "button",
        "uart_rx",
        "uart_tx",
        *(f"led[{place}]" for place in range(len(leds))),
    )
    return dict(zip(ports, (clk, button, *uart, *leds), strict=True))


_FT_BAUD = 3_000_000
"""Highest rate of FTDI's bridges FT231X, FT2232D and FT2232H that POSIX defines."""


def _ulx3s(size: int, name: str) -> Board:
    return Board(
        name=name,
        title=f"Radiona ULX3S, LFE5U-{size}F",
        load="openFPGALoader -b ulx3s {file}",
        # The 12F is a 25F with another identity.
        target=f"ecp5-{max(size, 25)}f-6",
        device=(f"--{size}k", "--package", "CABGA381", "--speed", "6"),
        loop=ECP5_LOOP,
        clock_mhz=25.0,
        pins=_pins("G2", "R1", ("M1", "L4"), "B2", "C2", "C1"),
        button_active=1,
        led_active=1,
        serial="the board's USB port, for instance /dev/ttyUSB0",
        baud=_FT_BAUD,
    )


# Sites are from the boards' schematics, on Digilent's boards also from their master XDC files, on
# the others also from the platforms of LiteX and Amaranth, if these have the board.
_BOARDS = (
    _ulx3s(85, "ulx3s"),
    *(_ulx3s(size, f"ulx3s_{size}f") for size in (12, 25, 45)),
    Board(
        name="ecpix5_r03",
        title="LambdaConcept ECPIX-5, LFE5UM5G-85F",
        load="openFPGALoader -b ecpix5_r03 {file}",
        target="ecp5-85f",
        device=("--um5g-85k", "--package", "CABGA554", "--speed", "8"),
        loop=ECP5_LOOP,
        clock_mhz=100.0,
        pins=_pins("K23", "N5", ("R26", "R24"), "R23", "P21", "P22"),
        button_active=0,
        led_active=0,
        serial="the debug USB port's second channel, for instance /dev/ttyUSB1",
        baud=_FT_BAUD,
    ),
    Board(
        name="colorlight_i5",
        title="Colorlight i5 v7.0 on Muse Lab's extension board, LFE5U-25F",
        load="openFPGALoader -b colorlight-i5 {file}",
        target="ecp5-25f-6",
        device=("--25k", "--package", "CABGA381", "--speed", "6"),
        loop=ECP5_LOOP,
        clock_mhz=25.0,
        # The button is a pin of the extension board, to be connected to ground.
        pins=_pins("P3", "K18", ("H18", "J17"), "U16"),
        button_active=0,
        led_active=0,
        serial="the extension board's USB port, for instance /dev/ttyACM0",
    ),
    Board(
        name="orangecrab",
        title="OrangeCrab r0.2, LFE5U-25F",
        load="dfu-util -d 1209:5af0 -a 0 -D {file}",
        target="ecp5-25f",
        device=("--25k", "--package", "CSFBGA285", "--speed", "8"),
        loop=ECP5_LOOP,
        clock_mhz=48.0,
        pins=_pins("A9", "J17", ("N17", "M18"), "K4", "M3", "J3"),
        button_active=0,
        led_active=0,
        serial="an adapter to USB of your own (3.3 V) on header pin 0, on which the core receives, "
        "and pin 1; the board's USB port is wired to the FPGA, which has no USB here",
        # The bank has the memory's 1.35 V.
        standards={"button": "SSTL135_I"},
    ),
    Board(
        name="icesugar_pro",
        title="Muse Lab iCESugar-pro, LFE5U-25F",
        load="ecpdap program {file}",
        target="ecp5-25f-6",
        device=("--25k", "--package", "CABGA256", "--speed", "6"),
        loop=ECP5_LOOP,
        clock_mhz=25.0,
        pins=_pins("P6", "L14", ("A9", "B9"), "B11", "A11", "A12"),
        button_active=0,
        led_active=0,
        serial="the board's USB port, for instance /dev/ttyACM0",
    ),
    Board(
        name="nexys_a7",
        title="Digilent Nexys A7-100T, XC7A100T",
        load="openFPGALoader -b nexys_a7_100 {file}",
        target="artix7-100t",
        device=("xc7a100tcsg324-1",),
        loop=SERIES7_LOOP,
        clock_mhz=100.0,
        pins=_pins("E3", "C12", ("C4", "D4"), "H17", "K15", "J13"),
        button_active=0,
        led_active=1,
        serial="the USB port's second channel, for instance /dev/ttyUSB1",
        baud=_FT_BAUD,
    ),
    Board(
        name="arty_a7",
        title="Digilent Arty A7-100T, XC7A100T",
        load="openFPGALoader -b arty_a7_100t {file}",
        target="artix7-100t",
        device=("xc7a100tcsg324-1",),
        loop=SERIES7_LOOP,
        clock_mhz=100.0,
        pins=_pins("E3", "C2", ("A9", "D10"), "H5", "J5", "T9"),
        button_active=0,
        led_active=1,
        serial="the USB port's second channel, for instance /dev/ttyUSB1",
        baud=_FT_BAUD,
    ),
    Board(
        name="icebreaker",
        title="1BitSquared iCEBreaker, iCE40UP5K",
        load="iceprog {file}",
        target="ice40-up5k",
        device=("--up5k", "--package", "sg48"),
        loop=NO_LOOP,
        clock_mhz=12.0,
        pins=_pins("35", "10", ("6", "9"), "11", "37"),
        button_active=0,
        led_active=0,
        serial="the USB port's second channel, for instance /dev/ttyUSB1",
        baud=_FT_BAUD,
    ),
    Board(
        name="tang_nano_9k",
        title="Sipeed Tang Nano 9K, GW1NR-9",
        load="openFPGALoader -b tangnano9k {file}",
        target="gowin-gw1nr9",
        device=("--device", "GW1NR-LV9QN88PC6/I5", "--vopt", "family=GW1N-9C"),
        loop=GOWIN_LOOP,
        clock_mhz=27.0,
        pins=_pins("52", "3", ("18", "17"), "10", "11", "13"),
        button_active=0,
        led_active=0,
        serial="the USB port's second channel, for instance /dev/ttyUSB1",
        # The bank of button and LEDs has the memory's 1.8 V.
        standards=dict.fromkeys(("button", "led[0]", "led[1]", "led[2]"), "LVCMOS18"),
    ),
)

BOARDS: Mapping[str, Board] = {board.name: board for board in _BOARDS}


def find_board(name: str) -> Board:
    """The board called `name`.

    Raises:
        InputError: no board has that name.
    """
    try:
        return BOARDS[name]
    except KeyError:
        raise InputError(f"unknown board {name!r}, known are {', '.join(BOARDS)}") from None
