"""A clear and a reset leave nothing of any state, for all values of its bits."""

import re
from pathlib import Path
from random import Random

import pytest

from tests.defects import Change, changed
from totient.catalog import select, sources
from totient.check.packets import error_of, exponentiate_request, load_key_request, parse_number
from totient.common.contract import ErrorCode
from totient.prove import wiping
from totient.prove.three_valued import ThreeValued, build_three_valued
from totient.prove.wiping import EngineRun, build, prove_moments, prove_reset
from totient.sim import Model, build_model

ENGINE = select("engine", width=1024, elements=1)
LIMIT = 10**7  # clock cycles


@pytest.fixture(scope="module")
def built() -> ThreeValued:
    return build(ENGINE)


def test_a_reset_wipes_an_engine_in_any_state(built: ThreeValued) -> None:
    wiped = prove_reset(built)
    assert wiped.holds, wiped
    bits = sum(each.bits * (each.words or 1) for each in built.registers)
    assert wiped.unknown > 0.99 * bits


def test_the_model_computes_as_the_engine_does(built: ThreeValued) -> None:
    """It is not only known, but right."""
    modulus, exponent, base = (1 << 511) + 187, 65537, 3**300
    with Model(built.library) as model:
        EngineRun(model, built.registers).start()
        loaded = model.exchange(load_key_request(modulus, exponent, 17), limit=LIMIT)
        assert error_of(loaded) == ErrorCode.OK
        answer = model.exchange(exponentiate_request([base], 512), limit=LIMIT)
    # A header, and the cycles in two words, come first.
    assert parse_number(answer[3:]) == pow(base, exponent, modulus)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_rtl_itself_ends_as_the_model_says(built: ThreeValued, seed: int) -> None:
    """Of random contents of all registers and memories, in a plain simulation of the RTL."""
    with Model(built.library) as model:
        run = EngineRun(model, built.registers)
        run.start()
        end = model.cycles
        known = {each.name: run.state.words(each.name) for each in built.registers}
    draw = Random(seed)
    with Model(build_model(ENGINE.top(), probed=True)) as rtl:
        state = rtl.elements()[0]
        for number, element in enumerate(state):
            for word in range(element.words):
                for bit in range(element.bits):
                    if draw.getrandbits(1):
                        rtl.flip(number, word, bit)
        rtl.reset()
        rtl.advance(end - rtl.cycles)
        compared = 0
        for number, element in enumerate(state):
            name = element.name.removeprefix("TOP.rsa_engine.")
            contents = rtl.words(number, element)
            for word, bits in enumerate(known.get(name, [])):
                found = contents[word]
                assert found & ~bits.unknown == bits.value, (name, word)
                compared += element.bits - bits.unknown.bit_count()
    assert compared > 0.95 * sum(each.bits * (each.words or 1) for each in built.registers)


@pytest.mark.slow
def test_what_an_operation_leaves_is_wiped(built: ThreeValued) -> None:
    for wiped in prove_moments(built, count=12, seed=7):
        assert wiped.holds, wiped


@pytest.mark.slow
def test_a_register_that_depends_on_a_key_is_not_taken_as_it_is(
    built: ThreeValued, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = re.compile(rf"(?!u_datapath\.u_b\.)(?:{wiping._NUMBERS.pattern})")
    monkeypatch.setattr(wiping, "_NUMBERS", fewer)
    (wiped,) = prove_moments(built, count=1, seed=1)
    assert "u_datapath.u_b.gen_inferred.memory" in wiped.differs
    assert not wiped.holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "left"),
    [
        # Random words stay, where the wipe writes them.
        (
            Change("engine_random_pool", "if (wipe_i || wipe_q) half_q <= '0;", ""),
            "u_packet_io.u_pool.u_halves.gen_inferred.memory",
        ),
        # The last words of a page stay.
        (
            Change("engine_digit_access", "index_q == ~PageBits'(1)", "index_q == ~PageBits'(3)"),
            "u_datapath.u_a.gen_inferred.memory",
        ),
        # The table of powers stays.
        (
            Change("engine_window", "bank_write_q[b] <= wipe_i ||", "bank_write_q[b] <="),
            "u_datapath.u_window.gen_bank[0].u_table.gen_inferred.memory",
        ),
    ],
    ids=lambda value: value.file if isinstance(value, Change) else "",
)
def test_a_defect_leaves_something(change: Change, left: str, tmp_path: Path) -> None:
    top = ENGINE.top()
    listing = changed(sources(top.core), tmp_path, change)
    assert left in prove_reset(build_three_valued(listing, top)).left
