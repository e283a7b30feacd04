"""Endurance runs: what is repeated, continuation, the sums."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from totient.campaigns import endurance, sums
from totient.campaigns.endurance import endure, kept_endurance, parts, table
from totient.campaigns.sums import Part, run_parts
from totient.catalog import designs, ips
from totient.check import Outcome


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Two parts that simulate nothing; names and seeds of those that were run."""
    asked: list[tuple[str, int]] = []

    def part(name: str, sources: str) -> Part:
        def run(seed: int) -> Outcome:
            asked.append((name, seed))
            return Outcome(1, 2, 3, 100, ["wrong"] * (seed == 2))

        return Part(name, sources, run)

    def both() -> Iterator[Part]:
        yield part("a?width=1, operations", "rtl of a")
        yield part("b, malformed packets", "rtl of b")

    monkeypatch.setattr(endurance, "parts", both)
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    return asked


def test_a_run_goes_on_where_it_stopped(ran: list[tuple[str, int]]) -> None:
    a, b = "a?width=1, operations", "b, malformed packets"
    assert kept_endurance() == {}
    assert [cycles for *_, cycles in endure(250)] == [100, 200, 300]
    assert [cycles for *_, cycles in endure(400)] == [400]
    assert [*endure(400)] == []
    # In turn, from the first on; each with its own next seed.
    assert ran == [(a, 1), (b, 1), (a, 2), (a, 3)]
    done = kept_endurance()
    assert (done[a].parts, done[a].cases, done[a].operations, done[a].refusals) == (3, 3, 6, 9)
    assert done[a].faults == ("run 2: wrong",)
    assert table(done).rows == [
        ["a, operations", 1, 3, 6, 9, 300, 1],
        [b, 1, 1, 2, 3, 100, 0],
        ["all", 2, 4, 8, 12, 400, 1],
    ]
    assert table(done).notes[1] == "1 malformed packets and accesses in all"


def test_counts_of_other_rtl_begin_anew(
    ran: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len([*endure(200)]) == 2
    before = [*endurance.parts()]
    changed = Part(before[0].name, "edited", before[0].run)
    monkeypatch.setattr(endurance, "parts", lambda: iter([changed, before[1]]))
    assert [(name, cycles) for name, _, cycles in endure(200)] == [(changed.name, 200)]
    assert kept_endurance()[changed.name].sources == "edited"
    assert kept_endurance()[changed.name].parts == 1


def simulated() -> list[Part]:
    """Two parts, also in other processes."""
    return [Part(name, "rtl", partial(numbered, name)) for name in ("long", "short")]


def numbered(name: str, number: int) -> Outcome:
    """The longer part needs half a second for its first number."""
    time.sleep(0.5 * (name == "long" and number == 1))
    return Outcome(cases=number, cycles=100, faults=["wrong"] * (number == 2))


def test_processes_give_the_same_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    order = ["long", "short", "short", "long", "short"]
    for jobs in (1, 2):
        done = sums.begun("none", simulated())
        told = [
            (name, each.parts) for name, each in run_parts("none", done, order, jobs, simulated)
        ]
        assert told == [("long", 1), ("short", 1), ("short", 2), ("long", 2), ("short", 3)]
        assert sums.kept_sums("none") == done
        assert (done["short"].cases, done["short"].cycles) == (1 + 2 + 3, 300)
        assert {each.faults for each in done.values()} == {("run 2: wrong",)}
        (tmp_path / "campaigns" / "none.json").unlink()


def test_every_design_and_ip_is_repeated() -> None:
    names = [each.name for each in parts()]
    assert len({*names}) == len(names)
    for subject in [*(each.name for each in designs()), *(each.name for each in ips())]:
        assert any(name.startswith((f"{subject}?", f"{subject},")) for name in names)
    for ip in ips():
        assert any(name.startswith(f"{ip.name},") and "malformed input" in name for name in names)
    for design in designs():
        part = f"{design.name}?"
        assert any(name.startswith(part) and "malformed packets" in name for name in names)
    for work in ("clear at any moment", "on the pins", "behind registers"):
        assert any(work in name for name in names)


def test_the_committed_run_has_no_fault() -> None:
    done = kept_endurance()
    assert done
    assert not [each for each in done.values() if each.faults]
