"""From the words of a command to entries of the catalog."""

import re

from totient.catalog import (
    WHOLE_NUMBER,
    Configuration,
    Subject,
    find_subject,
    select,
)
from totient.catalog.parameters import parse_named
from totient.common.errors import InputError


def configuration(design: str, width: int | None, settings: list[str] | None) -> Configuration:
    """The configuration of a design that a command names.

    Args:
        design: a design, a named configuration or a paper's row, with parameters as in an address
            (`binary?width=64`) if needed.
        width: `--width`, if given.
        settings: arguments of `--set`, `NAME=VALUE` each.

    Raises:
        InputError: an unknown name, a value out of range, or not of this form.
    """
    name, given = _named(design, width, settings)
    return select(name, **given)


def subject(name: str, width: int | None, settings: list[str] | None) -> Subject:
    """The named design, IP or system. Arguments and errors as for `configuration`."""
    found, given = _named(name, width, settings)
    return find_subject(found, **given)


def _named(
    design: str, width: int | None, settings: list[str] | None
) -> tuple[str, dict[str, int]]:
    """Name and parameters."""
    transport, colon, _ = design.partition(":")
    if colon and transport != "sim":
        raise InputError(f"design {design!r} begins with {transport}:, allowed is sim: or nothing")
    name, given = parse_named(design.removeprefix("sim:"), f"design {design!r}")
    if width is not None:
        if "width" in given:
            raise InputError("width is given twice")
        given["width"] = width
    for setting in settings or ():
        match = re.fullmatch(rf"(\w+)=({WHOLE_NUMBER})", setting)
        if not match:
            raise InputError(f"--set is {setting!r}, allowed is NAME=VALUE with a whole number")
        parameter, value = match.groups()
        if parameter in given:
            raise InputError(f"{parameter} is given twice")
        given[parameter] = int(value)
    return name, given
