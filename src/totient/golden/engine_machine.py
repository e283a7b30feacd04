"""The engine's program run on integers: what the hardware computes, number by number."""

from collections.abc import Callable, Mapping

from totient.golden.engine_program import (
    QUOTIENT_DELAY,
    WINDOW_BITS,
    Action,
    Does,
    Instruction,
    Other,
    Product,
    Program,
    Scalar,
    Sum,
    When,
    Words,
)


class Machine:
    """Datapath and scalars of an engine.

    Attributes:
        bits: of a digit.
        blocks: the digit memory, a number a block.
        scalars: by name.
        trace: called with each instruction before it is run.
    """

    def __init__(self, bits: int, scalars: Mapping[str, int], random: Callable[[int], int]) -> None:
        self.bits = bits
        self.scalars = dict(scalars)
        self.random = random
        self.blocks: dict[int, int] = {}
        self.negative = [False, False]
        self.zero = [False, False]
        self.table: dict[tuple[int, int], int] = {}
        self.collected = [0, 0]
        self.exponents = [0, 0]
        self.place = 0
        self.windows = [0, 0]
        self.trace: Callable[[Instruction], None] = lambda instruction: None

    def run(self, program: Program, label: str = "", most: int = 10_000_000) -> None:
        """From a label to the program's end."""
        place = program.labels[label] if label else 0
        while place < len(program.instructions):
            most -= 1
            assert most, "the program does not end"
            instruction = program.instructions[place]
            self.trace(instruction)
            place += 1
            match instruction:
                case Product():
                    self._product(instruction)
                case Words():
                    self._words(instruction)
                case Scalar():
                    if self._scalar(instruction):
                        place = program.labels[instruction.target]
                case Other():
                    self._other(instruction)

    def _number(self, block: int, words: int) -> int:
        return self.blocks[block] & (1 << self.bits * words) - 1

    def _product(self, op: Product) -> None:
        radix = 1 << self.bits
        at = self.scalars
        ring = at["short_elements"] if at[op.ring] else at["elements"]
        steps = ring * (at[op.passes] + 1)
        results = {}
        for stream in range(1 + op.pair):
            a_number = (
                self.collected[stream]
                if op.window
                else self._number(op.a + stream * (not op.common), at[op.a_words])
            )
            b = self._number(op.b + stream, at[op.b_words])
            t = 0 if op.t is None else self._number(op.t + stream, at[op.t_words])
            x = 0 if op.x is None else self._number(op.x + stream, at[op.b_words])
            lead = self.bits * at[op.lead]
            t, b = t << lead, b << lead
            assert at[op.words] >= ring, "positions"
            for step in range(steps):
                total = t + (a_number >> self.bits * step) % radix * b
                t = (total >> self.bits) + (total % radix * x << self.bits * (QUOTIENT_DELAY - 1))
                assert t < 1 << self.bits * (at[op.words] - 1), "a word too many"
            results[op.d + stream] = t & (1 << self.bits * at[op.d_words]) - 1
            if op.tabulate:
                self.table[at[op.tabulate], stream] = results[op.d + stream]
        self.blocks |= results

    def _words(self, op: Words) -> None:
        at = self.scalars
        full = 1 << self.bits * at[op.words]
        for stream in range(1 + op.pair):
            power = self.bits * at[op.v_words]
            match op.action:
                case Action.POWER:
                    result = 1 << power
                case Action.QUARTER:
                    result = 1 << power + self.bits - 2
                case _:
                    u = self._number(op.u + stream, at[op.u_words]) if at[op.u_words] else 0
                    v = self._number(op.v + stream, at[op.v_words]) if at[op.v_words] else 0
                    before = self.negative[stream]
                    result = {
                        Action.ADD: u + v,
                        Action.SUBTRACT: u - v,
                        Action.DOUBLE: 2 * u + (v if before else -v),
                        Action.RESTORE: u + (v if before else 0),
                    }[op.action]
            result %= full
            self.negative[stream] = bool(result >> full.bit_length() - 2)
            self.zero[stream] = not result
            # Words above those that are written stay.
            old = self.blocks.get(op.d + stream, 0)
            self.blocks[op.d + stream] = old - old % full + result
            if op.exponent:
                self.exponents[stream] = result

    def _scalar(self, op: Scalar) -> bool:
        a, b = self.scalars[op.a], self.scalars[op.b]
        value = {Sum.PLUS: a + b, Sum.MINUS: a - b, Sum.AND: a & b}[op.how] + op.add
        if op.d != "none":
            self.scalars[op.d] = value
        return {
            When.NEVER: False,
            When.ALWAYS: True,
            When.ZERO: value == 0,
            When.NOT_ZERO: value != 0,
            When.NEGATIVE: value < 0,
            When.NOT_NEGATIVE: value >= 0,
            When.BIT: bool(self.windows[0] & 1),
        }[op.when]

    def _other(self, op: Other) -> None:
        first, second = self.scalars[op.first], self.scalars[op.second]
        match op.does:
            case Does.SETTLE:
                pass  # nothing is under way here
            case Does.SCAN_LOAD:
                self.place = self.bits * first + second
            case Does.SCAN:
                self.place -= first
                assert self.place >= 0
                assert first <= WINDOW_BITS
                self.windows = [e >> self.place & (1 << first) - 1 for e in self.exponents]
            case Does.COLLECT:
                for stream in range(1 + op.pair):
                    self.collected[stream] = self.table[self.windows[stream], stream]
            case Does.FORGET_SIGNS:
                self.negative = [False, False]
            case Does.RANDOM:
                for stream in range(1 + op.pair):
                    self.blocks[op.block + stream] = self.random(self.bits * second)
