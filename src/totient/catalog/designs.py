"""The designs. Cycle formulas are exact: the tests compare simulation with them for equality."""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache

from totient.catalog.engine import ENGINE
from totient.catalog.ips import find_ip
from totient.catalog.model import (
    Configuration,
    Design,
    Named,
    Operation,
    Parameter,
    Parameters,
    TimingClass,
)
from totient.catalog.systems import find_system
from totient.common.errors import InputError
from totient.golden.digit_serial import ArraySchedule, DigitSerialMultiplier
from totient.golden.exponentiation import binary_products, repeated_products
from totient.golden.interleaved import InterleavedMultiplier
from totient.golden.montgomery import MontgomeryMultiplier

_THESIS = "C. M. Ledgard, MS thesis, Texas A&M University, 2023"
_NIBOUCHE = "O. Nibouche et al., Fast Architectures For FPGA-Based Implementation of RSA"
_WIDTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096)

_WIDTH = Parameter("width", "Width", 1024, 8, 4096, "largest modulus, in bits")
_BITS_PER_CYCLE = Parameter(
    "bits_per_cycle", "BitsPerCycle", 1, 1, 2, "bits that a multiplier takes a cycle", (1, 2)
)
_EARLY_END = Parameter(
    "early_end", "EarlyEnd", 0, 0, 1, "1: multipliers skip leading zeros, 16 at a time", (0, 1)
)

# Products that a formula goes through one by one, at most.
_COUNTABLE = 10**7

# Cycles from an operand's first word to its first digit, on digit-serial multipliers.
_DIGITS_AHEAD = 10

# Words of 32 bits are read a cycle by the front end of the cores on interleaved multipliers.
_WORD_BITS = 32


def _named(name: str) -> dict[str, Parameters]:
    """The thesis' widths, and the ones in use today, as named configurations."""
    return {f"{name}-{width}": {"width": width} for width in _WIDTHS}


