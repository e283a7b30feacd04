"""A flipped bit in each phase of each operation, and two of them: the campaign and what it sees."""

from pathlib import Path

import pytest

from tests.defects import Change, build_changed
from tests.engine_defects import unchecked
from tests.engines import ENDS_EARLY, ENGINE
from totient.check.engine_flips import OPERATIONS, PHASES, check_flips
from totient.common.errors import InputError
from totient.engine.instructions import KEY
from totient.engine.layout import FIRST, RESULT

COMPUTE, SEND = {"private": ["compute"]}, {"private": ["send"]}


def test_no_phase_releases_a_wrong_result_or_a_word_of_the_key() -> None:
    done = check_flips(ENGINE, 512, 500, seed=1)
    assert done.faults == []
    assert done.count == 500
    assert {operation for operation, _ in done.outcomes} == set(OPERATIONS)
    assert {phase for _, phase in done.outcomes} == set(PHASES)
    for reached, outcomes in zip(done.reached.values(), done.outcomes.values(), strict=True):
        assert len(reached) == outcomes.total()  # none is hit again before all are
        assert outcomes["right result"]
    assert "operations with flipped bits: right result" in done.summary


def test_an_array_that_ends_early_releases_no_wrong_result() -> None:
    done = check_flips(ENDS_EARLY, 512, 200, seed=1, only=COMPUTE, where=("u_array",))
    assert done.faults == []
    assert done.outcomes["private", "compute"]["right result"]


def test_two_flips_release_no_word_of_the_key() -> None:
    done = check_flips(ENGINE, 512, 60, seed=1, flips=2)
    assert done.faults == []
    assert done.count == 60


def test_phases_that_an_operation_has_not_are_refused() -> None:
    for phases in (["compare"], []):
        with pytest.raises(InputError, match="allowed of public are receive, compute, send"):
            check_flips(ENGINE, 512, 1, seed=1, only={"public": phases})


def test_a_wrong_result_is_seen(tmp_path: Path) -> None:
    """Without the decisions of the final check."""
    library = unchecked(ENGINE, tmp_path)
    where = ("u_element",)
    done = check_flips(ENGINE, 512, 20, seed=1, only=COMPUTE, where=where, library=library)
    assert any("WRONG result" in fault for fault in done.faults)


def test_a_word_of_the_key_is_seen(tmp_path: Path) -> None:
    """While the result of a private operation is sent: a public one reads no secret number.

    The copies of the memory are not compared, and a flipped page bit takes the address to a
    constant of the key, the block `FIRST`. In the RTL as it is, it leads to an unused block.
    """
    high = RESULT // 2 ^ FIRST // 2 ^ KEY // 2
    lib = build_changed(
        ENGINE.top(),
        tmp_path,
        Change(
            "engine_digit_access", "wrong_q   <= tag_q[6] && differs_q != '0;", "wrong_q   <= 1'b0;"
        ),
        Change(
            "engine_digit_fetch",
            "assign address_o = address_q;",
            "assign address_o = address_q ^ (sends_i && address_q[AddressBits-1]"
            f" ? AddressBits'({high}) << (PlaceBits + 1) : '0);",
        ),
        probed=True,
    )
    where = ("u_fetch.gen_plain.address_q",)
    done = check_flips(ENGINE, 512, 300, seed=1, only=SEND, where=where, library=lib)
    assert any("KEY MATERIAL" in fault for fault in done.faults)
