"""The engine and other cores: the compared data.

Ours come from Records and from the catalog's cycle formulas. The others' figures are in
`results/published/field.toml`; most were measured with this project's flow. Nothing is measured
here. Without a Record there is no area and no clock.
"""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any

from totient.catalog import Configuration, RsaLengths, select
from totient.catalog.engine import ELEMENTS, exponentiation, words_around
from totient.common.errors import InputError
from totient.common.papers import published
from totient.flow import find_target
from totient.measure import OperationFigures, Record, kinds_of, lookup
from totient.measure.engine import CRT, LENGTHS, PRIVATE, PUBLIC, figures_by_formula
from totient.measure.record import seconds_of
from totient.report import Column, Value, columns
from totient.report.values import grouped, product, ratio, significant
from totient.reproduce.results import ROUTED, UTILISED, Measurement, of_allowed_clock, of_clock

OPERATIONS = ("private", "full", "public")
"""The private operation in the fastest way of each core, exponents as long as the modulus without
CRT, and the public exponent 65537."""

KINDS = {"private": CRT, "full": PRIVATE, "public": PUBLIC}
"""Operation kinds of ours."""

_OURS = {
    "private": "CRT, blinded, checked",
    "full": "no CRT, blinded, checked",
    "public": "65537",
}
_THEIRS = {"full": "no CRT", "public": "65537"}


def engines() -> dict[str, Configuration]:
    """Our configurations, by name."""
    return {name: select(name) for name in (f"engine-{elements}" for elements in ELEMENTS)}


def measurements() -> Iterator[Measurement]:
    """Records of our configurations."""
    for name, configuration in engines().items():
        for target in map(find_target, (UTILISED, ROUTED)):
            subject = configuration.suited(target.family)
            yield Measurement(name, subject, target, kinds_of(subject))


AREAS = {"lut": "LUT", "ff": "FF", "dsp": "DSP", "block_ram": "block RAM"}
"""Kinds of area, with their headings."""

_NO_RECORD = SimpleNamespace(**dict.fromkeys(AREAS))


def area_columns(of: str = "") -> list[Column]:
    """Columns of LUT, FF, DSP and block RAM, of an item or of an attribute of it."""
    *cells, block_ram = ((heading, f"{of}{each}") for each, heading in AREAS.items())
    return [*columns(grouped, *cells), *columns(significant, block_ram)]


@dataclass(frozen=True)
class Recorded:
    """A design on a target, with what tables show of its Record.

    Attributes:
        name: of the configuration, or of a paper's row.
        record: the committed Record, if there is one and it is not stale.
    """

    name: str
    record: Record | None

    @property
    def area(self) -> Any:
        """Numbers of cells, by kind; all `None` without a Record."""
        return self.record.utilisation if self.record else _NO_RECORD

    @property
    def mhz(self) -> Value:
        """Maximum clock; a word if it is not shown."""
        return of_clock(self.record)

    def seconds(self, cycles: int) -> Value:
        """Time of this number of cycles at the maximum clock."""
        return of_clock(self.record, partial(seconds_of, cycles))

    def at_limit(self, cycles: int) -> Value:
        """The same, with the clock limited to that of the multiplier blocks."""
        return of_allowed_clock(self.record, partial(seconds_of, cycles))


@dataclass(frozen=True)
class Engine(Recorded):
    """One of our configurations on a target.

    Attributes:
        configuration: with the parameters for the target.
    """

    configuration: Configuration

    def figures(self, kind: str, bits: int) -> OperationFigures:
        """Cycles of an operation kind, from the Record or else from the catalog's formula."""
        named = f"{kind}-{bits}"
        found = self.record.operations.get(named) if self.record else None
        return found or figures_by_formula(self.configuration, named)

    def cycles(self, kind: str, bits: int) -> int:
        """Mean cycles of an operation kind."""
        return self.figures(kind, bits).cycles.mean

    def request_cycles(self, operation: str, bits: int) -> int:
        """Cycles of one of `OPERATIONS`, from the request's first word to the answer's last one."""
        around = words_around(bits, public=operation == "public")
        return self.cycles(KINDS[operation], bits) + around


def engines_on(target_name: str) -> list[Engine]:
    """Our configurations on a target."""
    target = find_target(target_name)
    suited = {name: each.suited(target.family) for name, each in engines().items()}
    return [Engine(name, lookup(each, target, True), each) for name, each in suited.items()]


@dataclass(frozen=True)
class Entry:
    """A core or software with one operation. A word may replace the clock and figures based on it.

    Attributes:
        name: of the core or software.
        whose: `ours`, or the source of the figures.
        operation: in words.
        cycles: clock cycles.
        mhz: maximum clock.
        seconds: at that clock.
        at_limit: the same, with the clock limited to that of the multiplier blocks.
        waited: `at_limit` of ours from the request's first word to the answer's last one.
        lut, ff, dsp, block_ram: utilisation on an ECP5.
        use: share of the multipliers' cycles used for products of the exponentiation.
        note: further conditions of the figures.
    """

    name: str
    whose: str
    operation: str
    cycles: int | None = None
    mhz: Value = None
    seconds: Value = None
    at_limit: Value = None
    waited: Value = None
    lut: Value = None
    ff: Value = None
    dsp: Value = None
    block_ram: Value = None
    use: float | None = None
    note: str = ""

    @property
    def is_judge(self) -> bool:
        """Whether it takes part in ratios: measured with the same flow, on the same device."""
        return self.whose in ("measured", "changed")

    def cost(self, area: str) -> Value:
        """Area of a kind of `AREAS` x milliseconds, or the word in place of the time.

        The time is the user's: `waited`, which the others lack, else `at_limit`. The cost is `None`
        if the area or the time is unknown or 0.
        """
        return product(1e3, getattr(self, area), self.user_time) or None

    @property
    def user_time(self) -> Value:
        """`waited`, else `at_limit`."""
        return self.at_limit if self.waited is None else self.waited


