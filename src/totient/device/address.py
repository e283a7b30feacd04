"""Addresses of devices: `sim:<design or row>?width=2048&fixed_time=1`."""

from totient.catalog import Configuration, parse_parameters, select
from totient.common.errors import InputError
from totient.device.device import Device
from totient.sim import open_model

_TRANSPORTS = ("sim",)


def open_device(url: str, *, checked: bool = False) -> Device:
    """Open a device.

    Args:
        url: `sim:` for a simulated core, a design or a paper's row of the catalog, and its
            parameters where they are not the default.
        checked: simulate with the assertions in the RTL, which is slower.

    Raises:
        InputError: unknown transport, design or parameter, or a value out of range.
        ToolError: the model cannot be built.
    """
    model = open_model(parse_address(url), checked=checked)
    try:
        return Device(model)
    except BaseException:
        model.close()
        raise


def parse_address(url: str) -> Configuration:
    """Design and parameters that the address of a simulated device names.

    Raises:
        InputError: unknown transport, design or parameter, or a value out of range.
    """
    transport, colon, rest = url.partition(":")
    if not colon:
        forms = ", ".join(f"{transport}:DESIGN" for transport in _TRANSPORTS)
        raise InputError(f"device {url!r} has no transport, allowed is {forms}")
    if transport not in _TRANSPORTS:
        raise InputError(
            f"unknown transport {transport!r} of device {url!r}, known are {', '.join(_TRANSPORTS)}"
        )
    design, question, query = rest.partition("?")
    given = parse_parameters(query, f"device {url!r}") if question else {}
    known = select(design).parameters
    for name in given:
        if name not in known:
            raise InputError(
                f"design {design} has no parameter {name!r}, it has {', '.join(known)}"
            )
    return select(design, **given)