def _reading_cycles(parameters: Parameters) -> int:
    """Cycles of reading a request, and of starting and answering it."""
    return -(-parameters["width"] // _WORD_BITS) + 9


def _interleaved(parameters: Parameters) -> InterleavedMultiplier:
    return InterleavedMultiplier(
        parameters["width"], parameters["bits_per_cycle"], bool(parameters["early_end"])
    )


def _interleaved_setup(parameters: Parameters, modulus: int, exponent_bits: int) -> int:
    return _reading_cycles(parameters) - 1


def _repeated_cycles(parameters: Parameters, operation: Operation) -> int:
    multiplier = _interleaved(parameters)
    cycles = _reading_cycles(parameters)
    exponent = operation.exponent
    if not multiplier.early_end:
        return cycles + max(exponent - 1, 0) * multiplier.cycles()
    if exponent > _COUNTABLE:
        raise InputError(
            f"the exponent has {exponent.bit_length()} bits: the cycles of repeated multiplication "
            "with early_end are known only by going through all its products"
        )
    products = repeated_products(operation.base, exponent, operation.modulus)
    return cycles + sum(multiplier.cycles(product.scanned) for product in products)


def _binary_cycles(parameters: Parameters, operation: Operation) -> int:
    multiplier = _interleaved(parameters)
    cycles = _reading_cycles(parameters)
    bits, exponent = operation.exponent_bits, operation.exponent
    if parameters["fixed_time"]:
        return cycles + 2 * (bits - 1) * multiplier.cycles()
    if exponent == 0:
        return cycles + bits - 1
    cycles += bits - exponent.bit_length()
    if not multiplier.early_end:
        return cycles + (exponent.bit_length() + exponent.bit_count() - 2) * multiplier.cycles()
    products = binary_products(operation.base, exponent, bits, operation.modulus, False)
    return cycles + sum(multiplier.cycles(product.scanned) for product in products)


def _interleaved_timing(parameters: Parameters) -> TimingClass:
    if parameters["early_end"]:
        return TimingClass.OPERANDS
    if parameters.get("fixed_time"):
        return TimingClass.EXPONENT_LENGTH
    return TimingClass.EXPONENT_VALUE


def _check_binary(parameters: Parameters) -> None:
    if parameters["fixed_time"] and parameters["early_end"]:
        raise InputError("fixed_time is 1 and early_end is 1, allowed is only one of them")


def _montgomery(parameters: Parameters) -> MontgomeryMultiplier:
    return MontgomeryMultiplier.for_width(parameters["width"], parameters["word_bits"])


def _doubling_cycles(words: int, count: int) -> int:
    """Cycles of doubling a number of so many words so many times (modular_doubling)."""
    return count * (words + 1) + 3


def _montgomery_setup(parameters: Parameters, modulus: int, exponent_bits: int) -> int:
    multiplier = _montgomery(parameters)
    doublings = multiplier.radix_bits - modulus.bit_length() + 2
    return (
        max(multiplier.word_bits, _doubling_cycles(multiplier.words, doublings))
        + multiplier.product_cycles * (multiplier.radix_bits.bit_length() + 1)
        + 4 * multiplier.words
        + 12
    )


def _montgomery_cycles(parameters: Parameters, operation: Operation) -> int:
    multiplier = _montgomery(parameters)
    bits = operation.exponent_bits
    if not parameters["fixed_time"]:
        bits = max(operation.exponent.bit_length(), 1)
    return multiplier.product_cycles * (bits + 1) + 3 * multiplier.words + 11


def _montgomery_timing(parameters: Parameters) -> TimingClass:
    if parameters["fixed_time"]:
        return TimingClass.EXPONENT_LENGTH
    return TimingClass.EXPONENT_VALUE


_DIGIT_SERIAL_TERMS = (
    "J = digit_bits, S = slots, W = max(2, ceil((width + 2)/32)), D = ceil((width + 2)/J), "
    "O = (2 D + F) S cycles of a product, A = ceil(10/S) S; F, steps that the array's pipeline "
    "adds to a product, is 0 for all published structures; E: cycles until the result's last digit "
    "is in its word"
)


def _schedule(parameters: Parameters) -> ArraySchedule:
    multiplier = DigitSerialMultiplier(parameters["width"], parameters["digit_bits"])
    return ArraySchedule(multiplier, parameters["slots"], parameters["links"])


def _digit_serial_words(parameters: Parameters) -> int:
    return max(2, -(-(parameters["width"] + 2) // _WORD_BITS))


def _digit_serial_loop(parameters: Parameters, products: int, loads: int) -> int:
    """Cycles of loading operands, of products one after another, and of the result's last digits.

    Args:
        parameters: of the design.
        products: how many, of a squaring and a multiplication each.
        loads: operands that are shifted in before.
    """
    schedule = _schedule(parameters)
    shift = (schedule.multiplier.digits + schedule.fill) * schedule.slots
    fetch = _digit_serial_fetch(schedule)
    return (
        (1 + loads) * fetch
        + loads * shift
        + products * schedule.product_cycles
        + _digit_serial_end(parameters)
    )


def _digit_serial_fetch(schedule: ArraySchedule) -> int:
    """Cycles from asking for an operand to its first digit, in whole steps."""
    return -(-_DIGITS_AHEAD // schedule.slots) * schedule.slots


def _digit_serial_end(parameters: Parameters) -> int:
    """Cycles by which the result's last digit is in its word after the last product."""
    schedule = _schedule(parameters)
    slots = schedule.slots
    words = -(-(parameters["width"] + 2) // _WORD_BITS)
    join = -(-words * _WORD_BITS // parameters["digit_bits"])
    # The slot in which the last lane multiplies.
    slot = parameters["lanes"] * (3 - parameters["multipliers"]) - 1
    last = (join - 1) * slots + slot
    last += schedule.result_lag + schedule.row_lag(parameters["digit_bits"] - 1) + 8
    return max(0, last - (schedule.multiplier.digits + schedule.fill) * slots)


def _digit_serial_terms(parameters: Parameters) -> dict[str, int]:
    """Values of the terms in the formulas."""
    schedule = _schedule(parameters)
    return {
        "J": parameters["digit_bits"],
        "S": schedule.slots,
        "W": _digit_serial_words(parameters),
        "D": schedule.multiplier.digits,
        "F": schedule.fill,
        "O": schedule.product_cycles,
        "A": _digit_serial_fetch(schedule),
        "E": _digit_serial_end(parameters),
    }


def _digit_serial_setup(parameters: Parameters, modulus: int, exponent_bits: int) -> int:
    radix_bits = _schedule(parameters).multiplier.radix_bits
    words = _digit_serial_words(parameters)
    doubling = _doubling_cycles(words, radix_bits + 2 - modulus.bit_length())
    products = (2 * radix_bits).bit_length()
    return words + 9 + doubling + _digit_serial_loop(parameters, products, 2)


def _digit_serial_cycles(parameters: Parameters, operation: Operation) -> int:
    words, bases = _digit_serial_words(parameters), operation.bases
    reading = words + 8 + (bases - 1) * (words + 5)
    return reading + _digit_serial_loop(parameters, operation.exponent_bits + 1, bases)


def _check_digit_serial(parameters: Parameters) -> None:
    digit_bits, slots, links = (parameters[name] for name in ("digit_bits", "slots", "links"))
    if digit_bits > parameters["width"]:
        raise InputError(f"digit_bits is {digit_bits}, above width")
    if slots > 3 * digit_bits:
        raise InputError(f"slots is {slots}, allowed is at most 3 digit_bits, {3 * digit_bits}")
    needed = digit_bits + int(links == 1)
    if links and slots < needed:
        raise InputError(f"links is {links} with slots {slots}, which needs slots from {needed} up")
    if parameters["multipliers"] == 1 and slots < 2:
        raise InputError("multipliers is 1 with slots 1, which needs slots from 2 up")
    most = slots if parameters["multipliers"] == 2 else slots // 2
    if parameters["lanes"] > most:
        raise InputError(f"lanes is {parameters['lanes']}, slots and multipliers allow {most}")
    if not parameters["separated"] and (digit_bits, slots, links) != (1, 1, 0):
        raise InputError("separated is 0, which needs digit_bits 1, slots 1 and links 0")


@cache
def designs() -> tuple[Design, ...]:
    """Every design, in the order of the catalog."""
    return (
        Design(
            name="repeated",
            title="repeated modular multiplication, two interleaved multipliers",
            rows={"T1": {}},
            source=f"{_THESIS}, section 4.1",
            core="totient:modexp:modexp_repeated",
            module="modexp_repeated",
            ip_core="totient:ip:rsa_repeated",
            ip_module="rsa_repeated",
            parameters=(_WIDTH, _BITS_PER_CYCLE, _EARLY_END),
            timing=_interleaved_timing,
            setup_cycles=_interleaved_setup,
            setup_formula="ceil(width/32) + 8",
            operation_cycles=_repeated_cycles,
            operation_formula=(
                "ceil(width/32) + 9 + (e - 1) (ceil(width/bits_per_cycle) + 1), e = exponent"
            ),
            configurations=_named("repeated"),
        ),
        Design(
            name="binary",
            title="left-to-right binary exponentiation, two interleaved multipliers",
            rows={"T2": {}},
            source=f"{_THESIS}, section 4.2",
            core="totient:modexp:modexp_binary",
            module="modexp_binary",
            ip_core="totient:ip:rsa_binary",
            ip_module="rsa_binary",
            parameters=(
                _WIDTH,
                _BITS_PER_CYCLE,
                _EARLY_END,
                Parameter(
                    "fixed_time",
                    "FixedTime",
                    0,
                    0,
                    1,
                    "1: the same time for every exponent of a length",
                    (0, 1),
                ),
            ),
            check=_check_binary,
            timing=_interleaved_timing,
            setup_cycles=_interleaved_setup,
            setup_formula="ceil(width/32) + 8",
            operation_cycles=_binary_cycles,
            operation_formula=(
                "ceil(width/32) + 9 + (leading zeros) + products (ceil(width/bits_per_cycle) + 1), "
                "products = (bits to the top 1) + (ones) - 2; "
                "fixed_time: 2 (k - 1) products, no leading zeros, k = stated bits of the exponent"
            ),
            configurations=_named("binary"),
        ),
        Design(
            name="montgomery",
            title="right-to-left Montgomery exponentiation, two word-systolic multipliers",
            rows={"T3": {}},
            source=f"{_THESIS}, section 4.3",
            core="totient:modexp:modexp_montgomery",
            module="modexp_montgomery",
            ip_core="totient:ip:rsa_montgomery",
            ip_module="rsa_montgomery",
            parameters=(
                _WIDTH,
                Parameter(
                    "word_bits",
                    "WordBits",
                    16,
                    8,
                    32,
                    "bits of a processing element's word",
                    (8, 16, 32),
                ),
                Parameter(
                    "fixed_time",
                    "FixedTime",
                    1,
                    0,
                    1,
                    "1: the same time for every exponent of a length; 0: leading zeros left out",
                    (0, 1),
                ),
                Parameter(
                    "multiplier",
                    "Multiplier",
                    0,
                    0,
                    1,
                    "0: as the tool infers it, DSP blocks; 1: 7-series LUTs and carry chains",
                    (0, 1),
                    families={1: "AMD Artix-7"},
                ),
            ),
            timing=_montgomery_timing,
            setup_cycles=_montgomery_setup,
            setup_formula=(
                "max(w, (s w - L + 2) (s + 1) + 3) + (2 s + 2) (bits of (s w) + 1) + 4 s + "
                "12, w = word_bits, s = ceil((width + 2)/w), L = bits of the modulus"
            ),
            operation_cycles=_montgomery_cycles,
            terms=lambda parameters: {
                "w": parameters["word_bits"],
                "s": _montgomery(parameters).words,
            },
            operation_formula=(
                "(2 s + 2) (k + 1) + 3 s + 11, k = stated bits of the exponent; "
                "fixed_time = 0: k counts up to the top 1, at least 1"
            ),
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
            core="totient:modexp:modexp_digit_serial",
            module="modexp_digit_serial",
            ip_core="totient:ip:rsa_digit_serial",
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
                Parameter(
                    "multipliers",
                    "Multipliers",
                    2,
                    1,
                    2,
                    "1: one array squares and multiplies in turn, with slots >= 2",
                    (1, 2),
                ),
                Parameter(
                    "separated",
                    "Separated",
                    1,
                    0,
                    1,
                    "1: two plain multiplications a product; 0: the conventional bit-serial one",
                    (0, 1),
                ),
                Parameter("lanes", "Lanes", 1, 1, 48, "exponentiations of one key at once"),
            ),
            check=_check_digit_serial,
            timing=lambda parameters: TimingClass.EXPONENT_LENGTH,
            setup_cycles=_digit_serial_setup,
            setup_formula=(
                "W + 12 + (D J + 2 - L) (W + 1) + 3 A + 2 (D + F) S + (bits of (2 D J)) O + E, "
                "L = bits of the modulus, the others as for exponentiate"
            ),
            operation_cycles=_digit_serial_cycles,
            operation_formula=(
                "W + 8 + 2 A + (D + F) S + (k + 1) O + E, of which the loop is k O; "
                f"k = stated bits of the exponent; {_DIGIT_SERIAL_TERMS}"
            ),
            configurations=_named("digit_serial"),
            terms=_digit_serial_terms,
        ),
        ENGINE,
    )


def select(name: str, **given: int) -> Configuration:
    """A configuration by design name, named configuration or paper's row.

    Args:
        name: for instance `binary`, `binary-2048` or `T2`; the latter two bring parameters.
        given: parameters that differ from the defaults and from what the name brings.

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
    """The design of that name, configuration or row, with the parameters that this brings."""
    for design in designs():
        if name.lower() == design.name:
            return design, {}
        if name.lower() in design.configurations:
            return design, design.configurations[name.lower()]
        if name.upper() in design.rows:
            return design, design.rows[name.upper()]
    return None


def unknown_design(name: str, further: Iterable[Named] = ()) -> InputError:
    """The error for a name that is not in the catalog, with the one that may have been meant.

    Args:
        name: what was given.
        further: what could be meant besides a design.
    """
    names = [each for design in designs() for each in (design.name, *design.configurations)]
    names += [each.name for each in further]
    meant = "".join(f", {near!r} is close" for near in get_close_matches(name.lower(), names, 1))
    return InputError(f"unknown design {name!r}{meant}; `totient list` names them")
