"""The engine's time, and all addresses of its memories, are the same for all values."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from totient.catalog import Configuration
from totient.check.packets import (
    error_of,
    load_key_request,
    load_pair_request,
    load_rsa_key_request,
    operation_request,
)
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.check.run import Outcome, check_drawing, counted
from totient.common.contract import Command
from totient.device import RsaKey, key_of_primes
from totient.sim import Element, Model, build_model

PUBLIC_EXPONENT = 65537
_ALIKE = tuple(shape for shape in SHAPES if "longer" not in shape)
_OPTIONS = range(4)  # of a private operation: blinding or not

# With longer moduli, slow requests are made for every n-th key only, and without these options.
_LONG, _SELDOM = 2048, 20
_OFTEN = (0, 3)

Request = tuple[str, list[int]]


def check_timing(
    configuration: Configuration, bits: int, count: int, seed: int, library: Path | None = None
) -> Outcome:
    """Compare the behaviour of operations with many keys of the same lengths.

    These must be equal: the clock cycles from the first word of a request to the last one of its
    response, and in each of them every address and write enable of every memory of the engine
    (words, scalars, table of powers, exponents, jobs, program). Runs private operations with every
    option, public ones, exponentiations and pairs, and the key loads before them. Inputs are 0, 1,
    n - 1, multiples of the primes and random ones. There is no back-pressure. Random words come
    from the operating system. Above 2048 bits, only private operations with the primes and public
    ones run with every key, the others with every twentieth. Compared runs have had the same
    requests before them.

    Args:
        configuration: of the engine.
        bits: of the modulus, even.
        count: keys, at least 2.
        seed: of all random draws except the random words.
        library: an existing probed model of the engine.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built, or the engine hangs.
    """
    check_drawing(count, seed)
    draw = Random(f"totient check timing {configuration.label} {bits} {seed}")
    outcome = Outcome(count)
    # Initial addresses depend on earlier requests, which are not secret.
    first: dict[tuple[str, ...], tuple[int, ...]] = {}
    with Model(library or build_model(configuration.top(), probed=True)) as model:
        watched = model.elements()[1]
        model.watch()
        for number in counted(f"timing of {configuration.label}, {bits} bits", count):
            model.reset()
            asked: tuple[str, ...] = ()
            for what, request in alike_requests(bits, draw, number):
                asked = (*asked, what)
                answer = model.exchange(request, limit=10**9)
                outcome.expect(number, f"{what}: error", error_of(answer), 0)
                course = model.watched(len(watched))
                expected = first.setdefault(asked, course)
                if course != expected:
                    difference = _difference(course, expected, watched)
                    outcome.faults.append(f"key {number}: {what}: {difference}")
                outcome.exponentiations += not what.startswith("load")
                outcome.cycles += course[0]
    outcome.checked = (
        f"cycles and the addresses of {sum(e.name.endswith('index_i') for e in watched)} ports of "
        "memories are the same for all values"
    )
    return outcome


def _difference(course: tuple[int, ...], expected: tuple[int, ...], watched: list[Element]) -> str:
    """The difference of two runs, in words."""
    if course[0] != expected[0]:
        return f"{course[0]:,} cycles instead of {expected[0]:,}"
    names = [
        element.name
        for element, one, other in zip(watched, course[1:], expected[1:], strict=True)
        if one != other
    ]
    return f"other addresses or writes: {', '.join(names)}"


def alike_requests(bits: int, draw: Random, number: int) -> Iterator[Request]:
    """A key of each kind with its operations: names and requests, always of the same lengths.

    Args:
        bits: of the modulus, even.
        draw: chooses the values.
        number: of the key; kinds of primes and of inputs take turns.
    """
    e = PUBLIC_EXPONENT
    p, q = draw_primes(bits, _ALIKE[number % len(_ALIKE)], e, draw)
    key, d = key_of_primes(p, q, e)
    n = key.modulus
    inputs = [0, 1, n - 1, p * draw.randrange(q), q * draw.randrange(p), draw.randrange(n)]
    larger = pow(e, -1, (p - 1) * (q - 1))  # also a private exponent
    everything = bits <= _LONG or number % _SELDOM == 0
    kinds: list[tuple[str, Sequence[int], RsaKey]] = [
        ("primes", _OPTIONS if everything else _OFTEN, key)
    ]
    if everything:
        kinds.append(("exponent", _OPTIONS[:2], RsaKey(n, e, draw.choice((d, larger)))))
    for kind, options, each in kinds:
        yield f"load {kind}", load_rsa_key_request(each)
        for option in options:
            # One input of each sort meets every option after a few keys.
            value = inputs[(number + option) % len(inputs)]
            request = operation_request(Command.PRIVATE, [value], bits, option=option)
            yield f"private by {kind}, option {option}", request
    yield "public", operation_request(Command.PUBLIC, [draw.choice(inputs)], bits)
    if not everything:
        return
    exponent = draw.choice((0, 1, d, (1 << bits) - 1))
    yield "load a key", load_key_request(n, exponent, bits)
    yield "exponentiation", operation_request(Command.EXPONENTIATE, [draw.choice(inputs)], bits)
    half = bits // 2
    yield "load a pair", load_pair_request((p, q), (exponent % p, draw.getrandbits(half)), half)
    values = draw.choice((0, 1, p - 1)), draw.choice((0, 1, q - 1, draw.randrange(q)))
    yield "pair", operation_request(Command.EXPONENTIATE, values, half, option=1)
