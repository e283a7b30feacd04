"""Flipped bits in every phase of the engine's operations, short phases as often as long ones.

An operation is simulated once for many flips. At the moment of each flip the process forks. The
child flips the bit, runs to the end and judges the answer. The parent goes on without the flip.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from totient.catalog import Configuration
from totient.check.engine_faults import (
    BROKEN,
    ERROR,
    RIGHT,
    SILENT,
    VOID,
    WRONG,
    answer_or_none,
    course,
    judge,
)
from totient.check.engine_leaks import Leaks
from totient.check.packets import error_of, load_rsa_key_request, operation_request
from totient.check.rsa_keys import SHAPES, Deck, draw_primes
from totient.check.run import check_drawing, work_until
from totient.common.contract import Command
from totient.common.errors import InputError
from totient.device import RsaKey, key_of_primes
from totient.engine.program import engine_program
from totient.sim import Model, build_model

# Labels of the program at which a phase begins, the first one that is reached of a phase.
_PRIVATE = (("below", "compute"), ("private.check", "compare"), ("answer", "send"))
_BEGINS = {
    "load": (("set_up", "set-up"),),
    "private": _PRIVATE,
    "private, whole exponent": _PRIVATE,
    "public": (("below", "compute"), ("answer", "send")),
    "clear": (("clear", "wipe"),),
}
OPERATIONS = tuple(_BEGINS)
PHASES = ("receive", "set-up", "compute", "compare", "send", "wipe")
PRIME, LEFT = "WRONG result, gives a prime", "NOT cleared"
OUTCOMES = (RIGHT, ERROR, VOID, BROKEN, SILENT, WRONG, PRIME, LEFT)
_EXPONENT = 65537
_BATCH = 32  # flips for each simulated operation
_LOOK = 2  # cycles between two reads of the program counter
_AT_ONCE = 2
_SEED = 5  # of the random words: all runs of an operation take the same cycles
_LEAK, _SHIFTED = "KEY MATERIAL", "ANSWERS OUT OF STEP"
_QUIET = 2000  # cycles without a further answer


@dataclass(frozen=True)
class Flip:
    """A bit that flips.

    Attributes:
        cycle: after the request was sent.
        place, word, bit: of the state.
    """

    cycle: int
    place: int
    word: int
    bit: int


@dataclass
class Flips:
    """Results of operations with flipped bits.

    Attributes:
        outcomes: number of operations, by operation, phase of the first flip, and outcome.
        elements: number of registers and memories in the state.
        reached: the registers and memories that were hit, by operation and phase.
        faults: violations, one line each.
    """

    elements: int
    outcomes: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    reached: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Number of operations with flipped bits."""
        return sum(each.total() for each in self.outcomes.values())

    @property
    def summary(self) -> str:
        """The results in words."""
        total = sum(self.outcomes.values(), Counter[str]())
        listed = ", ".join(f"{what} {total[what]:,}" for what in OUTCOMES if total[what])
        return f"{self.count:,} operations with flipped bits: {listed}"


def check_flips(
    configuration: Configuration,
    bits: int,
    count: int,
    seed: int,
    *,
    flips: int = 1,
    only: Mapping[str, Sequence[str]] | None = None,
    where: Sequence[str] = ("",),
    library: Path | None = None,
) -> Flips:
    """Flip bits of the state in many operations.

    Each phase of each operation is hit equally often, and in it each register and each memory.

    A fault is an answer to a private operation with a wrong result, a wrong result of a public
    operation whose flip came while it was sent, or any that gives a prime, an answer with digits
    that only the key's page of the memory has, at the same place for two inputs, and a clear that
    is answered as done and leaves such digits in the memory. It is a fault, too, if an info packet
    after an answer of the stated length, an error or a longer answer is not answered by one packet
    of its command. After a load, a private and a public operation are judged. With two flips a
    wrong result is counted, but is no fault.

    Args:
        configuration: of the engine, with one key slot.
        bits: of the modulus, even.
        count: operations with flips.
        seed: of all random draws.
        flips: in each operation, 1 or 2; the second comes at any time after the first.
        only: phases to hit, by operation; by default all.
        where: hit only registers and memories with one of these in their names.
        library: an existing probed model of the engine.

    Raises:
        InputError: count or seed out of range, or an operation without such a phase.
        ToolError: the model cannot be built.
    """
    check_drawing(count, seed)
    for operation, phases in (only or {}).items():
        known = ("receive", *(phase for _, phase in _BEGINS[operation]))
        if not phases or set(phases) - set(known):
            raise InputError(f"phases are {phases}, allowed of {operation} are {', '.join(known)}")
    with Model(library or build_model(configuration.top(), probed=True)) as model:
        draw = Random(f"totient check flips {configuration.label} {bits} {seed} {flips}")
        run = _Run(model, draw, bits, configuration.parameters["digit_bits"], flips, where)
        batches = run.batches(count, only)
        work_until(f"flips in {configuration.label}, {bits} bits", count, lambda: next(batches))
    return run.done


