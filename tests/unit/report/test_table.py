"""How figures read."""

import pytest

from totient.report import Column, Table, Value, duration, grouped, significant


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
