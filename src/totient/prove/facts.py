"""What is known of each symbol: bounds, residues, parity. All of them are integers.

Rules, and why they hold:

- A sum is linear in each symbol that has no other exponent than 1. It is at most what it is at one
  of the symbol's bounds. The bounds may depend on the moduli, so `w <= n - 1` is used as such.
- A residue modulo m is a sum of the ring of integers modulo m. Each symbol may be replaced by what
  it is congruent to. A multiple of n is a multiple of each factor of n.
- M is odd, so M^2 = 1 - 8 f with an integer f. A term with a factor 2^k is 0 modulo 2^j for k >= j.
- x^(c (p - 1)) = 1 modulo a prime p for x coprime to p (Fermat). For any x, x^a = x^b if a and b
  are congruent modulo p - 1 and both are at least 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction

from totient.prove.algebra import TWO, Exponent, Sum, dyadic

ONE = Sum.of(1)


class ProofError(Exception):
    """The proof fails; says where and why."""


@dataclass(frozen=True)
class Range:
    """Bounds of a symbol: numbers, and perhaps sums of moduli."""

    low: int
    high: int
    above: Sum | None = None
    below: Sum | None = None


@dataclass
class Facts:
    """Of a path through the program.

    Attributes:
        moduli: symbols that are moduli.
        odd: symbols known to be odd, or even.
        residues: of a symbol modulo another one, or modulo 2^j, by (symbol, modulus or j).
        factors: the two factors of a modulus.
        primes: factors that are different primes.
        coprime: symbols without a common factor with any modulus, because it is assumed.
        orders: pairs of exponents whose product is 1 modulo p - 1, by p.
    """

    ranges: dict[str, Range] = field(default_factory=dict)
    moduli: tuple[str, ...] = ()
    odd: dict[str, bool] = field(default_factory=dict)
    residues: dict[tuple[str, str | int], Sum] = field(default_factory=dict)
    factors: dict[str, tuple[str, str]] = field(default_factory=dict)
    primes: frozenset[str] = frozenset()
    coprime: frozenset[str] = frozenset()
    orders: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    tops: dict[tuple[Sum, int], Sum] = field(default_factory=dict)
    lows: dict[tuple[Sum, int], Sum] = field(default_factory=dict)
    count: list[int] = field(default_factory=lambda: [0])
    _images: dict[tuple[str, str | int], Sum] = field(default_factory=dict)
    _uppers: dict[Sum, Fraction] = field(default_factory=dict)

    def fork(self) -> Facts:
        """A copy, for a path with another assumption."""
        other = copy(self)
        for name in ("ranges", "odd", "residues", "factors", "tops", "lows", "_images", "_uppers"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def name(self, kind: str) -> str:
        """A new one."""
        self.count[0] += 1
        return f"{kind}{self.count[0]}"

    def symbol(
        self, name: str, low: int, high: int, above: Sum | None = None, below: Sum | None = None
    ) -> Sum:
        """A new symbol with its bounds, which it may reach."""
        assert name not in self.ranges
        self.ranges[name] = Range(low, high, above, below)
        return Sum.symbol(name)

    # Bounds.

    def upper(self, value: Sum) -> Fraction:
        """A number that the sum does not exceed."""
        alone = value.only_symbol()
        if alone:
            return Fraction(self.ranges[alone].high)
        found = self._uppers.get(value)
        if found is None:
            found = self._uppers[value] = self._computed_upper(value)
        return found

    def _computed_upper(self, value: Sum) -> Fraction:
        for name in value.symbols():
            if name not in self.moduli:
                return self._at_ends(value, name)
        for name in value.symbols():
            return self._at_ends(value, name)
        return value.fraction()

    def _at_ends(self, value: Sum, name: str) -> Fraction:
        known = self.ranges[name]
        parts = value.split(name)
        if parts is None:
            return self._upper_of_terms(value)
        factor, rest = parts
        high = known.below or Sum.of(known.high)
        low = known.above or Sum.of(known.low)
        if self._never_negative(factor):
            return self.upper(factor * high + rest)
        if self._never_negative(-factor):
            return self.upper(factor * low + rest)
        return max(self.upper(factor * high + rest), self.upper(factor * low + rest))

    def _never_negative(self, factor: Sum) -> bool:
        """By the coefficients alone."""
        return all(m > 0 for m, _ in factor.terms.values()) and all(
            self.ranges[name].low >= 0 for name in factor.symbols()
        )

    def _upper_of_terms(self, value: Sum) -> Fraction:
        """The same, term by term, of symbols that are not negative."""
        total = Fraction(0)
        for monomial, (m, k) in value.terms.items():
            most = Fraction(m << max(0, k), 1 << max(0, -k))
            for name, exponent in monomial:
                if not isinstance(exponent, int) or exponent < 0 or self.ranges[name].low < 0:
                    raise ProofError(f"no bound of {value}")
                each = self.ranges[name]
                most *= (each.high if m > 0 else each.low) ** exponent
            total += most
        return total

    def lower(self, value: Sum) -> Fraction:
        """A number that the sum does not fall below."""
        alone = value.only_symbol()
        if alone:
            return Fraction(self.ranges[alone].low)
        return -self.upper(-value)

    def within(self, value: Sum, bits: int) -> bool:
        """It is a number of that many bits."""
        return self.lower(value) >= 0 and self.upper(value) < 1 << bits

    # Residues.

    def divisors(self, value: Sum) -> tuple[str, ...]:
        """Moduli that each term has as a factor."""
        return tuple(m for m in self.moduli if value and value.has_factor(m))

    def residue(self, value: Sum, modulus: str | int) -> Sum:
        """A sum congruent to it modulo a symbol, or modulo 2^j, with as few symbols as known."""
        total = Sum()
        for monomial, (m, k) in value.terms.items():
            term = Sum({(): (m, k)})
            for name, exponent in monomial:
                term = term * self._raised(name, exponent, modulus)
            total = total + term
        if isinstance(modulus, int):
            return self._modulo_power_of_two(total, modulus)
        return self._without_multiples(total, modulus)

    def _raised(self, name: str, exponent: Exponent, modulus: str | int) -> Sum:
        image = self._image(name, modulus)
        if not image:
            least = exponent if isinstance(exponent, int) else self.lower(exponent)
            return Sum() if least > 0 else Sum.symbol(name, exponent)
        if image.single:
            return image.power(exponent)
        if isinstance(modulus, int) and exponent == 1:
            return image
        return Sum.symbol(name, exponent)

    def _image(self, name: str, modulus: str | int) -> Sum:
        """What a symbol is congruent to; itself if that is all that is known."""
        found = self._images.get((name, modulus))
        if found is None:
            found = self._images[name, modulus] = self._computed_image(name, modulus)
        return found

    def _computed_image(self, name: str, modulus: str | int) -> Sum:
        if name == TWO:
            return Sum.symbol(TWO)
        if isinstance(modulus, int):
            known = [j for each, j in self.residues if each == name and isinstance(j, int)]
            wide = [j for j in known if j >= modulus]
            if wide:
                return self.residue(self.residues[name, min(wide)], modulus)
            return Sum.symbol(name)
        if name == modulus or modulus in self.factors.get(name, ()):
            return Sum()
        multiples = [each for each, parts in self.factors.items() if modulus in parts]
        for each in (modulus, *multiples):
            if (name, each) in self.residues:
                return self.residue(self.residues[name, each], modulus)
        return Sum.symbol(name)

    def _modulo_power_of_two(self, value: Sum, bits: int) -> Sum:
        """Drops what is 0. The square of an odd M is 1 - 8 f."""
        total = Sum()
        for monomial, (m, k) in value.terms.items():
            if k >= bits:
                continue
            term = Sum({monomial: (m, k)})
            for name, exponent in monomial:
                if exponent == 2 and name in self.moduli and self.odd.get(name):
                    eighth = Sum.symbol(f"eighth of 1 - {name}^2").shifted(3)
                    term = term * Sum.symbol(name, -2) * (ONE - eighth)
            total = total + term
        kept = {monomial: (m, k) for monomial, (m, k) in total.terms.items() if k < bits}
        return Sum(kept)

    def _without_multiples(self, value: Sum, modulus: str) -> Sum:
        """Drops terms with both factors of a modulus."""
        parts = self.factors.get(modulus)
        if parts is None:
            return value
        return Sum(
            {
                monomial: coefficient
                for monomial, coefficient in value.terms.items()
                if not all(Sum({monomial: coefficient}).has_factor(each) for each in parts)
            }
        )

    def vanishes(self, value: Sum, modulus: str) -> bool:
        """It is a multiple of the modulus; modulo two primes, if they are its factors."""
        if not self.canonical(value, modulus):
            return True
        parts = self.factors.get(modulus, ())
        return bool(parts) and all(
            each in self.primes and self.vanishes(value, each) for each in parts
        )

    def canonical(self, value: Sum, modulus: str) -> Sum:
        """The residue with the least exponents that a prime modulus allows."""
        left = self.residue(value, modulus)
        if modulus not in self.primes:
            return left
        total = Sum()
        for monomial, coefficient in left.terms.items():
            term = Sum({(): coefficient})
            for name, exponent in monomial:
                term = term * Sum.symbol(name, self._order(name, exponent, modulus))
            total = total + term
        return total

    def _order(self, base: str, exponent: Exponent, prime: str) -> Exponent:
        """An exponent congruent modulo `prime - 1`, by which the base has the same power."""
        if isinstance(exponent, int):
            return exponent
        if any(k < 0 for _, k in exponent.terms.values()):
            raise ProofError(f"the exponent {exponent} may be no integer")
        left, right = self.orders.get(prime, ("", ""))
        total = Sum()
        for monomial, coefficient in exponent.terms.items():
            # p is 1 modulo p - 1, and so is each product of the two exponents.
            powers = {name: to for name, to in monomial if name != prime}
            one, other = powers.get(left, 0), powers.get(right, 0)
            if isinstance(one, int) and isinstance(other, int):
                both = min(one, other)
                powers |= {left: one - both, right: other - both}
                known = self.ranges.get(left)
                if known and known.low == known.high and powers[right] == 1:
                    whole, rest = divmod(coefficient[0] << coefficient[1], known.low)
                    if not rest:
                        coefficient, powers[right] = dyadic(whole), 0
            names = sorted((name, to) for name, to in powers.items() if to != 0)
            total = total + Sum.total([(tuple(names), coefficient)])
        if base == TWO or base in self.coprime or base in self.primes - {prime}:
            return total.simple()
        if self.lower(exponent) >= 1 and self.lower(total) >= 1:
            return total.simple()
        return exponent

    # Digits of exponents.

    def digit(self, value: Sum, place: int, bits: int) -> Sum:
        """Bits of a number from a place on: what is above the place, less what is above them."""
        return self.top(value, place) - self.top(value, place + bits).shifted(bits)

    def top(self, value: Sum, place: int) -> Sum:
        """`value / 2^place`, rounded down."""
        if not place or not value:
            return self.number(value)
        found = self.tops.get((value, place))
        if found is None:
            found = self.tops[value, place] = self._new_top(value, place)
        return found

    def number(self, value: Sum) -> Sum:
        """The sum, or its value if the bounds leave only one."""
        low = self.lower(value)
        return Sum.of(int(low)) if low == self.upper(value) else value

    def _new_top(self, value: Sum, place: int) -> Sum:
        low, high = self.lower(value), self.upper(value)
        if low < 0:
            raise ProofError("bits of a number that may be negative")
        least, most = int(low) >> place, int(high) >> place
        if least == most:
            return Sum.of(least)
        names = tuple(value.symbols())
        if place == 1 and value == Sum.symbol(names[0]) and self.odd.get(names[0]):
            return (value - ONE).shifted(-1)
        return self.symbol(self.name("top"), least, most)

    # Assumptions.

    def learn(self, what: str, value: Sum, holds: bool) -> None:
        """What follows from a decision: the bounds of a symbol, its parity, two factors."""
        names = list(value.symbols())
        if what == "even":
            self.odd[names[0]] = not holds
        elif what == "negative":
            self._learn_sign(value, holds)
        elif what == "zero" and holds:
            self._learn_product(value)
        self._images.clear()
        self._uppers.clear()

    def _learn_sign(self, value: Sum, negative: bool) -> None:
        """`x - A` is negative, or not, for a symbol x and a sum A of moduli."""
        for name in value.symbols():
            parts = value.split(name)
            if name in self.moduli or parts is None or parts[0] != ONE:
                continue
            limit = -parts[1]
            if not all(each in self.moduli for each in limit.symbols()):
                continue
            known = self.ranges[name]
            if negative:
                most = min(known.high, int(self.upper(limit)) - 1)
                self.ranges[name] = Range(known.low, most, known.above, limit - ONE)
            else:
                least = max(known.low, int(self.lower(limit)))
                self.ranges[name] = Range(least, known.high, limit, known.below)
            return

    def _learn_product(self, value: Sum) -> None:
        """A multiple of n is 0, and it is 2^k p q modulo n: so p q is n, for 0 < p q < 2 n."""
        for n in self.moduli:
            found = self.residue(value, n)
            if not found.single or n in self.factors:
                continue
            ((monomial, _),) = found.terms.items()
            names = [name for name, exponent in monomial if exponent == 1]
            if len(monomial) != 2 or len(names) != 2 or not set(names) <= set(self.moduli):
                continue
            product = Sum.symbol(names[0]) * Sum.symbol(names[1])
            twice = Sum.symbol(n).shifted(1)
            if self.lower(product) > 0 and self.upper(product - twice) < 0:
                self.factors[n] = names[0], names[1]
