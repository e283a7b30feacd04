"""Simulations with the engine's array as a program: the same answers in the same cycles."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from totient.catalog import Face, Top, select
from totient.common.errors import ToolError
from totient.device import address, open_device
from totient.rsa.accelerator import Accelerator
from totient.rsa.keys import generate
from totient.sim import build_fast_model, build_model
from totient.sim.fast import LEAST


@pytest.mark.parametrize("elements", [4, 8, 11])
def test_whole_operations_are_those_of_the_rtl(elements: int) -> None:
    key = generate(768, 65537)
    value = random.Random(1).randrange(key.modulus)
    found = {}
    for transport in ("sim", "sim-rtl"):
        with Accelerator(f"{transport}:engine?elements={elements}&width=1024") as accelerator:
            result = accelerator.private(key, value)
            again = accelerator.public(key, result)
            steps = [(step.setup_cycles, step.cycles) for step in accelerator.steps]
        found[transport] = result, again, steps
    assert found["sim"] == found["sim-rtl"]
    assert found["sim"][1] == value


@pytest.mark.parametrize(
    ("design", "face", "replaced"),
    [
        (f"engine?elements={LEAST}&width=1024", Face.STREAM, True),
        (f"engine?elements={LEAST}&width=1024", Face.REGISTERS, True),
        (f"engine?elements={LEAST - 1}&width=1024", Face.STREAM, False),
        ("T2?width=32", Face.STREAM, False),
        ("T2?width=32", Face.REGISTERS, False),
    ],
)
def test_only_an_engine_with_elements_enough(design: str, face: Face, replaced: bool) -> None:
    name, _, given = design.partition("?")
    parameters = {key: int(value) for key, value in (each.split("=") for each in given.split("&"))}
    top = select(name, **parameters).top(face)
    assert (build_fast_model(top) != build_model(top)) == replaced


@pytest.mark.parametrize(
    ("transport", "array"),
    [
        ("sim", "program"),
        ("sim-registers", "program"),
        ("sim-serial", "program"),
        ("sim-rtl", "RTL"),
    ],
)
def test_an_address_says_what_is_simulated(
    monkeypatch: pytest.MonkeyPatch, transport: str, array: str
) -> None:
    def stands_for(what: str) -> Callable[..., Path]:
        def build(_: Top, **__: bool) -> Path:
            raise ToolError(what)

        return build

    monkeypatch.setattr(address, "build_fast_model", stands_for("program"))
    monkeypatch.setattr(address, "build_model", stands_for("RTL"))
    with pytest.raises(ToolError, match=array):
        open_device(f"{transport}:engine-4?width=1024")


@pytest.mark.parametrize(("flags", "build"), [((), build_fast_model), (("--rtl",), build_model)])
def test_the_command_gives_either(
    run: Run, flags: tuple[str, ...], build: Callable[[Top], Path]
) -> None:
    printed = run("model", "engine-4", "--width", "1024", *flags).out.decode().strip()
    assert Path(printed) == build(select("engine-4", width=1024).top())