class _Run:
    """A campaign in progress."""

    def __init__(
        self,
        model: Model,
        draw: Random,
        bits: int,
        digit_bits: int,
        flips: int,
        where: Sequence[str],
    ) -> None:
        self.model, self.draw, self.bits, self.flips = model, draw, bits, flips
        self.digit_bits = digit_bits
        self.state = model.elements()[0]
        self.places = [
            place
            for place, element in enumerate(self.state)
            if any(each in element.name for each in where)
        ]
        self.done = Flips(len(self.places))

    def batches(self, count: int, only: Mapping[str, Sequence[str]] | None) -> Iterator[int]:
        """Run batches of flips until `count` are done; yields the number of all that are done."""
        decks: dict[tuple[str, str], Deck[int]] = {}
        while True:
            for operation in only or OPERATIONS:
                target = _Target(self, operation)
                for phase, cycles in target.phases.items():
                    if only and phase not in only[operation]:
                        continue
                    deck = decks.setdefault((operation, phase), Deck(self.places, self.draw))
                    size = min(_BATCH, count - self.done.count)
                    self._batch(target, phase, self._drawn(deck, cycles, size, target.cycles))
                    yield self.done.count

    def _drawn(
        self, deck: "Deck[int]", cycles: range, size: int, end: int
    ) -> list[tuple[Flip, ...]]:
        drawn = []
        for _ in range(size):
            first = self._flip(deck.deal(), self.draw.choice(cycles))
            again = self.draw.randrange(first.cycle + 1, end + 1)
            second = self._flip(self.draw.choice(self.places), again)
            drawn.append((first, second)[: self.flips])
        return sorted(drawn, key=lambda flips: flips[0].cycle)

    def _flip(self, place: int, cycle: int) -> Flip:
        element = self.state[place]
        draw = self.draw
        return Flip(cycle, place, draw.randrange(element.words), draw.randrange(element.bits))

    def _batch(self, target: "_Target", phase: str, drawn: Sequence[tuple[Flip, ...]]) -> None:
        outcomes = self.done.outcomes.setdefault((target.operation, phase), Counter())
        reached = self.done.reached.setdefault((target.operation, phase), set())
        # All of the batch are judged before one of them is run again.
        for flips, outcome, shifted, leaked in [*target.judged(drawn)]:
            reached.add(flips[0].place)
            outcomes[outcome] += 1
            if leaked:  # by chance, it is not the same with another input
                leaked &= target.judged_alone(flips)
            what = f"{target.operation}, {phase}: {self._words(flips)}"
            if leaked:
                self.done.faults.append(f"{what}: {_LEAK}")
            if outcome == PRIME and target.operation == "public":
                self.done.faults.append(f"{what}: {_LEAK}")
            if shifted:
                self.done.faults.append(f"{what}: {_SHIFTED}")
            released = target.operation != "public" or phase == "send"
            if outcome in (WRONG, PRIME, LEFT) and released and self.flips == 1:
                self.done.faults.append(f"{what}: {outcome}")

    def _words(self, flips: Sequence[Flip]) -> str:
        return "; ".join(
            f"{self.state[each.place].name}, word {each.word}, bit {each.bit}, cycle {each.cycle:,}"
            for each in flips
        )


_Judged = tuple[tuple[Flip, ...], str, bool, set[tuple[int, int]]]
"""Flips, their outcome, whether answers are out of step, and digits of the key in answers."""


