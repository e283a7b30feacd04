"""An engine that is asked nonsense, held back or starved: the next operation is right."""

from random import Random

from totient.catalog import select
from totient.check import check_fuzz
from totient.check.packets import load_rsa_key_request, operation_request, parse_number
from totient.check.rsa_keys import draw_primes
from totient.common.contract import Command, ErrorCode, PrivateOption, Response
from totient.device import key_of_primes
from totient.sim import open_model

ENGINE = select("engine", width=1024, elements=8, key_slots=2)
WATCHDOG = 1 << 20


def test_malformed_packets() -> None:
    outcome = check_fuzz(ENGINE, count=300, seed=1)
    assert outcome.faults == []
    assert outcome.cases >= 300
    assert outcome.refusals > 150


def test_without_random_words_it_gives_up_and_is_ready() -> None:
    key, d = key_of_primes(*draw_primes(512, "p is larger", 65537, Random(1)), 65537)
    request = operation_request(Command.PRIVATE, [5], 512)
    with open_model(ENGINE, checked=True) as model:
        model.exchange(load_rsa_key_request(key))
        model.exchange(request)
        model.give_randomness(False)
        # A clear wipes the words that have been fetched ahead.
        model.exchange([Command.CLEAR])
        model.exchange(load_rsa_key_request(key))
        for _ in range(2):
            before = model.cycles
            answer = model.exchange(request, limit=2 * WATCHDOG)
            assert answer == [Command.PRIVATE | Response.ERROR.put(ErrorCode.RANDOM)]
            # The time before the first random digit, and that of the wipe, is short.
            assert WATCHDOG <= model.cycles - before < WATCHDOG + 30_000
        plain = PrivateOption.NO_BASE_BLINDING
        unblinded = operation_request(Command.PRIVATE, [5], 512, option=plain)
        assert parse_number(model.exchange(unblinded)[3:]) == pow(5, d, key.modulus)
        model.give_randomness(True)
        assert parse_number(model.exchange(request)[3:]) == pow(5, d, key.modulus)


def test_a_packet_that_comes_with_the_end_of_a_reset_is_taken_whole() -> None:
    with open_model(ENGINE, checked=True) as model:
        for waits in range(4, 40_000, 7001):
            model.advance(waits)  # until it is asked, at the end
            model.reset()
            answer = model.exchange([Command.INFO], limit=10**6)
            assert answer[0] == Command.INFO | Response.WORDS.put(9)
