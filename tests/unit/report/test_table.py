"""How figures read."""

import pytest

from totient.report import Column, Table, Value
from totient.report.values import (
    NOT_RUN,
    duration,
    energy,
    grouped,
    percent,
    power,
    product,
    ratio,
    rough_energy,
    significant,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234567, "1,234,567"),
        (0, "0"),
        (2**1023, "8.988e+307"),
        (2**1100, "1.358e+331"),
        (None, "-"),
    ],
)
def test_counts(value: Value, text: str) -> None:
    assert grouped(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2 s"), (0.0123456, "12.35 ms"), (4.5e-6, "4.5 µs"), (None, "-"), (218.825, "218.8 s")],
)
def test_times(value: Value, text: str) -> None:
    assert duration(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1 J"), (0.0123456, "12.35 mJ"), (4.5e-6, "4.5 µJ"), (4.5e-8, "0.045 µJ"), (None, "-")],
)
def test_energies(value: Value, text: str) -> None:
    assert energy(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(12.345, "12.3 W"), (0.9996, "1 W"), (0.9994, "999 mW"), (0.0123456, "12.3 mW"), (None, "-")],
)
def test_powers(value: Value, text: str) -> None:
    assert power(value) == text


def test_parts_of_one_and_what_changes_from_run_to_run() -> None:
    assert percent(0.126) == "13 %"
    assert rough_energy(0.0123456) == "12 mJ"


def test_a_word_stands_for_what_follows_from_it() -> None:
    assert product(3, 0.5) == ratio(3, 2) == 1.5
    assert product(3, None) is ratio(None, 2) is None
    assert product(None, NOT_RUN) == ratio(2, NOT_RUN) == NOT_RUN


@pytest.mark.parametrize(
    ("value", "text"), [(28.387, "28.39"), (739884.0, "739,884"), (None, "-"), (4.68, "4.68")]
)
def test_four_digits(value: Value, text: str) -> None:
    assert significant(value) == text


def test_texts_are_set_to_the_left_in_markdown() -> None:
    columns = (Column("bits"), Column("whose"), Column("LUT", grouped), Column("limit"))
    table = Table("title", columns, [(1, "ours", 10, None), (2, "paper", None, "face")])
    assert table.markdown.splitlines()[1] == "| --- | --- | ---: | --- |"


def test_a_row_needs_a_value_for_each_column() -> None:
    table = Table("title", (Column("a"), Column("b", grouped)), [("x", 1000)])
    assert table.texts == [["x", "1,000"]]
    with pytest.raises(ValueError, match="shorter"):
        _ = Table("title", (Column("a"), Column("b")), [("x",)]).texts
