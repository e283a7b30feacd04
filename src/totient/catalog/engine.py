"""The engine's entry: its parameters, and the cycles of its operations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from totient.catalog.model import Computed, Design, Rule
from totient.catalog.parameters import Parameter, Parameters, one_of
from totient.common.contract import Command, KeyForm, PrivateOption, Request, TimingClass

ELEMENTS = (1, 4, 8, 16, 32, 62)
"""Elements of the named configurations `engine-1` to `engine-62`."""

PUBLIC_EXPONENT = 65537
"""The public exponent of all stated cycles of RSA operations."""

_WORD_BITS = 32


@dataclass(frozen=True)
class RsaLengths:
    """Parameters of the time of an RSA operation.

    Attributes:
        modulus_bits: of n.
        exponent: e.
        prime_bits: of p and of q; `None` for a key without primes.
        blind_base, blind_exponent: of a private operation.
    """

    modulus_bits: int
    exponent: int = PUBLIC_EXPONENT
    prime_bits: tuple[int, int] | None = None
    blind_base: bool = True
    blind_exponent: bool = False


def banks(elements: int) -> int:
    """Banks of the table of powers (`rsa_engine.sv`)."""
    return 2 if elements <= 8 else 4 if elements <= 16 else 8


def rsa_cycles(parameters: Parameters, lengths: RsaLengths) -> tuple[int, int, int]:
    """Clock cycles to load an RSA key, of its private and of its public operation.

    From the last word of the request to the first one of the answer.
    """
    (load, _), (private, _), (public, _) = _asked(parameters, *_rsa_packets(lengths))
    return load, private, public


def request_cycles(parameters: Parameters, bits: int, *, public: bool = False) -> int:
    """Clock cycles of a private operation by CRT, or of a public one, as a user sees it.

    From the handshake of the request's first word to that of the answer's last one, on the bare
    stream of an idle engine without back-pressure.

    Args:
        parameters: of the engine.
        bits: of the modulus, a multiple of 32; each prime has half of them.
        public: whether the operation is public.
    """
    half = bits // 2
    _, private_cycles, public_cycles = rsa_cycles(
        parameters, RsaLengths(bits, prime_bits=(half, half))
    )
    around = words_around(bits, public=public)
    return (public_cycles if public else private_cycles) + around


def words_around(bits: int, *, public: bool = False) -> int:
    """Clock cycles of `request_cycles` beyond those of `rsa_cycles`.

    A word of the input takes two cycles, and so does one of the result. The request's first words
    and the end of the answer take as long for any length. This is the same for any number of
    elements and any digits. It was found by simulation, and a test compares it.

    Args:
        bits: of the modulus.
        public: whether the operation is public.
    """
    return 4 * -(-bits // _WORD_BITS) + (452 if public else 401)


def exponentiation(parameters: Parameters, lengths: RsaLengths) -> tuple[int, int]:
    """Montgomery products of a private operation's exponentiation, and the cycles spent in them.

    The products are counted in each stream. A key with primes has two streams in parallel.
    """
    return _asked(parameters, *_rsa_packets(lengths))[1][1]


def _rsa_packets(lengths: RsaLengths) -> Iterator[list[int]]:
    """A key load, a private and a public operation, with numbers of these lengths."""
    bits, e = lengths.modulus_bits, lengths.exponent
    n = _longest(bits)
    public = [bits, e.bit_length()]
    numbers = [*n, *_number(e, e.bit_length())]
    form = KeyForm.EXPONENT
    if lengths.prime_bits is None:
        numbers += n
    else:
        p, q = lengths.prime_bits
        public += [p, q]
        form = KeyForm.PRIMES
        for each in (p, q, p, q, p):
            numbers += _longest(each)
    yield [Command.LOAD_RSA_KEY | Request.OPTION.put(form), *public, *numbers]
    option = 0 if lengths.blind_base else PrivateOption.NO_BASE_BLINDING
    option |= PrivateOption.EXPONENT_BLINDING if lengths.blind_exponent else 0
    yield [Command.PRIVATE | Request.OPTION.put(option), bits, *n]
    yield [Command.PUBLIC, bits, *n]


def pair_cycles(
    parameters: Parameters, moduli: Sequence[int], exponent_bits: int
) -> tuple[int, int]:
    """Clock cycles to load a pair of moduli, and to raise two bases to their exponents.

    All moduli and bases have the stated length of the longer modulus; the exponents have this
    length.
    """
    lengths = [modulus.bit_length() for modulus in moduli]
    bits = max(lengths)
    words = [word for length in lengths for word in _number((1 << length) - 1, bits)]
    (load, _), (operation, _) = _asked(
        parameters,
        [Command.LOAD_PAIR, bits, exponent_bits, *words, *2 * _longest(exponent_bits)],
        [Command.EXPONENTIATE | Request.OPTION.put(1), bits, *2 * _longest(bits)],
    )
    return load, operation


def _plain_cycles(given: Mapping[str, Any], place: int) -> int:
    """Clock cycles of the load of a plain key, or of an exponentiation with it."""
    parameters = {parameter.name: given[parameter.name] for parameter in ENGINE.parameters}
    bits, n = given["L"], _longest(given["L"])
    load = [Command.LOAD_KEY, bits, given["k"], *n, *_longest(given["k"])]
    return _asked(parameters, load, [Command.EXPONENTIATE, bits, *n])[place][0]


_Asked = list[tuple[int, tuple[int, int]]]


def _asked(parameters: Parameters, *packets: Sequence[int]) -> _Asked:
    """For each packet in order, its cycles, and `exponentiation` after it."""
    return _timed(tuple(sorted(parameters.items())), tuple(map(tuple, packets)))


@cache
def _timed(parameters: tuple[tuple[str, int], ...], packets: tuple[tuple[int, ...], ...]) -> _Asked:
    # The program takes a while to import, and few commands need cycles.
    from totient.engine.program import engine_program
    from totient.engine.timing import Clock

    given = dict(parameters)
    elements = given["elements"]
    ring = elements, banks(elements)
    built = {"bits": given["digit_bits"], "max_bits": given["width"], "slots": given["key_slots"]}
    clock = Clock(engine_program(), *ring, **built)
    found = []
    for packet in packets:
        clock.exchange(packet)
        found.append((clock.cycles, clock.exponentiation))
    return found


def _number(value: int, bits: int) -> list[int]:
    return [value >> at & 0xFFFFFFFF for at in range(0, bits, _WORD_BITS)]


def _longest(bits: int) -> list[int]:
    return _number((1 << bits) - 1, bits)


_HALF_WORDS = "(ceil((floor(width / 2) + 10) / digit_bits) + 5)"
_WHOLE_STEPS = "(ceil((ceil((width + 2) / digit_bits) + 5) / elements) * elements)"
BLOCK_WORDS = (
    f"max({_HALF_WORDS} + ((ceil(6 / elements) * elements - 5) if elements < 6 else 0), "
    f"elements, ceil({_WHOLE_STEPS} / 2))"
)
"""Words of a block of the digit memory, as a formula (`rsa_engine.sv`)."""

_RULES = (
    Rule(
        "digit_bits == 17",
        lambda given: "form is 2, which needs digit_bits 17: its multipliers are signed",
        applies="form == 2",
    ),
    Rule(
        "width >= 4096",
        lambda given: (
            f"elements is {given['elements']}, allowed are 65 up for a width of 4096 or 8192 only"
        ),
        applies="elements > 64",
    ),
    Rule(
        "elements >= 5",
        lambda given: (
            f"elements is {given['elements']}, allowed are 5 to 128 for a width of 8192: "
            "with fewer an operation could take longer than the engine allows"
        ),
        applies="width > 4096",
    ),
    # AddressBits of rsa_engine.sv, with the depth of ram_registered.sv.
    Rule(
        f"{BLOCK_WORDS} <= 128",
        lambda given: (
            f"key_slots is {given['key_slots']}, allowed is 1 with {given['elements']} elements "
            f"and a width of {given['width']}: a memory of blocks has at most 16384 words"
        ),
        applies="form * (key_slots - 1) > 0",
    ),
)

ENGINE = Design(
    name="engine",
    title="the engine: whole RSA operations on a ring of Montgomery elements",
    rows={},
    source="docs/engine.md",
    module="rsa_engine",
    ip_module="rsa_engine",
    parameters=(
        one_of(
            "width",
            "MaxBits",
            4096,
            (1024, 2048, 3072, 4096, 8192),
            "largest modulus, in bits",
            face_rtl="Width",
        ),
        Parameter(
            "elements",
            "Elements",
            8,
            1,
            128,
            "elements of the ring, 2 multipliers each; 65 up: from width 4096 on",
        ),
        one_of("digit_bits", "Bits", 18, (17, 18), "bits of a digit", face_rtl="DigitBits"),
        Parameter("key_slots", "Slots", 1, 1, 3, "keys that it holds"),
        one_of(
            "form",
            "Form",
            0,
            (0, 1, 2),
            "multipliers and memories: 0 inferred, 1 of Lattice ECP5, 2 of AMD Artix-7 (17 bits)",
            families={1: "Lattice ECP5", 2: "AMD Artix-7"},
        ),
    ),
    rules=_RULES,
    multipliers=lambda parameters: 2 * parameters["elements"],
    timing=lambda parameters: TimingClass.EXPONENT_LENGTH,
    timing_words=(
        "depends on lengths, on options and on the value of the public exponent, on nothing secret"
    ),
    setup=Computed(
        "the program run on lengths (totient.engine.timing)",
        lambda given: _plain_cycles(given, 0),
    ),
    operation=Computed(
        "the program run on lengths; each pass of a pair of products max(2 w, 2 E + 6), "
        "w = words + 1, E = elements; of a ring that ends early max(2 w, 2 E + 8), E up to its end",
        lambda given: _plain_cycles(given, 1),
    ),
    suiting={"Lattice ECP5": {"form": 1}, "AMD Artix-7": {"form": 2, "digit_bits": 17}},
    configurations={f"engine-{elements}": {"elements": elements} for elements in ELEMENTS},
)
"""The engine."""
