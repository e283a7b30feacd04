"""The designs. Cycle formulas are exact: the tests compare simulation with them for equality."""

from collections.abc import Iterator
from difflib import get_close_matches

from totient.catalog.engine import ENGINE
from totient.catalog.ips import find_ip
from totient.catalog.model import Configuration, Design, Operation, Rule
from totient.catalog.parameters import Parameter, Parameters, one_of
from totient.catalog.systems import find_system
from totient.common.contract import TimingClass
from totient.common.errors import InputError
from totient.common.formula import Formula
from totient.golden.exponentiation import binary_products, repeated_products

_THESIS = "C. M. Ledgard, MS thesis, Texas A&M University, 2023"
_NIBOUCHE = "O. Nibouche et al., Fast Architectures For FPGA-Based Implementation of RSA"
_WIDTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096)

_WIDTH = Parameter("width", "Width", 1024, 8, 4096, "largest modulus, in bits")
_BITS_PER_CYCLE = one_of(
    "bits_per_cycle", "BitsPerCycle", 1, (1, 2), "bits that a multiplier takes a cycle"
)
_EARLY_END = one_of(
    "early_end", "EarlyEnd", 0, (0, 1), "1: multipliers skip leading zeros, 16 at a time"
)

# Maximum number of products that a formula steps through one by one.
_COUNTABLE = 10**7


def _named(name: str) -> dict[str, Parameters]:
    """The thesis' widths, and present ones, as named configurations."""
    return {f"{name}-{width}": {"width": width} for width in _WIDTHS}


_READING = "ceil(width / 32)"
"""Cycles to read a request's operands: the front end reads a word of 32 bits per cycle."""

_INTERLEAVED_SETUP = Formula(f"{_READING} + 8")

_SKIPPED = "P - (ceil(16 / bits_per_cycle) - 1) * floor((N - bits(a)) / 16)"
"""Cycles of a product that skips the leading zeros of a scanned operand a, 16 at a time."""
_INTERLEAVED = {
    "P": "ceil(width / bits_per_cycle) + 1",
    "N": "ceil(width / bits_per_cycle) * bits_per_cycle",
}

_REPEATED = Formula(
    f"{_READING} + 9 + (max(e - 1, 0) * P if early_end == 0 else sum({_SKIPPED} for a in scanned))",
    _INTERLEAVED,
)


def _repeated_scanned(parameters: Parameters, operation: Operation) -> Iterator[int]:
    exponent = operation.exponent
    if exponent > _COUNTABLE:
        raise InputError(
            f"the exponent has {exponent.bit_length()} bits: the cycles of repeated multiplication "
            "with early_end are known only by stepping through all its products"
        )
    for product in repeated_products(operation.base, exponent, operation.modulus):
        yield product.scanned


_BINARY = Formula(
    f"{_READING} + 9 + (2 * (k - 1) * P if fixed_time == 1 else k - 1 if e == 0 else "
    "k - bits(e) + (bits(e) + ones(e) - 2) * P if early_end == 0 else "
    f"k - bits(e) + sum({_SKIPPED} for a in scanned))",
    _INTERLEAVED,
)


def _binary_scanned(parameters: Parameters, operation: Operation) -> Iterator[int]:
    base, exponent, bits = operation.base, operation.exponent, operation.exponent_bits
    for product in binary_products(base, exponent, bits, operation.modulus, False):
        yield product.scanned


def _timing(parameters: Parameters) -> TimingClass:
    if parameters.get("early_end"):
        return TimingClass.OPERANDS
    if parameters.get("fixed_time"):
        return TimingClass.EXPONENT_LENGTH
    return TimingClass.EXPONENT_VALUE


_BINARY_RULES = (
    Rule(
        "early_end == 0",
        lambda given: "fixed_time is 1 and early_end is 1, allowed is only one of them",
        applies="fixed_time == 1",
    ),
)


def montgomery_words(width: str) -> str:
    """The expression of the number of words of the systolic multiplier's operands."""
    return f"max(2, ceil(({width} + 2) / word_bits))"


MONTGOMERY_SETUP = (
    "max(word_bits, (s * word_bits - L + 2) * (s + 1) + 3)"
    " + (2 * s + 2) * (bits(s * word_bits) + 1) + 4 * s"
)
"""Set-up of the systolic multiplier with s words: -1/n in parallel with doublings, then
squarings."""
_MONTGOMERY_WORDS = {"s": montgomery_words("width")}
_MONTGOMERY = Formula(
    "(2 * s + 2) * (K + 1) + 3 * s + 11",
    {**_MONTGOMERY_WORDS, "K": "k if fixed_time == 1 else max(bits(e), 1)"},
)


