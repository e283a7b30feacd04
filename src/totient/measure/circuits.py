"""Activity of the circuits whose power was measured on boards, kept as data."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from totient.flow import find_target
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.store import results_folder
from totient.power.circuits import circuit_switching
from totient.power.switching import Switching

_SCHEMA = 1

CHAIN_REGISTERS = 1000

CIRCUITS: tuple[tuple[str, Mapping[str, int], str], ...] = (
    *(("counters", {"Counters": number}, "ice40-up5k") for number in (1, 2, 4, 8)),
    *(("multiplied_counters", {"Multiplied": number}, "ice40-up5k") for number in (0, 1)),
    *(
        ("register_chain", {"Registers": CHAIN_REGISTERS}, target)
        for target in ("ecp5-85f", "ecp5-25f", "artix7-100t")
    ),
)
"""Module, parameters, target."""


@dataclass(frozen=True)
class CircuitActivity:
    """Activity of a circuit of `totient.power.circuits`.

    Attributes:
        module, parameters, target: of `CIRCUITS`.
        switching: the activity.
    """

    module: str
    parameters: Mapping[str, int]
    target: str
    switching: Switching


def _path() -> Path:
    return results_folder() / "activity" / "circuits" / "boards.json"


def measure_circuits() -> tuple[CircuitActivity, ...]:
    """The activity of `CIRCUITS`, with new runs of synthesis, routing and simulation.

    Raises:
        ToolError: a tool failed.
    """
    return tuple(
        CircuitActivity(
            module, parameters, target, circuit_switching(module, parameters, find_target(target))
        )
        for module, parameters, target in CIRCUITS
    )


def save_circuits(circuits: tuple[CircuitActivity, ...]) -> Path:
    """Write the activity of circuits, and return the file."""
    every = [{**vars(each), "switching": each.switching.to_json()} for each in circuits]
    return write_kept(_path(), json.dumps({"schema": _SCHEMA, "circuits": every}, indent=2) + "\n")


def kept_circuits() -> tuple[CircuitActivity, ...]:
    """The committed activity of circuits.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    return read_kept(_path(), _parse)


def _parse(text: str) -> tuple[CircuitActivity, ...]:
    with parsing(text, _SCHEMA, "activity of circuits") as data:
        return tuple(
            CircuitActivity(**{**each, "switching": Switching.from_json(each["switching"])})
            for each in data["circuits"]
        )
