"""A flipped bit in the engine: a right result or an error, never a wrong result."""

from pathlib import Path
from random import Random

from tests.engine_defects import unchecked
from tests.engines import ENGINE
from totient.check import check_faults
from totient.check.packets import load_rsa_key_request, operation_request, parse_number
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.common.contract import Command, ErrorCode, Response
from totient.device import key_of_primes
from totient.sim import Model, build_model


def test_no_result_is_wrong() -> None:
    campaign = check_faults(ENGINE, 512, count=90, seed=1)
    assert campaign.faults == []
    assert campaign.outcomes["right result"] > 20
    assert campaign.outcomes["error"] > 5
    assert min(campaign.modules.values()) >= 2
    assert len(campaign.modules) > 30


def test_a_wrong_result_is_seen(tmp_path: Path) -> None:
    """Without the decisions of the check a flipped bit gives a wrong one."""
    library = unchecked(ENGINE, tmp_path)
    campaign = check_faults(ENGINE, 512, count=10, seed=1, library=library, where="u_element")
    assert any("a wrong result" in fault for fault in campaign.faults)


def test_what_takes_too_long_is_given_up() -> None:
    """Its clock cycles are counted; with 2^31 of them there is an error, and all goes on."""
    key, d = key_of_primes(*draw_primes(512, SHAPES[0], 65537, Random(1)), 65537)
    request = operation_request(Command.PRIVATE, [5], 512)
    with Model(build_model(ENGINE.top(), probed=True)) as model:
        (cycles,) = (
            place
            for place, element in enumerate(model.elements()[0])
            if element.name.endswith("u_packet_io.u_timer.cycles_q")
        )
        model.seed_randomness(1)
        model.send(load_rsa_key_request(key))
        assert not model.receive()[0] >> 8 & 0xFF
        model.send(request)
        model.advance(10_000)
        model.flip(cycles, 0, 31)
        before = model.cycles
        answer = model.receive()
        assert answer == [Command.PRIVATE | Response.ERROR.put(ErrorCode.FAULT)]
        assert model.cycles - before < 20_000  # all is wiped
        model.send(request)
        assert parse_number(model.receive()[3:]) == pow(5, d, key.modulus)
