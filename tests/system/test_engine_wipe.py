"""After a clear or a reset nothing of a key, an input or what is computed is in the engine."""

from pathlib import Path

import pytest

from tests.defects import Change
from tests.engines import ENDS_EARLY, ENGINE
from totient.catalog import Configuration
from totient.check import check_wipe
from totient.sim import Model, build_model

_WIPED = 40_000  # cycles that a wipe after a reset ends in


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


def test_a_reset_undoes_each_flipped_bit() -> None:
    """What keeps a flip is no register: a constant that a campaign must not hit."""
    with Model(build_model(ENDS_EARLY.top(), probed=True)) as model:
        state, seen = model.elements()[0], []
        for flipped in (False, True):
            for place, each in enumerate(state):
                for bit in range(each.bits if flipped else 0):
                    model.flip(place, 0, bit)
            model.reset()
            model.advance(_WIPED)
            seen.append([model.peek(place, each) for place, each in enumerate(state)])
    changed = [each.name for each, *both in zip(state, *seen, strict=True) if both[0] != both[1]]
    # Word 0 of the scalars is the one that is written and never read.
    assert changed == ["TOP.rsa_engine.u_control.u_scalars.u_memory.gen_inferred.memory"]
    assert len(state) > 500
