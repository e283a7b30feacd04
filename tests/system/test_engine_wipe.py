"""After a clear or a reset nothing of a key, an input or what is computed is in the engine."""

from pathlib import Path

import pytest

from tests.defects import Change
from tests.engines import ENDS_EARLY, ENGINE
from totient.catalog import Configuration
from totient.check import check_wipe


@pytest.mark.parametrize("engine", [ENGINE, ENDS_EARLY], ids=["whole ring", "ends early"])
def test_nothing_is_left_at_any_moment(engine: Configuration) -> None:
    outcome = check_wipe(engine, 512, count=30, seed=1)
    assert outcome.faults == []
    assert outcome.cases == 30


def test_what_is_not_wiped_is_seen(tmp_path: Path) -> None:
    forgotten = Change("engine_window", "keep_q       <= wipe_q || (", "keep_q       <= (")
    library = forgotten.build(ENGINE.top(), tmp_path, probed=True)
    outcome = check_wipe(ENGINE, 512, count=10, seed=1, library=library)
    assert any("u_gathered" in fault for fault in outcome.faults)
