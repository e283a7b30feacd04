"""How figures read."""

import pytest

from totient.report import Column, Table, columns
from totient.report.values import (
    NOT_RUN,
    Format,
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
    ("form", "texts"),
    [
        (grouped, {1234567: "1,234,567", 0: "0", 2**1023: "8.988e+307", 2**1100: "1.358e+331"}),
        (duration, {2.0: "2 s", 0.0123456: "12.35 ms", 4.5e-6: "4.5 µs", 218.825: "218.8 s"}),
        (energy, {1.0: "1 J", 0.0123456: "12.35 mJ", 4.5e-6: "4.5 µJ", 4.5e-8: "0.045 µJ"}),
        (power, {12.345: "12.3 W", 0.9996: "1 W", 0.9994: "999 mW", 0.0123456: "12.3 mW"}),
        (significant, {28.387: "28.39", 739884.0: "739,884", 4.68: "4.68"}),
        (percent, {0.126: "13 %"}),
        (rough_energy, {0.0123456: "12 mJ"}),
    ],
)
def test_a_format(form: Format, texts: dict[float, str]) -> None:
    assert {value: form(value) for value in texts} == texts
    assert form(None) == "-"


def test_a_word_stands_for_what_follows_from_it() -> None:
    assert product(3, 0.5) == ratio(3, 2) == 1.5
    assert product(3, None) is ratio(None, 2) is None
    assert product(None, NOT_RUN) == ratio(2, NOT_RUN) == NOT_RUN


def test_texts_are_set_to_the_left_in_markdown() -> None:
    columns = (Column("bits"), Column("whose"), Column("LUT", grouped), Column("limit"))
    table = Table("title", columns, [(1, "ours", 10, None), (2, "paper", None, "face")])
    assert table.markdown.splitlines()[1] == "| --- | --- | ---: | --- |"


def test_a_row_needs_a_value_for_each_column() -> None:
    table = Table("title", (Column("a"), Column("b", grouped)), [("x", 1000)])
    assert table.texts == [["x", "1,000"]]
    with pytest.raises(ValueError, match="shorter"):
        _ = Table("title", (Column("a"), Column("b")), [("x",)]).texts
    for row, word in ((("x",), "shorter"), (("x", 1, 2), "longer")):
        with pytest.raises(ValueError, match=word):
            Table.of("title", columns(grouped, "a", "b", ("c", len)), [row])


def test_columns_show_what_they_name_of_an_item() -> None:
    """A key, an attribute or a function of it; without a name the item, or the next of its row."""
    named = (*columns(grouped, ("a", "real"), ("b", abs)), Column("c"))
    assert Table.of("title", named, [-2], "a note").rows == [[-2, 2, -2]]
    assert Table.of("title", columns(grouped, ("a", "x"), ("b", "y")), [{"x": 3}]).rows == [
        [3, None]
    ]
    mixed = Table.of("title", columns(grouped, "a", ("all", sum), "b"), [(1, 2)], "one", "two")
    assert (mixed.rows, mixed.notes) == ([[1, 3, 2]], ("one", "two"))
