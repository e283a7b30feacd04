"""Errors of energy in comparisons: designs not told apart, and the soft CPU's range."""

from types import SimpleNamespace
from typing import Any

import pytest

from totient.compare import processor_findings, processors
from totient.compare.processors import Comparison, estimated_range


def test_the_larger_of_two_errors_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def design(name: str, joules: float, error: float) -> Any:
        ends = {"least_joules": joules / error, "most_joules": joules * error}
        return SimpleNamespace(name=name, joules=joules, error=error, time=1.0, **ends)

    designs = [
        design("least", 1e-3, 1.2),
        design("near, sure", 1.15e-3, 1.1),
        design("farther, unsure", 1.4e-3, 1.5),
        design("farther, sure", 1.3e-3, 1.1),
        design("far, unsure", 1.6e-3, 1.5),
        design("without a clock", 0.0, 1.0),
    ]
    designs[-1].joules = "not run"
    monkeypatch.setattr(processors.Comparison, "designs", designs)
    data = Comparison(1024, "private")
    tables = {
        name: SimpleNamespace(rows=(), column=lambda _: ())
        for name in ("library", "published", "tiny")
    }
    found = processor_findings.conclusions(data, tables)  # type: ignore[arg-type]
    assert found["least"] == ("1 mJ", "least")
    assert found["alike"] == " (not told apart from it: near, sure, farther, unsure)"
    ends = found["less_energy_range"]
    assert isinstance(ends, tuple)
    assert ends[1] / ends[0] == pytest.approx(1.2**2)


def test_static_power_is_no_part_of_the_soft_cpus_range() -> None:
    """91 mW in 2 s, and 300 mJ on top: a third of it at least, three times at most."""
    found = estimated_range(0.182 + 0.3, 2.0)
    assert found == pytest.approx((0.182 + 0.1, 0.182 + 0.9))
