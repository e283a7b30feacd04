"""Conclusions in words: what they say follows from the figures."""

import pytest

from totient.report.words import as_long, change, clock, conclude, factor, listed


@pytest.mark.parametrize(
    ("ours", "theirs", "text"),
    [
        (1, 2.5, "2.5 times fewer"),
        (2.5, 1, "2.5 times more"),
        (3, 3, "the same"),
        (100, 139, "1.39 times fewer"),
        (1, 1234, "1,230 times fewer"),
    ],
)
def test_how_many_times(ours: float, theirs: float, text: str) -> None:
    assert factor(ours, theirs) == text


def test_the_judgement_turns_with_the_figures() -> None:
    assert factor(2, 1, "shorter", "longer") == "2.0 times longer"
    assert (change(200, 150), change(150, 200)) == ("25 % fewer", "33 % more")
    assert (as_long(1), as_long(1.5)) == ("as long", "1.50 times as long")
    assert (listed(["a", "b"]), listed([])) == ("a, b", "none")
    assert (clock(12.34), clock("not run")) == ("12.3 MHz", "not run")


def test_what_takes_a_value_that_is_lacking_is_left_out() -> None:
    templates = {"a": "{count:,} of {by[T3]}", "b": "{run.cycles}", "c": "no value"}
    assert conclude(templates, {"count": 1000, "by": {"T3": 7}, "run": None}) == [
        "1,000 of 7",
        "no value",
    ]
    assert conclude(templates, {}) == ["no value"]
