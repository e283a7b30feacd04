"""Meanings of the parameters of the tops under `rtl/ip`, by SystemVerilog name.

Designs and IPs describe their own parameters. Those of faces and boards are here. The `.core`
files and the datasheets use these texts.
"""

from collections.abc import Iterable, Mapping

from totient.catalog.designs import designs
from totient.catalog.ips import Ip, ips
from totient.catalog.model import Design, Face

CORE = "rsa_core"
FACES: Mapping[str, str] = {
    "rsa_axil": "any design behind AXI4-Lite registers, with an interrupt",
    "rsa_uart": "any design at the end of a serial line, in frames with a checksum",
    "rsa_board": "the same with a board's clock, button and lights",
}
"""Tops around `CORE`, which also have its parameters, with descriptions."""
_FACE_REGISTERS: Mapping[str, str] = {"rsa_axil": "stream_registers"}
"""Register maps of those that have one."""
IP_BOARD = "ip_board"
"""Top of a board around any IP, which has the parameters of all of them and of `rsa_axil`."""

_BOARD: Mapping[str, str] = {
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
}
_FURTHER: Mapping[str, Mapping[str, str]] = {
    "rsa_engine": {
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
    "rsa_board": _BOARD,
    IP_BOARD: {
        **_BOARD,
        "Ip": "which one: "
        + ", ".join(ip.name for ip in ips() if ip.on_boards)
        + "; or rsa_axil, with any design",
        "Design": "rsa_axil: name in the catalog: "
        + ", ".join(design.name for design in designs()),
        "FrameWords": "words of the longest request on the line, 1 or more",
    },
}


def parameter_texts(module: str) -> dict[str, str]:
    """The meaning of each parameter of a top under `rtl/ip`, with the allowed values.

    For a top around every core the text names the designs that a parameter belongs to.

    Args:
        module: name of the top module.
    """
    found: dict[str, str] = {}
    if module == CORE or module in FACES:
        found = {**_FURTHER[CORE], **_joined(designs())}
    if module == IP_BOARD:
        found = _joined([*(ip for ip in ips() if ip.on_boards), *designs()])
    for design in designs():
        if module == design.ip_module:
            found |= {p.rtl: f"{p.text}; {p.allowed}" for p in design.parameters}
    for ip in ips():
        if module == ip.module:
            found |= {p.rtl: f"{p.text}; {p.allowed}" for p in ip.parameters}
    return {**found, **_FURTHER.get(module, {})}


def _joined(owners: Iterable[Design | Ip]) -> dict[str, str]:
    """Texts of the parameters of several designs or IPs in one top, those of one name joined."""
    texts: dict[str, dict[str, list[str]]] = {}
    for owner in owners:
        for p in owner.parameters:
            name = (p.face_rtl if isinstance(owner, Design) else "") or p.rtl
            meanings = texts.setdefault(name, {})
            meanings.setdefault(f"{p.text}; {p.allowed}", []).append(owner.name)
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
_MESSAGES: Mapping[str, str] = {
    "s_axis": "messages, AXI4-Stream",
    "m_axis": "results, AXI4-Stream",
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


def register_map(module: str) -> str:
    """Name of the register map of a top under `rtl/ip`; empty without registers."""
    maps = {ip.module: ip.register_map for ip in ips()}
    return {**_FACE_REGISTERS, **maps}.get(module, "")


def has_messages(module: str) -> bool:
    """Whether the streams of a top have messages and results instead of packets."""
    return any(ip.module == module and Face.STREAM in ip.faces for ip in ips())


def port_text(name: str, module: str) -> str:
    """The meaning of a port of a top under `rtl/ip`.

    Args:
        name: of the port.
        module: the top.
    """
    if name in _PORTS:
        return _PORTS[name]
    stream, _, signal = name.rpartition("_")
    if has_messages(module) and stream in _MESSAGES:
        return f"{_MESSAGES[stream]}: {_SIGNALS[signal]}"
    return f"{_STREAMS[stream]}: {_SIGNALS[signal]}"
