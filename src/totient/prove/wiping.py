"""Prove that an engine is wiped by a clear or a reset: `python -m totient.prove.wiping`.

The RTL is run with unknown bits (`three_valued.py`). What is known at the end has its value for all
values of what was unknown before: of keys, inputs, random words and results. Two cases:

- A reset, after which all of the state is unknown.
- A clear packet or a reset at a moment of an operation. All memories and registers with numbers, or
  with what follows from numbers, become unknown. The rest has the values of the moment. They must
  be the same with another key of the same lengths, another input and other random words.

At the end all bits are known. The scalars may remain unknown: they are lengths and counts, as the
proof of `engine_control` shows. Two facts are used that unknown bits do not show. The program's
first scalar is x - x, which is 0. A reader of the datapath ends (formal/engine_reader.sby).
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from totient.catalog import Configuration, select, sources
from totient.check.engine_timing import alike_requests
from totient.check.engine_wipe import clear_or_reset, load_key_of
from totient.check.packets import error_of, operation_request
from totient.common.contract import Command, ErrorCode
from totient.common.errors import InputError
from totient.engine.instruction_set import COUNT_BITS, Sum
from totient.engine.instructions import Scalar
from totient.engine.program import engine_program
from totient.prove.three_valued import Register, ThreeValued, build_three_valued
from totient.prove.unknown_state import Bits, UnknownState
from totient.sim import Model

SCALARS = "u_control.u_scalars.u_memory.gen_inferred.memory"
_PLACE = "u_control.place_q"
_STARTS = ("u_datapath.u_issue.have_q", "u_datapath.u_issue.read_q")
"""While both are 0, no reader starts, but for the job before."""
_READER = re.compile(r"u_datapath\.u_issue\.u_[abtx]\.(gen_waits\.wait|left)_q")
_READ = 1 << COUNT_BITS + 1  # cycles after which a reader has ended

_NUMBERS = re.compile(
    "|".join(
        (
            # The digit memory, and the words that it gives.
            r"u_datapath\.(u_[abtx]\.|[abtx]_word$)",
            r"u_datapath\.u_array\.(?!.*(start|done|used|near|ended)_q)",
            r"u_datapath\.u_words\.(u|v|sum|carry|top|parts|nonzero|zero|negative)_q",
            r"u_datapath\.u_results\.((late_)?data_o|outside_data_q)",
            # The table of powers, the exponents, and what is scanned and gathered of them.
            r"u_datapath\.u_window\.(u_exponents|u_gathered|gen_bank.*u_table)\.",
            r"u_datapath\.u_window\.(shift|kept|part|gather_sum|window|chosen|choose)_q",
            r"u_datapath\.u_window\.(write_data|bit|gone)_q",
            # Words of packets, halves of digits, random words, what a unit or a jump finds in them.
            r"u_control\.(u_scalars\.value_q|group_q)",
            r"u_packet_io\.((word|half|random|fails)_q|u_queue\.u_halves\.|u_number\.)",
            r"u_packet_io\.u_in\.(?!(valid|wanted|k|k_high)_q)",
            r"u_packet_io\.u_out\.(?!(valid|k|k_high)_[qo])",
            r"u_packet_io\.u_access\.(again|digit)_q",
            r"u_packet_io\.u_digest\.",
            r"u_packet_io\.u_pool\.(u_halves\.|(half|same)_q)",
            r"u_packet_io\.u_offer\.(offer|put|low)_q",
        )
    )
)
"""Registers and memories with numbers of keys, inputs, results and random words."""

_OF_A_PACKET = ("u_packet_io.words_end_q", "u_packet_io.u_watch.answers_q")
"""What was last known of a packet: whether it ended, was answered. The next packet sets it."""

_SETTLED = 1 << 15  # clock cycles, longer than any wipe of these engines
_SETTLED_ANSWER = 200  # clock cycles from an answer to the wait for the next packet
_LONGEST = 400_000  # clock cycles to the last moment
_LIMIT = 10**7  # clock cycles, longer than any answer of these engines takes


@dataclass(frozen=True)
class Wiped:
    """A run.

    Attributes:
        case: what was wiped, and when.
        unknown: bits before.
        cycles: of the wipe.
        left: registers with unknown bits at the end; the scalars are not counted.
        differs: registers that were taken as they were, but differ with another key.
    """

    case: str
    unknown: int
    cycles: int
    left: tuple[str, ...]
    differs: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is left that depends on a number."""
        return not self.left and not self.differs


