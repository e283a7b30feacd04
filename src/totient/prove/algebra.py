"""Sums of products of symbols. An exponent may have symbols itself: `C^(d - 1)`.

Coefficients are m 2^k with any integer k, because the engine divides by powers of its radix. The
symbol `TWO` is the base 2 where its exponent has symbols. Products and sums are those of rational
numbers, so that an equation of sums holds for all values of the symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

TWO = "2"
"""The base 2 of an exponent with symbols."""

_MOST_TERMS = 20_000
_UNIT = {(): (1, 0)}

Exponent: TypeAlias = "int | Sum"
Monomial: TypeAlias = "tuple[tuple[str, Exponent], ...]"
Dyadic: TypeAlias = "tuple[int, int]"


def dyadic(value: int, exponent: int = 0) -> Dyadic:
    """`value 2^exponent` with an odd first part; (0, 0) is 0."""
    if not value:
        return 0, 0
    zeros = (value & -value).bit_length() - 1
    return value >> zeros, exponent + zeros


def _added(a: Dyadic, b: Dyadic) -> Dyadic:
    if not a[0]:
        return b
    if not b[0]:
        return a
    least = min(a[1], b[1])
    return dyadic((a[0] << a[1] - least) + (b[0] << b[1] - least), least)


def plus(a: Exponent, b: Exponent) -> Exponent:
    """The sum of two exponents; an integer if it has no symbols."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    return (_sum(a) + _sum(b)).simple()


