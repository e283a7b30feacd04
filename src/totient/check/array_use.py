"""How much of an engine's time its array and its digit memory are in use, counted in the RTL.

The array takes one word of a number in a cycle, from the start of a product's job on: `words`
positions for each pass (engine_issue.sv). With any number of operations at once it would be in use
in each cycle. So the cycles of an operation, divided by its positions, bound what can be gained.

The array reads up to four words of the digit memory in a cycle (a, b, x, t). `python -m
totient.check.array_use` prints both.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from random import Random

from totient.catalog import Configuration, select
from totient.check.engine_timing import alike_requests
from totient.check.engine_wipe import load_key_of
from totient.check.packets import error_of
from totient.common.contract import MIN_RSA_BITS, ErrorCode
from totient.common.errors import InputError, ToolError
from totient.engine.instruction_set import COUNT_BITS
from totient.sim import Model, build_model

_REQUEST = 1
"""Place of a private operation with the primes and blinding in `alike_requests`."""
_ISSUE = "TOP.rsa_engine.u_datapath.u_issue."
_READERS = ("u_a", "u_b", "u_x", "u_t")
_GAP = 4  # a job's positions less what `gap_words_q` holds
_LIMIT = 10**9  # clock cycles, longer than any operation


@dataclass(frozen=True)
class ArrayUse:
    """One private operation with the primes.

    Attributes:
        cycles: from the first word of a request that waits for the answer before it to the last
            word of its own answer: the interval of operations in a stream.
        operation: cycles that the answer states.
        positions: cycles in which the array takes a word of a product.
        reads: cycles by the number of words that the array or the word unit reads from the digit
            memory.
    """

    cycles: int
    operation: int
    positions: int
    reads: Counter[int]

    @property
    def most_gain(self) -> float:
        """Operations in the same time with an array that is always in use, as a ratio."""
        return self.cycles / self.positions


def count_array_use(configuration: Configuration, bits: int) -> ArrayUse:
    """Run a private operation cycle by cycle, after another one with the same key.

    Args:
        configuration: of the engine.
        bits: of the modulus.

    Raises:
        InputError: bits out of range.
        ToolError: the model cannot be built, or the engine answers with an error.
    """
    width = configuration.parameters["width"]
    if bits % 64 or not MIN_RSA_BITS <= bits <= width:
        allowed = f"a multiple of 64 from {MIN_RSA_BITS} to {width}"
        raise InputError(f"bits is {bits}, allowed is {allowed}")
    requests = list(alike_requests(bits, Random("totient check array use"), 0))
    request = requests[_REQUEST][1]
    with Model(build_model(configuration.top(), probed=True)) as model:
        probe = _Probe(model)
        load_key_of(model, requests, _REQUEST)
        model.exchange(request, limit=_LIMIT)
        before, positions, reads = model.cycles, 0, Counter[int]()
        started = 0
        model.send(request)
        while not model.answered:
            if started and not probe.read("word_before_q"):
                positions += started
            started = probe.read("job_q") and probe.read("gap_words_q") + _GAP
            reads[probe.words_read()] += 1
            model.advance(1)
            if model.cycles - before > _LIMIT:
                raise ToolError("the engine does not answer")
        cycles = model.cycles - before
        answer = model.receive(limit=_LIMIT)
    if error_of(answer) != ErrorCode.OK:
        raise ToolError(f"the engine answers with error {error_of(answer)}")
    return ArrayUse(cycles, answer[1] | answer[2] << 32, positions, reads)


class _Probe:
    """Registers of engine_issue.sv.

    Args:
        model: open, of an engine, with access to its registers.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._places = {
            element.name.removeprefix(_ISSUE): (number, element)
            for number, element in enumerate(model.elements()[0])
            if element.name.startswith(_ISSUE)
        }

    def read(self, name: str) -> int:
        """A register's value."""
        return self._model.words(*self._places[name])[0]

    def words_read(self) -> int:
        """Words that the readers ask for in this cycle: a counter's sign marks its end."""
        return sum(
            not self._ended(f"{reader}.left_q")
            and (reader in ("u_a", "u_x") or self._ended(f"{reader}.gen_waits.wait_q"))
            for reader in _READERS
        )

    def _ended(self, counter: str) -> bool:
        return bool(self.read(counter) >> COUNT_BITS)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Count the use of an engine's array and memory.")
    parser.add_argument("--elements", type=int, default=62, help="of the engine; default 62")
    parser.add_argument("--width", type=int, default=2048, help="of the engine; default 2048")
    parser.add_argument("--bits", type=int, default=2048, help="of the key; default 2048")
    given = parser.parse_args()
    try:
        configuration = select("engine", width=given.width, elements=given.elements)
        use = count_array_use(configuration, given.bits)
    except InputError as error:
        parser.error(str(error))
    print(f"{configuration.label}, a private operation with a key of {given.bits:,} bits")
    print(f"from a request to its answer: {use.cycles:,} cycles; {use.operation:,} stated")
    print(f"words of products: {use.positions:,}; ratio {use.most_gain:.3f}")
    for words, cycles in sorted(use.reads.items()):
        print(f"{words} words read: {cycles:,} cycles, {cycles / use.cycles:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
