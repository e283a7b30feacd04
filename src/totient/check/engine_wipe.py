"""After a clear or a reset no register and no memory of an engine depends on a secret."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

from totient.catalog import Configuration
from totient.check.engine_timing import Request, alike_requests
from totient.check.packets import error_of, operation_request
from totient.check.run import Outcome, check_drawing, counted
from totient.common.contract import Command, ErrorCode
from totient.sim import Model, build_model

SECRETS = 4
"""Number of secrets. A bit that depends on them is equal in all with probability 1 in 8."""

_SETTLED = 1 << 16  # clock cycles, longer than any wipe
_LIMIT = 10**9  # clock cycles, longer than any answer takes


def check_wipe(
    configuration: Configuration, bits: int, count: int, seed: int, library: Path | None = None
) -> Outcome:
    """Clear or reset an engine at random moments of its operations, and compare all its state.

    Each time several secrets of the same lengths are used, with different random words: keys of all
    kinds, inputs, blinding. Every bit of every register and memory after the wipe must be the same
    for all of them, and so must the cycle of the answer. Half of the requests are cut off by the
    reset before their last word, or are answered before the clear.

    Args:
        configuration: of the engine.
        bits: of the modulus, even.
        count: number of moments.
        seed: of all random draws, random words included.
        library: an existing probed model of the engine.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built, or the engine hangs.
    """
    check_drawing(count, seed)
    library = library or build_model(configuration.top(), probed=True)
    outcome = Outcome(
        count, checked="no register and no memory depends on a secret after a clear or a reset"
    )
    draw = Random(f"totient check wipe {configuration.label} {bits} {seed}")
    for number in counted(f"wiping of {configuration.label}, {bits} bits", count):
        _moment(library, bits, draw, number, outcome)
    return outcome


def _moment(library: Path, bits: int, draw: Random, number: int, outcome: Outcome) -> None:
    """Clear or reset at one moment."""
    secrets = [list(alike_requests(bits, draw, secret)) for secret in range(SECRETS)]
    place = draw.randrange(len(secrets[0]))
    when = draw.choice(("done", "cut off", "under way", "under way"))
    by_packet = when != "cut off" and draw.random() < 0.5
    what, request = secrets[0][place]
    cut = draw.randrange(1, len(request))
    moment = int(draw.random() * _cycles(library, secrets[0], place))
    name = f"{what}, {when} at cycle {moment:,}, {'clear' if by_packet else 'reset'}"
    left: dict[str, set[bytes]] = defaultdict(set)
    times = set()
    for requests in secrets:
        with Model(library) as model:
            model.seed_randomness(draw.randrange(1, 1 << 32))
            load_key_of(model, requests, place)
            request = requests[place][1]
            if when == "done":
                model.exchange(request, limit=_LIMIT)
            else:
                cut_off = when == "cut off"
                model.send(request[:cut] if cut_off else request, whole=not cut_off)
                model.advance(moment)
            before = model.cycles
            clear_or_reset(model, by_packet)
            times.add(model.cycles - before)
            for element_number, element in enumerate(model.elements()[0]):
                left[element.name].add(model.peek(element_number, element))
            asked = model.exchange(operation_request(Command.PUBLIC, [2], bits), limit=_LIMIT)
            outcome.expect(number, f"{name}: error", error_of(asked), ErrorCode.NO_KEY)
            outcome.cycles += model.cycles
    outcome.expect(number, f"{name}: times", len(times), 1)
    if depends := sorted(where for where, values in left.items() if len(values) > 1):
        outcome.faults.append(f"case {number}: {name}: left in {', '.join(depends)}")


def clear_or_reset(model: Model, by_packet: bool) -> None:
    """Wipe an engine: a clear packet, up to its answer, or a reset, longer than any wipe takes."""
    if by_packet:
        model.send([Command.CLEAR])
        while model.receive(limit=_LIMIT)[0] & 0xFF != Command.CLEAR:
            pass
    else:
        model.reset()
        model.advance(_SETTLED)


def load_key_of(model: Model, requests: Sequence[Request], place: int) -> None:
    """Load the key that a request uses; nothing, if it loads one itself."""
    loads = [request for name, request in requests[:place] if name.startswith("load")]
    if loads and not requests[place][0].startswith("load"):
        model.exchange(loads[-1], limit=_LIMIT)


def _cycles(library: Path, requests: Sequence[Request], place: int) -> int:
    """Of a request."""
    with Model(library) as model:
        load_key_of(model, requests, place)
        before = model.cycles
        model.exchange(requests[place][1], limit=_LIMIT)
        return model.cycles - before
