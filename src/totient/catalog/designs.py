"""The designs. Cycle formulas are exact: the tests compare simulation with them for equality."""

from totient.catalog.model import Configuration, Design, Parameter
from totient.common.errors import InputError

_WIDTH = Parameter("width", "Width", 1024, 8, 4096, "largest modulus, in bits")


def designs() -> tuple[Design, ...]:
    """Every design, in the order of the catalog."""
    return ()


def find(name: str) -> Configuration:
    """The design (or the paper's row) called `name`, with its default parameters.

    Raises:
        InputError: there is none.
    """
    return select(name)


def select(name: str, **given: int) -> Configuration:
    """A configuration by design name or paper's row.

    Args:
        name: for instance `binary` or `T2`; a row brings its own parameters.
        given: parameters that differ from the defaults and from the row's.

    Raises:
        InputError: unknown name, unknown parameter, value out of range.
    """
    for design in designs():
        if name.lower() == design.name:
            return design.configure(given)
        if name.upper() in design.rows:
            return design.configure({**design.rows[name.upper()], **given})
    known = ", ".join(f"{d.name} ({', '.join(d.rows)})" for d in designs())
    raise InputError(f"unknown design {name!r}, known are {known}")