# Delay of rows and columns behind row 0 and column 0, in an array with registers between them.
_ROW_LAG = "min(2 * r, floor(r * S / J))"
_COLUMN_LAG = "(1 if S >= J else 0) + (floor(((B - 1) * J + r - 1) / links) if links > 0 else 0)"
_DIGIT_SERIAL_TERMS = {
    "J": "digit_bits",
    "S": "slots",
    "W": "max(2, ceil((width + 2) / 32))",
    # Digits of the serial and of the parallel operand.
    "D": "ceil((width + 2) / J)",
    "B": "ceil((width + 1) / J)",
    # From a serial operand's digit to the product's.
    "G": "3 if links > 0 else 1",
    # Steps that the array's pipeline adds to a product.
    "F": f"max(0, ceil(max(G + {_ROW_LAG} - ({_COLUMN_LAG}) for r in range(J)) / S) - (D - B))",
    "O": "(2 * D + F) * S",
    # From the request of an operand to its first digit, in whole steps.
    "A": "ceil(10 / S) * S",
    # From the last product until the result's last digit is in its word.
    "E": (
        "max(0, (ceil(ceil((width + 2) / 32) * 32 / J) - 1) * S + lanes * (3 - multipliers) - 1"
        " + G + min(2 * (J - 1), floor((J - 1) * S / J)) + 8 - (D + F) * S)"
    ),
}
_DIGIT_SERIAL_SETUP = Formula(
    "W + 12 + (D * J + 2 - L) * (W + 1) + 3 * A + 2 * (D + F) * S + bits(2 * D * J) * O + E",
    _DIGIT_SERIAL_TERMS,
)
_DIGIT_SERIAL = Formula(
    "W + 8 + (bases - 1) * (W + 5) + (1 + bases) * A + bases * (D + F) * S + (k + 1) * O + E",
    _DIGIT_SERIAL_TERMS,
)


_MOST_LANES = "slots if multipliers == 2 else floor(slots / 2)"
_DIGIT_SERIAL_RULES = (
    Rule("digit_bits <= width", lambda given: f"digit_bits is {given['digit_bits']}, above width"),
    Rule(
        "slots <= 3 * digit_bits",
        lambda given: (
            f"slots is {given['slots']}, allowed is at most 3 digit_bits, {3 * given['digit_bits']}"
        ),
    ),
    Rule(
        "slots >= digit_bits + (1 if links == 1 else 0)",
        lambda given: (
            f"links is {given['links']} with slots {given['slots']}, which needs slots from "
            f"{given['digit_bits'] + int(given['links'] == 1)} up"
        ),
        applies="links > 0",
    ),
    Rule(
        "slots >= 2",
        lambda given: "multipliers is 1 with slots 1, which needs slots from 2 up",
        applies="multipliers == 1",
    ),
    Rule(
        f"lanes <= ({_MOST_LANES})",
        lambda given: (
            f"lanes is {given['lanes']}, slots and multipliers allow "
            f"{Formula(_MOST_LANES).value(given)}"
        ),
    ),
    Rule(
        "digit_bits + slots + links == 2",
        lambda given: "separated is 0, which needs digit_bits 1, slots 1 and links 0",
        applies="separated == 0",
    ),
)


