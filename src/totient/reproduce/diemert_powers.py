"""Exponentiations: the tables of stock RSA (row D1) and of powers in C (D2 to D6)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from Crypto.Util.number import isPrime

from totient.report import Column, Table, Value, columns
from totient.report.values import grouped, text
from totient.report.words import factor
from totient.reproduce.diemert_counts import DiemertCounts, PowerCount
from totient.reproduce.diemert_names import CORTEX, NAMED, SOFT, TITLES
from totient.reproduce.stock_rsa import make_keys, power, power_in_full

SIZES = (8, 12, 16, 32, 64)
"""Bits of the moduli of stock RSA."""

_SHORT = 16  # bits of the longest modulus with the first coprime exponent; above it is 65537
_FEASIBLE = 1 << 23  # bits of a whole power that takes a second or two
_LENGTHS = {"public": "65537", "full": "64 ones"}


@dataclass(frozen=True)
class Stock:
    """Stock RSA with one key: whole powers, and their remainders after that.

    Attributes:
        bits: of the modulus.
        n, e, d: the key.
        cipher_bits: length of the whole power that encrypts.
        message_bits: length of the one that decrypts.
        decrypted: whether that one was computed.
        right: whether the remainders are those of Python's `pow`.
    """

    bits: int
    n: int
    e: int
    d: int
    cipher_bits: int
    message_bits: int
    decrypted: bool
    right: bool

    @property
    def verdict(self) -> str:
        """What was computed, and whether it is right."""
        done = "both directions" if self.decrypted else "encryption only"
        return f"{done}, {'right' if self.right else 'WRONG'}"


def stock(bits: int) -> Stock:
    """Encrypt n - 2 by a whole power; decrypt by another one if that is feasible.

    The primes are the two largest ones of half the length.

    Args:
        bits: of the modulus, an even number from 8 to 64.
    """
    p, q = islice(_primes(bits // 2), 2)
    (e, n), (d, _) = make_keys(p, q, 0 if bits <= _SHORT else 65537)
    message = n - 2
    cipher = power_in_full(message, (e, n))
    right = cipher == power(message, (e, n))
    cipher_bits, message_bits = _length(message, e), _length(cipher, d)
    if decrypted := message_bits < _FEASIBLE:
        right &= power_in_full(cipher, (d, n)) == message
    return Stock(n.bit_length(), n, e, d, cipher_bits, message_bits, decrypted, right)


def _primes(bits: int) -> Iterator[int]:
    """Primes of a length, the largest one first."""
    return (each for each in range((1 << bits) - 1, 1 << bits - 1, -2) if isPrime(each))


def _length(base: int, exponent: int) -> int:
    """Bits of a power."""
    return math.floor(exponent * math.log2(base)) + 1


def stock_table(done: Sequence[Stock]) -> Table:
    """Row D1 at each length."""
    return Table.of(
        "Section 1.4.1: stock RSA in Python, the whole power before its remainder (row D1)",
        (
            *columns(grouped, ("modulus, bits", "bits")),
            *columns(text, *((name, name) for name in "ned")),
            *columns(grouped, ("m^e, bits", "cipher_bits"), ("c^d, bits", "message_bits")),
            Column("computed", of="verdict"),
        ),
        done,
        "m: n - 2. Right: as Python's pow. The report states no size and no time of it",
        "a power by d is computed up to 2^23 bits",
    )


def of_stock(done: Sequence[Stock]) -> Mapping[str, object]:
    """Values of the conclusion on row D1."""
    wrong = [each for each in done if not each.right]
    both = [each.bits for each in done if each.decrypted]
    first = min((each for each in done if not each.decrypted), key=lambda each: each.bits)
    return {
        "stock": {
            "verdict": "right" if not wrong else f"WRONG for {wrong[0].bits} bits",
            "sizes": ", ".join(str(each.bits) for each in done),
            "both": max(both),
            "infeasible": first.bits,
            "long": f"{first.message_bits:.2g}",
        }
    }


def powers_table(counts: DiemertCounts) -> Table:
    """Powers in C, in assembly and by the coprocessor."""
    return Table.of(
        "A modular exponentiation of 64 bits, all C with -O2",
        (
            *NAMED,
            Column("on", of=lambda each: TITLES[each.processor]),
            Column("unit", of=lambda e: "cycles" if e.processor == SOFT else "instructions"),
            *columns(grouped, ("e = 65537", "public"), ("as many ones as n has bits", "full")),
        ),
        counts.powers,
        "base n - 1, n = 2^64 - 1 (2^32 - 1 for forms of 32 bits). The constants that "
        "Montgomery products need of a modulus are computed each time",
        "row D2: a table holds the squares of one base for one modulus, and serves any exponent. "
        "Made for the power, it is made again each time. Made alone, and then a power by it, are "
        "the report's table that is computed ahead of time",
    )


def break_even(made: int, by_table: int, without: int) -> int | None:
    """Number of powers from which a table costs less in all; `None` if it never does.

    Args:
        made: instructions that make it.
        by_table: instructions of a power by the table.
        without: instructions of a power without one.
    """
    saved = without - by_table
    return made // saved + 1 if saved > 0 else None


def of_tables(counts: DiemertCounts) -> Mapping[str, object]:
    """Values of the conclusion on row D2."""
    made, by_table, each_time, without = (
        _power(counts, form) for form in ("table-make", "table-raise", "table", "remainder")
    )

    def from_which(quantity: str) -> Value:
        given = (getattr(each, quantity) for each in (by_table, without))
        number = break_even(made.public, *given)
        return "never" if number is None else f"from power {number} of one base on"

    return {
        "table": {
            "make": made.public,
            "raise": by_table.public,
            "each": each_time.public,
            "remainder": without.public,
            "reuse": factor(by_table.public, each_time.public),
            "against": factor(by_table.public, without.public),
            "pays": "; ".join(
                f"{from_which(quantity)} for an exponent of {length}"
                for quantity, length in _LENGTHS.items()
            ),
        }
    }


def _power(counts: DiemertCounts, form: str) -> PowerCount:
    """A power on the Cortex-M3."""
    return next(e for e in counts.powers if (e.processor, e.form) == (CORTEX, form))
