"""Malformed packets to a core: each is answered, and the operation after them is right."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from totient.catalog import Configuration, Operation
from totient.check.packets import error_of, exponentiate_request, load_key_request, parse_number
from totient.check.run import Outcome, check_drawing, work_until
from totient.common.contract import Command, ErrorCode
from totient.sim import Model, build_model

Words = list[int]

LIMIT = 100_000_000
"""Clock cycles, longer than any answer takes."""

_STRANGE = (0, 1, 2, 31, 32, 33, 64, 65, 255, 256, 511, 512, 513, 0x7FFF, 0x8000, 0xFFFFFFFF)


class PacketFuzz(ABC):
    """A run in progress.

    Attributes:
        model: of the core.
        draw: makes all random choices.
        outcome: so far. A case is a packet, an exponentiation is that after a round.
    """

    def __init__(self, model: Model, draw: Random, longest: int) -> None:
        """Begin a run.

        Args:
            model: of the core.
            draw: makes all random choices.
            longest: clock cycles after which a reset or a clear may interrupt a packet, at most.
        """
        self.model, self.draw, self._longest = model, draw, longest
        self.outcome = Outcome(
            checked="every packet is answered, and the operations after them are right"
        )

    @abstractmethod
    def any(self) -> Words:
        """A correct packet."""

    @abstractmethod
    def good(self) -> None:
        """Load a key and expect an operation to be right."""

    def operate(self, load: Words, request: Words, right: int) -> Words:
        """Load a key and expect the result of an operation; return the operation's answer."""
        loaded = self.model.exchange(load, limit=LIMIT)
        self.expect("key load: first word", loaded[0] >> 8, 2 << 8)
        answer = self.model.exchange(request, limit=LIMIT)
        self.expect("result", parse_number(answer[3:]), right)
        return answer

    def round(self) -> int:
        """A few packets, then an operation; returns the number of all packets."""
        self.model.pause_at_random(self.outcome.exponentiations % 3)
        for _ in range(self.draw.randint(1, 4)):
            self._malformed(self._strange())
        if self.draw.random() < 1 / 8:
            self._broken_off()
        self.outcome.exponentiations += 1
        self.good()
        return self.outcome.cases

    def expect(self, what: str, found: object, expected: object) -> None:
        """Record a fault if `found` is not the expected value."""
        self.outcome.expect(self.outcome.exponentiations, what, found, expected)

    def _strange(self) -> Words:
        """A wrong or unusual packet."""
        draw, good = self.draw, self.any()
        lengths = [*good]
        lengths[draw.randrange(min(len(good), 5))] = draw.choice(_STRANGE)
        flipped = [*good]
        flipped[draw.randrange(len(good))] ^= 1 << draw.randrange(32)
        return draw.choice(
            (
                [draw.getrandbits(32) for _ in range(draw.randint(1, 12))],
                [draw.randrange(1, 10), *(draw.choice(_STRANGE) for _ in range(draw.randrange(9)))],
                good[: draw.randint(1, len(good))],
                good + [draw.getrandbits(32) for _ in range(draw.randint(1, 5))],
                lengths,
                flipped,
                [word ^ (1 << draw.randrange(32)) * draw.choice((0, 1)) for word in good],
            )
        )

    def _malformed(self, packet: Words) -> None:
        self.outcome.cases += 1
        self._check(packet, self.model.exchange(packet, limit=LIMIT))

    def _check(self, packet: Words, answer: Sequence[int]) -> None:
        error = error_of(answer)
        self.outcome.refusals += bool(error)
        what = f"answer to {packet[0]:#x}"
        self.expect(f"{what}: command", answer[0] & 0xFF, packet[0] & 0xFF)
        self.expect(f"{what}: words", len(answer) - 1, answer[0] >> 16)
        self.expect(f"{what}: error", error in list(ErrorCode), True)

    def _broken_off(self) -> None:
        """A reset in the middle, or a clear behind an operation."""
        draw, model = self.draw, self.model
        packet = self.any()
        self.outcome.cases += 1
        if draw.random() < 0.5:
            cut = draw.random() < 0.5
            model.send(packet[: draw.randint(1, len(packet))] if cut else packet, whole=not cut)
            model.advance(draw.randrange(self._longest))
            model.reset()
            return
        model.send(packet)
        model.advance(draw.randrange(self._longest))
        clear = [int(Command.CLEAR)]
        model.send(clear)
        for request in (packet, clear):
            self._check(request, model.receive(limit=LIMIT))


def run_fuzz(fuzz: PacketFuzz, label: str, count: int) -> Outcome:
    """Run rounds until there were so many packets."""
    work_until(f"fuzz of {label}", count, fuzz.round)
    fuzz.outcome.cycles = fuzz.model.cycles
    return fuzz.outcome


def check_core_fuzz(configuration: Configuration, count: int, seed: int) -> Outcome:
    """Send an exponentiator wrong or unusual packets, with operations between them.

    As `totient.check.check_fuzz` does for the engine. Exponents have up to 8 bits, so that even a
    core that multiplies once for each unit of the exponent answers soon.

    Args:
        configuration: a design, not an engine.
        count: minimum number of wrong packets; a round has several.
        seed: of all random draws.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built, an assertion of the RTL failed, or the core hangs.
    """
    check_drawing(count, seed)
    with Model(build_model(configuration.top(), checked=True)) as model:
        return run_fuzz(_CoreFuzz(configuration, model, seed), configuration.label, count)


class _CoreFuzz(PacketFuzz):
    """A run on an exponentiator."""

    _EXPONENT_BITS = 8

    def __init__(self, configuration: Configuration, model: Model, seed: int) -> None:
        draw = Random(f"totient check fuzz {configuration.label} {seed}")
        super().__init__(model, draw, longest=10_000)
        self._configuration = configuration

    def any(self) -> Words:
        draw, (n, e) = self.draw, self._key()
        bases = [draw.randrange(n) for _ in range(draw.randint(1, self._configuration.lanes))]
        return draw.choice(
            (
                load_key_request(n, e, self._EXPONENT_BITS),
                exponentiate_request(bases, n.bit_length()),
                [int(draw.choice((Command.INFO, Command.CLEAR)))],
            )
        )

    def good(self) -> None:
        n, e = self._key()
        load = load_key_request(n, e, self._EXPONENT_BITS)
        base = self.draw.choice((0, 1, n - 1, self.draw.randrange(n)))
        request = exponentiate_request([base], n.bit_length())
        answer = self.operate(load, request, pow(base, e, n))
        operation = Operation(n, e, self._EXPONENT_BITS, base, 1)
        cycles = self._configuration.operation_cycles(operation)
        self.expect("cycles", parse_number(answer[1:3]), cycles)

    def _key(self) -> tuple[int, int]:
        """Modulus and exponent."""
        width = self._configuration.width
        bits = self.draw.choice((width, width, self.draw.randint(2, width)))
        modulus = 1 << bits - 1 | self.draw.getrandbits(bits) | 1
        return modulus, self.draw.getrandbits(self._EXPONENT_BITS)
