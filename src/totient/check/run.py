"""Checks on the simulated core."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from totient.catalog import Configuration, Operation
from totient.check.cases import Case, cases, private_cases
from totient.check.packets import Core
from totient.check.subject import RTL, On, Subject
from totient.common.contract import ErrorCode
from totient.common.errors import DeviceError, InputError
from totient.common.progress import bar
from totient.sim.line import FrameRefusedError

# One case in this many also sends the core bad requests.
_REFUSALS_EVERY = 10

MOST_CASES = 1_000_000
"""Larger numbers are typing errors, and would run for ever."""


@dataclass
class Outcome:
    """Result of a check, or of one in progress.

    Attributes:
        cases: key loads with an exponentiation each.
        exponentiations: including further ones with the same key.
        refusals: number of bad requests. The core had to report the right error and continue.
        cycles: clock cycles of all key loads and exponentiations.
        faults: faults found, one line each; empty for a correct core.
        checked: the checked properties, in words.
    """

    cases: int = 0
    exponentiations: int = 0
    refusals: int = 0
    cycles: int = 0
    faults: list[str] = field(default_factory=list)
    checked: str = "every result is right, every cycle count is the formula's"

    @property
    def summary(self) -> str:
        """The amount of work done."""
        return (
            f"{self.cases:,} cases, {self.exponentiations:,} exponentiations, "
            f"{self.refusals:,} refusals, {self.cycles:,} cycles"
        )

    def expect(self, number: int, what: str, found: object, expected: object) -> None:
        """Record a fault of case `number` if `found` is not the expected value."""
        if found != expected:
            self.faults.append(f"case {number}: {what} {found}, expected {expected}")


def counted(label: str, count: int) -> Iterator[int]:
    """Numbers of cases, from 0, under a progress bar with this label."""
    with bar(label, count) as progress:
        for number in range(count):
            yield number
            progress.advance()


def work_until(label: str, count: int, work: Callable[[], int]) -> None:
    """Repeat work, under a progress bar, until enough is done.

    Args:
        label: of the bar.
        count: number of items to do.
        work: does one or more items, and returns the number of all that are done.
    """
    done = 0
    with bar(label, count) as progress:
        while done < count:
            before, done = done, work()
            progress.advance(min(done, count) - before)


def _check_operations(width: int, short: bool, private: bool, exponent_bits: int | None) -> None:
    """Raise `InputError` for operations that a design of this width does not support."""
    if private and short:
        raise InputError(
            "design repeated makes a product for each unit of the exponent: a private operation "
            "never ends, take T2 or T3"
        )
    if exponent_bits is not None and not 1 <= exponent_bits <= width:
        raise InputError(f"exponent-bits is {exponent_bits}, allowed is 1 to {width}")
    if private and width < 16:
        raise InputError(f"width is {width}, allowed for private operations is 16 up")


def check(
    configuration: Configuration,
    count: int,
    seed: int,
    *,
    private: bool = False,
    exponent_bits: int | None = None,
    on: On = RTL,
) -> Outcome:
    """Run `count` cases: results against `pow`, cycles against the catalog's formulas.

    Both sides of the stream pause at random. One case in three reuses its key for as many bases as
    the core takes at once. One in ten also sends bad requests; each must get its own error code and
    leave the core ready. An RTL model includes the assertions, which end the run with an error. A
    netlist runs everything with each seed of its unknowns.

    Args:
        configuration: the design with its parameters.
        count: cases, 1 to `MOST_CASES`.
        seed: of operands and pauses, at least 0.
        private: only private operations of RSA keys with the full width, a key load and an
            exponentiation each.
        exponent_bits: longest exponent, for cores that take long; no effect on private operations.
        on: what is run of it.

    Raises:
        InputError: count, seed or exponent bits out of range; private operations on a design that
            never ends one, or with a width below 16; no such netlist.
        ToolError: the model cannot be built, or an assertion of the RTL failed.
    """
    check_drawing(count, seed)
    width = configuration.width
    short = configuration.design.name == "repeated"
    _check_operations(width, short, private, exponent_bits)
    outcome = Outcome()
    subject = Subject(configuration, on)
    for unknowns in subject.unknowns:
        with subject.open(unknowns) as model:
            model.pause_at_random(seed)
            run = _Run(configuration, Core(model), outcome)
            drawn = cases(width, count, seed, exponent_bits=exponent_bits, short_exponents=short)
            drawn = private_cases(width, count, seed) if private else drawn
            numbers = counted(f"check {configuration.label}", count)
            for number, case in zip(numbers, drawn, strict=True):
                run.case(number, case, alone=private)
    return outcome


def check_drawing(count: int, seed: int) -> None:
    """Raise `InputError` for a number of cases or a seed out of range."""
    if not 1 <= count <= MOST_CASES:
        raise InputError(f"count is {count}, allowed is 1 to {MOST_CASES}")
    if seed < 0:
        raise InputError(f"seed is {seed}, allowed is 0 or more")


class _Run:
    """A check in progress."""

    def __init__(self, configuration: Configuration, core: Core, outcome: Outcome) -> None:
        self.configuration, self.core, self.outcome = configuration, core, outcome

    def case(self, number: int, case: Case, *, alone: bool) -> None:
        """Load the case's key, exponentiate, and sometimes do more, unless `alone`."""
        self.outcome.cases += 1
        setup = self.core.load_key(case.modulus, case.exponent, case.exponent_bits)
        expected = self.configuration.setup_cycles(case.modulus, case.exponent_bits)
        self.outcome.expect(number, "set-up cycles", setup, expected)
        self.outcome.cycles += setup
        self._exponentiate(number, case, case.base)
        if alone:
            return
        others = case.modulus - 1 - case.base, case.base // 2, case.base
        if number % 3 == 0:
            lanes = self.configuration.lanes
            self._exponentiate(number, case, *(others * lanes)[:lanes])
        if number % _REFUSALS_EVERY == 0:
            self._refuse(number, case)

    def _exponentiate(self, number: int, case: Case, *bases: int) -> None:
        results, cycles = self.core.exponentiate(bases)
        for base, result in zip(bases, results, strict=True):
            self.outcome.expect(number, "result", result, pow(base, case.exponent, case.modulus))
        operation = Operation(case.modulus, case.exponent, case.exponent_bits, bases[0], len(bases))
        expected = self.configuration.operation_cycles(operation)
        self.outcome.expect(number, "cycles", cycles, expected)
        self.outcome.exponentiations += len(bases)
        self.outcome.cycles += cycles

    def _refuse(self, number: int, case: Case) -> None:
        """Send bad requests. Only a refused key load removes the key."""
        self._expect_refusal(number, ErrorCode.BASE_NOT_BELOW, base=case.modulus)
        self._exponentiate(number, case, case.base)
        width = self.configuration.width
        for modulus, bits, code in (
            (case.modulus - 1, case.exponent_bits, ErrorCode.MODULUS_EVEN),
            (0, case.exponent_bits, ErrorCode.MODULUS_SMALL),
            (1, case.exponent_bits, ErrorCode.MODULUS_SMALL),
            (case.modulus, 0, ErrorCode.EXPONENT_EMPTY),
            (case.modulus, width + 1, ErrorCode.LENGTH),
            (case.modulus | 1 << width, case.exponent_bits, ErrorCode.LENGTH),
        ):
            exponent = case.exponent if bits else 0
            self._expect_refusal(number, code, key=(modulus, exponent, bits))
            self._expect_refusal(number, ErrorCode.NO_KEY, base=0)
        self.core.load_key(case.modulus, case.exponent, case.exponent_bits)
        self._exponentiate(number, case, case.base)

    def _expect_refusal(
        self,
        number: int,
        code: ErrorCode,
        key: tuple[int, int, int] | None = None,
        base: int = 0,
    ) -> None:
        self.outcome.refusals += 1
        try:
            if key is None:
                self.core.exponentiate([base])
            else:
                self.core.load_key(*key)
        except DeviceError as error:
            self.outcome.expect(number, "error code", error.code, code)
        except FrameRefusedError as refusal:
            # A board's line has no room for requests longer than the longest one of its core.
            self.outcome.expect(number, "frame", (refusal.code, code), (2, ErrorCode.LENGTH))
        else:
            self.outcome.faults.append(f"case {number}: accepted where {code.name} was due")
