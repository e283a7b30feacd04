"""RSA operations of the engine: results against `pow` and OpenSSL, cycles against the catalog."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random

from totient.catalog import Configuration, Operation
from totient.catalog.engine import RsaLengths, pair_cycles, rsa_cycles
from totient.check.openssl import private_key, signature
from totient.check.packets import (
    Packets,
    Response,
    load_key_request,
    load_pair_request,
    load_rsa_key_request,
    operation_request,
    parse,
    parse_number,
    parse_numbers,
)
from totient.check.rsa_keys import SHAPES, Deck, draw_primes, public_exponents
from totient.check.run import Outcome, check_drawing, work_until
from totient.check.subject import RTL, On, Subject
from totient.common.contract import MIN_RSA_BITS, Command, ErrorCode, PrivateOption
from totient.common.errors import InputError
from totient.device import RsaKey, key_of_primes
from totient.sim import Model

KEYS = ("primes", "exponent", "primes", "public", "plain", "pair")
"""Kinds of keys, used in turn."""

OPTIONS = 1 + sum(PrivateOption)
"""So many sums of private options."""

INPUTS = ("0", "1", "n - 1", "of p", "of q", "random", "padded")
"""Kinds of inputs: multiples of the primes, and padded digests, which OpenSSL signs as well."""

# Time limit: this many clock cycles for each expected cycle.
_PATIENCE = 4


def check_rsa(
    configuration: Configuration,
    count: int,
    seed: int,
    *,
    bits: int | None = None,
    on: On = RTL,
) -> Outcome:
    """Run RSA operations, exponentiations and pairs of them on a simulated engine.

    Keys have 512 bits to the engine's width, in multiples of 8; two of three are near the least
    length. They have primes or the private exponent. All blinding options and all kinds of inputs
    are used. Python's `pow` checks every result, OpenSSL's signatures check padded inputs, and the
    catalog's formulas check the cycles of every key load and operation. An RTL model includes the
    assertions. A netlist runs everything with each seed of its unknowns.

    Args:
        configuration: of the engine.
        count: operations, 1 to `MOST_CASES`; more follow until the last key has had all of its own,
            and until one was private.
        seed: of all random draws, random words included.
        bits: only keys with primes, of this length.
        on: what is run of it.

    Raises:
        InputError: count, seed or bits out of range; no such netlist.
        ToolError: the model cannot be built, an assertion of the RTL failed, or the engine hangs.
    """
    check_drawing(count, seed)
    if bits is not None and (bits % 8 or not MIN_RSA_BITS <= bits <= configuration.width):
        raise InputError(
            f"bits is {bits}, allowed are multiples of 8, {MIN_RSA_BITS} to {configuration.width}"
        )
    subject = Subject(configuration, on)
    outcome, private = Outcome(), Counter[int]()
    for unknowns in subject.unknowns:
        with subject.open(unknowns) as model:
            if isinstance(model, Model):
                model.seed_randomness(Random(seed).randrange(1, 1 << 32))
            run = _Run(configuration, model, seed, bits, outcome)
            work_until(f"check {configuration.label}", count, partial(_worked, run, count))
        private += run.private
        outcome.cases += run.keys
        outcome.exponentiations += run.operations
    outcome.checked = (
        f"{_told(private)}; every result is right for pow, padded ones for OpenSSL; each cycle "
        "count is the formula's"
    )
    return outcome


def _worked(run: "_Run", count: int) -> int:
    """Operations of one more key and of those before; not all without a private one among them."""
    done = run.key()
    return done if run.private else min(done, count - 1)


def _told(private: Counter[int]) -> str:
    """Numbers of private operations by length, in words."""
    lengths = (f"{n} to {1024 * top} bits" for top, n in sorted(private.items()))
    return f"{private.total()} private ones ({', '.join(lengths)})"


class _Run:
    """A check in progress."""

    def __init__(
        self,
        configuration: Configuration,
        model: Packets,
        seed: int,
        bits: int | None,
        outcome: Outcome,
    ) -> None:
        self.parameters = configuration.parameters
        self.configuration = configuration
        self.model = model
        self.draw = Random(f"totient check rsa {configuration.label} {seed}")
        self.outcome = outcome
        self.keys = self.operations = 0
        self.private: Counter[int] = Counter()  # operations, by multiples of 1024 bits
        self._only_bits = bits
        self._kinds = Deck(KEYS if bits is None else ("primes",), self.draw)
        self._shapes = Deck(SHAPES, self.draw)
        self._lengths = Deck(("least", "short", "any"), self.draw)
        self._inputs = Deck(INPUTS, self.draw)
        self._options = Deck(range(OPTIONS), self.draw)
        self._exponents = public_exponents(self.draw)

    def key(self) -> int:
        """Load a key, and run its operations; return the number of all operations."""
        kind = self._kinds.deal()
        self.keys += 1
        if kind == "plain":
            self._plain()
        elif kind == "pair":
            self._pair()
        else:
            self._rsa(kind)
        return self.operations

    def _bits(self, kind: str) -> int:
        """A length. Two of three are near the least one: long operations take much longer."""
        if self._only_bits is not None:
            return self._only_bits
        most = self.configuration.width
        length = self._lengths.deal()
        if length == "least":
            return MIN_RSA_BITS
        if length == "short":
            return self.draw.randint(MIN_RSA_BITS // 8, min(most, 640) // 8) * 8
        share = self.draw.random() ** (2 if kind == "exponent" else 1)
        return MIN_RSA_BITS + int((most - MIN_RSA_BITS) * share) // 8 * 8

    def _rsa(self, kind: str) -> None:
        draw, e, shape = self.draw, next(self._exponents), self._shapes.deal()
        p, q = draw_primes(self._bits(kind), shape, e, draw)
        key, d = key_of_primes(p, q, e)
        n = key.modulus
        lengths = None if kind == "exponent" else (p.bit_length(), q.bit_length())
        if kind == "exponent":
            # Both are private exponents. The longer one may be twice as large.
            key = RsaKey(n, e, draw.choice((d, pow(e, -1, (p - 1) * (q - 1)))))
        elif kind == "public":
            key = RsaKey(n, e)
        load, _, public = self._expected(n, e, lengths, 0)
        # A public key has no private exponent to set up.
        self._ask(
            kind,
            Command.LOAD_RSA_KEY,
            load_rsa_key_request(key),
            None if kind == "public" else load,
        )
        options = [self._options.deal() for _ in range(4 if kind == "primes" else 2)]
        if kind == "exponent":
            self._refused(Command.PRIVATE, n, PrivateOption.EXPONENT_BLINDING, ErrorCode.COMMAND)
            options = [option & PrivateOption.NO_BASE_BLINDING for option in options]
        if kind == "public":
            self._refused(Command.PRIVATE, n, 0, ErrorCode.NO_KEY)
            options = []
        for option in options:
            value, signed = self._input(key, d, p, q)
            cycles = self._expected(n, e, lengths, option)[1]
            what = f"{kind} key, {n.bit_length()} bits, e {e}, {shape}, option {option}"
            result = self._raised(what, Command.PRIVATE, [value], [n], cycles, option)
            self.private[-(-n.bit_length() // 1024)] += 1
            self.outcome.expect(self.keys, f"{what}: result", result, [pow(value, d, n)])
            if signed is not None:
                self.outcome.expect(self.keys, f"{what}: OpenSSL's", result, [signed])
        value, _ = self._input(key, d, p, q)
        what = f"public, {n.bit_length()} bits, e {e}"
        cycles = public
        result = self._raised(what, Command.PUBLIC, [value], [n], cycles)
        self.outcome.expect(self.keys, f"{what}: result", result, [pow(value, e, n)])
        self._refused(Command.PUBLIC, n, 0, ErrorCode.BASE_NOT_BELOW, value=n)

    def _expected(
        self, n: int, e: int, primes: tuple[int, int] | None, option: int
    ) -> tuple[int, int, int]:
        """Cycles of load, private and public operation."""
        return rsa_cycles(
            self.parameters,
            RsaLengths(
                n.bit_length(),
                e,
                primes,
                blind_base=not option & PrivateOption.NO_BASE_BLINDING,
                blind_exponent=bool(option & PrivateOption.EXPONENT_BLINDING),
            ),
        )

    def _input(self, key: RsaKey, d: int, p: int, q: int) -> tuple[int, int | None]:
        """An input. A padded one comes with OpenSSL's signature."""
        draw, n = self.draw, key.modulus
        kind = self._inputs.deal()
        if kind == "padded":
            signed = signature(private_key(n, key.exponent, d), draw.randbytes(20))
            return pow(signed, key.exponent, n), signed
        return {
            "0": 0,
            "1": 1,
            "n - 1": n - 1,
            "of p": p * draw.randrange(1, q),
            "of q": q * draw.randrange(1, p),
            "random": draw.randrange(n),
        }[kind], None

    def _plain(self) -> None:
        draw = self.draw
        modulus, bits = self._modulus(self.configuration.width)
        exponent = draw.getrandbits(bits)
        request = load_key_request(modulus, exponent, bits)
        expected = self.configuration.setup_cycles(modulus, bits)
        self._ask("plain key", Command.LOAD_KEY, request, expected)
        for base in (draw.randrange(modulus), draw.choice((0, 1, modulus - 1))):
            operation = Operation(modulus, exponent, bits, base, 1)
            cycles = self.configuration.operation_cycles(operation)
            what = f"exponentiation, {modulus.bit_length()} bits, exponent of {bits}"
            result = self._raised(what, Command.EXPONENTIATE, [base], [modulus], cycles)
            self.outcome.expect(self.keys, what, result, [pow(base, exponent, modulus)])
        self._refused(Command.PRIVATE, modulus, 0, ErrorCode.NO_KEY)

    def _pair(self) -> None:
        draw = self.draw
        first, exponent_bits = self._modulus(self.configuration.width // 2)
        moduli = [first, draw.getrandbits(first.bit_length()) | 3]
        draw.shuffle(moduli)
        exponents = [draw.getrandbits(exponent_bits) for _ in range(2)]
        request = load_pair_request(moduli, exponents, exponent_bits)
        cycles = pair_cycles(self.parameters, moduli, exponent_bits)
        self._ask("pair", Command.LOAD_PAIR, request, cycles[0])
        what = f"pair, {first.bit_length()} bits, exponents of {exponent_bits}"
        for _ in range(2):
            bases = [
                draw.choice((0, 1, m - 1, draw.randrange(m), draw.randrange(m))) for m in moduli
            ]
            result = self._raised(what, Command.EXPONENTIATE, bases, moduli, cycles[1], 1)
            self.outcome.expect(self.keys, what, result, list(map(pow, bases, exponents, moduli)))

    def _modulus(self, most: int) -> tuple[int, int]:
        """An odd modulus of any length, and a length of exponents."""
        draw = self.draw
        bits = draw.choice((draw.randint(2, min(most, 200)), draw.randint(2, min(most, 640)), most))
        modulus = draw.getrandbits(bits) | 1 << bits - 1 | 1
        return modulus, draw.randint(1, draw.choice((8, bits)))

    def _raised(
        self,
        what: str,
        command: Command,
        values: Sequence[int],
        moduli: Sequence[int],
        cycles: int,
        option: int = 0,
    ) -> list[int]:
        """Results of an operation."""
        self.operations += 1
        bits = max(map(int.bit_length, moduli))
        request = operation_request(command, values, bits, option=option)
        answer = self._ask(what, command, request, cycles)
        if answer.error or len(answer.body) != 2 + math.ceil(bits / 32) * len(values):
            return []
        return parse_numbers(answer.body[2:], len(values))

    def _ask(self, what: str, command: Command, request: list[int], cycles: int | None) -> Response:
        """An answer without an error, in exactly this number of cycles."""
        limit = _PATIENCE * (cycles or 10**8) + 10**5
        answer = parse(self.model.exchange(request, limit=limit), command)
        self.outcome.expect(self.keys, f"{what}: error", answer.error, ErrorCode.OK)
        if not answer.error:
            taken = parse_number(answer.body[:2])
            self.outcome.cycles += taken
            if cycles is not None:
                self.outcome.expect(self.keys, f"{what}: cycles", taken, cycles)
        return answer

    def _refused(
        self, command: Command, n: int, option: int, error: ErrorCode, value: int = 0
    ) -> None:
        request = operation_request(command, [value], n.bit_length(), option=option)
        answer = parse(self.model.exchange(request, limit=10**7), command)
        self.outcome.expect(self.keys, "refusal", answer.error, error)
        self.outcome.refusals += 1
