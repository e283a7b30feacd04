"""The engine's machine with symbolic numbers: the same scalars, jumps and packets as on integers.

A decision that depends on numbers is taken both ways, unless the bounds or the residues decide it.
The path that takes it has it as an assumption.

A product with a modulus: in each of its s steps `r t' = t + a_i B + q_i M~`, where the quotient
digit q_i is the lowest digit of `t + a_i B`, and `M~ = x r^5 - 1`. Added up over all steps,
`r^s d = T + a B + Q M~` with an integer Q < r^s. So d is congruent to (T + a B) / r^s modulo each
divisor of M~, and at most (T + a B) / r^s + M~. Without a modulus M~ is -1: d is (T + a B) / r^s
rounded down. With `lead`, T and B are multiplied by a power of r before.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from totient.engine.assembler import Program
from totient.engine.instruction_set import QUOTIENT_DELAY, Cond, WordOp
from totient.engine.instructions import LEAST_WORDS, TABLE_ENTRIES, Product, Scalar, Words
from totient.engine.layout import PARTIAL
from totient.engine.machine import Halted, Machine, block_words
from totient.prove.algebra import Sum
from totient.prove.facts import ONE, Facts, ProofError
from totient.prove.instructions import place
from totient.prove.memory import Memory
from totient.prove.table import Table, merged
from totient.prove.units import Assumed, Given, Part, Units


class Symbolic(Units, Machine):
    """The machine of one path.

    Attributes:
        facts: of its numbers.
        assumed: its decisions, for the packet.
        asked: what was decided, and on which number; also if the facts decided it.
        executed: numbers of the instructions, of all paths; `steps` counts them.
        waiting: other paths, which have not ended.
        most_steps: of a packet; a key of 8192 bits takes less than half of them.
    """

    most_steps = 100_000

    def __init__(
        self, program: Program, elements: int, bits: int, max_bits: int, slots: int = 1
    ) -> None:
        self.facts = Facts()
        self.memory = Memory(self.facts, bits, block_words(bits, elements, max_bits))
        self.assumed: list[Assumed] = []
        self.asked: list[tuple[str, Sum]] = []
        self.waiting: list[Symbolic] = []
        self.executed: set[int] = set()
        self.steps = [0]
        self.powers = Table()
        self.begin_units()
        super().__init__(program, elements, _no_random, bits, max_bits, slots)

    def fork(self) -> Symbolic:
        """A copy, for another decision."""
        other = copy(self)
        other.facts = self.facts.fork()
        other.memory = self.memory.fork(other.facts)
        other._scalars = dict(self._scalars)
        for name in (
            "assumed",
            "asked",
            "signs",
            "zeros",
            "negative",
            "zero",
            "request",
            "windows",
        ):
            setattr(other, name, list(getattr(self, name)))
        other._flags = dict(self._flags)
        other.powers = self.powers.fork()
        other.fork_units()
        return other

    def paths(self, packet: Sequence[int | Part | Given]) -> list[Symbolic]:
        """The machine after the packet, once for each way that its numbers may take."""
        words: list[int | Part] = []
        for each in packet:
            words += each.words() if isinstance(each, Given) else [each]
        start = self.fork()
        start.waiting = [start]
        start.assumed, start.asked = [], []
        start.begin_packet(words)
        start.forget()
        start.before = start.key_numbers()
        return start.run_all()

    def __getitem__(self, scalar: str) -> int:
        found = self._scalars.get(self._key(scalar))
        if found is None and scalar != "zero":
            raise ProofError(f"the scalar {scalar} is read before it is written")
        return found or 0

    def run_all(self) -> list[Symbolic]:
        """All waiting paths to their ends."""
        done = []
        while self.waiting:
            path = self.waiting.pop()
            try:
                path._run()
            except Halted:
                if not path.ended:
                    raise ProofError("the packet has no answer") from None
                path.check_rest()
                done.append(path)
        return done

    def _step(self) -> None:
        self.executed.add(self._at)
        self.steps[0] += 1
        try:
            super()._step()
        except (ProofError, AssertionError) as error:
            if str(error).startswith("instruction "):
                raise
            raise ProofError(f"{place(self.program, self._at)}: {error}") from error

    # Products.

    def _product(self, op: Product) -> None:
        at = self
        ring = self.rings[self.ring(op.ring)]
        steps = ring * (at[op.passes] + 1)
        if at[op.words] < max(ring, LEAST_WORDS):
            raise ProofError("fewer positions than steps in a pass, or than a job needs")
        if at[op.passes]:
            if at[op.words] - 1 > self.block_words * (1 if op.pair else 2):
                raise ProofError("no room for the results between passes")
            for block in (PARTIAL, PARTIAL + 1):
                self.memory.blocks.pop(self._block(block), None)
        results = [self._one_product(op, stream, steps) for stream in range(1 + op.pair)]
        for stream, result in enumerate(results):
            if op.table_write:
                entry = self.memory.low(result, at[op.d_words])
                self.powers.write(at[op.table_write] % TABLE_ENTRIES, stream, entry)
            self.memory.write(self._block(op.d + stream), result, at[op.d_words])
        self.since_copy += 1
        self.table_open |= bool(op.table_write)

    def _one_product(self, op: Product, stream: int, steps: int) -> Sum:
        at, facts, lead = self, self.facts, self.bits * self[op.lead]
        a = (
            self.powers.collected[stream]
            if op.window
            else self._number(op.a + stream * (not op.common), at[op.a_words])
        )
        a = self.memory.low(a, steps)
        b = self._number(op.b + stream, at[op.b_words])
        t = Sum() if op.t is None else self._number(op.t + stream, at[op.t_words])
        x = Sum() if op.x is None else self._number(op.x + stream, at[op.b_words])
        multiple = x.shifted(self.bits * QUOTIENT_DELAY) - ONE
        whole = ((a * b) + t).shifted(lead - self.bits * steps)
        most_multiple = int(facts.upper(multiple))
        if x and facts.lower(multiple) < 0:
            raise ProofError("the multiple of the modulus may be negative")
        most_b = int(facts.upper(b)) << lead
        most_t = int(facts.upper(t)) << lead
        # t after i steps is at most B + M~ + (T - B - M~) / r^i: at an end of 1 <= i <= s.
        most = most_b + max(0, most_multiple)
        first = max(0, most_t - most >> self.bits) + 1
        if most + first >= 1 << self.bits * (at[op.words] - 1):
            raise ProofError("a step's result may be longer than the positions")
        if not x:
            return self._rounded_down(whole)
        top = int(facts.upper(a)) * most_b + most_t
        high = (top + ((1 << self.bits * steps) - 1) * most_multiple) >> self.bits * steps
        name = facts.name("t")
        result = facts.symbol(name, 0, high)
        for modulus in facts.divisors(multiple):
            facts.residues[name, modulus] = facts.residue(whole, modulus)
        return result

    def _rounded_down(self, value: Sum) -> Sum:
        """Without a modulus: exact if the division by a power of two is, else rounded down."""
        facts = self.facts
        down = max((-k for _, k in value.terms.values()), default=0)
        if down <= 0 or not facts.residue(value.shifted(down), down):
            return value
        if facts.lower(value) < 0:
            raise ProofError("a product is negative")
        return facts.symbol(facts.name("floor"), 0, int(facts.upper(value)))

    def _number(self, block: int, words: int) -> Sum:
        return self.memory.read(self._block(block), words)

    # Operations on words.

    def _words(self, op: Words) -> None:
        if self[op.words] < LEAST_WORDS:
            raise ProofError("fewer words than a job needs")
        for stream in range(1 + op.pair):
            result = self._one_words(op, stream)
            words = self[op.words]
            half = 1 << self.bits * words - 1
            low, high = self.facts.lower(result), self.facts.upper(result)
            fits = -half <= low and high < half
            self.signs[stream] = result if fits else None
            self.zeros[stream] = result if -2 * half < low and high < 2 * half else None
            self.memory.write(self._block(op.d + stream), result, words)
            if op.exponent:
                self.scanned[stream] = self._number(op.d + stream, words)
        if op.exponent:
            self.since_copy = 0

    def _one_words(self, op: Words, stream: int) -> Sum:
        at = self
        power = self.bits * at[op.v_words]
        match op.action:
            case WordOp.POWER:
                return Sum.of(1, power)
            case WordOp.QUARTER:
                return Sum.of(1, power + self.bits - 2)
        # A sum modulo r^words does not depend on the representative of u, if u has all words.
        signed = at[op.u_words] >= at[op.words]
        u = self.memory.read(self._block(op.u + stream), at[op.u_words], signed)
        v = self._number(op.v + stream, at[op.v_words])
        match op.action:
            case WordOp.ADD:
                return u + v
            case WordOp.SUBTRACT:
                return u - v
            case WordOp.DOUBLE:
                return self._by_sign(u, v, stream, double=True)
            case _:
                return self._by_sign(u, v, stream, double=False)

    def _by_sign(self, u: Sum, v: Sum, stream: int, double: bool) -> Sum:
        """2 u - v or 2 u + v; u or u + v: the second ones where the result before was negative."""
        facts = self.facts
        sign = self.signs[stream]
        if sign is None:
            raise ProofError("the sign is not that of a number")
        twice = u + u if double else u
        if facts.upper(sign) < 0:
            return twice + v
        if facts.lower(sign) >= 0:
            return twice - v if double else u
        if sign != u:
            raise ProofError("the sign is another number's")
        if facts.lower(u + v) < 0:
            raise ProofError("the number may be below -v")
        name = facts.name("w")
        if facts.upper(u - v) < 0:
            # -v <= u < v: both cases of the doubling give a number from -v to v - 2, those of the
            # correction one from 0 to v - 1.
            high = facts.upper(v)
            low, above = (int(-high), -v) if double else (0, Sum())
            result = facts.symbol(name, low, int(high) - 1, above, v - ONE)
        elif double:
            raise ProofError("the number may be v or more")
        else:
            high = max(facts.upper(u), facts.upper(v) - 1)
            result = facts.symbol(name, 0, int(high))
        for modulus in facts.divisors(v):
            facts.residues[name, modulus] = facts.residue(twice, modulus)
        return result

    # Decisions.

    def _scalar(self, op: Scalar) -> bool:
        if op.when == Cond.BIT and isinstance(self.digits[0], Sum):
            return self._both_bits(op)
        question = self._question(op.when)
        if isinstance(question, Assumed):
            self.asked.append((question.what, question.value))
            answer = self._decided(question)
            if answer is None:
                other = self.fork()
                other._assume(question, False)
                if other._with_flag(op, False):
                    raise ProofError("a decision has no effect")
                other._at += 1
                self.waiting.append(other)
                self._assume(question, True)
                answer = True
            return self._with_flag(op, answer)
        return self._with_flag(op, question)

    def _with_flag(self, op: Scalar, flag: bool) -> bool:
        """The instruction on integers, with the decision made."""
        self.negative = [flag, flag]
        self.zero = [flag, flag]
        self.windows = [int(flag), 0]
        if op.when in self.flagged:
            self._flags[op.when] = flag
        return super()._scalar(op)

    def _question(self, when: Cond) -> Assumed | bool:
        if when in (Cond.SIGN_0, Cond.SIGN_1, Cond.EQUAL):
            found = self.zeros[0] if when == Cond.EQUAL else self.signs[when == Cond.SIGN_1]
            if found is None:
                raise ProofError("the decision is not about a number")
            return Assumed("zero" if when == Cond.EQUAL else "negative", found, True)
        if when == Cond.BIT:
            return bool(self.digits[0])
        return self.flagged.get(when, False)

    def clear_signs(self) -> None:
        """Both streams' last results count as not negative."""
        self.signs = [ONE, ONE]

    def _decided(self, question: Assumed) -> bool | None:
        """What the facts say about it."""
        facts, value = self.facts, question.value
        for each in self.assumed:
            if each.what == question.what and each.value == value:
                return each.holds
            if each.what == "zero" and each.value in (value, -value):
                if each.holds:
                    return question.what == "zero"
                if question.what == "zero":
                    return False
        low, high = facts.lower(value), facts.upper(value)
        match question.what:
            case "negative":
                if low >= 0 or self._is_zero(value):
                    return False
                return True if high < 0 else None
            case "zero":
                if low > 0 or high < 0:
                    return False
                return True if self._is_zero(value) else None
            case "even":
                number = value.integer()
                if number is not None:
                    return number % 2 == 0
                odd = facts.odd.get(next(value.symbols()))
                return None if odd is None else not odd
            case "small":
                return True if high <= 1 else False if low > 1 else None
        raise ProofError(f"no rule for {question.what}")

    def _is_zero(self, value: Sum) -> bool:
        """It is, or it is a multiple of a modulus and less than that from 0."""
        facts = self.facts
        if not value:
            return True
        for modulus in (each for each in facts.moduli if each in facts.ranges):
            m = Sum.symbol(modulus)
            if facts.upper(value - m) < 0 < facts.lower(value + m) and facts.vanishes(
                value, modulus
            ):
                return True
        return False

    def _assume(self, question: Assumed, holds: bool) -> None:
        """Go on with a decision, and with what follows from it for the number's bounds."""
        self.assumed.append(Assumed(question.what, question.value, holds))
        self.facts.learn(question.what, question.value, holds)

    def _both_bits(self, op: Scalar) -> bool:
        """A bit of the public exponent: both ways to the next common instruction, and merged."""
        if op.d != "none":
            raise ProofError("a decision has an effect beyond its jump")
        join = self._at + 1
        taken = copy(self)
        taken.memory = self.memory.fork(self.facts)
        taken._scalars = dict(self._scalars)
        taken.powers = self.powers.fork()
        taken._at = self.program.labels[op.target]
        for _ in range(8):
            if taken._at == join:
                break
            if not isinstance(self.program.instructions[taken._at], Product | Scalar):
                raise ProofError("a bit chooses more than products")
            taken._step()
        if taken._at != join or taken._scalars != self._scalars:
            raise ProofError("a bit of the exponent has another effect than products")
        if taken.powers.entries != self.powers.entries:
            raise ProofError("a bit of the exponent changes the table")
        bit = self.digits[0]
        assert isinstance(bit, Sum)
        for number, block in taken.memory.blocks.items():
            before = self.memory.blocks.get(number)
            if before != block:
                self.memory.blocks[number] = merged(self.facts, before, block, bit)
        return False


def _no_random(bits: int) -> int:
    raise AssertionError(bits)
