"""Proofs of the engine's refusals, and of its operations without numbers (docs/contracts.md).

A refused packet has symbols where it has numbers, so that their values do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from totient.common.contract import (
    LONGER_HALF_BITS,
    MIN_PRIME_BITS,
    MIN_RSA_BITS,
    NAME_BYTES,
    VERSION,
    Command,
    ErrorCode,
    KeyForm,
    Response,
)
from totient.common.header import header
from totient.engine.assembler import Program
from totient.engine.instruction_set import Cond
from totient.prove.facts import ProofError
from totient.prove.machine import Symbolic
from totient.prove.operations import (
    Build,
    Lengths,
    Packet,
    Run,
    exact,
    key_packet,
    machine_of,
    up_to,
    valid_key,
)
from totient.prove.specification import error_answer, is_wiped, loaded_answer, require
from totient.prove.units import Given

_NAME = b"engine"
_SLOTS = 2
_RSA, _PLAIN, _PAIR = Command.LOAD_RSA_KEY, Command.LOAD_KEY, Command.LOAD_PAIR
_PRIMES, _EXPONENT = header(0, KeyForm.PRIMES), header(0, KeyForm.EXPONENT)
_PRIVATE, _PUBLIC, _POWER = Command.PRIVATE, Command.PUBLIC, Command.EXPONENTIATE

Case = tuple[ErrorCode, Packet]


def prove_refusals(program: Program, build: Build, lengths: Lengths) -> Run:
    """Each packet that the contract refuses is answered with its error, and leaves no key."""
    run = Run()
    start = machine_of(program, build)
    for key, (loaded, packets) in enumerate(_keys(start, build, lengths)):
        for case, (error, packet) in enumerate(packets):
            command = packet[0]
            assert isinstance(command, int)
            paths = loaded.paths(packet)
            for path in paths:
                found, wanted = path.sent, error_answer(command & 255, error)
                require(found == wanted, f"key {key}, case {case}: {found}, not {wanted}")
                if command & 255 in (_RSA, _PLAIN, _PAIR) and error != ErrorCode.COMMAND:
                    require(path._scalars.get(path._key("key")) == 0, f"case {case} leaves a key")
        run.add(loaded)
    for packet in _allowed(build):
        machine = machine_of(program, build)
        machine.facts.moduli = ("n", "p", "q", "m0", "m1")
        answers = [path.sent for path in machine.paths(packet)]
        command = packet[0]
        assert isinstance(command, int)
        require(loaded_answer(command & 255) in answers, f"{packet[:5]} is answered {answers}")
        run.add(machine)
    return run


def _allowed(build: Build) -> Iterator[Packet]:
    """Keys with the least and the greatest lengths that are allowed."""
    most, half = build.max_bits, build.max_bits // 2 + LONGER_HALF_BITS
    for lengths in (
        *(Lengths(most, half, 17), Lengths(most, most - half, 17)),
        *(Lengths(512, MIN_PRIME_BITS, 512), Lengths(512, 512 - MIN_PRIME_BITS, 2)),
    ):
        yield key_packet(lengths, KeyForm.PRIMES, 1)
    for form in (KeyForm.PUBLIC, KeyForm.EXPONENT):
        yield key_packet(Lengths(MIN_RSA_BITS, 256, 2), form, 1)
        yield key_packet(Lengths(most, 256, most), form, 1)
    for bits, exponent_bits in ((2, 1), (most, most)):
        yield [_PLAIN, bits, exponent_bits, exact("n", bits), up_to("x", exponent_bits)]
    for bits, exponent_bits in ((2, 1), (half, half)):
        moduli = [exact(name, bits) for name in ("m0", "m1")]
        exponents = [up_to(name, exponent_bits) for name in ("x0", "x1")]
        yield [_PAIR, bits, exponent_bits, *moduli, *exponents]


def _keys(
    start: Symbolic, build: Build, lengths: Lengths
) -> Iterator[tuple[Symbolic, Iterable[Case]]]:
    """Machines with no key, and with each kind, and what they refuse."""
    yield start, _without_key(build, lengths.n)
    valid_key(start, KeyForm.PRIMES)
    for form in (KeyForm.PRIMES, KeyForm.EXPONENT, KeyForm.PUBLIC):
        (loaded,) = start.paths(key_packet(lengths, form, 1))
        require(loaded.sent == loaded_answer(_RSA), f"answer {loaded.sent}")
        cases = _operations(lengths.n, build.max_bits)
        yield loaded, (*cases, *_of_public(lengths.n)) if form == KeyForm.PUBLIC else cases
    (plain,) = start.paths([_PLAIN, lengths.n, 8, exact("n", lengths.n), up_to("x", 8)])
    start.facts.moduli += ("m0", "m1")
    moduli = (exact("m0", 99), exact("m1", 99), up_to("x0", 8), up_to("x1", 8))
    (pair,) = start.paths([_PAIR, 99, 8, *moduli])
    of_pair: Packet = [header(_POWER, 1), 8, up_to("c", 8), up_to("d", 8)]
    of_plain: Packet = [_POWER, 8, up_to("c", 8)]
    rsa: tuple[Packet, ...] = ([_PUBLIC, 8, up_to("c", 8)], [_PRIVATE, 8, up_to("c", 8)])
    for loaded, other in ((plain, of_pair), (pair, of_plain)):
        require(loaded.sent in (loaded_answer(_PLAIN), loaded_answer(_PAIR)), "the key")
        yield loaded, tuple((ErrorCode.NO_KEY, packet) for packet in (other, *rsa))


def _of_public(bits: int) -> tuple[Case, ...]:
    """A key without d has no private operation."""
    return (
        (ErrorCode.NO_KEY, [_PRIVATE, bits, up_to("c'", bits)]),
        (ErrorCode.NO_KEY, [header(_PRIVATE, 2), bits, up_to("c'", bits)]),
    )


def _operations(bits: int, most: int) -> tuple[Case, ...]:
    """Operations that are refused with an RSA key."""
    c = up_to("c", bits)
    cases: list[Case] = [
        (ErrorCode.COMMAND, [header(_PRIVATE, 4), bits, c]),
        (ErrorCode.COMMAND, [header(_PUBLIC, 1), bits, c]),
        (ErrorCode.COMMAND, [header(_POWER, 2), bits, c]),
        (ErrorCode.NO_KEY, [_POWER, bits, c]),
        (ErrorCode.NO_KEY, [header(_POWER, 1), 8, up_to("a", 8), up_to("b", 8)]),
    ]
    for command in (_PUBLIC, _PRIVATE):
        cases += [
            (ErrorCode.LENGTH, [command, most + 1, 0]),
            (ErrorCode.PACKET_SHORT, [command]),
            (ErrorCode.PACKET_SHORT, [command, bits, *c.words()[:-1]]),
            (ErrorCode.PACKET_LONG, [command, bits, c, 0]),
            (ErrorCode.LENGTH, [command, bits - 1, longer_than(bits - 1)]),
        ]
    return tuple(cases)


def longer_than(bits: int) -> Given:
    """A number with a bit above its stated length."""
    words = -(-bits // 32)
    return Given("longer", bits, 1 << bits, (1 << 32 * words) - 1)


def _without_key(build: Build, bits: int) -> Iterator[Case]:
    yield from _headers()
    yield from _plain(build.max_bits, bits)
    yield from _pairs(build.max_bits // 2 + LONGER_HALF_BITS)
    yield from _rsa_lengths(build.max_bits)
    yield from _rsa_numbers(bits)
    c = up_to("base", bits)
    for command in (_PRIVATE, _PUBLIC, _POWER):
        yield ErrorCode.NO_KEY, [command, bits, c]
    yield ErrorCode.PACKET_SHORT, [header(_POWER, 1), 8, up_to("base 1", 8)]
    yield ErrorCode.LENGTH, [_POWER, build.max_bits + 1, 0]
    yield (
        ErrorCode.LENGTH,
        [header(_POWER, 1), build.max_bits // 2 + LONGER_HALF_BITS + 1, 0, 0],
    )
    for first in (int(_POWER), header(_POWER, 1)):
        yield ErrorCode.PACKET_SHORT, [first]
        yield ErrorCode.PACKET_LONG, [first, 0, 0]
    yield ErrorCode.LENGTH, [_POWER, 31, longer_than(31)]
    yield ErrorCode.LENGTH, [header(_POWER, 1), 31, 0, longer_than(31)]


def _headers() -> Iterator[Case]:
    unknown = (
        0,
        10,
        99,
        header(Command.INFO, 1),
        header(Command.CLEAR, 1),
        header(_PLAIN, 1),
    )
    options = (header(Command.SELF_TEST, 1), header(_RSA, 3), header(_PAIR, 1))
    for word in (*unknown, *options):
        yield ErrorCode.COMMAND, [word]
        yield ErrorCode.COMMAND, [word, 0]
    for known in (*Command,)[:9]:
        yield ErrorCode.COMMAND, [known | 1 << 24]
        yield ErrorCode.COMMAND, [known | 1 << 16]
    for command in (Command.INFO, Command.CLEAR, Command.SELF_TEST):
        yield ErrorCode.PACKET_LONG, [command, 0]


def _plain(most: int, bits: int) -> Iterator[Case]:
    m, x = exact("plain", bits), up_to("plain x", 40)
    heads: tuple[Packet, ...] = (
        [_PLAIN],
        [_PLAIN, bits],
        [_PLAIN, bits, 40],
        [_PLAIN, bits, 40, m],
    )
    for head in heads:
        yield ErrorCode.PACKET_SHORT, head
    yield ErrorCode.PACKET_LONG, [_PLAIN, bits, 40, m, x, 0]
    yield ErrorCode.LENGTH, [_PLAIN, most + 1, 40, 0]
    yield ErrorCode.LENGTH, [_PLAIN, bits, most + 1, 0]
    yield ErrorCode.LENGTH, [_PLAIN, 31, 40, longer_than(31), x]
    yield ErrorCode.LENGTH, [_PLAIN, bits, 31, m, longer_than(31)]
    yield ErrorCode.EXPONENT_EMPTY, [_PLAIN, bits, 0, m]
    yield ErrorCode.EXPONENT_EMPTY, [_PLAIN, bits, 0, exact("plain even", bits, odd=False)]
    yield ErrorCode.MODULUS_EVEN, [_PLAIN, bits, 40, exact("plain even", bits, odd=False), x]
    for small in (0, 1):
        yield ErrorCode.MODULUS_SMALL, [_PLAIN, 8, 40, small, x]
    yield ErrorCode.MODULUS_SMALL, [_PLAIN, 0, 40, x]


def _pairs(most: int) -> Iterator[Case]:
    m, x = [exact(f"pair {i}", 300) for i in range(2)], [up_to(f"pair x{i}", 40) for i in range(2)]
    heads: tuple[Packet, ...] = (
        [_PAIR],
        [_PAIR, 300],
        [_PAIR, 300, 40, m[0]],
        [_PAIR, 300, 40, *m, x[0]],
    )
    for head in heads:
        yield ErrorCode.PACKET_SHORT, head
    yield ErrorCode.PACKET_LONG, [_PAIR, 300, 40, *m, *x, 0]
    yield ErrorCode.LENGTH, [_PAIR, most + 1, 40, 0]
    yield ErrorCode.LENGTH, [_PAIR, 300, most + 1, 0]
    yield ErrorCode.EXPONENT_EMPTY, [_PAIR, 300, 0, *m]
    even = exact("pair even", 300, odd=False)
    yield ErrorCode.MODULUS_EVEN, [_PAIR, 300, 40, even, m[1], *x]
    yield ErrorCode.MODULUS_EVEN, [_PAIR, 300, 40, m[0], even, *x]
    yield ErrorCode.MODULUS_SMALL, [_PAIR, 8, 40, 1, 3, *x]
    yield ErrorCode.MODULUS_SMALL, [_PAIR, 8, 40, 3, 0, *x]
    yield ErrorCode.MODULUS_EVEN, [_PAIR, 8, 40, 4, 1, *x]
    yield ErrorCode.LENGTH, [_PAIR, 31, 40, 3, longer_than(31), *x]


def _rsa_lengths(most: int) -> Iterator[Case]:
    half = most // 2 + LONGER_HALF_BITS
    for head in ([], [512], [512, 17], [512, 17, 256]):
        yield ErrorCode.PACKET_SHORT, [_RSA | _PRIMES, *head]
    for head in ([], [512]):
        yield ErrorCode.PACKET_SHORT, [_RSA, *head]
    for lengths in ((most + 1, 17), (MIN_RSA_BITS - 1, 17), (512, 513)):
        yield ErrorCode.LENGTH, [_RSA, *lengths, 0]
    for e_bits in (0, 1):
        yield ErrorCode.PUBLIC_EXPONENT, [_RSA, 512, e_bits, 0]
    small = MIN_PRIME_BITS - 1
    for n, p, q in (
        *((most, half + 1, most - half - 1), (most, most - half - 1, half + 1)),
        *((512, small, 512 - small), (512, 512 - small, small)),
        *((512, 256, 255), (512, 256, 257)),
    ):
        yield ErrorCode.LENGTH, [_RSA | _PRIMES, n, 17, p, q, 0]


def _rsa_numbers(bits: int) -> Iterator[Case]:
    """A number that is even or too short, in the order of the numbers; also two of them."""
    p = bits // 2
    names = ("n", "e", "p", "q")
    lengths = (bits, 17, p, bits - p)
    errors = (ErrorCode.MODULUS_EVEN, ErrorCode.PUBLIC_EXPONENT, ErrorCode.PRIME, ErrorCode.PRIME)

    def key(wrong: dict[int, str], form: int = _PRIMES) -> Packet:
        given: Packet = []
        for i, (name, length) in enumerate(zip(names, lengths, strict=True)):
            high = length - (wrong.get(i) == "short")
            odd = wrong.get(i) != "even"
            kind = f"{name} {wrong.get(i, 'right')}"
            given.append(Given(kind, length, (1 << high - 1) + odd, (1 << high) - 1, odd))
        more = [
            up_to(f"{name} of it", length) for name, length in zip("dQu", lengths[2:], strict=False)
        ]
        if form == _PRIMES:
            rest = [more[0], more[1], up_to("u of it", p)]
            return [_RSA | form, bits, 17, p, bits - p, *given, *rest]
        return [_RSA | form, bits, 17, *given[:2], up_to("d whole", bits)][: 6 if form else 5]

    for i, error in enumerate(errors):
        yield error, key({i: "even"})
        yield ErrorCode.LENGTH, key({i: "short"})
        for j in range(i + 1, 4):
            yield error, key({i: "even", j: "even"})
            yield ErrorCode.LENGTH, key({i: "short", j: "even"})
            yield error, key({i: "even", j: "short"})
    for form in (0, _EXPONENT):
        yield ErrorCode.MODULUS_EVEN, key({0: "even"}, form)
        yield ErrorCode.PUBLIC_EXPONENT, key({1: "even"}, form)
    for form in (0, _EXPONENT, _PRIMES):
        yield ErrorCode.PACKET_LONG, [*key({}, form), 0]
        yield ErrorCode.PACKET_SHORT, key({0: "even"}, form)[:-1]


def prove_control(program: Program, build: Build, lengths: Lengths) -> Run:
    """Info and clear; and what follows a restart of the program by the hardware."""
    run, machine = Run(), machine_of(program, build, _SLOTS)
    fresh = machine
    name = [
        int.from_bytes(_NAME.ljust(NAME_BYTES, b"\0")[i : i + 4], "little")
        for i in range(0, NAME_BYTES, 4)
    ]
    info = [Command.INFO | Response.WORDS.put(9), *name, VERSION, build.max_bits, 1, 1, _SLOTS]
    (path,) = machine.paths([Command.INFO])
    require(path.sent == info, f"info is {path.sent}")
    valid_key(machine, KeyForm.PUBLIC)
    (loaded,) = machine.paths(key_packet(lengths, KeyForm.PUBLIC, 0))
    packet = key_packet(lengths, KeyForm.EXPONENT, 0)
    (loaded,) = loaded.paths([_RSA | _EXPONENT | header(0, slot=1), *packet[1:]])
    (cleared,) = loaded.paths([Command.CLEAR])
    require(cleared.sent == [Command.CLEAR], f"clear is answered {cleared.sent}")
    for place, block in cleared.memory.blocks.items():
        require(block.value.integer() is not None, f"block {place} is not cleared")
    is_wiped(cleared, fresh)
    for slot in range(_SLOTS):
        cleared._slot = slot
        require(not cleared["key"], "a key is left")
    for answered in (0, 1):
        for reason in (ErrorCode.FAULT, ErrorCode.RANDOM, ErrorCode.ABORTED):
            for read in (0, 3):
                _restarted(loaded, fresh, reason, answered, read)
    run.add(machine)
    return run


def _restarted(
    loaded: Symbolic, fresh: Symbolic, reason: ErrorCode, answered: int, read: int
) -> None:
    """After reset the answer is the reason. An answer that has begun becomes too long.

    `read` words of the packet of three have been read.
    """
    machine = loaded.fork()
    machine.begin_packet([0, 0, 0])
    machine._begun, machine._read = True, read
    machine.stopped = True
    machine.reason = reason
    for scalar, value in (("answered", answered), ("command", Command.PUBLIC)):
        machine._scalars[machine._key(scalar)] = value
    machine._at = 0
    machine.waiting = [machine]
    (path,) = machine.run_all()
    kept = answered and reason != ErrorCode.ABORTED
    if not kept:
        wanted = error_answer(Command.PUBLIC, reason)
        require(path.sent == wanted, f"after a restart: {path.sent}, not {wanted}")
    else:
        longest = 3 + -(-machine["max_bits"] // 32)
        require(len(path.sent) > longest, "an answer that has begun is not made too long")
    if reason != ErrorCode.ABORTED:
        is_wiped(path, fresh)
    require(path._flags[Cond.SHORT] is False and not path._open, "the packet is not drained")
    require(bool(path["key"]), "the key is lost")


__all__ = ["ProofError", "prove_control", "prove_refusals"]
