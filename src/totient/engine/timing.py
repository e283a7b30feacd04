"""Clock cycles of the engine: the program run on lengths, with the hardware's timing.

The time depends on lengths, on the value of e and on refusals, so no number is computed. The
headers of the files in `rtl/engine` state the cycles counted here. Tests compare both. There is no
back-pressure.
"""

from collections.abc import Sequence

from totient.engine.assembler import Program
from totient.engine.instruction_set import WINDOW_BITS, Cond, UnitOp
from totient.engine.instructions import KEY, Instruction, Product, Scalar, Unit, Words
from totient.engine.layout import PUBLIC
from totient.engine.machine import Machine, rings

_WORD = 32
"""Bits of a packet's word."""

# engine_control.sv: from the program counter to the instruction; then to its scalars, for an
# operation and for others; from a sum or a unit's end to the next instruction.
_FETCH, _READ_OPERATION, _READ, _NEXT = 3, 13, 6, 7
# From the end of a unit, or an accepted operation, to the next waiting step.
_STEP = 1

# engine_issue.sv: from an accepted operation to its first job, and from its last job to the next
# operation.
_ARM, _TAKE = 4, 2
# From a product's job to the array's end, without the time on the ring; more on a shorter ring;
# from there to the result's first word. From an operation on words to its first word.
_ARRAY, _TAP, _RESULT, _WORD_RESULT = 5, 2, 4, 5
# From a result's first word to the stream's next job. From its last word to a job that runs alone,
# and to an idle datapath.
_FREE, _SETTLED, _IDLE = 2, 2, 3

# engine_window.sv: overhead of the words gathered from the table.
_GATHER = 2 + 6

# engine_packet_io.sv: decoding a request; overhead of a received word, a byte, a sent word, and a
# wipe.
_BEGIN, _GET, _BYTE, _PUT, _WIPE = 2, 4, 2, 4, 2
# A number's first half of a word: from its read to its departure. From the last one to the end: of
# digits that are written; of a number that is read; of a digest that is compared; of a packet.
_FETCH_HALF, _WRITTEN, _READ_END, _COMPARED, _OFFERED = 12, 10, 1, 9, 1
_HALF = 16
_PAGE_BLOCKS = 32


class _Datapath:
    """Jobs of engine_issue.sv, and their results. Times are in clock cycles."""

    def __init__(self, elements: Sequence[int]) -> None:
        self._elements = elements
        self._ready = 0  # from here an operation is accepted
        self._gap = 0  # earliest cycle of the next job
        self.began = 0  # the last operation's first job
        self._done: dict[int, int] = {}  # by stream: the array ends its last job
        self._free: dict[int, int] = {}  # that result is complete
        self._settled = 0  # all results are complete, for a job that runs alone
        self._word_before, self._ring_before = False, 0
        self.idle = 0

    def offer(
        self,
        at: int,
        op: Product | Words,
        ring: int,
        passes: int,
        words: int,
        written: int,
        lead: int,
    ) -> int:
        """Offer an operation; return the cycle in which it is accepted.

        Args:
            at: the first cycle of the offer.
            op: the operation.
            ring: number of the ring.
            passes: number of passes.
            words: positions of a pass.
            written: words of the result.
            lead: words of 0 before B.
        """
        taken = max(at, self._ready)
        armed = taken + _ARM
        word = isinstance(op, Words)
        sync = isinstance(op, Product) and op.sync
        at_once = not word and not lead
        self.began = 0
        for number in range(passes):
            for stream in range(1 + op.pair):
                first = max(armed, self._gap)
                alone = word or sync or self._word_before or ring != self._ring_before
                if alone:
                    go = max(first, self._settled)
                else:
                    go = max(first, self._free.get(stream, 0))
                    done = self._done.get(stream, 0)
                    if at_once and first <= done:
                        go = done
                job = go + _STEP
                self.began = self.began or job
                count = written if number == passes - 1 else words - 1
                if word:
                    first_word = job + _WORD_RESULT
                else:
                    tap = _TAP if ring else 0
                    self._done[stream] = job + _ARRAY + 2 * self._elements[ring] + tap
                    first_word = self._done[stream] + _RESULT
                self._free[stream] = first_word + _FREE
                self._settled = first_word + max(count, 1) + _SETTLED
                self.idle = first_word + max(count, 1) + _IDLE
                self._gap = job + words - 1
                self._word_before, self._ring_before = word, ring
                armed = job
        self._ready = job + _TAKE
        return taken


