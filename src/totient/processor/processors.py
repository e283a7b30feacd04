"""The processors that software is counted on, from `processors.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from totient.common.errors import InputError
from totient.processor.model import Counts, Pace, Power, Processor, Simulator

# Fields of several words.
_WORDS = ("machine", "flags", "linker", "packages", "tools")


@cache
def _all() -> tuple[dict[str, Processor], dict[str, Processor]]:
    """Those that RSA is counted on, and the others, by their names."""
    data = tomllib.loads(Path(__file__).with_name("processors.toml").read_text())
    stated: dict[str, dict[str, Any]] = {}
    for given in (*data["processors"], *data["others"]):
        like = stated.get(given.pop("like", ""), {})
        stated[given["name"]] = {**like, **given}
    made = {name: _processor(fields, data["pace"]) for name, fields in stated.items()}
    others = {each["name"]: made.pop(each["name"]) for each in data["others"]}
    return made, others


def _processor(fields: Mapping[str, Any], lists: Mapping[str, list[Any]]) -> Processor:
    """A processor by its fields, and by the lists that a pace may go on with."""
    power, pace = fields.get("power"), fields.get("pace")
    cycles = [*pace["cycles"], *lists.get(pace.get("then", ""), ())] if pace else []
    own = {
        "simulator": Simulator(fields["simulator"]),
        "counts": Counts(fields["counts"]),
        "power": Power(power["amperes"] * power["volts"], power["source"]) if power else None,
        "pace": Pace(tuple(map(tuple, cycles)), pace["source"], pace.get("issue", 1))
        if pace
        else None,
        **{name: tuple(fields.get(name, "").split()) for name in _WORDS},
    }
    return Processor(**{**fields, **own})


def processors() -> tuple[Processor, ...]:
    """All processors that RSA is counted on."""
    return tuple(_all()[0].values())


def find_processor(name: str) -> Processor:
    """A processor by its name, one that only a paper's products are counted on as well.

    Raises:
        InputError: no processor has that name.
    """
    known, others = _all()
    if found := {**known, **others}.get(name):
        return found
    raise InputError(f"unknown processor {name!r}, known are {', '.join(known)}")
