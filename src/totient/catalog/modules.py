"""What the parameters of the tops under `rtl/ip` mean, by their SystemVerilog names.

Those of designs and IPs are described with them; here is what a face or a board adds. The `.core`
files and the datasheets have their texts from here.
"""

from collections.abc import Mapping

from totient.catalog.designs import designs
from totient.catalog.ips import ips

CORE = "rsa_core"
FACES: Mapping[str, str] = {
    "rsa_axil": "any design behind AXI4-Lite registers, with an interrupt",
    "rsa_uart": "any design at the end of a serial line, in frames with a checksum",
    "rsa_board": "the same with a board's clock, button and lights",
}
"""Tops around `CORE`, which have its parameters, too, with what they are."""
FACE_REGISTERS: Mapping[str, str] = {"rsa_axil": "stream_registers"}
"""Register maps of those that have one."""

_FURTHER: Mapping[str, Mapping[str, str]] = {
    "rsa_engine": {
        "ShortElements": "elements of the ring's short part; follows from Elements",
        "FarLinks": "registers between elements, a bit each; for floorplans",
    },
    CORE: {
        "Design": "name in the catalog: " + ", ".join(design.name for design in designs()),
    },
    "rsa_axil": {
        "FifoWords": "words of the FIFO of each direction, a power of two, 2 to 32768",
    },
    "rsa_uart": {
        "BitCycles": "cycles of aclk that a bit lasts on the line, 4 or more",
        "BitSixteenths": "sixteenths of a cycle more that a bit lasts: 0 to 15",
    },
    "rsa_board": {
        "BitCycles": "cycles of the board's clock that a bit lasts on the line, 4 or more",
        "BitSixteenths": "sixteenths of a cycle more that a bit lasts: 0 to 15",
        "Family": "device: 0 ECP5, 1 7-series, 2 Gowin, 3 iCE40; Form follows it",
        "PeriodPs": "period of the board's clock in picoseconds",
        "InputDivider": "divider of the board's clock in the phase-locked loop",
        "FeedbackDivider": "factor of the phase-locked loop",
        "OutputDivider": "divider of the loop's oscillator that gives the core's clock",
        "ButtonActive": "level of a button that is pressed: 0 or 1",
        "Leds": "LEDs that the board has: 1 to 3",
        "LedActive": "level of a LED that is on: 0 or 1",
    },
}


def parameter_texts(module: str) -> dict[str, str]:
    """What each parameter of a top under `rtl/ip` means, with the values that it may have.

    Of a top around every core the text names the designs that a parameter belongs to.

    Args:
        module: name of the top module.
    """
    found: dict[str, str] = {}
    if module == CORE or module in FACES:
        found = {**_FURTHER[CORE], **_of_every_design()}
    for design in designs():
        if module == design.ip_module:
            found |= {p.rtl: f"{p.text}; {p.allowed}" for p in design.parameters}
    for ip in ips():
        if module == ip.module:
            found |= {p.rtl: f"{p.text}; {p.allowed}" for p in ip.parameters}
    return {**found, **_FURTHER.get(module, {})}


def _of_every_design() -> dict[str, str]:
    """Texts of the parameters of `CORE`, those of one name joined."""
    texts: dict[str, dict[str, list[str]]] = {}
    for design in designs():
        for p in design.parameters:
            meanings = texts.setdefault(p.face_rtl or p.rtl, {})
            meanings.setdefault(f"{p.text}; {p.allowed}", []).append(design.name)
    return {
        name: ". ".join(f"{', '.join(of)}: {text}" for text, of in meanings.items())
        for name, meanings in texts.items()
    }


_PORTS: Mapping[str, str] = {
    "aclk": "clock, rising edge",
    "aresetn": "reset, synchronous, active low, for one cycle of aclk at least",
    "irq": "interrupt, high while an enabled event is there",
    "uart_rx": "serial line in: 8 data bits, no parity, 1 stop bit",
    "uart_tx": "serial line out",
    "clk": "the board's clock",
    "button": "the board's button: reset",
    "led": "beats, works, line in use",
}
_STREAMS: Mapping[str, str] = {
    "s_axis": "requests, AXI4-Stream",
    "m_axis": "responses, AXI4-Stream",
    "random": "random words: fresh, uniform, independent",
    "s_axil": "registers, AXI4-Lite",
}
_SIGNALS: Mapping[str, str] = {
    "tdata": "a word of 32 bits, the least significant one of a number first",
    "tvalid": "there is a word",
    "tready": "the word is taken",
    "tlast": "the packet's last word",
    "awvalid": "there is a write address",
    "awready": "it is taken",
    "awaddr": "write address, in bytes",
    "awprot": "not looked at",
    "wvalid": "there is a word to write",
    "wready": "it is taken",
    "wdata": "the word",
    "wstrb": "bytes of it that are written",
    "bvalid": "there is a write response",
    "bready": "it is taken",
    "bresp": "0: done, 2: refused",
    "arvalid": "there is a read address",
    "arready": "it is taken",
    "araddr": "read address, in bytes",
    "arprot": "not looked at",
    "rvalid": "there is a word that was read",
    "rready": "it is taken",
    "rdata": "the word",
    "rresp": "0: done, 2: refused",
}


def port_text(name: str) -> str:
    """What a port of a top under `rtl/ip` means."""
    if name in _PORTS:
        return _PORTS[name]
    stream, _, signal = name.rpartition("_")
    return f"{_STREAMS[stream]}: {_SIGNALS[signal]}"