def word_products(bits: int, digit_bits: int) -> int:
    """Least number of digit products in a Montgomery product of numbers of this length."""
    digits = math.ceil(bits / digit_bits)
    return 2 * digits**2 + digits


def multiplier_use(
    configuration: Configuration, operation: str, bits: int, multipliers: int
) -> float | None:
    """Share of the multipliers' cycles used for the exponentiation's own products.

    Args:
        configuration: of an engine.
        operation: `private` or `full`; `None` is returned for others.
        bits: of the modulus.
        multipliers: their number.
    """
    if operation not in ("private", "full"):
        return None
    streams, length = (2, bits // 2) if operation == "private" else (1, bits)
    lengths = RsaLengths(bits, prime_bits=(length, length) if streams == 2 else None)
    products, cycles = exponentiation(configuration.parameters, lengths)
    digit_bits = configuration.parameters["digit_bits"]
    return streams * products * word_products(length, digit_bits) / (multipliers * cycles)


def _ours(engine: Engine, operation: str, bits: int) -> Entry:
    cycles, area = engine.cycles(KINDS[operation], bits), engine.area
    use = multiplier_use(engine.configuration, operation, bits, area.dsp) if area.dsp else None
    return Entry(
        name=engine.name,
        whose="ours",
        operation=_OURS[operation],
        cycles=cycles,
        mhz=engine.mhz,
        seconds=engine.seconds(cycles),
        at_limit=engine.at_limit(cycles),
        waited=engine.at_limit(engine.request_cycles(operation, bits)),
        **{each: getattr(area, each) for each in AREAS},
        use=use,
    )


def _others(field: Mapping[str, Any], operation: str, bits: int) -> Iterator[Entry]:
    """Cores and software with an operation at a length."""
    for part in ("cores", "software"):
        for each in field[part]:
            # CRT for a private operation if the core has it.
            kinds = ("crt", "full") if operation == "private" else (operation,)
            found = next((name for name in kinds if name in each["milliseconds"]), None)
            if each["bits"] == bits and found:
                yield _other(each, found)


def _other(each: Mapping[str, Any], operation: str) -> Entry:
    cycles, mhz = each.get("cycles", {}).get(operation), each.get("mhz")
    seconds = cycles / mhz / 1e6 if cycles and mhz else each["milliseconds"][operation] / 1e3
    crt = f"CRT, {each['crt']}" if "crt" in each else "CRT"
    device = f", {each['device']}" if "device" in each else ""
    return Entry(
        name=f"{each['name']}{device}",
        whose=each["whose"],
        operation=_THEIRS.get(operation, crt),
        cycles=cycles,
        mhz=mhz,
        seconds=seconds,
        at_limit=seconds,
        **each.get("area", {}),
        use=each.get("multiplier_use"),
        note=each.get("note", ""),
    )


@dataclass(frozen=True)
class Field:
    """The engine and the others, for keys of a length.

    Attributes:
        bits: of the modulus, one of `LENGTHS`.
    """

    bits: int

    def __post_init__(self) -> None:
        """Check the length; raises `InputError`."""
        if self.bits not in LENGTHS:
            allowed = ", ".join(map(str, LENGTHS[:-1]))
            raise InputError(f"--bits is {self.bits}, allowed is {allowed} or {LENGTHS[-1]}")

    @cached_property
    def published(self) -> Mapping[str, Any]:
        """The others' figures; raises `ToolError` if they are damaged."""
        return published("field")

    @cached_property
    def ours(self) -> list[Engine]:
        """Our configurations on the target with a router."""
        return engines_on(ROUTED)

    @cached_property
    def utilised(self) -> list[Engine]:
        """Our configurations on the papers' device."""
        return engines_on(UTILISED)

    @cached_property
    def entries(self) -> Mapping[str, Sequence[Entry]]:
        """Everything with an operation, ours first."""
        return {
            operation: [
                *(_ours(each, operation, self.bits) for each in self.ours),
                *_others(self.published, operation, self.bits),
            ]
            for operation in OPERATIONS
        }

    def ours_in(self, operation: str) -> list[Entry]:
        """Ours with an operation."""
        return [each for each in self.entries[operation] if each.whose == "ours"]

    @property
    def quickest(self) -> tuple[int, Entry]:
        """The fewest cycles of ours for a private operation, and its entry."""
        counts = ((each.cycles, each) for each in self.ours_in("private") if each.cycles)
        return min(counts, key=lambda each: each[0])

    def best(self, operation: str, area: str) -> tuple[float, str] | None:
        """The least area x time of the others measured with the same flow, and its name."""
        judges = (each for each in self.entries[operation] if each.is_judge)
        costs = ((cost, each.name) for each in judges if isinstance(cost := each.cost(area), float))
        return min(costs, default=None)

    def beside(self, entry: Entry, operation: str, area: str) -> tuple[Value, Value]:
        """Area x time of one of ours, and times less than the best of the others."""
        cost, (best, _) = entry.cost(area), self.best(operation, area) or (None, None)
        return cost, ratio(best, cost) if best else None


def growth_exponent(lengths: Sequence[int], values: Sequence[float]) -> float | None:
    """The power of the length with which values grow: least squares on logarithms.

    Returns:
        The exponent; `None` for fewer than two points.
    """
    if len(lengths) < 2:
        return None
    x, y = [math.log(each) for each in lengths], [math.log(each) for each in values]
    return statistics.linear_regression(x, y).slope
