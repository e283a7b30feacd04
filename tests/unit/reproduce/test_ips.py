"""The papers' IPs: what their tables say is what was computed, and agrees with the papers."""

import pytest

from totient.reproduce import Reproduction, becannon, evantash
from totient.reproduce.model import Value


@pytest.fixture(scope="module")
def done() -> dict[str, Reproduction]:
    """Both papers, reproduced once."""
    return {"becannon": becannon.reproduce(), "evantash": evantash.reproduce()}


def rows(done: Reproduction, name: str) -> list[tuple[Value, ...]]:
    """Rows of a table."""
    return next([tuple(row) for row in table.rows] for table in done.tables if table.name == name)


def test_becannon(done: dict[str, Reproduction]) -> None:
    paper, ours, _, small = rows(done["becannon"], "values")
    assert paper[2:] == ours[2:] == (7, 800143763, 457173463, 9, 4782969, 9)
    assert small[2:] == (7, 143, 103, 9, pow(9, 7, 143), 9)
    cycles = [(row[3], row[4]) for row in rows(done["becannon"], "cycles")]
    assert [theirs for theirs, _ in cycles] == [501, 244, 2324, 341, 244, 564]
    assert all(int(str(ours)) <= int(str(theirs)) for theirs, ours in cycles)
    assert len(rows(done["becannon"], "area")) == 6
    assert done["becannon"].findings[0].startswith("Values: every key")


def test_evantash(done: dict[str, Reproduction]) -> None:
    for character, word, paper, fixed, generated, decrypted in rows(done["evantash"], "words"):
        assert paper == fixed == generated == pow(int(str(word)), 65537, 6103297)
        assert repr(chr(int(str(decrypted)))) == character
    assert len(rows(done["evantash"], "words")) == 13
    first, second, *_ = done["evantash"].findings
    assert first.startswith("Words: all ciphers are the paper's")
    assert second.endswith("Ours refuses it and says why.")
