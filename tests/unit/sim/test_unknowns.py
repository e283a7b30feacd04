"""What a netlist leaves unknown: drawn at random for each start, and both values in two starts."""

from pathlib import Path

from totient.catalog import Face, Top
from totient.sim import Model, build_netlist_model

WORDS = 9


def draw(library: Path, start: int) -> list[int]:
    """All unknown words in a start."""
    with Model(library, unknowns=start) as model:
        model.advance(5)
        return model.exchange(list(range(WORDS)))


def test_two_starts_have_both_values_of_every_unknown_bit() -> None:
    top = Top("", "unknown", {}, frozenset({Face.STREAM}), "unknown")
    library = build_netlist_model([Path(__file__).with_name("unknown.sv")], top)
    drawn = {start: draw(library, start) for start in range(1, 7)}
    for start in (1, 3, 5):
        assert [word ^ 0xFFFF_FFFF for word in drawn[start]] == drawn[start + 1]
    # Pairs are different draws, and no word stands twice in one of them.
    words = [word for each in drawn.values() for word in each]
    assert len(set(words)) == len(words) == 6 * WORDS
    assert draw(library, 2) == drawn[2]
