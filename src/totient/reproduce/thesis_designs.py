"""The thesis' comparisons: throughput, share of the device, published designs; its contradictions.

Everything is computed from the published values. Ours are at the thesis' clock.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from totient.flow import find_target
from totient.measure.kinds import PUBLIC_EXPONENT
from totient.report import Column, Table, Value, columns
from totient.report.values import duration, grouped, power, ratio, significant, text
from totient.report.words import listed
from totient.reproduce.results import UTILISED

if TYPE_CHECKING:
    from totient.reproduce.thesis import _Thesis as Thesis

ROWS = ("T1", "T2", "T3")
PRODUCTS = PUBLIC_EXPONENT.bit_length() - 1 + PUBLIC_EXPONENT.bit_count() - 1
"""Products of an exponentiation by 65537: 16 squarings and a multiplication."""

_BY_METHOD = {"binary": "T2", "Montgomery": "T3"}
_TWO_KINDS = ("public", "private")


def throughput(data: "Thesis") -> Table:
    """Table 2: bits a second of the MSP430, and of T2 and T3."""
    msp430, width = data.paper["msp430"], data.widths[-1]
    printed = msp430["bits_per_second"]
    rows: list[Sequence[Value]] = []
    for place, mhz in enumerate(msp430["clock_mhz"]):
        by_time = (width / msp430[f"{kind}_seconds"][place] for kind in _TWO_KINDS)
        stated = (printed[kind][place] for kind in _TWO_KINDS)
        rows.append((f"MSP430 at {mhz} MHz", "thesis", *stated, *by_time))
    for row in ("T2", "T3"):
        theirs = data.theirs(row, "bit/s", width)
        rows.append((f"{row} at 10 MHz", "thesis", theirs, None, None, None))
        ours = (data.rate(row, kind, width) for kind in _TWO_KINDS)
        rows.append((f"{row} at 10 MHz", "ours", None, None, *ours))
    return Table.of(
        f"Table {printed['table']}: RSA-{width}, throughput in bits a second",
        (
            *columns(text, "what", "whose"),
            *columns(significant, "stated, 65537", "stated, private"),
            *columns(significant, "bits / time, 65537", "bits / time, private"),
        ),
        rows,
        "stated: as printed. Bits / time: from Table 1, or from our cycles",
    )


def device(data: "Thesis") -> Table:
    """Section 6.1: percent of the device at the largest size, and the instances that fit."""
    available, width = find_target(UTILISED).available, data.widths[-1]
    rows: list[Sequence[Value]] = []
    for row in ROWS:
        stated = data.paper["device_percent"][row]
        counts = [data.theirs(row, each, width) for each in ("lut", "ff")]
        rows.append((row, "thesis", *counts, stated["lut"], stated["ff"]))
        rows.append((row, "ours", *(data.count(row, e, width) for e in ("lut", "ff")), None, None))

    def percent(place: int, of: float) -> Any:
        return lambda row: 100 * row[place] / of

    def instances(row: Sequence[Any]) -> int:
        return int(min(available.lut // row[2], available.ff // row[3]))

    return Table.of(
        f"Section 6.1: percent of the XC7A100T at {width} bits",
        (
            *columns(text, "design", "whose"),
            *columns(grouped, "LUT", "FF"),
            *columns(significant, "LUT %, stated", "FF %, stated"),
            Column(f"LUT % of {available.lut:,}", significant, percent(2, available.lut)),
            Column(f"FF % of {available.ff:,}", significant, percent(3, available.ff)),
            Column("instances that fit", grouped, instances),
        ),
        rows,
        "instances that fit: by LUT and FF. Ours of T3 also takes "
        f"{data.count('T3', 'dsp', width)} of {available.dsp:g} multiplier blocks",
    )


def designs(data: "Thesis") -> Table:
    """Sections 3.4 and 6.3: ten published designs, and the cores of the same kind and size."""
    rows = [
        (
            *(each.get(name) for name in ("name", "method", "bits", "mhz", "seconds")),
            _cycles(each),
            *(each.get(name) for name in ("bits_per_second",)),
            ratio(each["bits"], each.get("seconds")),
            *(each.get(name) for name in ("watts", "area")),
            *_beside(data, each),
        )
        for each in data.paper["designs"]
    ]
    return Table.of(
        f"Sections {data.paper['survey']['sections']}: designs as the thesis states them",
        (
            *columns(text, "design", "method", "bits"),
            Column("MHz", significant),
            Column("latency", duration_ns),
            *columns(significant, "cycles in it", "bit/s, stated", "bits / latency"),
            Column("power", power),
            Column("area, stated", text),
            *columns(duration, "thesis, latency", "ours, latency"),
        ),
        rows,
        f"cycles in it: {_cycles_from(data.paper)}. An exponentiation by {PUBLIC_EXPONENT} has "
        f"{PRODUCTS} products",
        "thesis and ours: T2 or T3, by the method, of the same size, for 65537 at 10 MHz",
        *power_contradiction(data.paper),
    )


def duration_ns(value: Value) -> str:
    """A time in seconds; below a microsecond in nanoseconds."""
    if isinstance(value, int | float) and value < 1e-6:
        return f"{1e9 * value:.4g} ns"
    return duration(value)


def _cycles(design: Mapping[str, Any]) -> float | None:
    """Clock cycles in a stated latency, or in the time of its bits at the stated throughput."""
    rate = design.get("bits_per_second")
    seconds = design.get("seconds", design["bits"] / rate if rate else None)
    if seconds is None or "mhz" not in design:
        return None
    return float(design["mhz"] * 1e6 * seconds)


def _cycles_from(paper: Mapping[str, Any]) -> str:
    """What the cycles of the published designs are made of, in words."""
    by_rate = [
        each["name"]
        for each in paper["designs"]
        if "seconds" not in each and _cycles(each) is not None
    ]
    other = f"; of {listed(by_rate)}, without a latency, bits x MHz / (bit/s)"
    return f"latency x MHz{other if by_rate else ''}"


def _beside(data: "Thesis", design: Mapping[str, Any]) -> tuple[Value, Value]:
    row, width = _BY_METHOD[design["method"]], design["bits"]
    if width not in data.widths:
        return None, None
    return data.theirs(row, "seconds public", width), data.seconds(row, "public", width)


def contradictions(paper: Mapping[str, Any], row: str) -> Iterator[str]:
    """Cycles of a design that disagree with the latency beside them.

    A latency agrees if it is printed with its digits cut off or rounded.

    Args:
        paper: the thesis' published figures.
        row: the design.
    """
    clock_hz, latency = paper["clock_mhz"] * 1e6, paper["latency"][row]
    columns_of = (latency[name] for name in ("cycles", "seconds", "bits_per_second"))
    for bits, cycles, seconds, rate in zip(paper["bits"], *columns_of, strict=True):
        printed = Decimal(repr(seconds))
        unit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
        if abs(cycles / Decimal(clock_hz) - printed) >= unit:
            yield (
                f"Table {latency['table']} at {bits} bits has {cycles:,} cycles, its latency "
                f"means {clock_hz * seconds:,.0f} and its throughput {clock_hz * bits / rate:,.0f}"
            )


def power_contradiction(paper: Mapping[str, Any]) -> Iterator[str]:
    """The power of T2 in section 6.3, which is not that of its table.

    Args:
        paper: the thesis' published figures.
    """
    survey = paper["survey"]
    watts = next(each["watts"] for each in paper["designs"] if "[21]" in each["name"])
    used, table = survey["T2_watts"], survey["T2_watts_table"]
    if used != table:
        others = [
            row
            for row, dynamic in paper["power"]["dynamic"].items()
            if abs(paper["power"]["static"] + dynamic[-1] - used) < 5e-4
        ]
        yield (
            f"Section 6.3 takes {used} W for T2 where Table 12 has {table} ({used} is the total of "
            f"{listed(others)}), so that {survey['saini_times']} times should be "
            f"{watts / table:.2f}"
        )


def printed_twice(paper: Mapping[str, Any]) -> Iterator[str]:
    """Figures that stand in two places with two values, and a ratio in words that is another.

    Args:
        paper: the thesis' published figures.
    """
    for each in paper["twice"]:
        places = each["places"]
        if len({*places.values()}) > 1:
            values = listed(f"{value} in {place}" for place, value in places.items())
            what = each["what"][0].upper() + each["what"][1:]
            yield f"{what}, {each['unit']}: {values}"
    order, least = paper["order"], paper["spread"]["T3"]["minimum"][0]
    (design,) = [each for each in paper["designs"] if each["name"] == order["design"]]
    times = least / design["seconds"]
    if times > 10:
        yield (
            f"Section 6.3 calls {duration_ns(design['seconds'])} against {duration(least)} "
            f'"{order["words"]}": it is {times:.0f} times'
        )


def findings(data: "Thesis") -> Mapping[str, object]:
    """Values of the templates on these comparisons."""
    paper, width = data.paper, data.widths[-1]
    available, latency = find_target(UTILISED).available, paper["latency"]["T3"]
    found = [each for row in ROWS for each in contradictions(paper, row)]
    found += [*power_contradiction(paper), *printed_twice(paper)]
    shares = [100 * paper["lut"][row][-1] / available.lut for row in ROWS]
    halves = [row for row, share in zip(ROWS, shares, strict=True) if share > 50]
    by_name = {name: list(_named(paper, name)) for name in ("short", "rates")}
    totals = [paper["power"]["static"] + each[-1] for each in paper["power"]["dynamic"].values()]
    msp430 = paper["msp430"]
    return {
        "contradictions": ". ".join(found) if found else None,
        "slack": paper["frequency_method"]["slack"] if _unlimited(paper) else None,
        "line": line(data.widths, latency["cycles"]),
        "device": {
            "LUT": _shares(paper, "lut", available.lut),
            "FF": _shares(paper, "ff", available.ff),
            "halves": f"{listed(halves)} of {width} bits take more than half of the LUTs: no "
            "second instance fits"
            if halves
            else "two instances of each fit",
        },
        "designs": {name: listed(names) for name, names in by_name.items()},
        "products": PRODUCTS,
        "msp430_power": {
            "active": power(msp430["active_watts"]),
            "low": f"{1e6 * msp430['low_power_watts']:.2g} µW",
            "least": power(min(totals)),
            "most": power(max(totals)),
        },
    }


def _unlimited(paper: Mapping[str, Any]) -> bool:
    """Whether the thesis' maximum clocks are of a slack that no period changes."""
    return bool(paper["frequency_method"]["slack"] == "hold")


