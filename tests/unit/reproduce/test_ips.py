"""The papers' IPs: what their tables say is what was computed, and agrees with the papers."""

import pytest

from totient.reproduce import becannon, evantash


@pytest.fixture(scope="module")
def tables() -> dict[str, dict[str, list[tuple[object, ...]]]]:
    """Rows of every table of both papers."""
    return {
        name: {table.name: [tuple(row) for row in table.rows] for table in done.tables}
        for name, done in (("becannon", becannon.reproduce()), ("evantash", evantash.reproduce()))
    }


def test_becannon(tables: dict[str, dict[str, list[tuple[object, ...]]]]) -> None:
    paper, ours, _, small = tables["becannon"]["values"]
    assert paper[2:] == ours[2:] == (7, 800143763, 457173463, 9, 4782969, 9)
    assert small[2:] == (7, 143, 103, 9, pow(9, 7, 143), 9)
    cycles = [(row[3], row[4]) for row in tables["becannon"]["cycles"]]
    assert [theirs for theirs, _ in cycles] == [501, 244, 2324, 341, 244, 564]
    assert all(int(str(ours)) <= int(str(theirs)) for theirs, ours in cycles)
    assert len(tables["becannon"]["area"]) == 6
    assert becannon.reproduce().findings[0].startswith("Values: every key")


def test_evantash(tables: dict[str, dict[str, list[tuple[object, ...]]]]) -> None:
    for character, word, paper, fixed, generated, decrypted in tables["evantash"]["words"]:
        assert paper == fixed == generated == pow(int(str(word)), 65537, 6103297)
        assert repr(chr(int(str(decrypted)))) == character
    assert len(tables["evantash"]["words"]) == 13
    first, second, *_ = evantash.reproduce().findings
    assert first.startswith("Words: all ciphers are the paper's")
    assert second.endswith("Ours refuses it and says why.")
