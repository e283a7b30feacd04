"""The papers' IPs: what their tables say is what was computed, and agrees with the papers."""

import pytest

from totient.catalog import find_subject
from totient.measure import lookup
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION
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
    area = rows(done["becannon"], "area")
    parts = [str(row[0]).partition(",")[0] for row in area]
    assert parts == ["core", *["core and registers"] * 4, "system", "system"]
    assert area[0][2:6] == (1370, 3712, 0, 80)
    assert area[5][2:6] == (5904, 8895, 34, 83)
    # The system holds the IP; its 64 KB of ROM and 32 KB of RAM are block RAM.
    alone, system = area[1], area[6]
    for place in (2, 3, 5):
        assert int(str(system[place])) > int(str(alone[place]))
    assert 16 <= float(str(system[4])) <= 34
    routed = [row[6] for row in area if "ecp5" in str(row[1])]
    assert len(routed) == 2
    assert all(isinstance(mhz, float) and 20 < mhz < 400 for mhz in routed)
    assert done["becannon"].findings[0].startswith("Values: every key")


def test_the_records_have_the_cycles_that_the_tables_have(done: dict[str, Reproduction]) -> None:
    ours = {row[1]: row[4] for row in rows(done["becannon"], "cycles")[:3]}
    kinds = {"key generation": KEY_GENERATION, "encryption": ENCRYPTION, "decryption": DECRYPTION}
    ip = find_subject("B1")
    for item in becannon.measurements(64):
        if item.subject == ip:
            record = lookup(ip, item.target, item.dsp)
            assert record
            assert {
                step: record.operations[kind].cycles.mean for step, kind in kinds.items()
            } == ours


def test_evantash(done: dict[str, Reproduction]) -> None:
    for character, word, paper, fixed, generated, decrypted in rows(done["evantash"], "words"):
        assert paper == fixed == generated == pow(int(str(word)), 65537, 6103297)
        assert repr(chr(int(str(decrypted)))) == character
    assert len(rows(done["evantash"], "words")) == 13
    area = rows(done["evantash"], "area")[-4:]
    assert [str(row[0]).rpartition(", ")[2] for row in area] == ["artix7-100t", "ecp5-85f"] * 2
    assert all(isinstance(row[4], float) == ("ecp5" in str(row[0])) for row in area)
    first, second, *_ = done["evantash"].findings
    assert first.startswith("Words: all ciphers are the paper's")
    assert second.endswith("Ours refuses it and says why.")