class _Target:
    """An operation with a key and an input, whose course is known."""

    def __init__(self, run: _Run, operation: str) -> None:
        self.run, self.operation = run, operation
        draw, bits = run.draw, run.bits
        whole, self.d = key_of_primes(
            *draw_primes(bits, draw.choice(SHAPES), _EXPONENT, draw), _EXPONENT
        )
        by_exponent = operation == "private, whole exponent"
        self.key = RsaKey(whole.modulus, _EXPONENT, self.d) if by_exponent else whole
        self.command = {"public": Command.PUBLIC, "clear": Command.CLEAR}.get(
            operation, Command.PRIVATE
        )
        self.value = draw.randrange(whole.modulus)
        self._begin(load=True)
        self.leaks = Leaks(run.model, run.digit_bits, self.key)
        if operation == "load":
            self._begin(load=False)
        self.cycles, self.phases = self._course()

    def judged(self, drawn: Sequence[tuple[Flip, ...]]) -> Iterator[_Judged]:
        """Each of these flips, sorted by time, with its outcome."""
        self._begin(load=self.operation != "load")
        model = self.run.model
        model.send(self._request)
        now = 0
        children: list[tuple[tuple[Flip, ...], int, int]] = []
        for flips in drawn:
            model.advance(flips[0].cycle - now)
            now = flips[0].cycle
            children.append((flips, *self._child(flips)))
            if len(children) == _AT_ONCE:
                yield _ended(*children.pop(0))
        for each in children:
            yield _ended(*each)

    def judged_alone(self, flips: Sequence[Flip]) -> set[tuple[int, int]]:
        """Digits of the key in the answer with these flips and another input."""
        before, self.value = self.value, self.run.draw.randrange(self.key.modulus)
        try:
            ((*_, leaked),) = self.judged([tuple(flips)])
        finally:
            self.value = before
        return leaked

    @property
    def _request(self) -> list[int]:
        if self.operation == "load":
            return load_rsa_key_request(self.key)
        if self.command is Command.CLEAR:
            return [Command.CLEAR]
        return operation_request(self.command, [self.value], self.run.bits)

    @property
    def _right(self) -> int:
        exponent = self.key.exponent if self.command is Command.PUBLIC else self.d
        return pow(self.value, exponent, self.key.modulus)

    def _begin(self, *, load: bool) -> None:
        """Reset, and perhaps load the key. A first load is judged by what follows it."""
        model = self.run.model
        model.reset()
        model.seed_randomness(_SEED)
        if load:
            assert not error_of(model.exchange(load_rsa_key_request(self.key)))

    def _course(self) -> tuple[int, dict[str, range]]:
        """Cycles of the operation, and those of each phase."""
        model = self.run.model
        starts = [
            (phase, {place for name, place in engine_program().labels.items() if _is(name, label)})
            for label, phase in _BEGINS[self.operation]
        ]
        found = [("receive", 0)]
        before = model.cycles
        for cycle, here in course(model, self._request, _LOOK):
            if starts and here in starts[0][1]:
                found.append((starts.pop(0)[0], cycle))
        assert not starts
        cycles = model.cycles - before
        assert not error_of(model.receive(limit=1))
        found.append(("", cycles))
        return cycles, {phase: range(now, end) for (phase, now), (_, end) in pairwise(found)}

    def _child(self, flips: Sequence[Flip]) -> tuple[int, int]:
        """Start a process that goes on with flips; it, and the pipe for what comes of it."""
        reader, writer = os.pipe()
        child = os.fork()
        if child:
            os.close(writer)
            return child, reader
        status = 1
        try:
            outcome, shifted, leaked = self._run_on(flips)
            digits = (f"{place},{digit}" for place, digit in sorted(leaked))
            text = ";".join([outcome, str(int(shifted)), *digits])
            os.write(writer, text.encode())
            status = 0
        finally:
            os._exit(status)

    def _run_on(self, flips: Sequence[Flip]) -> tuple[str, bool, set[tuple[int, int]]]:
        model, now = self.run.model, flips[0].cycle
        for each in flips:
            model.advance(each.cycle - now)
            now = each.cycle
            model.flip(each.place, each.word, each.bit)
        answer = answer_or_none(model)
        leaked = self.leaks.in_answer(answer, self._right)
        if self.operation == "load" and answer:
            if error_of(answer) or len(answer) > 3:
                return ERROR, self._shifted(), leaked
            for command in (Command.PUBLIC, Command.PRIVATE):
                model.send(operation_request(command, [self.value], self.run.bits))
                answer = answer_or_none(model)
                leaked |= self.leaks.in_answer(answer, self._right)
        outcome = self._judged(answer)
        return outcome, outcome in (RIGHT, ERROR, VOID) and self._shifted(), leaked

    def _judged(self, answer: list[int]) -> str:
        if self.command is Command.CLEAR and answer:
            if answer != [Command.CLEAR]:
                return ERROR if len(answer) == 1 and error_of(answer) else BROKEN
            return LEFT if self.leaks.in_memory else RIGHT
        outcome = judge(answer, self.command, self._right, self.run.bits)
        gives = outcome == WRONG and self.leaks.gives_a_prime(answer, self._right)
        return PRIME if gives else outcome

    def _shifted(self) -> bool:
        """Whether the next request does not have its own answer, or there is a further one."""
        model = self.run.model
        model.advance(_QUIET)
        if model.answered:
            return True
        model.send([Command.INFO])
        answer = answer_or_none(model)
        if not answer:
            return False  # as after a damaged constant: a clear helps
        model.advance(_QUIET)
        return answer[0] & 0xFF != Command.INFO or model.answered


def _is(name: str, label: str) -> bool:
    """Whether a label of the program is this one, or this part with a number."""
    stem, _, number = name.rpartition(".")
    return name == label or (stem == label and number.isdigit())


def _ended(flips: tuple[Flip, ...], child: int, reader: int) -> _Judged:
    """What came of flips, from their process."""
    with os.fdopen(reader) as pipe:
        outcome, shifted, *digits = pipe.read().split(";")
    _, status = os.waitpid(child, 0)
    assert status == 0, f"the process of {flips} ended with {status}"
    leaked = {(int(a), int(b)) for a, b in (each.split(",") for each in digits)}
    return flips, outcome, shifted == "1", leaked