class EngineRun:
    """An open model of an engine, with its state.

    Args:
        model: open, of an engine.
        registers: its state.
    """

    def __init__(self, model: Model, registers: Sequence[Register]) -> None:
        self.model = model
        self.state = UnknownState(model, registers)
        self._readers = [each for each in registers if _READER.fullmatch(each.name)]
        first = engine_program().instructions[0]
        assert isinstance(first, Scalar)
        assert first.a == first.b
        assert (first.how, first.add) == (Sum.MINUS, 0)

    def start(self) -> None:
        """Reset; advance cycle by cycle until both facts have been used; then to the first wait."""
        self.model.reset()
        idle = 0
        while idle < _READ + 8:  # what was issued before the reset has reached the readers
            self.model.advance(1)
            quiet = all(self.state.read(name) == Bits(0, 0) for name in _STARTS)
            idle = idle + 1 if quiet else 0
            sum_written = self.state.read("u_control.u_scalars.write_q") == Bits(1, 0)
            if sum_written and self.state.read(_PLACE) == Bits(0, 0):
                self.state.write("u_control.u_scalars.sum_q", Bits(0, 0))
        for reader in self._readers:
            self._end(reader)
        self.model.advance(_SETTLED)

    def _end(self, reader: Register) -> None:
        """The counter of a reader has passed 0: its sign is known."""
        sign = 1 << reader.bits - 1
        found = self.state.read(reader.name)
        if found.unknown & sign:
            self.state.write(reader.name, Bits(found.value | sign, found.unknown & ~sign))

    def unknown_bits(self) -> int:
        """Unknown bits of the whole state."""
        return sum(bits.bit_count() for _, words in self.state.unknown() for bits in words.values())

    def left(self) -> tuple[str, ...]:
        """Registers with unknown bits, without the scalars."""
        return tuple(each.name for each, _ in self.state.unknown() if each.name != SCALARS)

    def rest(self) -> dict[str, list[Bits]]:
        """Contents of the registers without numbers."""
        return {
            each.name: self.state.words(each.name)
            for each in self.state.registers
            if not _NUMBERS.match(each.name)
        }

    def after_a_request(self) -> tuple[str, ...]:
        """The same after a request, which an engine without a key must refuse."""
        asked = self.model.exchange(operation_request(Command.PUBLIC, [2], 512), limit=_LIMIT)
        if error_of(asked) != ErrorCode.NO_KEY:
            return ("the answer to a request",)
        return self.left()


def prove_reset(built: ThreeValued) -> Wiped:
    """A reset with all of the state unknown.

    Raises:
        ToolError: the engine hangs.
    """
    with Model(built.library) as model:
        run = EngineRun(model, built.registers)
        unknown = run.unknown_bits()
        run.start()
        cycles = model.cycles
        left = tuple(each for each in run.left() if each not in _OF_A_PACKET)
        left += run.after_a_request()
    return Wiped("reset, of any state", unknown, cycles, left)


def prove_moments(built: ThreeValued, count: int, seed: int) -> Iterator[Wiped]:
    """Clears and resets at random moments of operations with keys of 512 bits.

    Args:
        built: the model.
        count: number of moments.
        seed: of all random draws.

    Raises:
        ToolError: the engine hangs.
    """
    draw = Random(f"totient prove wiping {seed}")
    for _ in range(count):
        yield _moment(built, draw)


def _moment(built: ThreeValued, draw: Random) -> Wiped:
    secrets = [list(alike_requests(512, draw, secret)) for secret in range(2)]
    place = draw.randrange(len(secrets[0]))
    when = draw.choice(("done", "cut off", "under way", "under way"))
    by_packet = when != "cut off" and draw.random() < 0.5
    what, request = secrets[0][place]
    words = draw.randrange(1, len(request)) if when == "cut off" else len(request)
    later = int(draw.random() ** 3 * _LONGEST)
    case = f"{what}, {when}, {'clear' if by_packet else 'reset'} {later:,} cycles later"
    rest: list[dict[str, list[Bits]]] = []
    while True:
        requests = secrets.pop()
        with Model(built.library) as model:
            run = EngineRun(model, built.registers)
            run.start()
            model.seed_randomness(draw.randrange(1, 1 << 32))
            load_key_of(model, requests, place)
            if when == "done":
                model.exchange(requests[place][1], limit=_LIMIT)
            else:
                model.send(requests[place][1][:words], whole=when != "cut off")
            model.advance(later)
            rest.append(run.rest())
            if not secrets:
                return _wiped(run, case, by_packet, _different(*rest))


def _wiped(run: EngineRun, case: str, by_packet: bool, differs: tuple[str, ...]) -> Wiped:
    """Make all numbers unknown, and clear or reset."""
    model = run.model
    unknown = run.state.forget(lambda each: bool(_NUMBERS.match(each.name)))
    before = model.cycles
    clear_or_reset(model, by_packet)
    model.advance(_SETTLED_ANSWER)
    cycles = model.cycles - before
    left = run.left() + run.after_a_request()
    return Wiped(case, unknown, cycles, left, differs)


def _different(one: dict[str, list[Bits]], other: dict[str, list[Bits]]) -> tuple[str, ...]:
    return tuple(name for name in one if one[name] != other[name])


def build(configuration: Configuration) -> ThreeValued:
    """The model of an engine.

    Args:
        configuration: with the form for any device.

    Raises:
        ToolError: it cannot be built.
    """
    top = configuration.top()
    return build_three_valued(sources(top.core), top)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Prove that an engine is wiped.")
    parser.add_argument("--elements", type=int, default=1, help="of the engine; default 1")
    parser.add_argument("--count", type=int, default=20, help="moments of operations; default 20")
    parser.add_argument("--seed", type=int, default=1, help="of the moments; default 1")
    given = parser.parse_args()
    try:
        built = build(select("engine", width=1024, elements=given.elements))
    except InputError as error:
        parser.error(str(error))
    failures = 0
    print("| case | bits that are unknown before | cycles | unknown after |")
    print("| --- | ---: | ---: | --- |")
    for wiped in chain([prove_reset(built)], prove_moments(built, given.count, given.seed)):
        left = ", ".join(wiped.left) or "none"
        if wiped.differs:
            left += f"; depends on the key: {', '.join(wiped.differs)}"
        print(f"| {wiped.case} | {wiped.unknown:,} | {wiped.cycles:,} | {left} |", flush=True)
        failures += not wiped.holds
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
