"""A flipped bit in the engine: a right result or an error, never a wrong result."""

from pathlib import Path

from tests.defects import Change
from totient.catalog import select
from totient.check import check_faults

ENGINE = select("engine", width=1024, elements=8)


def test_no_result_is_wrong() -> None:
    campaign = check_faults(ENGINE, 512, count=60, seed=1)
    assert campaign.faults == ()
    assert campaign.outcomes["right result"] > 20
    assert campaign.outcomes["error"] > 5
    assert min(campaign.modules.values()) >= 2
    assert len(campaign.modules) > 20


def test_a_wrong_result_is_seen(tmp_path: Path) -> None:
    """Without the check of the result a flipped bit gives a wrong one."""
    unchecked = Change("rsa_engine", ".zero_i(zero[0])", ".zero_i(1'b1)")
    library = unchecked.build(ENGINE.top(), tmp_path, probed=True)
    campaign = check_faults(ENGINE, 512, count=10, seed=1, library=library, where="u_element")
    assert any("a wrong result" in fault for fault in campaign.faults)
