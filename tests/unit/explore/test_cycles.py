"""Cycles of whole spaces: those of the catalog, one by one, and of a Record's kinds."""

import random
from dataclasses import replace

import numpy as np
import pytest

from totient.catalog import designs, select
from totient.catalog.engine import request_cycles
from totient.check.packets import load_rsa_key_request, operation_request
from totient.common.contract import Command
from totient.explore.cycles import MOST, Work, cycles_of
from totient.explore.space import Space, space_of
from totient.measure.cycles import cycles_by_formula
from totient.measure.engine import engine_kinds, rsa_key
from totient.measure.engine_table import ELEMENTS, cycles_by_program, kept_cycles, rows
from totient.measure.kinds import requests
from totient.sim import open_model

DESIGNS = {design.name: design for design in designs()}
POINTS = 40


def some(name: str, width: int, draw: random.Random) -> Space:
    """Configurations of a design of one width."""
    space = space_of(DESIGNS[name], {"width": [width]})
    return space.where(np.array(draw.sample(range(len(space)), min(POINTS, len(space)))))


@pytest.mark.parametrize("bits", [33, 64, 1024])
@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("name", ["repeated", "binary", "montgomery", "digit_serial"])
def test_as_a_record_of_the_same_kind(name: str, private: bool, bits: int) -> None:
    space = some(name, bits, random.Random(bits))
    found = cycles_of(space, Work(private, bits, False))
    for place in range(len(space)):
        core = space.at(place)
        if name == "repeated" and private:
            assert found.whole[place] == MOST if bits > 64 else found.whole[place] > 2**32
            continue
        figures = cycles_by_formula(core, "private" if private else "public")
        assert (found.whole[place], found.bases[place]) == (figures.cycles.mean, core.lanes)


@pytest.mark.parametrize("name", ["binary", "montgomery", "digit_serial"])
def test_the_halves_of_crt_on_a_core_of_half_the_width(name: str) -> None:
    work = Work(True, 130, True)
    space = some(name, work.width, random.Random(3))
    found = cycles_of(space, work)
    (request,) = requests("private-crt", 130)
    assert [operation.modulus.bit_length() for operation in request] == [65, 65]
    for place in range(len(space)):
        core = space.at(place)
        halves = [replace(operation, bases=core.lanes) for operation in request]
        assert found.whole[place] == sum(
            core.setup_cycles(half.modulus, half.exponent_bits) + core.operation_cycles(half)
            for half in halves
        )


def test_a_number_that_is_too_large_stays_the_largest() -> None:
    """Both halves of CRT take more cycles than a 64-bit number holds."""
    space = space_of(DESIGNS["repeated"], {"width": [1024]})
    assert {*cycles_of(space, Work(True, 2048, True)).whole.tolist()} == {MOST}


@pytest.mark.parametrize("bits", [512, 2048])
def test_an_engine_as_its_user_sees_it(bits: int) -> None:
    space = space_of(DESIGNS["engine"], {"elements": [1, 8, 64], "form": [0], "width": [4096]})
    for crt, private in ((True, True), (False, True), (False, False)):
        found = cycles_of(space, Work(private, bits, crt))
        assert set(found.bases.tolist()) == {1}
        for place in range(len(space)):
            engine = space.at(place)
            digits = engine.parameters["digit_bits"]
            if private and crt:
                whole = request_cycles(engine.parameters, bits)
            elif not private:
                whole = request_cycles(engine.parameters, bits, public=True)
            else:
                kind = f"rsa-private-{bits}"
                assert kind in engine_kinds(engine)
                around = request_cycles(engine.parameters, bits) - cycles_by_program(
                    bits, "crt", engine.parameters["elements"], digits
                )
                whole = cycles_by_formula(engine, kind).cycles.mean + around
            assert found.whole[place] == whole


@pytest.mark.parametrize(("elements", "digit_bits"), [(8, 18), (8, 17)])
def test_a_key_without_primes_on_the_rtl(elements: int, digit_bits: int) -> None:
    """From the request's first word in to the answer's last word out, in simulation."""
    built = {"width": 1024, "elements": elements, "digit_bits": digit_bits}
    key, d = rsa_key(512)
    value = 3**200 % key.modulus
    with open_model(select("engine", **built)) as model:
        model.exchange(load_rsa_key_request(replace(key, primes=None, private_exponent=d)))
        model.advance(4000)  # it wipes the working page
        before = model.cycles
        words = model.exchange(operation_request(Command.PRIVATE, [value], 512))[3:]
        taken = model.cycles - before - 1
    result = sum(word << 32 * place for place, word in enumerate(words))
    assert result == pow(value, d, key.modulus)
    space = space_of(DESIGNS["engine"], {name: [each] for name, each in built.items()})
    assert {*cycles_of(space, Work(True, 512, False)).whole.tolist()} == {taken}


def test_the_table_is_what_the_program_takes() -> None:
    """If not: `python -m totient.measure.engine_table`."""
    kept = kept_cycles()
    every = [*rows()]
    assert [*map(int, kept)] == sorted({bits for bits, _, _ in every})
    draw = random.Random()
    for _ in range(25):
        bits, digits, kind = draw.choice(every)
        row = kept[str(bits)][str(digits)][kind]
        assert len(row) == len(ELEMENTS)
        elements = draw.choice(ELEMENTS)
        here = cycles_by_program(bits, kind, elements, digits)
        assert row[elements - 1] == here, (bits, digits, kind, elements)


def test_another_length_is_computed() -> None:
    space = space_of(
        DESIGNS["engine"], {"width": [2048], "elements": [8], "form": [1], "digit_bits": [18]}
    )
    found = cycles_of(space, Work(True, 1552, True))
    assert {*found.whole.tolist()} == {request_cycles(space.at(0).parameters, 1552)}
