"""Single flipped bits that an attacker who knows the engine's RTL aims: each did harm once."""

from collections.abc import Iterator
from math import gcd
from random import Random

import pytest

from tests.engines import ENGINE
from tests.system.test_engine_decision import BITS, Attack
from totient.check.engine_faults import answer_or_none
from totient.check.engine_leaks import Leaks
from totient.check.packets import error_of, load_rsa_key_request, operation_request, parse_number
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.common.contract import Command, ErrorCode
from totient.device import RsaKey, key_of_primes
from totient.engine.assembler import Program
from totient.engine.instruction_set import UnitOp, WordOp
from totient.engine.instructions import Scalar, Unit, Words
from totient.engine.layout import RESULT
from totient.engine.program import engine_program
from totient.sim import Model, build_model

ACTION = 4
"""Bit of an operation, 1 is the highest: a subtraction becomes an addition (`operation_t`)."""
PARTIAL_TO_BASE = 8
"""Bit of an address: from the results between passes, block 4, to block 0."""
SAFE = {"right", "error", "void", "silent"}


@pytest.fixture(scope="module")
def key() -> RsaKey:
    return key_of_primes(*draw_primes(BITS, SHAPES[0], 65537, Random(1)), 65537)[0]


@pytest.fixture(scope="module")
def attack(key: RsaKey) -> Iterator[Attack]:
    _, d = key_of_primes(*draw_primes(BITS, SHAPES[0], 65537, Random(1)), 65537)
    with Model(build_model(ENGINE.top(), probed=True)) as model:
        yield Attack(model, key.modulus, pow(5, d, key.modulus), load_rsa_key_request(key))


@pytest.fixture(scope="module")
def program() -> Program:
    """The engine's."""
    return engine_program()


def reach(attack: Attack, place: int) -> int:
    """Cycles from the request to an instruction, after `begin`."""
    began = attack.begin()
    while attack.here() != place:
        attack.model.advance(1)
    return attack.model.cycles - began


def test_a_result_that_n_is_added_to_is_not_released(attack: Attack, program: Program) -> None:
    place = next(
        at
        for at, each in enumerate(program.instructions)
        if at > program.labels["private"]
        and isinstance(each, Words)
        and (each.d, each.action) == (RESULT, WordOp.SUBTRACT)
    )
    waits = reach(attack, place + 1)
    operation = attack.number("u_issue.op_q")
    bit = attack.state[operation].bits - ACTION
    found = {attack.outcome({waits + more: (operation, 0, bit)}) for more in range(2, 60, 3)}
    assert found <= SAFE
    assert "error" in found, "no flip has hit the subtraction"


def test_an_input_is_not_changed_where_its_first_use_is_not(
    attack: Attack, program: Program
) -> None:
    """While the input enters Montgomery form, in several passes."""
    place = program.labels["private.check"]
    entered = [
        at
        for at, each in enumerate(program.instructions[:place])
        if at > program.labels["private"] and vars(each).get("table_write") == "one"
    ]
    waits = reach(attack, entered[0] + 1)
    address = attack.number("u_results.late_address_o")
    for more in range(20, 100):
        outcome = attack.outcome({waits + more: (address, 0, PARTIAL_TO_BASE)})
        assert outcome in SAFE, more


def test_no_number_of_a_key_is_where_a_result_is_sent_from(
    attack: Attack, key: RsaKey, program: Program
) -> None:
    """Any bit of the program's counter while a public request waits for its second word."""
    assert key.primes is not None
    first = program.labels["public"]
    for place in range(first, first + 3):
        for bit in range(10):
            model = attack.model
            model.reset()
            assert not error_of(model.exchange(attack.load))
            model.send(operation_request(Command.PUBLIC, [5], BITS))
            while attack.here() != place:
                model.advance(1)
            model.flip(attack.place, 0, bit)
            words = answer_or_none(model)[3:]
            for end in range(len(words)):
                number = parse_number(words[: end + 1])
                assert number == 0 or gcd(number, key.modulus) == 1
            assert all(word == 0 for word in words) or parse_number(words) == 5**65537 % key.modulus


