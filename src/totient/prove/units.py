"""Other units of the symbolic machine: packets with symbols, random numbers, scans, the table.

Beyond the machine on integers they check orders that the hardware requires (docs/engine.md): an
exponent is copied before it is scanned, and the table is complete before it is read; a number that
came in is compared with the packet; the digest of a result is taken before the result is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from totient.common.contract import Command
from totient.common.header import header
from totient.engine.instruction_set import WINDOW_BITS, Cond, UnitOp
from totient.engine.instructions import FIRST_SLOT_SCALAR, KEY, Unit
from totient.engine.layout import ONE, RANDOM_BASE, RESULT, SHIFT, TWO
from totient.engine.machine import Machine
from totient.prove.algebra import Sum
from totient.prove.facts import Facts, ProofError
from totient.prove.instructions import kept_scalars
from totient.prove.memory import Block, Memory, Place
from totient.prove.table import Pattern, Table

_WORD = 32
_LOADS = tuple(
    header(command, option)
    for command in (Command.LOAD_KEY, Command.LOAD_RSA_KEY, Command.LOAD_PAIR)
    for option in range(3)
)
_RANDOM = (RANDOM_BASE, RANDOM_BASE + 1)
"""Blocks that a packet takes for 0. Each packet leaves them so."""
CYCLES = "cycles"
"""A word of an answer, whose value is not proved."""


@dataclass(frozen=True)
class Assumed:
    """A decision of a path.

    Attributes:
        what: "negative", "zero", "even" or "small".
        value: the number that was decided on.
        holds: what was decided.
    """

    what: str
    value: Sum
    holds: bool


@dataclass(frozen=True)
class Given:
    """A number of a packet: a symbol, with its stated length and bounds that it may reach."""

    name: str
    bits: int
    low: int
    high: int
    odd: bool | None = None

    def words(self) -> list[Part]:
        """Of the packet."""
        return [Part(self, i) for i in range(-(-self.bits // _WORD))]


@dataclass(frozen=True)
class Part:
    """A word of a number."""

    of: Given
    index: int


@dataclass(frozen=True)
class Sent:
    """A number of an answer, as a value of so many bits."""

    value: Sum
    bits: int


class Units(Machine):
    """The units; `Symbolic` has the datapath.

    Attributes:
        sent: words and numbers of the answer.
        ended: the answer had its last word.
        scanned: exponents of the window unit.
        digits: those scanned last, of `digit_bits` bits.
        signs, zeros: the streams' last results of operations on words, for decisions on them.
        before: the key's numbers before the packet.
        gathered: patterns of the table with the exponents they are for, by stream.
    """

    facts: Facts
    memory: Memory
    powers: Table
    before: tuple[dict[Place, Block], dict[tuple[int, int], int]]

    def begin_units(self) -> None:
        """Start values, before the program runs."""
        self.packet: list[int | Part] = []
        self.signs: list[Sum | None] = [None, None]
        self.zeros: list[Sum | None] = [None, None]
        self.sent: list[int | str | Sent] = []
        self.ended = False
        self.scanned = [Sum(), Sum()]
        self.digits: list[Sum | int] = [0, 0]
        self.digit_bits = 0
        self._counted = False
        self.gathered: list[tuple[int, Sum, tuple[Pattern, ...]]] = []
        self.flagged: dict[Cond, Assumed] = {}
        self.unchecked: tuple[object, ...] | None = None
        self.digests: list[tuple[int, int, Sum]] = []
        self.constants: dict[Place, Block] = {}  # of the working page, before the packet
        self.since_copy = 0  # products since an exponent was copied
        self.table_open = False
        self.stopped = False

    def fork_units(self) -> None:
        """Copies of what changes in place."""
        for name in ("packet", "sent", "scanned", "digits", "gathered", "digests"):
            setattr(self, name, list(getattr(self, name)))
        self.flagged = dict(self.flagged)

    def forget(self) -> None:
        """The packet before may have been any: only constants and the key's numbers are known.

        A load may follow that of any other key to its slot.
        """
        kept = kept_scalars(self.program)
        for name, number in self._numbers.items():
            if number < FIRST_SLOT_SCALAR and name not in kept:
                self._scalars.pop((0, number), None)
        loads = self.packet and self.packet[0] in _LOADS
        for place in list(self.memory.blocks):
            working = not place[0] and place[1] & ~1 not in (ONE, TWO, SHIFT)
            if working or (loads and place[0] == 1):
                del self.memory.blocks[place]
        self.constants = {place: b for place, b in self.memory.blocks.items() if not place[0]}
        self.memory.wipe(0, _RANDOM)
        self.memory.most.clear()
        if loads:  # to slot 0
            for place in [each for each in self._scalars if each[0] == 1]:
                del self._scalars[place]
        self.powers, self.scanned = Table(), [Sum(), Sum()]
        self.signs, self.zeros = [None, None], [None, None]

    def check_rest(self) -> None:
        """At the end of a packet: no result is left, and no random number; constants are there.

        Raises:
            ProofError: a word that was written is not 0, or a constant is another number.
        """
        for place, before in self.constants.items():
            now = self.memory.blocks.get(place)
            words = max(before.words, before.clear)
            if now is None or now.value != before.value or max(now.words, now.clear) < words:
                raise ProofError(f"the constant in block {place[1]} is not there after the packet")
        for number in (*_RANDOM, RESULT, RESULT + 1):
            block, most = self.memory.blocks.get((0, number)), self.memory.most.get((0, number), 0)
            if block and most and (block.value != Sum() or block.clear < most):
                raise ProofError(f"block {number} is not 0 after the packet")

    def key_numbers(self) -> tuple[dict[Place, Block], dict[tuple[int, int], int]]:
        """What belongs to keys: blocks and scalars."""
        blocks = {place: block for place, block in self.memory.blocks.items() if place[0]}
        return blocks, {place: value for place, value in self._scalars.items() if place[0]}

    def begin_packet(self, words: Sequence[int | Part]) -> None:
        """A new request."""
        self.packet = list(words)
        self.request = [each if isinstance(each, int) else 0 for each in words]
        self.sent, self.ended, self.gathered = [], False, []
        self._begun, self._read = False, 0
        self.digests, self.stopped, self.unchecked = [], False, None

    def _other(self, op: Unit) -> None:
        first, second = self[op.first], self[op.second]
        match op.does:
            case UnitOp.WAIT_IDLE:
                self.since_copy, self.table_open = 2, False
            case UnitOp.STOP_TIMER:
                self.stopped = True
            case UnitOp.DIGEST:
                self._digest(op, first, second)
            case UnitOp.SCAN:
                self._scan(first)
            case UnitOp.TABLE_GATHER:
                self._gather(op)
            case UnitOp.CLEAR_SIGNS:
                self.clear_signs()
            case UnitOp.SEND:
                self._send(op, first)
            case UnitOp.PUT | UnitOp.PUT_CYCLES:
                word = first % (1 << 16) | second % (1 << 16) << 16
                self._put_word(CYCLES if op.does == UnitOp.PUT_CYCLES else word, op.pair)
            case UnitOp.RANDOM:
                high = (1 << self.bits * second) - 1
                name = self.facts.name("random")
                self.memory.write(self._block(op.block), self.facts.symbol(name, 0, high), second)
                if self.facts.primes:  # of a valid key; any random number of another one
                    self.facts.coprime |= {name}
            case UnitOp.WIPE:
                if op.block % KEY:
                    raise ProofError("no page begins there")
                page, _ = self._block(op.block)
                self.memory.wipe(page, range(op.block, op.block + KEY))
            case _:
                self._counted = op.d != "none"
                if op.does == UnitOp.SCAN_LOAD and self.since_copy < 2:
                    raise ProofError("the exponent may not be written yet")
                super()._other(op)
                return
        self._scalars[self._key(op.d)] = 0

    def clear_signs(self) -> None:
        """Both streams' last results count as not negative."""
        raise NotImplementedError

    # Exponents.

    def _scan(self, bits: int) -> None:
        if not 0 <= bits <= WINDOW_BITS:
            raise ProofError(f"a window has {bits} bits")
        self.place -= bits
        place = max(0, self.place)
        digits = [self.facts.digit(each, place, bits) for each in self.scanned]
        numbers = [each.integer() for each in digits]
        self.digits = [
            each if number is None else number for each, number in zip(digits, numbers, strict=True)
        ]
        self.digit_bits = bits

    def _gather(self, op: Unit) -> None:
        if self.table_open and isinstance(self.digits[0], Sum):
            raise ProofError("the table may not be written yet")
        for stream in range(1 + op.pair):
            found = self.powers.gather(self.facts, stream, self.digits[stream], self.digit_bits)
            if self.facts.upper(self.powers.collected[stream]) >= 1 << self.bits * self[op.first]:
                raise ProofError("a power may have more words than are collected")
            if found:
                self.gathered.append((stream, self.scanned[stream], tuple(found)))

    # Answers.

    def _put_word(self, word: int | str | Sent, last: bool) -> None:
        if self.ended:
            raise ProofError("a word after the last one")
        if self.unchecked is not None:
            raise ProofError("a number was not compared with the packet")
        if not self.stopped:
            raise ProofError("cycles are still counted")
        self.sent.append(word)
        self.ended = last

    def _send(self, op: Unit, bits: int) -> None:
        if op.block & ~1 != RESULT:
            raise ProofError("a number that is not the result is sent")
        value = self.memory.read(self._block(op.block), -(-bits // self.bits) + 2)
        if not self.digests or self.digests.pop(0) != (op.block, bits, value):
            raise ProofError("the digest is not that of the number sent")
        self._put_word(Sent(value, bits), op.pair)

    def _digest(self, op: Unit, bits: int, digits: int) -> None:
        if op.pair:
            if bits and self.unchecked != (op.block, bits, digits):
                raise ProofError("the digest is not that of the number read")
            self.unchecked = None
            # It takes whole words, and so all digits with a bit of the last one.
            whole = -(-_WORD * -(-bits // _WORD) // self.bits)
            self.memory.read(self._block(op.block), max(digits, whole))
        else:
            value = self.memory.read(self._block(op.block), -(-bits // self.bits) + 2)
            self.digests.append((op.block, bits, value))

    # Requests.

    def _next(self) -> int:
        if self._open and isinstance(self.packet[self._read], Part):
            raise ProofError("a word of a number is taken for another word")
        return super()._next()

    def _receive(self, block: int, bits: int, digits: int) -> int:
        if self.unchecked is not None:
            raise ProofError("a number was not compared with the packet")
        if bits:
            self.unchecked = block, bits, digits
        taken: list[int | Part] = []
        for _ in range(-(-bits // _WORD)):
            if not self._open:
                self._flags[Cond.SHORT] = True
                break
            taken.append(self.packet[self._read])
            self._read += 1
        value, odd = self._value(taken, bits)
        low, high = int(self.facts.lower(value)), int(self.facts.upper(value))
        if low >> bits == 0 < high >> bits:
            raise ProofError(f"it is not known whether a number has more than {bits} bits")
        self._flags[Cond.LENGTH_EXCEEDED] |= bool(low >> bits)
        self.flagged[Cond.EVEN] = Assumed("even", value, True)
        self.flagged[Cond.SMALL] = Assumed("small", value, True)
        highest = Sum.of(1, max(0, bits - 1))
        self.flagged[Cond.MSB_CLEAR] = Assumed("negative", value - highest, True)
        if odd is not None and value.integer() is None:
            self.facts.odd[next(value.symbols())] = odd
        self.memory.write(self._block(block), value, digits)
        if high.bit_length() > self.bits * digits:
            raise ProofError("a number is cut off")
        if low.bit_length() != high.bit_length() and self._counted:
            raise ProofError("the number of digits is not known")
        return -(-(high.bit_length() + 2) // self.bits) if high else 0

    def _value(self, taken: Sequence[int | Part], bits: int) -> tuple[Sum, bool | None]:
        """The number of words of a packet, and its parity if that is given."""
        known = [each for each in taken if isinstance(each, int)]
        if len(known) == len(taken):
            return Sum.of(sum(each << _WORD * i for i, each in enumerate(known))), None
        first = taken[0]
        if isinstance(first, Part) and list(taken) == first.of.words():
            given = first.of
            if given.name in self.facts.ranges:
                return Sum.symbol(given.name), given.odd
            return self.facts.symbol(given.name, given.low, given.high), given.odd
        if not self._flags[Cond.SHORT]:
            raise ProofError("the words of a number are not those of one in the packet")
        # Of a packet that is too short; the number may be anything.
        high = (1 << bits) - 1
        return self.facts.symbol(self.facts.name("short"), 1 << bits - 1, high), None
