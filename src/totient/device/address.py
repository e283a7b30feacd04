"""Addresses of devices: `sim:<design or row>?width=2048&fixed_time=1`, `tty:/dev/ttyUSB0`.

libtotient parses them (`totient/address.h`). Here designs and their parameters are looked up.
"""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from totient.catalog import Configuration, select
from totient.catalog.parameters import no_parameter
from totient.common.errors import InputError, ToolError
from totient.device.device import Device
from totient.device.library import library
from totient.device.model_links import SIMULATIONS, link_model
from totient.device.transports import AddressTransport, SimulationTransport, Transport
from totient.sim import build_fast_model, build_model

_REASON_BYTES = 1024


@dataclass(frozen=True)
class Address:
    """The parts of an address.

    Attributes:
        transport: `sim`, `sim-registers`, `sim-serial`, `sim-rtl`, `uio`, `tty` or `unix`.
        name: of a design, or a path.
        given: parameters.
    """

    transport: str
    name: str
    given: Mapping[str, int]

    @classmethod
    def of(cls, url: str) -> "Address":
        """Parse an address.

        Raises:
            InputError: unknown transport, no name, or malformed parameters.
        """
        if "\0" in url:
            raise InputError(f"device {url!r} has a null character")
        ffi, lib = library()
        parts, reason = ffi.new("struct totient_address *"), ffi.new(f"char[{_REASON_BYTES}]")
        text = ffi.new("char[]", os.fsencode(url))
        if lib.totient_parse_address(parts, text, reason, _REASON_BYTES) != lib.TOTIENT_OK:
            raise InputError(ffi.string(reason).decode(errors="replace"))

        def words(span: Any) -> str:
            return os.fsdecode(ffi.unpack(span.text, span.length))

        given = (parts.parameters[i] for i in range(parts.count))
        parameters = {words(each.name): int(words(each.value)) for each in given}
        return cls(words(parts.transport), words(parts.name), parameters)

    def __str__(self) -> str:
        query = "&".join(f"{name}={value}" for name, value in self.given.items())
        return f"{self.transport}:{self.name}" + (f"?{query}" if query else "")

    def having(self, **given: int) -> "Address":
        """The same address with further parameters."""
        return replace(self, given={**self.given, **given})

    @property
    def model(self) -> Path | None:
        """File of the model, where the address of a simulated device names one."""
        return Path(self.name) if self.transport in SIMULATIONS and "/" in self.name else None

    @property
    def is_simulated(self) -> bool:
        """Whether it is that of a simulated device of the catalog, which is built when needed."""
        return self.transport in SIMULATIONS and self.model is None

    @property
    def configuration(self) -> Configuration:
        """Design and parameters of a simulated device.

        Raises:
            InputError: unknown design or parameter, or a value out of range.
        """
        if not self.is_simulated:
            raise InputError(f"device {str(self)!r} is not simulated")
        known = select(self.name).parameters
        for parameter in self.given:
            if parameter not in known:
                raise no_parameter(f"design {self.name}", parameter, known)
        return select(self.name, **self.given)


def open_device(url: str | Address, *, checked: bool = False) -> Device:
    """Open a device.

    Args:
        url: `sim:` for a simulated core: a design or a paper's row of the catalog, and parameters,
            or the path of a model; `sim-registers:` and `sim-serial:` for the same behind AXI4-Lite
            registers and on a serial line; `sim-rtl:` as `sim:`, with nothing of the RTL replaced;
            `uio:` and the path of a UIO device; `tty:` and the path of a serial line, with `?baud=`
            if not 115200; `unix:` and the path of a stream socket. The last three take `?timeout=`
            if an answer may take longer than 60 seconds.
        checked: simulate with the assertions in the RTL, which is slower.

    Raises:
        InputError: unknown transport, design or parameter, a value out of range, or a device that
            cannot be opened.
        ToolError: the model cannot be built or loaded, or no Totient core answers.
    """
    address = Address.of(url) if isinstance(url, str) else url
    transport = _open_transport(address, checked)
    try:
        return Device(transport)
    except BaseException:
        transport.close()
        raise


def _open_transport(address: Address, checked: bool) -> Transport:
    face = SIMULATIONS.get(address.transport)
    if face is None:
        return AddressTransport(str(address))
    if address.model is not None:
        if address.given:
            raise no_parameter("a model by its path", next(iter(address.given)), ())
        if not address.model.exists():
            raise InputError(f"cannot load the model {address.model}: there is no such file")
        return SimulationTransport(address.model, face)
    top = address.configuration.top(face)
    if checked:
        return SimulationTransport(build_model(top, checked=True), face)
    build = build_model if address.transport == "sim-rtl" else build_fast_model
    model = build(top)
    # A program in C finds it by the same address. Nothing here needs that.
    with contextlib.suppress(OSError, ToolError):
        link_model(str(address), model)
    return SimulationTransport(model, face)
