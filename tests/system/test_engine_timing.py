"""The engine's time and the addresses of its memories depend only on lengths."""

from pathlib import Path

import pytest

from tests.defects import Change
from tests.engines import ENDS_EARLY, ENGINE
from totient.catalog import Configuration
from totient.check import check_timing, engine_timing


@pytest.mark.parametrize(
    ("engine", "bits"),
    [
        pytest.param(ENGINE, 512, id="512"),
        pytest.param(ENDS_EARLY, 512, id="ends early"),
        pytest.param(ENGINE, 1024, id="1024", marks=pytest.mark.slow),
    ],
)
def test_values_change_no_cycle_and_no_address(engine: Configuration, bits: int) -> None:
    outcome = check_timing(engine, bits, count=10, seed=1)
    assert outcome.faults == []
    assert outcome.exponentiations == 90


def test_with_long_moduli_some_keys_do_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are compared with each other: an operation begins where the one before has ended."""
    monkeypatch.setattr(engine_timing, "_LONG", 511)
    monkeypatch.setattr(engine_timing, "_SELDOM", 4)
    outcome = check_timing(ENGINE, 512, count=8, seed=1)
    assert outcome.faults == []
    assert outcome.exponentiations == 2 * 9 + 6 * 3


# Random words are the operating system's: two keys may meet equally many odd ones by chance, about
# once in three times; that all twelve do, once in 10^5.
KEYS = 12

DEFECTS = {
    "cycles": Change(
        "engine_packet_io",
        "ticks_q + 1'b1 : '0;",
        "ticks_q + TickBits'(!(op.random && half_q[0])) : '0;",
    ),
    "u_table.read_index_i": Change(
        "engine_window",
        ".read_index_i({row_q, here})",
        ".read_index_i(run_q ? {row_q, here} : (RowBits + SideBits)'(window_q[0]))",
    ),
}


@pytest.mark.parametrize("what", DEFECTS)
def test_what_tells_a_secret_is_seen(what: str, tmp_path: Path) -> None:
    library = DEFECTS[what].build(ENGINE.top(), tmp_path, probed=True)
    faults = check_timing(ENGINE, 512, count=KEYS, seed=1, library=library).faults
    assert any(what in fault for fault in faults if "private by primes, option 0" in fault)
