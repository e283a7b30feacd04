"""Malformed packets and accesses: every core and IP answers, and what goes wrong is found."""

from collections.abc import Sequence

import pytest

from totient.catalog import ips, select, select_ip
from totient.check import check_core_fuzz, check_ip_fuzz
from totient.common.errors import InputError
from totient.sim import Model


@pytest.mark.parametrize("row", ["T1", "T2", "T3", "N1", "N8"])
def test_cores_answer_any_packet(row: str) -> None:
    outcome = check_core_fuzz(select(row, width=33), 400, seed=1)
    assert outcome.faults == []
    assert outcome.cases >= 400
    assert outcome.refusals > 200
    assert outcome.exponentiations > 50


@pytest.mark.parametrize("name", [ip.name for ip in ips()])
def test_ips_answer_any_input(name: str) -> None:
    outcome = check_ip_fuzz(select_ip(name), 300, seed=1)
    assert outcome.faults == []
    assert outcome.cases >= 300
    assert outcome.exponentiations > 0
    assert outcome.cycles > 0


def wrong_last_word(model: Model, packet: Sequence[int], limit: int | None = None) -> list[int]:
    """An answer with a wrong last word, if it has more than its header."""
    model.send(packet)
    answer = model.receive(limit=limit)
    return [*answer[:-1], answer[-1] ^ (len(answer) > 1)]


def test_a_wrong_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "exchange", wrong_last_word)
    faults = check_core_fuzz(select("T2", width=33), 50, seed=1).faults
    assert any("result" in fault for fault in faults)
    faults = check_ip_fuzz(select_ip("rsa_fixed"), 50, seed=1).faults
    assert any("results" in fault for fault in faults)


def test_a_wrong_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(model: Model, packet: Sequence[int], limit: int | None = None) -> list[int]:
        model.send(packet)
        answer = model.receive(limit=limit)
        return [answer[0] ^ 0x1_8001, *answer[1:]]

    monkeypatch.setattr(Model, "exchange", wrong)
    faults = check_core_fuzz(select("T2", width=33), 10, seed=1).faults
    for what in ("command", "words", "error"):
        assert any(what in fault for fault in faults), what


def test_wrong_cycles_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(model: Model, packet: Sequence[int], limit: int | None = None) -> list[int]:
        model.send(packet)
        first, *rest = model.receive(limit=limit)
        return [first, *(word ^ (place == 0) for place, word in enumerate(rest))]

    monkeypatch.setattr(Model, "exchange", wrong)
    faults = check_core_fuzz(select("T2", width=33), 10, seed=1).faults
    assert any("cycles" in fault for fault in faults)


def test_an_ip_is_reset_or_gets_time(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    reset, advance = Model.reset, Model.advance

    def noted_reset(model: Model) -> None:
        done.append("reset")
        reset(model)

    def noted_advance(model: Model, cycles: int) -> None:
        done.append("time")
        advance(model, cycles)

    monkeypatch.setattr(Model, "reset", noted_reset)
    monkeypatch.setattr(Model, "advance", noted_advance)
    assert check_ip_fuzz(select_ip("rsa_fixed"), 600, seed=1).faults == []
    assert {*done} == {"reset", "time"}


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="count is 0"):
        check_core_fuzz(select("T2", width=33), 0, seed=1)
    with pytest.raises(InputError, match="seed is -1"):
        check_ip_fuzz(select_ip("rsa_fixed"), 1, seed=-1)