def test_command_3_has_no_use_for_a_private_exponent(attack: Attack, program: Program) -> None:
    """The jump that refuses it is flipped in every cycle of its instruction."""
    refusal = next(
        at
        for at, each in enumerate(program.instructions)
        if at > program.labels["exponentiate"] and isinstance(each, Scalar) and each.a == "key"
    )
    model = attack.model
    codes = set()
    for cycle in range(16, 0, -1):
        model.reset()
        assert not error_of(model.exchange(attack.load))
        model.send(operation_request(Command.EXPONENTIATE, [5], BITS))
        while attack.here() != refusal:
            model.advance(1)
        model.advance(cycle)
        model.flip(attack.jumps, 0, 0)
        answer = answer_or_none(model)
        codes.add(error_of(answer) if len(answer) == 1 else 0)
    assert codes == {ErrorCode.NO_KEY, ErrorCode.FAULT}


def test_a_number_of_no_words_is_not_another_one(attack: Attack, program: Program) -> None:
    """Any digit that is written while it is received."""
    received = next(
        at
        for at, each in enumerate(program.instructions)
        if at > program.labels["private"] and isinstance(each, Unit) and each.does is UnitOp.NUMBER
    )
    model, digit = attack.model, attack.number("u_in.digit_o")
    outcomes = set()
    for cycle in range(60):
        model.reset()
        assert not error_of(model.exchange(attack.load))
        model.send([Command.PRIVATE, 0])
        while attack.here() != received:
            model.advance(1)
        model.advance(cycle)
        model.flip(digit, 0, 3)
        answer = answer_or_none(model)
        assert answer
        outcomes.add(error_of(answer))
        assert error_of(answer) or parse_number(answer[3:]) == 0, cycle
    assert outcomes == {0, ErrorCode.FAULT}


def test_a_damaged_scalar_at_rest_ends_with_a_clear(attack: Attack, program: Program) -> None:
    """The next load is answered, so that a clear after it is. Then all works."""
    model, scalars = attack.model, attack.number("u_scalars.u_memory.gen_inferred.memory")
    private = operation_request(Command.PRIVATE, [5], BITS)
    for name, word in program.scalars().items():
        model.reset()
        assert not error_of(model.exchange(attack.load))
        model.flip(scalars, word, 4)
        model.send(attack.load)
        assert answer_or_none(model), name
        assert not error_of(model.exchange([Command.CLEAR])), name
        assert not error_of(model.exchange(attack.load)), name
        assert parse_number(model.exchange(private)[3:]) == attack.right, name


def test_a_damaged_place_at_rest_takes_no_request_s_answer(attack: Attack) -> None:
    """Any bit of the program's counter, and of its copy, while the engine waits for a request."""
    model, width = attack.model, (len(engine_program().instructions) - 1).bit_length()
    for name in ("u_control.place_q", "u_control.inverted_q"):
        for bit in range(width):
            model.reset()
            assert not error_of(model.exchange(attack.load))
            model.advance(5000)  # for the wiping after a load
            model.flip(attack.number(name), 0, bit)
            model.advance(5000)
            assert not model.answered, (name, bit)
            model.send([Command.INFO])
            info = answer_or_none(model)
            assert info, (name, bit)
            assert info[0] & 0xFFFF == Command.INFO, (name, bit)
            model.send(attack.request)
            assert parse_number(answer_or_none(model)[3:]) == attack.right, (name, bit)


def test_a_clear_that_is_done_has_wiped(attack: Attack, key: RsaKey, program: Program) -> None:
    """A bit of a scalar flips while the program notes that it begins anew for a clear."""
    model, place = attack.model, program.labels["clear?"] + 1
    value = attack.number("u_scalars.value_q")
    model.reset()
    assert not error_of(model.exchange(attack.load))
    leaks = Leaks(model, ENGINE.parameters["digit_bits"], key)
    assert leaks.in_memory
    refused = 0
    for cycle in range(32):
        model.reset()
        assert not error_of(model.exchange(attack.load))
        model.send([Command.CLEAR])
        while attack.here() != place:
            model.advance(1)
        model.advance(cycle)
        model.flip(value, 0, 13)
        answer = answer_or_none(model)
        refused += answer != [Command.CLEAR]
        assert answer != [Command.CLEAR] or not leaks.in_memory, cycle
    assert refused