def times(a: Exponent, b: Exponent) -> Exponent:
    """The product of two exponents; an integer if it has no symbols."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    return (_sum(a) * _sum(b)).simple()


def _sum(value: Exponent) -> Sum:
    return value if isinstance(value, Sum) else Sum.of(value)


class Sum:
    """A sum of products. Immutable.

    Attributes:
        terms: the coefficient of each product; none is 0.
    """

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, Dyadic] | None = None) -> None:
        self.terms: Mapping[Monomial, Dyadic] = terms or {}
        self._hash: int | None = None

    @staticmethod
    def of(value: int, exponent: int = 0) -> Sum:
        """`value 2^exponent`."""
        return Sum({(): dyadic(value, exponent)}) if value else Sum()

    @staticmethod
    def symbol(name: str, exponent: Exponent = 1) -> Sum:
        """A symbol with an exponent."""
        return Sum({((name, exponent),): (1, 0)})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Sum) -> Sum:
        if not other.terms:
            return self
        return Sum.total((*self.terms.items(), *other.terms.items()))

    def __neg__(self) -> Sum:
        return Sum({monomial: (-m, k) for monomial, (m, k) in self.terms.items()})

    def __sub__(self, other: Sum) -> Sum:
        return self + -other

    def __mul__(self, other: Sum) -> Sum:
        if other.terms == _UNIT:
            return self
        if self.terms == _UNIT:
            return other
        if len(self.terms) * len(other.terms) > _MOST_TERMS:
            raise ArithmeticError("the sum has too many terms")
        return Sum.total(_product(a, b) for a in self.terms.items() for b in other.terms.items())

    def shifted(self, bits: int) -> Sum:
        """Multiplied by 2^bits; bits may be negative."""
        return Sum({monomial: (m, k + bits) for monomial, (m, k) in self.terms.items()})

    def power(self, exponent: Exponent) -> Sum:
        """A power of one product. With symbols in the exponent its coefficient must be 2^k."""
        ((monomial, (m, k)),) = self.terms.items()
        raised = tuple((name, times(each, exponent)) for name, each in monomial)
        if isinstance(exponent, int):
            assert exponent >= 0 or m == 1, "a fraction"
            coefficient = m ** max(0, exponent), k * exponent
        else:
            assert m == 1, "a power with symbols, of a number with a factor"
            coefficient = 1, 0
            if k:
                raised = (*raised, (TWO, times(k, exponent)))
        return Sum.total([_product((raised, coefficient), ((), (1, 0)))])

    @property
    def single(self) -> bool:
        """It is one product with the coefficient 2^k, so that it has powers."""
        return len(self.terms) == 1 and next(iter(self.terms.values()))[0] == 1

    def simple(self) -> Exponent:
        """An integer, if it is one."""
        value = self.integer()
        return self if value is None else value

    def integer(self) -> int | None:
        """Its value, if it is an integer without symbols."""
        if not self.terms:
            return 0
        coefficient = self.terms.get(())
        if len(self.terms) > 1 or coefficient is None or coefficient[1] < 0:
            return None
        return coefficient[0] << coefficient[1]

    def fraction(self) -> Fraction:
        """Its value, if it has no symbols."""
        total = Fraction(0)
        for monomial, (m, k) in self.terms.items():
            assert not monomial
            total += Fraction(m << max(0, k), 1 << max(0, -k))
        return total

    def symbols(self) -> Iterator[str]:
        """Of its products; not those of the exponents."""
        for monomial in self.terms:
            for name, _ in monomial:
                yield name

    def deep_symbols(self) -> Iterator[str]:
        """All of them."""
        for monomial in self.terms:
            for name, exponent in monomial:
                yield name
                if isinstance(exponent, Sum):
                    yield from exponent.deep_symbols()

    def only_symbol(self) -> str:
        """The name, if it is one symbol alone."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if coefficient == (1, 0) and len(monomial) == 1 and monomial[0][1] == 1:
                return monomial[0][0]
        return ""

    def split(self, name: str) -> tuple[Sum, Sum] | None:
        """A and B of `A name + B`, if the symbol has no other exponent than 1."""
        factor, rest = [], []
        for monomial, coefficient in self.terms.items():
            found = [exponent for each, exponent in monomial if each == name]
            if not found:
                rest.append((monomial, coefficient))
            elif found == [1]:
                left = tuple(each for each in monomial if each[0] != name)
                factor.append((left, coefficient))
            else:
                return None
        return Sum(dict(factor)), Sum(dict(rest))

    def has_factor(self, name: str) -> bool:
        """Each product has the symbol, with an integer above 0 as exponent."""
        return all(
            any(each == name and isinstance(to, int) and to > 0 for each, to in monomial)
            for monomial in self.terms
        )

    @staticmethod
    def total(terms: Iterable[tuple[Monomial, Dyadic]]) -> Sum:
        """The sum of products, which may have the same symbols."""
        found: dict[Monomial, Dyadic] = {}
        for monomial, coefficient in terms:
            value = _added(found.get(monomial, (0, 0)), coefficient)
            if value[0]:
                found[monomial] = value
            else:
                found.pop(monomial, None)
        return Sum(found)

    def __str__(self) -> str:
        return " + ".join(_shown(each) for each in self.terms.items()) or "0"


def _product(a: tuple[Monomial, Dyadic], b: tuple[Monomial, Dyadic]) -> tuple[Monomial, Dyadic]:
    exponents: dict[str, Exponent] = {}
    for name, exponent in (*a[0], *b[0]):
        before = exponents.get(name)
        exponents[name] = exponent if before is None else plus(before, exponent)
    m, k = a[1][0] * b[1][0], a[1][1] + b[1][1]
    if TWO in exponents:
        fixed, exponents[TWO] = _constant(exponents[TWO])
        k += fixed
    left = (each for each in exponents.items() if each[1] != 0)
    return tuple(sorted(left, key=lambda each: each[0])), (m, k)


def _constant(exponent: Exponent) -> tuple[int, Exponent]:
    """The integer of an exponent, and the rest."""
    if isinstance(exponent, int):
        return exponent, 0
    m, k = exponent.terms.get((), (0, 0))
    fixed = m << k if k >= 0 else m >> -k  # what is left below 1 is a part of an integer
    return fixed, plus(exponent, -fixed)


def _shown(term: tuple[Monomial, Dyadic]) -> str:
    monomial, (m, k) = term
    factors = [f"{m}" * (m != 1 or not (monomial or k)), f"2^{k}" * bool(k)]
    for name, exponent in monomial:
        factors.append(name if exponent == 1 else f"{name}^({exponent})")
    return " ".join(each for each in factors if each)
