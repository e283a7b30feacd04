"""What stands beside processors: the papers' exponentiators of the widths of keys."""

from totient.catalog import designs
from totient.compare import needed
from totient.compare.processors import Comparison, exponentiators

ROWS = {*(f"T{number}" for number in (1, 2, 3)), *(f"N{number}" for number in range(1, 9))}


def test_bench_measures_every_row_that_stands_beside_processors() -> None:
    for bits in (1024, 2048):
        shown = exponentiators(bits)
        assert {name.split(",")[0] for name in shown} == ROWS
        routed = {
            item.subject.label: item.kinds
            for item in needed(bits)
            if item.target.name == "ecp5-85f" and item.subject.width == bits and item.dsp
        }
        for core in shown.values():
            assert {"public", "private"} <= set(routed[core.suited("Lattice ECP5").label])
    assert not [item for item in needed(1024) if item.subject.width == 2048]


def test_a_table_has_the_rows_of_its_width() -> None:
    for bits in (1024, 2048):
        names = [each.name for each in Comparison(bits, "private").designs]
        assert set(exponentiators(bits)) < set(names)
        assert len(names) == len(set(names))
    assert {row for design in designs() for row in design.rows} >= ROWS
