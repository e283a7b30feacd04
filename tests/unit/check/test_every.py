"""The check of every exponent and base of a modulus: it counts all, and finds what is wrong."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from totient.catalog import select
from totient.check import check_every
from totient.check.packets import Core
from totient.common.contract import ErrorCode
from totient.common.errors import DeviceError, InputError
from totient.common.formula import Formula


@pytest.mark.parametrize(
    ("name", "width", "modulus", "exponentiations", "refusals"),
    [
        *(("T2", 8, 3, 256 * 3, 253), ("T3", 8, 5, 256 * 5, 251), ("N8", 16, 3, 256 * 3, 253)),
        *(("T2", 8, 0, 0, 256), ("T2", 8, 1, 0, 256), ("T3", 8, 254, 0, 256)),
    ],
)
def test_every_operand_is_counted(
    name: str, width: int, modulus: int, exponentiations: int, refusals: int
) -> None:
    outcome = check_every(select(name, width=width), modulus)
    assert outcome.faults == []
    assert (outcome.cases, outcome.exponentiations) == (256, exponentiations)
    assert outcome.refusals == refusals


def test_the_largest_modulus_is_the_last_one() -> None:
    with pytest.raises(InputError, match="modulus is 256, allowed is 0 to 255"):
        check_every(select("T2", width=8), 256)


def test_a_wrong_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Core.exponentiate

    def wrong(core: Core, bases: Sequence[int]) -> tuple[list[int], int]:
        results, cycles = right(core, bases)
        return [(result + (bases[0] == 2)) % 3 for result in results], cycles

    monkeypatch.setattr(Core, "exponentiate", wrong)
    outcome = check_every(select("T2", width=8), 3)
    assert len(outcome.faults) == 256
    assert outcome.faults[0] == "case 0: results of range(2, 3) [2], expected [1]"


def test_an_accepted_base_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Core.exponentiate

    def wrong(core: Core, bases: Sequence[int]) -> tuple[list[int], int]:
        return ([1], 9) if bases == [255] else right(core, bases)

    monkeypatch.setattr(Core, "exponentiate", wrong)
    outcome = check_every(select("T2", width=8), 3)
    assert outcome.faults == ["base 255: accepted though not below the modulus"]


def test_a_wrong_error_code_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_core: Core, modulus: int, exponent: int, exponent_bits: int) -> int:
        raise DeviceError("modulus_small", ErrorCode.MODULUS_SMALL)

    monkeypatch.setattr(Core, "load_key", wrong)
    assert len(check_every(select("T2", width=8), 3).faults) == 256
    assert len(check_every(select("T2", width=8), 4).faults) == 256
    assert check_every(select("T2", width=8), 1).faults == []


def test_a_wrong_cycle_count_is_found() -> None:
    right = select("T2", width=8)
    wrong = replace(right, design=replace(right.design, setup=Formula("1")))
    assert len(check_every(wrong, 3).faults) == 256