class Clock(Machine):
    """A machine that counts cycles instead of computing long numbers.

    Attributes:
        cycles: of the last packet, from its last word to the first of its answer.
        public: value of the public exponent of each key slot, for the scan of its bits.
        exponentiation: Montgomery products of the last packet's secret exponentiations in each
            stream, those of the table included; cycles from the first one to the next step.
    """

    def __init__(
        self,
        program: Program,
        elements: int,
        banks: int,
        bits: int,
        **built: int,
    ) -> None:
        self._datapath = _Datapath(rings(bits, elements))
        self._banks = banks
        self._now = 0
        self._window_busy = 0
        self._scan_left = 0
        self._scan_place = 0
        self._last_word = 0
        self.cycles = 0
        self.exponentiation = 0, 0
        self._first_product = self._products = 0
        self._after_window = False
        super().__init__(program, elements, lambda bits: 0, bits, **built)

    def _run(self) -> None:
        self.trace = lambda instruction: self._spend(instruction)
        super()._run()

    def _spend(self, instruction: Instruction) -> None:
        """Start of the next instruction."""
        now = self._now + _FETCH
        at = self
        match instruction:
            case Product() as op:
                now += _READ_OPERATION
                if op.window:
                    now = max(now, self._window_busy + _STEP)
                passes, words, written = at[op.passes] + 1, at[op.words], at[op.d_words]
                taken = self._datapath.offer(
                    now + _STEP, op, at.ring(op.ring), passes, words, written, at[op.lead]
                )
                self._now = taken + _STEP
                self._count(op)
            case Words() as op:
                now += _READ_OPERATION
                words = at[op.words]
                taken = self._datapath.offer(now + _STEP, op, 0, 1, words, words, 0)
                self._now = taken + _STEP
            case Scalar() as op:
                now += _READ
                if op.when in (Cond.SIGN_0, Cond.SIGN_1, Cond.EQUAL):
                    now = max(now, self._datapath.idle + _STEP)
                elif op.when == Cond.BIT:
                    now = max(now, self._window_busy + _STEP)
                self._now = now + _NEXT
            case Unit() as op:
                now += _READ
                if op.does in (UnitOp.WAIT_IDLE, UnitOp.CLEAR_SIGNS) or op.does >= UnitOp.GET:
                    now = max(now, self._datapath.idle + _STEP)
                elif op.does in (
                    UnitOp.SCAN_LOAD,
                    UnitOp.SCAN,
                    UnitOp.TABLE_GATHER,
                ):
                    now = max(now, self._window_busy + _STEP)
                done = self._other_unit(op, now + _STEP)
                self._now = done + _NEXT

    def _count(self, op: Product) -> None:
        """Update `exponentiation` after a product has been offered."""
        began = self._datapath.began
        if self._after_window:
            self.exponentiation = self._products, began - self._first_product
        if op.table_write == "zero":  # the table's first
            self._first_product, self._products = began, 0
        self._products += 1
        self._after_window = op.window

    def _other_unit(self, op: Unit, do: int) -> int:
        """The cycle in which a unit started in cycle `do` is no longer busy."""
        first, second = self[op.first], self[op.second]
        begin = do + _BEGIN
        match op.does:
            case UnitOp.SCAN_LOAD | UnitOp.SCAN:
                self._window_busy = self._scan(op, do + _STEP)
            case UnitOp.TABLE_GATHER:
                rows = (1 << WINDOW_BITS) // self._banks
                self._window_busy = do + rows * first * (1 + op.pair) + _GATHER
            case UnitOp.GET:
                self._last_word = begin + _STEP
                return begin + _GET
            case UnitOp.BYTE:
                return begin + _BYTE
            case UnitOp.NUMBER:
                return self._number_cycles(begin + _STEP, first, second)
            case UnitOp.DRAIN:
                return begin + 2 * _STEP
            case UnitOp.PUT | UnitOp.PUT_CYCLES:
                return begin + _PUT
            case UnitOp.STOP_TIMER:
                self.cycles = begin + _STEP - self._last_word
                return begin + _STEP
            case UnitOp.SEND | UnitOp.DIGEST:
                return self._read_cycles(op, begin + _STEP, first, second)
            case UnitOp.RANDOM:
                return begin + _STEP + self._halves(second) + _WRITTEN
            case UnitOp.WIPE:
                return begin + _WIPE + _PAGE_BLOCKS * self.block_words
        return begin

    def _scan(self, op: Unit, do: int) -> int:
        """The cycle of its end after a start in cycle `do`: engine_window.sv, cycle by cycle."""
        load, enter = do + 1, op.does == UnitOp.SCAN
        now = load
        todo = (self[op.first] if enter else self.bits - self[op.second]) - 1
        reads, step = [not enter, False, False, False], enter
        now += 1
        while True:
            finished = todo < 0
            stepping = step and not finished and self._scan_left >= 0
            if not step and not any(reads):
                return now
            again = step and not finished and self._scan_left < 0
            next_step = reads[3] or stepping
            if stepping:
                todo -= 1
            if reads[3]:
                self._scan_left = self.bits - 1
            elif stepping:
                self._scan_left -= 1
            reads = [again, *reads[:3]]
            step = next_step
            now += 1

    def _halves(self, digits: int) -> int:
        """Halves of words that these digits are made of."""
        return -(-digits * self.bits // _HALF)

    def _number_cycles(self, begin: int, bits: int, digits: int) -> int:
        """The end of receiving a number: half a word in each cycle, then zeros."""
        words = -(-bits // _WORD)
        if words:
            self._last_word = begin + 2 * (words - 1)
        first = begin + _STEP if words else begin
        return first + max(self._halves(digits), 2 * words) + _STEP + _WRITTEN

    def _read_cycles(self, op: Unit, begin: int, bits: int, digits: int) -> int:
        """The end of sending a number, or of its digest: half a word in each cycle."""
        if not bits:
            return begin
        last = 2 * -(-bits // _WORD) - 1
        if op.does == UnitOp.DIGEST and op.pair:
            last = max(last, self._halves(digits - 1) + 2 | 1)
        end = begin + _FETCH_HALF + last + _READ_END
        sends = op.does == UnitOp.SEND
        if op.pair or not sends:
            end += _COMPARED
        return end + (_OFFERED + _STEP * op.pair + _STEP) * sends

    # Numbers are not computed.

    def _product(self, op: Product) -> None:
        pass

    def _words(self, op: Words) -> None:
        # An input is below its modulus, and a result is the expected one.
        self.negative, self.zero = [op.v >= KEY] * 2, [True, True]
        if op.exponent:
            value = self.number(op.u, self[op.words]) if op.u == PUBLIC else 0
            self.exponents = [value, 0]
