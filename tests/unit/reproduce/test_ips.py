"""The papers' IPs: what their tables say is what was computed, and agrees with the papers."""

from dataclasses import replace
from typing import Any

import pytest

from totient.catalog import Work, cycle_formulas, select_ip
from totient.measure import lookup
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION
from totient.reproduce import Reproduction, becannon, evantash, evantash_sizes
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
    ip = select_ip("B1")
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
    first, second, *others = done["evantash"].findings
    assert first.startswith("Words: all ciphers are the paper's")
    assert second.endswith("whose cipher is the paper's 1351. Ours refuses it and says why.")
    assert not any("WRONG" in finding for finding in others)


def cycles(part: str, prime_bits: int, **work: Any) -> int:
    """Of the stream IP, by formula."""
    chosen = select_ip("E3", prime_bits=prime_bits)
    return cycle_formulas(chosen.ip)[part].cycles(chosen, Work(**work))


def test_the_ips_cycles_beside_the_software(done: dict[str, Reproduction]) -> None:
    """Of times of software only what holds anywhere; the cycles are the formula's."""
    table = rows(done["evantash"], "software")
    ours = [row[4] for row in table]
    for place, (prime_bits, p, q, tried, messages) in {
        0: (32, 17, 227, (3,), 1),
        2: (512, 1 << 511, 1 << 511, (65537,), 1),
        3: (32, 2027, 3011, (65537,), 13),
    }.items():
        lengths = p.bit_length(), q.bit_length()
        bits = 2 * prime_bits if place == 2 else (p * q).bit_length()
        work = {
            "modulus": 1 << bits - 1,
            "p_bits": lengths[0],
            "q_bits": lengths[1],
            "tried": tried,
            "messages": messages,
        }
        there = {**work, "exponent_bits": tried[0].bit_length()}
        back = {**work, "exponent_bits": sum(lengths), "new_exponent": True}
        encrypt = cycles("packet", prime_bits, **there, new_key=True)
        assert ours[place] == encrypt + cycles("packet", prime_bits, **back)
        if place == 3:
            assert ours[4] == cycles("packet", prime_bits, **there)
    assert [row[1] for row in table if row[1]] == [
        1.6703605651855469e-3,
        7.364403009414673,
        7.727622985839844e-3,
    ]
    for _, _, here, span, count, seconds, ratio in table:
        assert isinstance(here, float)
        assert here > 0
        assert " to " in str(span)
        if count is not None:
            assert seconds == int(str(count)) / 100e6
            assert ratio == here / seconds
    # The search for primes is the most of it, on any machine.
    assert float(str(table[1][2])) > float(str(table[2][2]))


def test_longer_keys(done: dict[str, Reproduction]) -> None:
    for bits, key, load, encrypt, decrypt, first, second, verdict in rows(
        done["evantash"], "sizes"
    ):
        assert verdict == "accepted"
        size = int(str(bits))
        lengths = {"p_bits": size // 2, "q_bits": size // 2, "tried": (65537,)}
        work = {"modulus": 1 << size - 1, **lengths}
        parts = (("key", 17), ("load", 17), ("message", 17), ("message", size))
        found = key, load, encrypt, decrypt
        for (part, length), counted in zip(parts, found, strict=True):
            assert counted == cycles(part, size // 2, **work, exponent_bits=length)
        a, b, c, d = (int(str(each)) for each in found)
        assert (first, second) == ((a + b + c) / 100e6, (b + d) / 100e6)
    assert [row[0] for row in rows(done["evantash"], "sizes")] == [512, 1024, 2048]


def test_a_signature_that_openssl_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evantash_sizes, "SIZES", (512,))
    right = evantash_sizes.sizes()
    assert "WRONG" not in evantash_sizes.sizes_finding(right)
    monkeypatch.setattr(evantash_sizes, "verifies", lambda key, text, signed: False)
    wrong = evantash_sizes.sizes()
    assert "WRONG, OpenSSL" in evantash_sizes.sizes_finding(wrong)
    assert evantash_sizes.sizes_table(wrong, 100e6).rows[0][-1] == "WRONG"
    inexact = [replace(size, exact=False) for size in right]
    assert "WRONG: a number of cycles" in evantash_sizes.sizes_finding(inexact)
