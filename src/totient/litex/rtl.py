"""The system on a soft CPU as RTL to synthesise: row B3."""

from functools import cache

from totient.catalog import SERIAL_BAUD, SourceList
from totient.common.files import project_root
from totient.flow import Rtl
from totient.flow.rtl import without_comments
from totient.litex.firmware import compile_program
from totient.litex.soft_cpu import CLOCK_HZ
from totient.litex.system import generate


@cache
def system_rtl(baud: int = SERIAL_BAUD, clock_hz: int = CLOCK_HZ) -> Rtl:
    """The system with the IP with key generation and no other core, and the dialogue in its ROM.

    Args:
        baud: rate of the serial port.
        clock_hz: that it gets.

    Raises:
        ToolError: a tool is missing or failed.
    """
    made = generate(lambda header: compile_program("dialogue", header), None, {}, baud, clock_hz)
    own = project_root() / "rtl"
    ours = tuple(file for file in made.sources.files if file.is_relative_to(own))
    processor = {
        file.name: without_comments(file.read_text())
        for file in made.sources.files
        if file not in ours
    }
    return Rtl(SourceList(ours, made.sources.headers), "soc", {}, {**processor, **made.files})
