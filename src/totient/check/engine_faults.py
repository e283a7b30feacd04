"""Flipped bits in a running engine: the result is right or an error, never wrong."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from totient.catalog import Configuration
from totient.check.packets import (
    error_of,
    load_rsa_key_request,
    number_words,
    operation_request,
    parse_number,
)
from totient.check.rsa_keys import SHAPES, Deck, draw_primes, public_exponents
from totient.check.run import check_drawing, counted
from totient.common.contract import Command, ErrorCode, PrivateOption
from totient.device import RsaKey, key_of_primes
from totient.sim import Element, Model, build_model

WATCHDOG = 1 << 20
"""Clock cycles after which the engine stops waiting."""

# After these errors the working memory is wiped. Other errors are reported before any computation,
# or by the consequences of a flipped bit after all computation.
_GIVEN_UP = (ErrorCode.RANDOM, ErrorCode.FAULT)

# The limit covers an operation, a flipped counter that runs out, and the wipe after it.
_MOST = 2 * WATCHDOG
_STEP = 4096
_KEYS_EVERY = 25  # faults for each key

# Clock cycles between two reads of the program counter, and those of a short instruction.
_LOOK, _SHORT = 4, 12

RIGHT, ERROR, VOID, BROKEN, SILENT, WRONG = (
    "right result",
    "error",
    "longer answer, void",
    "broken answer",
    "no answer",
    "WRONG result",
)


def answer_or_none(model: Model) -> list[int]:
    """The engine's next answer; empty if none has come when its watchdog has certainly ended."""
    for _ in range(_MOST // _STEP):
        if model.answered:
            return model.receive(limit=1)
        model.advance(_STEP)
    return []


def course(model: Model, request: Sequence[int], every: int) -> Iterator[tuple[int, int]]:
    """Run an operation, and read the program counter on the way.

    It ends when the answer is complete, which is left to be received.

    Args:
        model: probed.
        request: of the operation.
        every: cycles between two reads.

    Returns:
        For each read the cycles since the request, and the program counter.
    """
    counter, like = next(
        (place, each)
        for place, each in enumerate(model.elements()[0])
        if each.name.endswith("u_control.place_q")
    )
    model.send(request)
    before = model.cycles
    while not model.answered:
        yield model.cycles - before, model.words(counter, like)[0]
        model.advance(every)


def judge(answer: Sequence[int], command: Command, right: int, bits: int) -> str:
    """The outcome of a private or public operation.

    Args:
        answer: its answer, or nothing.
        command: of the operation.
        right: the right result.
        bits: of the modulus.
    """
    if not answer:
        return SILENT
    error, words = error_of(answer), answer[0] >> 16
    if len(answer) - 1 > words and not error:
        return VOID
    if answer[0] & 0xFF != command or len(answer) - 1 != words:
        return BROKEN
    if error:
        return ERROR if error in list(ErrorCode) else BROKEN
    if words != 2 + len(number_words(right, bits)):
        return BROKEN
    return RIGHT if parse_number(answer[3:]) == right else WRONG


@dataclass
class Campaign:
    """Results of flipped bits, all of them or so far.

    Attributes:
        bits: number of flipped bits.
        outcomes: number of operations with a flipped bit, by outcome.
        modules: number of flipped bits, by kind of module.
        errors: number of answers with each error code.
        cleared: how often the engine required a clear before it worked again.
        faults: violations, one line each, with element, bit and cycle.
    """

    bits: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    modules: Counter[str] = field(default_factory=Counter)
    errors: Counter[int] = field(default_factory=Counter)
    cleared: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """The results in words."""
        outcomes = ", ".join(f"{what} {count:,}" for what, count in self.outcomes.most_common())
        return f"{self.bits:,} bits in {len(self.modules)} sorts of modules: {outcomes}"


def check_faults(
    configuration: Configuration,
    bits: int,
    count: int,
    seed: int,
    library: Path | None = None,
    where: str = "",
) -> Campaign:
    """Flip a bit of the state in each of many private operations.

    Each kind of module is hit equally often, and within it each register or memory. One moment in
    three is any cycle of the operation, from its request to the end of its answer. The others hit
    each executed instruction of the program equally often. After each fault the operation is
    requested with another input and must again not be wrong. After the key has been reloaded, if
    necessary after a clear, the result must be right. If the engine has given up, every word of the
    digit memory outside the key must be the same as after a reset.

    Args:
        configuration: of the engine.
        bits: of the modulus, even.
        count: number of bits to flip.
        seed: of all random draws, random words included.
        library: an existing probed model of the engine.
        where: hit only registers and memories with this in their names.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built.
    """
    check_drawing(count, seed)
    with Model(library or build_model(configuration.top(), probed=True)) as model:
        draw = Random(f"totient check faults {configuration.label} {bits} {seed}")
        run = _Run(model, draw, bits, where)
        for number in counted(f"faults in {configuration.label}, {bits} bits", count):
            run.fault(number)
    run.campaign.bits = count
    return run.campaign


class _Course:
    """The times of the program's instructions in an operation."""

    def __init__(self) -> None:
        self.cycles = 0
        self._visits: dict[int, list[int]] = defaultdict(list)
        self._last = -1

    def visit(self, cycle: int, instruction: int) -> None:
        """Whether the instruction is executing in a cycle."""
        if instruction != self._last:
            self._visits[instruction].append(cycle)
        self._last = instruction

    def moment(self, draw: Random) -> int:
        """A random cycle; in two of three cases one at the beginning of an instruction."""
        if draw.random() < 1 / 3:
            return draw.randrange(self.cycles)
        visits = self._visits[draw.choice(sorted(self._visits))]
        return max(0, draw.choice(visits) + draw.randrange(-_LOOK, _SHORT))


class _Run:
    """A campaign in progress."""

    def __init__(self, model: Model, draw: Random, bits: int, where: str) -> None:
        self.model, self.draw, self.bits = model, draw, bits
        self.state = model.elements()[0]
        self.campaign = Campaign()
        self._groups: dict[str, list[int]] = defaultdict(list)
        for place, element in enumerate(self.state):
            if where in element.name:
                self._groups[_module(element)].append(place)
        self._modules = Deck(sorted(self._groups), draw)
        self._exponents = public_exponents(draw)
        self._memory = [p for p, e in enumerate(self.state) if _holds_digits(e)]
        self._wiped: list[bytes] = []
        self._courses: dict[tuple[bool, int], _Course] = {}
        self._code = 0  # the last error

    def fault(self, number: int) -> None:
        """Flip one bit."""
        draw, model = self.draw, self.model
        if number % _KEYS_EVERY == 0:
            self._key()
        by_primes, option = draw.random() < 0.75, draw.randrange(4)
        if not by_primes:
            option &= PrivateOption.NO_BASE_BLINDING
        value = draw.choice((0, 1, self.n - 1, *(draw.randrange(self.n) for _ in range(5))))
        request = operation_request(Command.PRIVATE, [value], self.bits, option=option)
        right = pow(value, self.d, self.n)
        model.reset()
        model.seed_randomness(draw.randrange(1, 1 << 32))
        if not self._wiped:
            model.advance(_STEP * 8)
            self._wiped = self._digits()
        load = load_rsa_key_request(self.key if by_primes else self.plain)
        if error_of(self._asked(load)):
            self.campaign.faults.append(f"bit {number}: no key was loaded before it")
            return
        moment = self._course(by_primes, option, request).moment(draw)
        group = self._modules.deal()
        place = draw.choice(self._groups[group])
        element = self.state[place]
        word, bit = draw.randrange(element.words), draw.randrange(element.bits)
        model.send(request)
        model.advance(moment)
        model.flip(place, word, bit)
        outcome = self._outcome(answer_or_none(self.model), right)
        self.campaign.outcomes[outcome] += 1
        self.campaign.modules[group] += 1
        what = f"bit {number}: {element.name}, word {word}, bit {bit}, cycle {moment:,}"
        if outcome == WRONG:
            self.campaign.faults.append(f"{what}: a wrong result")
        if outcome == ERROR and self._code in _GIVEN_UP:
            self._check_wiped(what)
        if outcome == SILENT:
            self._clear()
        # Another input: the result of the one before would be wrong.
        other = operation_request(Command.PRIVATE, [self.other], self.bits, option=option)
        again = self._outcome(self._asked(other), pow(self.other, self.d, self.n))
        if again == WRONG:
            self.campaign.faults.append(f"{what}: the next result is wrong")
        if again == SILENT:
            self._clear()
        if self._works(load, request, right):
            return
        self.campaign.cleared += 1
        self._clear()
        if not self._works(load, request, right):
            self.campaign.faults.append(f"{what}: {outcome}, and it no longer works")

    def _key(self) -> None:
        draw = self.draw
        e = next(self._exponents)
        shape = draw.choice(SHAPES)
        self.key, self.d = key_of_primes(*draw_primes(self.bits, shape, e, draw), e)
        self.n = self.key.modulus
        self.plain = RsaKey(self.n, e, self.d)
        self.other = draw.randrange(self.n)
        self._courses.clear()

    def _course(self, by_primes: bool, option: int, request: Sequence[int]) -> "_Course":
        """Trace of the operation, which is run once for it."""
        if (by_primes, option) not in self._courses:
            found, before = _Course(), self.model.cycles
            for cycle, instruction in course(self.model, request, _LOOK):
                found.visit(cycle, instruction)
            answer_or_none(self.model)
            found.cycles = self.model.cycles - before
            self._courses[by_primes, option] = found
        return self._courses[by_primes, option]

    def _works(self, load: Sequence[int], request: Sequence[int], right: int) -> bool:
        answer = self._asked(load)
        return (
            bool(answer)
            and not error_of(answer)
            and self._outcome(self._asked(request), right) == RIGHT
        )

    def _clear(self) -> None:
        """Recover as a host would that does not know the state of the engine."""
        self.model.send([Command.CLEAR])
        while (answer := answer_or_none(self.model)) and answer[0] & 0xFF != Command.CLEAR:
            pass

    def _asked(self, request: Sequence[int]) -> list[int]:
        self.model.send(request)
        return answer_or_none(self.model)

    def _outcome(self, answer: Sequence[int], right: int) -> str:
        outcome = judge(answer, Command.PRIVATE, right, self.bits)
        if outcome == ERROR:
            self._code = error_of(answer)
            self.campaign.errors[self._code] += 1
        return outcome

    def _digits(self) -> list[bytes]:
        """The copies of the digit memory, the table and the memories next to it."""
        return [self.model.peek(place, self.state[place]) for place in self._memory]

    def _check_wiped(self, what: str) -> None:
        for place, words, wiped in zip(self._memory, self._digits(), self._wiped, strict=True):
            name = self.state[place].name
            # The first page is for results, the next one for the key.
            size = len(words) // 2 if re.search(r"u_datapath\.u_[abtx]\.", name) else len(words)
            if words[:size] != wiped[:size]:
                self.campaign.faults.append(f"{what}: {name} is not wiped after an error")


def _module(element: Element) -> str:
    """The kind of module that an element is in: its instance name without numbers."""
    scope = element.name.removeprefix("TOP.").rpartition(".")[0]
    parts = [part for part in scope.split(".") if part.startswith("u_")]
    return ".".join(parts[-2:]) or "top"


def _holds_digits(element: Element) -> bool:
    return "u_datapath" in element.name and element.words > 4