def _shares(paper: Mapping[str, Any], what: str, available: float) -> str:
    """Whether the stated shares of the device are those of the stated cells, in words."""
    shares = [100 * paper[what][row][-1] / available for row in ROWS]
    stated = [paper["device_percent"][row][what] for row in ROWS]
    if all(abs(share - each) < 0.01 for share, each in zip(shares, stated, strict=True)):
        return f"of {what.upper()} are those of the device's {available:,.0f}"
    return (
        f"of {what.upper()} ({listed(f'{each} %' for each in stated)}) are not those of the "
        f"device's {available:,.0f} ({listed(f'{share:.2f} %' for share in shares)})"
    )


def _named(paper: Mapping[str, Any], what: str) -> Iterator[str]:
    """Published designs with few cycles (`short`), or more bits a second than follow (`rates`)."""
    for each in paper["designs"]:
        name = f"{each['name']} ({each['method']}, {each['bits']} bits)"
        cycles, rate = _cycles(each), each.get("bits_per_second")
        if what == "short" and cycles is not None and cycles < PRODUCTS:
            yield f"{name}, {cycles:.2g} cycle{'' if cycles == 1 else 's'}"
        if what == "rates" and rate and "seconds" in each:
            times = rate * each["seconds"] / each["bits"]
            if times > 1.01:
                yield f"{name}, {times:.3g} times"


def line(widths: Sequence[int], cycles: Sequence[int]) -> Mapping[str, float]:
    """The straight line through the first and the last point, and how far others are from it.

    Returns:
        `slope` in cycles a bit, `offset` in cycles, `off`: the most that a point differs, in
        percent of the point.
    """
    slope = (cycles[-1] - cycles[0]) / (widths[-1] - widths[0])
    offset = cycles[0] - slope * widths[0]
    off = max(
        abs(slope * width + offset - count) / count
        for width, count in zip(widths, cycles, strict=True)
    )
    return {"slope": slope, "offset": offset, "off": 100 * off}
