"""A system on a soft CPU: VexRiscv, serial port, timer, and our IPs.

LiteX makes the Verilog; the program in its ROM is compiled by `totient.litex.firmware`.
"""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litex.soc.integration import export
from litex.soc.integration.soc_core import SoCCore

from totient.catalog import Face, SourceList, Top
from totient.common.cache import cache_root, digest, produce
from totient.flow.rtl import without_comments
from totient.litex.peripherals import RsaCore, RsaKeygen
from totient.litex.soft_cpu import CLOCK_HZ, SoftCpu
from totient.sim import Model, build_listing
from totient.sim.build import SERIAL_BIT_CYCLES

RSA, KEYGEN = 0x9000_0000, 0x9001_0000
"""Addresses of the peripherals."""

_TOP = "totient_system"
# The names that the simulation's clock loop knows.
_WRAPPER = f"""
module {_TOP} #(
  parameter BitCycles = {SERIAL_BIT_CYCLES}
) (input aclk, input aresetn, input uart_rx, output uart_tx);
  soc u_soc (.clock(aclk), .reset(!aresetn), .serial_rx(uart_rx), .serial_tx(uart_tx));
endmodule
"""


class System(SoftCpu):
    """The soft CPU, the IP with key generation, a core of the catalog.

    Attributes:
        peripherals: addresses of our IPs, by the macros that programs know them by.
    """

    def __init__(
        self,
        design: str | None,
        parameters: Mapping[str, int],
        baud: int,
        clock_hz: int = CLOCK_HZ,
    ) -> None:
        """Make the system.

        Args:
            design: core of the catalog, or `None` for a system without one.
            parameters: of the core.
            baud: rate of the serial port.
            clock_hz: that it gets.
        """
        super().__init__(baud, clock_hz)
        self.peripherals = {"SYSTEM_KEYGEN": KEYGEN}
        if design is not None:
            self.submodules.rsa = RsaCore(self.platform, design, **parameters)
            self.rsa.attach(self, "rsa", RSA)
            self.peripherals["SYSTEM_RSA"] = RSA
        self.submodules.keygen = RsaKeygen(self.platform)
        self.keygen.attach(self, "keygen", KEYGEN)


@dataclass(frozen=True)
class Generated:
    """A system's Verilog.

    Attributes:
        files: texts by name, without comments: the top module's, `soc.v`, and what its memories are
            initialised from.
        sources: what else it consists of.
    """

    files: Mapping[str, str]
    sources: SourceList


def generate(
    program: Callable[[str], bytes],
    design: str | None,
    parameters: Mapping[str, int],
    baud: int,
    clock_hz: int = CLOCK_HZ,
) -> Generated:
    """Verilog of the system with a program in its ROM.

    Args:
        program: makes the ROM's content, given the C header of the system's addresses and clock.
        design: core of the catalog, or `None` for a system without one.
        parameters: of the core.
        baud: rate of the serial port.
        clock_hz: that it gets.

    Raises:
        ToolError: a tool is missing or failed.
    """
    return generate_from(lambda: System(design, parameters, baud, clock_hz), program)


def generate_from(make: Callable[[], SoCCore], program: Callable[[str], bytes]) -> Generated:
    """Verilog of any system of LiteX with a program in its ROM.

    Args:
        make: makes the system.
        program: makes the ROM's content, given the C header of the system's addresses and clock.

    Raises:
        ToolError: a tool is missing or failed.
    """
    logging.disable(logging.ERROR)
    try:
        system = make()
        system.finalize()
    finally:
        logging.disable(logging.NOTSET)
    rom = program(_header(system))
    text, data = _verilog(system)
    # The other files have no time scale, and comments tell the time of day.
    text = re.sub(r"^`timescale.*\n", "", without_comments(text), flags=re.MULTILINE)
    memories = {file: _words(rom) if "rom" in file else content for file, content in data.items()}
    files = dict.fromkeys(Path(source[0]) for source in system.platform.sources)
    headers = tuple(
        path
        for include in system.platform.verilog_include_paths
        for path in sorted(Path(include).glob("*.svh"))
    )
    return Generated({"soc.v": text, **memories}, SourceList(tuple(files), headers))


def open_system(
    program: Callable[[str], bytes], design: str | None = "montgomery", **parameters: int
) -> Model:
    """The system in simulation, with its serial line.

    Args:
        program: makes the ROM's content, given the C header of the system's addresses and clock.
        design: core of the catalog, or `None` for a system without one.
        parameters: of the core.

    Raises:
        ToolError: a tool is missing or failed.
    """
    return simulate(generate(program, design, parameters, CLOCK_HZ // SERIAL_BIT_CYCLES))


def simulate(made: Generated) -> Model:
    """A generated system in simulation, with its serial line.

    Args:
        made: with a bit of `SERIAL_BIT_CYCLES` on the serial line.

    Raises:
        ToolError: a tool is missing or failed.
    """
    texts = {**made.files, f"{_TOP}.v": _WRAPPER}
    name = digest(*(part for item in sorted(texts.items()) for part in item))
    folder = cache_root() / "systems" / name

    def build(target: Path) -> None:
        for file, text in texts.items():
            for memory in made.files:
                text = text.replace(f'"{memory}"', f'"{folder / memory}"')
            (target / file).write_text(text)

    produce("systems", name, build)
    own = (folder / "soc.v", folder / f"{_TOP}.v")
    listing = SourceList((*made.sources.files, *own), made.sources.headers)
    top = Top("", _TOP, {}, frozenset({Face.SERIAL}), "the system on VexRiscv")
    # LiteX writes processes of whole interconnects, which look like loops, and the like.
    return Model(build_listing(listing, top, further=["-Wno-fatal"]))


def _header(system: Any) -> str:
    """Addresses of LiteX's own registers and of ours, and the clock, as macros."""
    origin = system.mem_regions["csr"].origin
    text = export.get_csr_header(system.csr.regions, system.constants, csr_base=origin)
    found = re.findall(
        r"^#define (CSR_\w+_ADDR) \(CSR_BASE \+ (0x[0-9a-f]+)L\)", text, re.MULTILINE
    )
    macros = {name: origin + int(offset, 16) for name, offset in found}
    macros |= getattr(system, "peripherals", {})
    macros["SYSTEM_CLOCK_HZ"] = int(system.clk_freq)
    return "".join(f"#define {name} {value:#x}u\n" for name, value in macros.items())


def _verilog(system: Any) -> tuple[str, Mapping[str, str]]:
    """Text of the SoC, and of the files that its memories are initialised from."""
    output = system.platform.get_verilog(system, name="soc")
    return str(output.main_source), dict(output.data_files)


def _words(rom: bytes) -> str:
    padded = rom + bytes(-len(rom) % 4)
    words = (padded[at : at + 4] for at in range(0, len(padded), 4))
    return "".join(f"{int.from_bytes(word, 'little'):08x}\n" for word in words)
