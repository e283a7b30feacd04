"""The engine's program run on integers: the hardware's results, number by number."""

import math
from collections.abc import Callable, Sequence

from totient.common.contract import LONGER_HALF_BITS, VERSION
from totient.engine.assembler import Program
from totient.engine.instruction_set import (
    QUOTIENT_DELAY,
    SCALAR_BITS,
    WINDOW_BITS,
    BuildParameter,
    Cond,
    Sum,
    UnitOp,
    WordOp,
)
from totient.engine.instructions import (
    FIRST_SLOT_SCALAR,
    KEY,
    LEAST_WORDS,
    TABLE_ENTRIES,
    Instruction,
    Product,
    Scalar,
    Unit,
    Words,
)
from totient.engine.layout import RESULT, SECRET


class Halted(Exception):  # noqa: N818
    """The program waits for a packet."""


MOST_RINGS = 15
"""Besides the whole one."""


def rings(digit_bits: int, elements: int) -> tuple[int, ...]:
    """Elements of an engine's rings by number: the whole one, then the shorter (`engine_pkg.sv`).

    A pass of a shorter one has just the words of primes of 256, 384, .. 2048 bits.
    """
    steps = (-(-(bits + 2) // digit_bits) + QUOTIENT_DELAY for bits in range(256, 2049, 128))
    return elements, *(each for each in steps if each < elements)


def block_words(digit_bits: int, elements: int, max_bits: int) -> int:
    """Words of a block of the digit memory, a power of two (`rsa_engine.sv`).

    A block holds a number modulo a prime, which may be longer than half; with the words before it
    that the shortest products have between passes; as many words as a pass has steps; and half of
    those of a number modulo n with a word for each step.
    """
    half, whole = (
        -(-bits // digit_bits) + QUOTIENT_DELAY
        for bits in (max_bits // 2 + LONGER_HALF_BITS + 2, max_bits + 2)
    )
    least = LEAST_WORDS
    before = -(-least // elements) * elements - QUOTIENT_DELAY if elements < least else 0
    room = max(half + before, elements, -(-(-(-whole // elements) * elements) // 2))
    return 1 << (room - 1).bit_length()


class Machine:
    """Datapath, scalars and packets of an engine.

    Attributes:
        bits: of a digit.
        rings: elements of each ring by number; 0 is the whole one.
        blocks: the digit memory, one number per block; those of the key by slot.
        public_only: of the key's page, no secret number may be used.
        trace: called with each instruction before its execution.
        most_steps: of a packet; a program that takes more does not end.
    """

    most_steps = 1_000_000

    def __init__(
        self,
        program: Program,
        elements: int,
        random: Callable[[int], int],
        bits: int = 18,
        max_bits: int = 4096,
        slots: int = 1,
    ) -> None:
        self.program = program
        self.bits = bits
        round_ = 16 // math.gcd(16, bits)
        self.block_words = block_words(bits, elements, max_bits)
        self.built = {
            BuildParameter.DIGIT_BITS: bits,
            BuildParameter.MAX_BITS: max_bits,
            BuildParameter.SLOTS: slots,
            BuildParameter.ROUND: round_,
            BuildParameter.ROUND_DOUBLINGS: bits * round_ // 16,
            BuildParameter.VERSION: VERSION & 0xFFFF,
            BuildParameter.VERSION_HIGH: VERSION >> 16,
            BuildParameter.BLOCK_WORDS: self.block_words,
            BuildParameter.HALF_BITS: max_bits // 2 + LONGER_HALF_BITS,
        }
        self.rings = rings(bits, elements)
        self.random = random
        self.trace: Callable[[Instruction], None] = lambda instruction: None
        self.request: list[int] = []
        self.response: list[int] = []
        self._numbers = program.scalars()
        self._scalars: dict[tuple[int, int], int] = {}
        self._blocks: dict[tuple[int, int], int] = {}
        self._slot = 0
        self.public_only = False
        self.negative = [False, False]
        self.zero = [False, False]
        self.table: dict[tuple[int, int], int] = {}
        self.collected = [0, 0]
        self.exponents = [0, 0]
        self.place = 0
        self.windows = [0, 0]
        self.reason = 0
        self._word = 0
        self._read = 0  # words of the packet
        self._begun = False
        self._flags = dict.fromkeys(
            (Cond.EVEN, Cond.SMALL, Cond.LENGTH_EXCEEDED, Cond.MSB_CLEAR, Cond.SHORT), False
        )
        self._at = 0
        self.exchange([])

    def exchange(self, packet: Sequence[int]) -> list[int]:
        """Answer a request packet. An empty one runs the program until it waits."""
        self.request, self.response = list(packet), []
        self._begun, self._read = False, 0
        try:
            self._run()
        except Halted:
            return self.response
        raise AssertionError

    def __getitem__(self, scalar: str) -> int:
        """A scalar; 0 if it has not been written."""
        return self._scalars.get(self._key(scalar), 0)

    def put_scalar(self, scalar: str, value: int) -> None:
        """Write a scalar."""
        self._scalars[self._key(scalar)] = value

    def _key(self, scalar: str) -> tuple[int, int]:
        number = self._numbers[scalar]
        return (self._slot + 1 if number >= FIRST_SLOT_SCALAR else 0), number

    def _block(self, block: int) -> tuple[int, int]:
        assert not self.public_only or block < SECRET, "a public operation uses a secret number"
        return (self._slot + 1 if block >= KEY else 0), block

    @property
    def _open(self) -> bool:
        return self._begun and self._read < len(self.request)

    def _run(self) -> None:
        most = self.most_steps
        while True:
            most -= 1
            assert most, "the program does not end"
            self._step()

    def _step(self) -> None:
        """Execute the next instruction."""
        instruction = self.program.instructions[self._at]
        self.trace(instruction)
        match instruction:
            case Product():
                self._product(instruction)
            case Words():
                self._words(instruction)
            case Unit():
                self._other(instruction)
            case Scalar():
                if self._scalar(instruction):
                    self._at = self.program.labels[instruction.target]
                    return
        self._at += 1

    def number(self, block: int, words: int) -> int:
        """A number of this many words in a block."""
        return self._blocks.get(self._block(block), 0) & (1 << self.bits * words) - 1

    def ring(self, scalar: str) -> int:
        """Number of the ring that a scalar numbers: 0, the whole one, if there is none such."""
        number = self[scalar] % (MOST_RINGS + 1)
        return number if number < len(self.rings) else 0

    def put(self, block: int, value: int, words: int) -> None:
        """Write to a block. Words above the written ones stay."""
        assert words <= self.block_words * (2 - block % 2), "too long for a block"
        full = 1 << self.bits * words
        old = self._blocks.get(self._block(block), 0)
        self._blocks[self._block(block)] = old - old % full + value % full

    def _product(self, op: Product) -> None:
        radix = 1 << self.bits
        at = self
        ring = self.rings[self.ring(op.ring)]
        steps = ring * (at[op.passes] + 1)
        if at[op.passes]:
            room = self.block_words * (1 if op.pair else 2)
            assert at[op.words] - 1 <= room, "no room for the results between passes"
        results = {}
        for stream in range(1 + op.pair):
            a_number = (
                self.collected[stream]
                if op.window
                else self.number(op.a + stream * (not op.common), at[op.a_words])
            )
            b = self.number(op.b + stream, at[op.b_words])
            t = 0 if op.t is None else self.number(op.t + stream, at[op.t_words])
            x = 0 if op.x is None else self.number(op.x + stream, at[op.b_words])
            lead = self.bits * at[op.lead]
            t, b = t << lead, b << lead
            assert at[op.words] >= max(ring, LEAST_WORDS), "positions"
            for step in range(steps):
                total = t + (a_number >> self.bits * step) % radix * b
                t = (total >> self.bits) + (total % radix * x << self.bits * (QUOTIENT_DELAY - 1))
                assert t < 1 << self.bits * (at[op.words] - 1), "a word too many"
            results[op.d + stream] = t
            if op.table_write:
                entry = at[op.table_write] % TABLE_ENTRIES
                self.table[entry, stream] = t & (1 << self.bits * at[op.d_words]) - 1
        for block, value in results.items():
            self.put(block, value, at[op.d_words])

    def _words(self, op: Words) -> None:
        at = self
        assert at[op.words] >= LEAST_WORDS, "words"
        full = 1 << self.bits * at[op.words]
        for stream in range(1 + op.pair):
            power = self.bits * at[op.v_words]
            match op.action:
                case WordOp.POWER:
                    result = 1 << power
                case WordOp.QUARTER:
                    result = 1 << power + self.bits - 2
                case _:
                    u = self.number(op.u + stream, at[op.u_words]) if at[op.u_words] else 0
                    v = self.number(op.v + stream, at[op.v_words]) if at[op.v_words] else 0
                    before = self.negative[stream]
                    result = {
                        WordOp.ADD: u + v,
                        WordOp.SUBTRACT: u - v,
                        WordOp.DOUBLE: 2 * u + (v if before else -v),
                        WordOp.RESTORE: u + (v if before else 0),
                    }[op.action]
            result %= full
            self.negative[stream] = bool(result >> full.bit_length() - 2)
            self.zero[stream] = not result
            self.put(op.d + stream, result, at[op.words])
            if op.exponent:
                self.exponents[stream] = result

    def _scalar(self, op: Scalar) -> bool:
        a, b = self[op.a], self[op.b]
        value = (a - b if op.how == Sum.MINUS else a + b) + op.add
        zero = not a & b & 15 if op.how == Sum.COMMON else value == 0
        half = 1 << SCALAR_BITS - 1
        assert -half <= value < half, f"{op.d} overflows"
        self._scalars[self._key(op.d)] = value
        return {
            Cond.NEVER: False,
            Cond.ALWAYS: True,
            Cond.ZERO: zero,
            Cond.NOT_ZERO: not zero,
            Cond.NEGATIVE: value < 0,
            Cond.NOT_NEGATIVE: value >= 0,
            Cond.BIT: bool(self.windows[0] & 1),
            Cond.SIGN_0: self.negative[0],
            Cond.SIGN_1: self.negative[1],
            Cond.EQUAL: self.zero[0],
            Cond.OPEN: self._open,
            **self._flags,
        }[op.when]

    def _other(self, op: Unit) -> None:
        first, second = self[op.first], self[op.second]
        value = 0
        match op.does:
            case UnitOp.WAIT_IDLE | UnitOp.STOP_TIMER | UnitOp.DIGEST:
                pass  # nothing is in progress here, no cycles are counted, and no bit flips
            case UnitOp.SCAN_LOAD:
                self.place = self.bits * first + second
            case UnitOp.SCAN:
                self.place -= first
                assert first <= WINDOW_BITS
                place = max(0, self.place)
                self.windows = [e >> place & (1 << first) - 1 for e in self.exponents]
            case UnitOp.TABLE_GATHER:
                for stream in range(1 + op.pair):
                    entry = self.table.get((self.windows[stream], stream), 0)
                    self.collected[stream] = entry & (1 << self.bits * first) - 1
            case UnitOp.CLEAR_SIGNS:
                self.negative = [False, False]
            case UnitOp.VALUE:
                value = self.built[op.built]
            case UnitOp.RING:
                value = self.rings[self.ring(op.first)]
            case UnitOp.SLOT:
                self._slot, self.public_only = first, op.pair
            case UnitOp.READ_RESTART_CAUSE:
                value = int(self._begun) if op.pair else self.reason << 8
            case UnitOp.GET:
                if op.pair:
                    if not self.request:
                        raise Halted
                    assert not self._open, "a packet has not been read to its end"
                    if self._begun:
                        raise Halted
                    self._begun = True
                    self._flags[Cond.LENGTH_EXCEEDED] = self._flags[Cond.SHORT] = False
                self._word = self._next()
                value = min(self._word, 32767)
            case UnitOp.BYTE:
                value = self._word & 0xFF
                self._word >>= 8
            case UnitOp.NUMBER:
                value = self._receive(op.block, first, second)
            case UnitOp.DRAIN:
                self._read = len(self.request)
            case UnitOp.PUT:
                self.response.append(first % (1 << 16) | second % (1 << 16) << 16)
            case UnitOp.PUT_CYCLES:
                self.response.append(0)
            case UnitOp.SEND:
                assert op.block & ~1 == RESULT, "only the result is sent"
                number = self.number(op.block, -(-first // self.bits) + 2)
                self.response += [number >> 32 * i & 0xFFFFFFFF for i in range(-(-first // 32))]
            case UnitOp.RANDOM:
                self.put(op.block, self.random(self.bits * second), second)
            case UnitOp.WIPE:
                page, _ = self._block(op.block)
                for each in [each for each in self._blocks if each[0] == page]:
                    del self._blocks[each]
        self._scalars[self._key(op.d)] = value

    def _next(self) -> int:
        if not self._open:
            self._flags[Cond.SHORT] = True
            return 0
        self._read += 1
        return self.request[self._read - 1]

    def _receive(self, block: int, bits: int, digits: int) -> int:
        value = sum(self._next() << 32 * i for i in range(-(-bits // 32)))
        self._flags[Cond.LENGTH_EXCEEDED] |= bool(value >> bits)
        self._flags[Cond.EVEN] = not value & 1
        self._flags[Cond.SMALL] = value <= 1
        self._flags[Cond.MSB_CLEAR] = not bits or not value >> bits - 1 & 1
        self.put(block, value, digits)
        value %= 1 << self.bits * digits
        return -(-(value.bit_length() + 2) // self.bits) if value else 0
