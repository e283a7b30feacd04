"""From a command's words to a configuration of the catalog."""

import re

from totient.catalog import Configuration, Ip, find_ip, parse_parameters, select
from totient.common.errors import InputError

_LONGEST = 1234  # digits of 2^4096, of a key that is part of an IP


def configuration(design: str, width: int | None, settings: list[str] | None) -> Configuration:
    """The configuration that the words name.

    Args:
        design: a design, a named configuration or a paper's row; with parameters as in an address
            (`binary?width=64`), if there are any.
        width: `--width`, if it was given.
        settings: what `--set` was given, `NAME=VALUE` each.

    Raises:
        InputError: an unknown name, a value out of range, or not of this form.
    """
    name, given = _given(design, width, settings, 9)
    return select(name, **given)


def find_ip_values(
    design: str, width: int | None, settings: list[str] | None
) -> tuple[Ip, dict[str, int]] | None:
    """The IP that the words name, if they name one, with a value for each of its parameters.

    Arguments and errors as for `configuration`.
    """
    ip = find_ip(design.removeprefix("sim:").partition("?")[0])
    if ip is None:
        return None
    _, given = _given(design, width, settings, _LONGEST)
    return ip, ip.values(**given)


def _given(
    design: str, width: int | None, settings: list[str] | None, digits: int
) -> tuple[str, dict[str, int]]:
    """Name and parameters, of so many digits at most, in a command's words."""
    name, question, query = design.removeprefix("sim:").partition("?")
    given = parse_parameters(query, f"design {design!r}", digits) if question else {}
    if width is not None:
        if "width" in given:
            raise InputError("width is given twice")
        given["width"] = width
    for setting in settings or ():
        match = re.fullmatch(rf"(\w+)=([0-9]{{1,{digits}}})", setting)
        if not match:
            raise InputError(f"--set is {setting!r}, allowed is NAME=VALUE with a whole number")
        parameter, value = match.groups()
        if parameter in given:
            raise InputError(f"{parameter} is given twice")
        given[parameter] = int(value)
    return name, given
