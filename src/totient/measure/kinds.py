"""Operation kinds, and the operands behind every figure."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from totient.catalog import IpConfiguration, Subject, System
from totient.catalog.model import Operation
from totient.common.errors import InputError
from totient.measure.engine import check_engine_kind, engine_kinds
from totient.measure.examples import check_example, example_kinds

SHORT_KINDS = ("short-zeros", "short-ones", "short-random")
"""Kinds with exponents as long as 65537, as the thesis seems to have used."""

KINDS = ("public", "private", "private-crt", "zeros", "ones", "random", *SHORT_KINDS)
"""Every operation kind, in the order of tables."""

PUBLIC_EXPONENT = 65537
RANDOM_KEYS = 40


def kinds_of(subject: Subject) -> tuple[str, ...]:
    """The default operation kinds of a subject."""
    if isinstance(subject, IpConfiguration):
        return example_kinds(subject)
    if isinstance(subject, System):
        return ()
    return engine_kinds(subject) if subject.key_slots else ("public",)


def check_subject_kind(kind: str, subject: Subject) -> None:
    """Check that a subject supports a kind.

    Raises:
        InputError: an unknown kind, or the subject is too small for it.
    """
    if not isinstance(subject, IpConfiguration | System):
        if subject.key_slots:
            check_engine_kind(kind, subject)
        else:
            check_kind(kind, subject.width)
        return
    if kind not in kinds_of(subject):
        known = ", ".join(kinds_of(subject))
        if not known:
            raise InputError(f"{subject.name} has no operation kinds, given is {kind!r}")
        raise InputError(f"unknown operation kind {kind!r} of {subject.name}, known are {known}")
    if isinstance(subject, IpConfiguration):
        check_example(subject)


Request = tuple[Operation, ...]
"""One operation from the user's view: one exponentiation, or the two halves of CRT, each with its
key load. The host's recombination takes no time of the core."""


def check_kind(kind: str, width: int) -> None:
    """Check that a core of `width` bits supports a kind.

    Raises:
        InputError: an unknown kind, or a public exponent longer than the core's modulus.
    """
    if kind not in KINDS:
        raise InputError(f"unknown operation kind {kind!r}, known are {', '.join(KINDS)}")
    needed = PUBLIC_EXPONENT.bit_length()
    if kind in ("public", *SHORT_KINDS) and width < needed:
        raise InputError(
            f"width is {width}, allowed for kind {kind} (exponents of {needed} bits) is {needed} up"
        )


def bases(operation: Operation) -> tuple[int, ...]:
    """The bases of an operation: the given one and its successors, each below the modulus."""
    return tuple((operation.base + lane) % operation.modulus for lane in range(operation.bases))


def requests(kind: str, width: int, lanes: int = 1) -> tuple[Request, ...]:
    """The operations of a kind on a core of `width` bits, always the same.

    The number of bases of each is the number of the core's lanes.

    Moduli are odd with the top bit set. Bases are any numbers below the modulus. `public` has the
    exponent 65537. `private` has a random exponent with the top bit set; `private-crt` has two,
    with halves of the width. `zeros` and `ones` have an exponent of `width` such bits. `random` has
    40 moduli, bases and exponents; the exponents may begin with zeros. An exponent's stated length
    is that of its modulus, except for `public` and the short kinds. The short kinds equal `zeros`,
    `ones` and `random` with a length of 17 bits.

    Raises:
        InputError: as for `check_kind`.
    """
    check_kind(kind, width)
    return tuple(
        tuple(replace(operation, bases=lanes) for operation in request)
        for request in _requests(kind, width)
    )


def _requests(kind: str, width: int) -> tuple[Request, ...]:
    # Separate draws for each kind and width: no figure depends on the other requested kinds.
    draw = Random(f"totient {kind} {width}")
    if kind in ("random", "short-random"):
        bits = width if kind == "random" else PUBLIC_EXPONENT.bit_length()
        return tuple(
            (_operation(draw, width, draw.getrandbits(bits), bits),) for _ in range(RANDOM_KEYS)
        )
    return (tuple(_single(draw, kind, width)),)


def _single(draw: Random, kind: str, width: int) -> Iterator[Operation]:
    match kind:
        case "public":
            yield _operation(draw, width, PUBLIC_EXPONENT, PUBLIC_EXPONENT.bit_length())
        case "private":
            yield _operation(draw, width, _top_set(draw, width))
        case "private-crt":
            for half in (width - width // 2, width // 2):
                yield _operation(draw, half, _top_set(draw, half))
        case "zeros":
            yield _operation(draw, width, 0)
        case "ones":
            yield _operation(draw, width, (1 << width) - 1)
        case "short-zeros":
            yield _operation(draw, width, 0, PUBLIC_EXPONENT.bit_length())
        case "short-ones":
            bits = PUBLIC_EXPONENT.bit_length()
            yield _operation(draw, width, (1 << bits) - 1, bits)


def _operation(draw: Random, width: int, exponent: int, exponent_bits: int = 0) -> Operation:
    modulus = _top_set(draw, width) | 1
    return Operation(modulus, exponent, exponent_bits or width, draw.randrange(modulus))


def _top_set(draw: Random, bits: int) -> int:
    return 1 << (bits - 1) | draw.getrandbits(bits - 1)
