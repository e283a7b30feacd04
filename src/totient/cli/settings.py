"""From a command's words to a configuration of the catalog."""

import re

from totient.catalog import Configuration, select
from totient.common.errors import InputError


def configuration(design: str, width: int | None, settings: list[str] | None) -> Configuration:
    """The configuration that the words name.

    Args:
        design: a design, a named configuration or a paper's row.
        width: `--width`, if it was given.
        settings: what `--set` was given, `NAME=VALUE` each.

    Raises:
        InputError: an unknown name, a value out of range, or not of this form.
    """
    given = {} if width is None else {"width": width}
    for setting in settings or ():
        match = re.fullmatch(r"(\w+)=(\d{1,9})", setting)
        if not match:
            raise InputError(f"--set is {setting!r}, allowed is NAME=VALUE with a whole number")
        name, value = match.groups()
        if name in given:
            raise InputError(f"{name} is given twice")
        given[name] = int(value)
    return select(design, **given)
