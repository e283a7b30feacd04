"""A stop resets the datapath: one that waits for what never comes does not outlive it."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.defects import Change
from tests.engines import ENGINE
from totient.check.packets import (
    error_of,
    load_rsa_key_request,
    operation_request,
    parse,
    parse_numbers,
)
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.common.contract import Command, ErrorCode
from totient.common.errors import ToolError
from totient.device import key_of_primes
from totient.sim import Model, build_model

BITS = 512
MOMENT = 20_003  # in the powers
PATIENCE = 3 << 20  # clock cycles; an instruction that takes 2^20 is stopped
KEY, D = key_of_primes(*draw_primes(BITS, SHAPES[0], 65537, Random(1)), 65537)


@pytest.fixture
def model() -> Iterator[Model]:
    with Model(build_model(ENGINE.top(), probed=True)) as opened:
        yield opened


def stick(model: Model) -> None:
    """Begin a private operation, and make it wait for a result of a job that there was not."""
    model.seed_randomness(1)
    model.exchange(load_rsa_key_request(KEY), limit=PATIENCE)
    model.send(operation_request(Command.PRIVATE, [12345], BITS))
    model.advance(MOMENT)
    state = model.elements()[0]
    (place,) = (
        number for number, each in enumerate(state) if each.name.endswith("u_issue.pending_q")
    )
    model.flip(place, 0, 0)


def test_a_datapath_that_waits_for_ever_is_stopped(model: Model) -> None:
    """The operation ends with an error, and the next one is right, with the key that is there."""
    stick(model)
    before = model.cycles
    assert error_of(model.receive(limit=PATIENCE)) == ErrorCode.FAULT
    assert model.cycles - before > 1 << 20, "the flip has made it wait"
    answer = parse(
        model.exchange(operation_request(Command.PRIVATE, [12345], BITS), limit=PATIENCE),
        Command.PRIVATE,
    )
    assert not answer.error
    assert parse_numbers(answer.body[2:], 1) == [pow(12345, D, KEY.modulus)]


def test_a_clear_ends_the_wait(model: Model) -> None:
    stick(model)
    model.advance(10_000)
    model.send([Command.CLEAR])
    assert error_of(model.receive(limit=100_000)) == ErrorCode.ABORTED
    assert error_of(model.receive(limit=100_000)) == ErrorCode.OK
    model.exchange(load_rsa_key_request(KEY), limit=PATIENCE)
    answer = model.exchange(operation_request(Command.PUBLIC, [3], BITS), limit=PATIENCE)
    assert parse_numbers(answer[3:], 1) == [pow(3, 65537, KEY.modulus)]


def test_a_stop_without_the_reset_is_seen(tmp_path: Path) -> None:
    defect = Change(
        "rsa_engine",
        "datapath_rst_nq <= rst_nq && datapath_rst_n;",
        "datapath_rst_nq <= rst_nq;",
    )
    with Model(defect.build(ENGINE.top(), tmp_path, probed=True)) as model:
        stick(model)
        with pytest.raises(ToolError, match="no response from the simulated core"):
            model.receive(limit=PATIENCE)
