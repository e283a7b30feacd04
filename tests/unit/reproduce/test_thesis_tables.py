"""The thesis' tables, transcribed a second time: rows as they are printed, in the printed units."""

import pytest

from totient.common.papers import published

PAPER = published("thesis")
UNITS = dict.fromkeys(("", "s", "W", "J", "MHz", "bit/s"), 1.0) | {
    "ms": 1e-3,
    "us": 1e-6,
    "kbit/s": 1e3,
    "Mbit/s": 1e6,
}

TABLES = """
3 frequency.T1: 11.125 MHz
3 frequency.T2: 28.387 MHz
3 frequency.T3: 21.512 MHz
4 lut.T1: 650 1220 2330 6111 15238 31946
4 lut.T2: 566 1142 2252 6041 15136 31870
4 lut.T3: 862 1703 3385 9083 22766 47991
5 ff.T1: 523 971 1867 3667 7187 14498
5 ff.T2: 459 907 1803 3611 7195 14424
5 ff.T3: 988 1951 3864 7752 15504 31035
6 latency.T1.cycles: 69,476 256,403,772 495,815,923 754,370,177 1,201,408,492 2,188,254,195
6 latency.T1.seconds: 6.958 ms, 25.64 s, 49.581 s, 75.437 s, 120.141 s, 218.825 s
6 latency.T1.bits_per_second: 4599.023 2.496 2.582 3.394 4.262 4.680 bit/s
7 latency.T2.cycles: 453 891 1777 3477 6949 13844
7 latency.T2.seconds: 45.3 us, 89.1 us, 178 us, 348 us, 695 us, 1.384 ms
7 latency.T2.bits_per_second: 706.401 718.294 719.101 735.632 736.690 739.884 kbit/s
8 spread.T2.minimum: 38.8 us, 80.3 us, 162.8 us, 328.5 us, 661.1 us, 1.326 ms
8 spread.T2.maximum: 61.8 us, 126.2 us, 255 us, 511.2 us, 1.027 ms, 2.059 ms
8 spread.T2.mean: 52.253 us, 100.165 us, 199.648 us, 408.715 us, 806.07 us, 1.747 ms
9 latency.T3.cycles: 101 198 384 732 1441 2782
9 latency.T3.seconds: 10.1 us, 19.8 us, 38.4 us, 73.2 us, 144 us, 278 us
9 latency.T3.bits_per_second: 3.168 3.232 3.333 3.497 3.555 3.683 Mbit/s
10 spread.T3.minimum: 7.2 us, 14.8 us, 30.6 us, 63.1 us, 129.6 us, 262.5 us
10 spread.T3.maximum: 13.3 us, 27.4 us, 55.1 us, 112.3 us, 226 us, 453.7 us
10 spread.T3.mean: 10.748 us, 19.936 us, 40.995 us, 85.14 us, 168.933 us, 363.253 us
11 power.dynamic.T1: 0.002 0.003 0.005 0.017 0.041 0.101 W
12 power.dynamic.T2: 0.002 0.003 0.006 0.019 0.045 0.11 W
13 power.dynamic.T3: 0.012 0.027 0.061 0.172 0.389 1.017 W
14 energy.T2: 3.608E-06 9.416E-06 1.937E-05 4.496E-05 1.096E-04 3.529E-04 J
14 energy.T3: 1.107E-06 2.352E-06 6.231E-06 2.239E-05 8.109E-05 4.025E-04 J
"""
TOTALS = {  # tables 11 to 13, total power in watts
    "T1": (0.093, 0.094, 0.096, 0.108, 0.132, 0.192),
    "T2": (0.093, 0.094, 0.097, 0.11, 0.136, 0.202),
    "T3": (0.103, 0.118, 0.152, 0.263, 0.48, 1.108),
}
LINES = TABLES.strip().splitlines()


def values(text: str) -> list[float]:
    """Numbers of a row; each has a unit before a comma, or all have the last word's."""
    parts = text.split(",") if ", " in text else None
    if parts is not None:
        return [float(number) * UNITS[unit] for number, unit in (each.split() for each in parts)]
    words = text.replace(",", "").split()
    unit = words.pop() if words[-1] in UNITS else ""
    return [float(word) * UNITS[unit] for word in words]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.partition(":")[0])
def test_a_row(line: str) -> None:
    where, _, text = line.partition(":")
    number, _, name = where.partition(" ")
    found = PAPER
    tables = []
    for part in name.split("."):
        tables += [found[each] for each in ("table", "tables") if each in found]
        found = found[part]
    assert int(number) == tables[-1] or int(number) in tables[-1]
    expected = values(text)
    assert len(expected) in (1, len(PAPER["bits"]))
    assert (found if isinstance(found, list) else [found]) == pytest.approx(expected, rel=1e-12)


def test_every_number_of_these_tables_is_transcribed() -> None:
    named = {line.split(":")[0].split(" ")[1] for line in LINES}
    here = {
        ".".join((table, *path))
        for table in ("frequency", "lut", "ff", "latency", "spread", "power", "energy")
        for path in leaves(PAPER[table])
    }
    assert here == named | {"power.static"}


def leaves(table: dict[str, object]) -> list[tuple[str, ...]]:
    """Places of the figures in a table."""
    found: list[tuple[str, ...]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            found += [(name, *path) for path in leaves(value)]
        elif name not in ("table", "tables", "figure"):
            found.append((name,))
    return found


@pytest.mark.parametrize("row", TOTALS)
def test_total_power(row: str) -> None:
    """The document's own sums, one of them of figures with more digits: 0.091 + 0.11 = 0.202."""
    power = PAPER["power"]
    for dynamic, total in zip(power["dynamic"][row], TOTALS[row], strict=True):
        assert power["static"] + dynamic == pytest.approx(total, abs=0.001 + 1e-9)


def test_the_software() -> None:
    """Tables 1 and 2."""
    software = PAPER["msp430"]
    assert software["clock_mhz"] == [8, 16, 25]
    assert software["public_seconds"] == pytest.approx([210e-3, 100e-3, 47e-3])
    assert software["private_seconds"] == [5.42, 2.5, 1.14]
    rate = software["bits_per_second"]
    assert rate["public"] == pytest.approx([4.876e3, 10.240e3, 21.787e3])
    assert rate["private"] == [188.93, 409.6, 898.25]
