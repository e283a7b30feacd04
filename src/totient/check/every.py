"""Check of a small core with every exponent and base of a modulus."""

from totient.catalog import Configuration, Operation
from totient.check.packets import Core
from totient.check.run import Outcome
from totient.check.subject import RTL, On, Subject
from totient.common.contract import ErrorCode
from totient.common.errors import DeviceError, InputError

EVERY_BITS = 8
"""Length of the moduli, exponents and bases."""


def check_every(configuration: Configuration, modulus: int, on: On = RTL) -> Outcome:
    """Load every key of this modulus, and raise every base below it to the key's exponent.

    Exponents and bases are all numbers below 2^`EVERY_BITS`; each exponent is stated with this
    length. Results are compared with `pow`, cycles with the catalog's formulas. Keys of a modulus
    that is even or below 3 must be refused, and so must the first key's bases from the modulus on.

    Args:
        configuration: a design, not an engine.
        modulus: 0 to 2^`EVERY_BITS` - 1.
        on: what is run of it.

    Raises:
        InputError: the modulus is out of range, or no such netlist.
        ToolError: the model cannot be built, or an assertion of the RTL failed.
    """
    many = 1 << EVERY_BITS
    if not 0 <= modulus < many:
        raise InputError(f"modulus is {modulus}, allowed is 0 to {many - 1}")
    outcome = Outcome(checked="every result, cycle count and error code is right")
    subject = Subject(configuration, on)
    for unknowns in subject.unknowns:
        with subject.open(unknowns) as model:
            every = _Every(configuration, Core(model), outcome, modulus)
            for exponent in range(many):
                every.key(exponent)
    return outcome


class _Every:
    """A check in progress; its case numbers are exponents."""

    def __init__(
        self, configuration: Configuration, core: Core, outcome: Outcome, modulus: int
    ) -> None:
        self.configuration, self.core = configuration, core
        self.outcome, self.modulus = outcome, modulus
        self.refusal = (
            ErrorCode.MODULUS_SMALL
            if modulus < 2
            else ErrorCode.OK
            if modulus % 2
            else ErrorCode.MODULUS_EVEN
        )

    def key(self, exponent: int) -> None:
        """Load the key with this exponent and work with every base."""
        self.outcome.cases += 1
        try:
            cycles = self.core.load_key(self.modulus, exponent, EVERY_BITS)
        except DeviceError as error:
            self.outcome.refusals += 1
            self.outcome.expect(exponent, "error code", error.code, self.refusal)
            return
        self.outcome.expect(exponent, "error code", ErrorCode.OK, self.refusal)
        expected = self.configuration.setup_cycles(self.modulus, EVERY_BITS)
        self.outcome.expect(exponent, "set-up cycles", cycles, expected)
        self.outcome.cycles += cycles
        lanes = self.configuration.lanes
        for first in range(0, self.modulus, lanes):
            self._exponentiate(exponent, range(first, min(first + lanes, self.modulus)))
        if exponent == 0:
            for base in range(self.modulus, 1 << EVERY_BITS):
                self._refuse(base)

    def _exponentiate(self, exponent: int, bases: range) -> None:
        results, cycles = self.core.exponentiate(bases)
        expected = [pow(base, exponent, self.modulus) for base in bases]
        self.outcome.expect(exponent, f"results of {bases}", results, expected)
        operation = Operation(self.modulus, exponent, EVERY_BITS, bases[0], len(bases))
        formula = self.configuration.operation_cycles(operation)
        self.outcome.expect(exponent, f"cycles of {bases}", cycles, formula)
        self.outcome.exponentiations += len(bases)
        self.outcome.cycles += cycles

    def _refuse(self, base: int) -> None:
        self.outcome.refusals += 1
        try:
            self.core.exponentiate([base])
        except DeviceError as error:
            self.outcome.expect(base, "error code", error.code, ErrorCode.BASE_NOT_BELOW)
        else:
            self.outcome.faults.append(f"base {base}: accepted though not below the modulus")
