"""Addresses of devices: `sim:<design or row>?width=2048&fixed_time=1`, `tty:/dev/ttyUSB0`."""

from totient.catalog import SERIAL_BAUD, Configuration, Face, parse_parameters, select
from totient.catalog.parameters import no_parameter
from totient.common.errors import InputError
from totient.device.device import Device
from totient.device.transports import (
    SERIAL_TIMEOUT,
    SimulationTransport,
    Transport,
    TtyTransport,
    UioTransport,
)
from totient.sim import build_model

SIMULATIONS = {
    "sim": Face.STREAM,
    "sim-registers": Face.REGISTERS,
    "sim-serial": Face.SERIAL,
}
"""Transports to simulated cores, by the face that is simulated with the core."""

_FORMS = {**{name: f"{name}:DESIGN" for name in SIMULATIONS}, "uio": "uio:PATH", "tty": "tty:PATH"}


def open_device(url: str, *, checked: bool = False) -> Device:
    """Open a device.

    Args:
        url: `sim:` for a simulated core, a design or a paper's row of the catalog, and its
            parameters where they are not the default; `sim-registers:` and `sim-serial:` for the
            same behind AXI4-Lite registers and at the end of a serial line; `uio:` and the path of
            a UIO device; `tty:` and the path of a serial line, with `?baud=` if not 115200 and
            `?timeout=` if the core may think longer about an answer than 60 seconds.
        checked: simulate with the assertions in the RTL, which is slower.

    Raises:
        InputError: unknown transport, design or parameter, a value out of range, or a device that
            cannot be opened.
        ToolError: the model cannot be built, or no Totient core answers.
    """
    transport = _open_transport(url, checked)
    try:
        return Device(transport)
    except BaseException:
        transport.close()
        raise


def _open_transport(url: str, checked: bool) -> Transport:
    name, rest = _split(url)
    if name in SIMULATIONS:
        face = SIMULATIONS[name]
        return SimulationTransport(build_model(parse_address(url).top(face), checked=checked), face)
    path, question, query = rest.partition("?")
    given = parse_parameters(query, f"device {url!r}") if question else {}
    known = ("baud", "timeout") if name == "tty" else ()
    for parameter in given:
        if parameter not in known:
            raise no_parameter(f"device {url!r}", parameter, known)
    if not path:
        raise InputError(f"device {url!r} has no path, allowed is {_FORMS[name]}")
    if name == "uio":
        return UioTransport(path)
    baud, timeout = given.get("baud", SERIAL_BAUD), given.get("timeout", SERIAL_TIMEOUT)
    return TtyTransport(path, baud, timeout)


def is_simulated(url: str) -> bool:
    """Whether an address is that of a simulated device."""
    return url.partition(":")[0] in SIMULATIONS


def parse_address(url: str) -> Configuration:
    """Design and parameters that the address of a simulated device names.

    Raises:
        InputError: unknown transport, design or parameter, or a value out of range.
    """
    name, rest = _split(url)
    if name not in SIMULATIONS:
        raise InputError(f"device {url!r} is not simulated")
    design, question, query = rest.partition("?")
    given = parse_parameters(query, f"device {url!r}") if question else {}
    known = select(design).parameters
    for parameter in given:
        if parameter not in known:
            raise no_parameter(f"design {design}", parameter, known)
    return select(design, **given)


def _split(url: str) -> tuple[str, str]:
    name, colon, rest = url.partition(":")
    if not colon:
        raise InputError(
            f"device {url!r} has no transport, allowed is {', '.join(_FORMS.values())}"
        )
    if name not in _FORMS:
        raise InputError(
            f"unknown transport {name!r} of device {url!r}, known are {', '.join(_FORMS)}"
        )
    return name, rest
