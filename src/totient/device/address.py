"""Addresses of devices: `sim:<design or row>?width=2048&fixed_time=1`, `tty:/dev/ttyUSB0`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from totient.catalog import SERIAL_BAUD, Configuration, Face, select
from totient.catalog.parameters import no_parameter, parse_named
from totient.common.errors import InputError
from totient.device.device import Device
from totient.device.transports import SimulationTransport, Transport, TtyTransport, UioTransport
from totient.sim import build_fast_model, build_model

SIMULATIONS = {
    "sim": Face.STREAM,
    "sim-registers": Face.REGISTERS,
    "sim-serial": Face.SERIAL,
    "sim-rtl": Face.STREAM,
}
"""Transports to simulated cores, by the face that is simulated with the core. With `sim-rtl` all of
the core is its RTL; with the others an engine's array is a program (`totient.sim.fast`)."""

_FORMS = {**{name: f"{name}:DESIGN" for name in SIMULATIONS}, "uio": "uio:PATH", "tty": "tty:PATH"}


@dataclass(frozen=True)
class Address:
    """The parts of an address.

    Attributes:
        transport: `sim`, `sim-registers`, `sim-serial`, `sim-rtl`, `uio` or `tty`.
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
            InputError: unknown transport, or malformed parameters.
        """
        transport, colon, rest = url.partition(":")
        if not colon:
            allowed = ", ".join(_FORMS.values())
            raise InputError(f"device {url!r} has no transport, allowed is {allowed}")
        if transport not in _FORMS:
            known = ", ".join(_FORMS)
            raise InputError(
                f"unknown transport {transport!r} of device {url!r}, known are {known}"
            )
        return cls(transport, *parse_named(rest, f"device {url!r}"))

    def __str__(self) -> str:
        query = "&".join(f"{name}={value}" for name, value in self.given.items())
        return f"{self.transport}:{self.name}" + (f"?{query}" if query else "")

    def having(self, **given: int) -> "Address":
        """The same address with further parameters."""
        return replace(self, given={**self.given, **given})

    @property
    def is_simulated(self) -> bool:
        """Whether it is that of a simulated device."""
        return self.transport in SIMULATIONS

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
        url: `sim:` for a simulated core: a design or a paper's row of the catalog, and parameters;
            `sim-registers:` and `sim-serial:` for the same behind AXI4-Lite registers and on a
            serial line; `sim-rtl:` as `sim:`, with nothing of the RTL replaced; `uio:` and the path
            of a UIO device; `tty:` and the path of a serial line, with `?baud=` if not 115200 and
            `?timeout=` if an answer may take longer than 60 seconds.
        checked: simulate with the assertions in the RTL, which is slower.

    Raises:
        InputError: unknown transport, design or parameter, a value out of range, or a device that
            cannot be opened.
        ToolError: the model cannot be built, or no Totient core answers.
    """
    address = Address.of(url) if isinstance(url, str) else url
    transport = _open_transport(address, checked)
    try:
        return Device(transport)
    except BaseException:
        transport.close()
        raise


def _open_transport(address: Address, checked: bool) -> Transport:
    what = f"device {str(address)!r}"
    if address.is_simulated:
        face = SIMULATIONS[address.transport]
        top = address.configuration.top(face)
        if checked or address.transport == "sim-rtl":
            return SimulationTransport(build_model(top, checked=checked), face)
        return SimulationTransport(build_fast_model(top), face)
    known = ("baud", "timeout") if address.transport == "tty" else ()
    for parameter in address.given:
        if parameter not in known:
            raise no_parameter(what, parameter, known)
    if not address.name:
        raise InputError(
            f"device {str(address)!r} has no path, allowed is {_FORMS[address.transport]}"
        )
    if address.transport == "uio":
        return UioTransport(address.name)
    return TtyTransport(address.name, **{"baud": SERIAL_BAUD, **address.given})