_DESIGNS = (
    Design(
        name="repeated",
        title="repeated modular multiplication, two interleaved multipliers",
        rows={"T1": {}},
        source=f"{_THESIS}, section 4.1",
        module="modexp_repeated",
        ip_module="rsa_repeated",
        parameters=(_WIDTH, _BITS_PER_CYCLE, _EARLY_END),
        timing=_timing,
        setup=_INTERLEAVED_SETUP,
        operation=_REPEATED,
        scanned=_repeated_scanned,
        configurations=_named("repeated"),
    ),
    Design(
        name="binary",
        title="left-to-right binary exponentiation, two interleaved multipliers",
        rows={"T2": {}},
        source=f"{_THESIS}, section 4.2",
        module="modexp_binary",
        ip_module="rsa_binary",
        parameters=(
            _WIDTH,
            _BITS_PER_CYCLE,
            _EARLY_END,
            one_of(
                "fixed_time",
                "FixedTime",
                0,
                (0, 1),
                "1: the same time for every exponent of a length",
            ),
        ),
        rules=_BINARY_RULES,
        timing=_timing,
        setup=_INTERLEAVED_SETUP,
        operation=_BINARY,
        scanned=_binary_scanned,
        configurations=_named("binary"),
    ),
    Design(
        name="montgomery",
        title="right-to-left Montgomery exponentiation, two word-systolic multipliers",
        rows={"T3": {}},
        source=f"{_THESIS}, section 4.3",
        module="modexp_montgomery",
        ip_module="rsa_montgomery",
        parameters=(
            _WIDTH,
            one_of("word_bits", "WordBits", 16, (8, 16, 32), "bits of a processing element's word"),
            one_of(
                "fixed_time",
                "FixedTime",
                1,
                (0, 1),
                "1: the same time for every exponent of a length; 0: leading zeros left out",
            ),
            one_of(
                "multiplier",
                "Multiplier",
                0,
                (0, 1),
                "0: as the tool infers it, DSP blocks; 1: 7-series LUTs and carry chains",
                families={1: "AMD Artix-7"},
            ),
        ),
        timing=_timing,
        setup=Formula(f"{MONTGOMERY_SETUP} + 12", _MONTGOMERY_WORDS),
        operation=_MONTGOMERY,
        configurations=_named("montgomery"),
    ),
    Design(
        name="digit_serial",
        title="right-to-left Montgomery exponentiation, digit-serial multipliers",
        rows={
            "N1": {"separated": 0},
            "N2": {},
            "N3": {"slots": 2, "links": 1, "multipliers": 1},
            "N4": {"links": 2},
            "N5": {"digit_bits": 2},
            "N6": {"digit_bits": 2, "slots": 2, "links": 2, "multipliers": 1},
            "N7": {"digit_bits": 4},
            "N8": {"digit_bits": 4, "slots": 2, "multipliers": 1},
        },
        source=_NIBOUCHE,
        module="modexp_digit_serial",
        ip_module="rsa_digit_serial",
        parameters=(
            Parameter("width", "Width", 1024, 16, 4096, "largest modulus, in bits"),
            Parameter("digit_bits", "DigitBits", 1, 1, 16, "bits of a digit"),
            Parameter("slots", "Slots", 1, 1, 48, "operations interleaved on an array"),
            Parameter(
                "links",
                "Links",
                0,
                0,
                16,
                "columns between registers on a digit's way along a row; 0: broadcast",
            ),
            one_of(
                "multipliers",
                "Multipliers",
                2,
                (1, 2),
                "1: one array squares and multiplies in turn, with slots >= 2",
            ),
            one_of(
                "separated",
                "Separated",
                1,
                (0, 1),
                "1: two plain multiplications a product; 0: the conventional bit-serial one",
            ),
            Parameter("lanes", "Lanes", 1, 1, 48, "exponentiations of one key at once"),
        ),
        rules=_DIGIT_SERIAL_RULES,
        timing=lambda parameters: TimingClass.EXPONENT_LENGTH,
        setup=_DIGIT_SERIAL_SETUP,
        operation=_DIGIT_SERIAL,
        configurations=_named("digit_serial"),
    ),
    ENGINE,
)


def designs() -> tuple[Design, ...]:
    """Every design, in the order of the catalog."""
    return _DESIGNS


def select(name: str, **given: int) -> Configuration:
    """A configuration by design name, named configuration or paper's row.

    Args:
        name: for instance `binary`, `binary-2048` or `T2`; the latter two imply parameters.
        given: parameters that differ from the defaults and from those of the name.

    Raises:
        InputError: unknown name, unknown parameter, value out of range.
    """
    if found := find_design(name):
        design, fixed = found
        return design.configure({**fixed, **given})
    if ip := find_ip(name):
        raise InputError(
            f"{name} is the IP {ip.name}, a system of its own: commands that know it are "
            "show, check, measure, model and reproduce"
        )
    if system := find_system(name):
        raise InputError(
            f"{name} is the system {system.name}: commands that know it are show, measure and "
            "reproduce"
        )
    raise unknown_design(name)


def find_design(name: str) -> tuple[Design, Parameters] | None:
    """The design of that name, configuration or row, with the parameters of the name."""
    for design in designs():
        if name.lower() == design.name:
            return design, {}
        if name.lower() in design.configurations:
            return design, design.configurations[name.lower()]
        if name.upper() in design.rows:
            return design, design.rows[name.upper()]
    return None


def unknown_design(name: str, *further: str) -> InputError:
    """The error for a name that is not in the catalog, with a close match if there is one.

    Args:
        name: the given one.
        further: allowed names besides designs.
    """
    names = [each for design in designs() for each in (design.name, *design.configurations)]
    close = get_close_matches(name.lower(), [*names, *further], 1)
    meant = "".join(f", {near!r} is close" for near in close)
    return InputError(f"unknown design {name!r}{meant}; `totient list` names them")
