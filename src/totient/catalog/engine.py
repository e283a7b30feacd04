"""The engine's entry: its parameters, and the cycles of its operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from totient.catalog.model import Computed, Design
from totient.catalog.parameters import Parameter, Parameters
from totient.common.contract import Command, KeyForm, PrivateOption, Request, TimingClass
from totient.common.errors import InputError
from totient.engine.assembler import Program
from totient.engine.program import engine_program
from totient.engine.timing import Clock

ELEMENTS = (1, 4, 8, 16, 32, 64)
"""Elements of the named configurations `engine-1` to `engine-64`."""

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


@cache
def _program() -> Program:
    return engine_program()


def short_elements(elements: int) -> int:
    """Elements of the ring's short part; 0: none (`rsa_engine.sv`)."""
    return 36 if elements >= 44 else 0


def banks(elements: int) -> int:
    """Banks of the table of powers (`rsa_engine.sv`)."""
    return 2 if elements <= 8 else 4 if elements <= 16 else 8


def rsa_cycles(parameters: Parameters, lengths: RsaLengths) -> tuple[int, int, int]:
    """Clock cycles to load an RSA key, of its private and of its public operation.

    From the last word of the request to the first one of the answer.
    """
    return _rsa(tuple(sorted(parameters.items())), lengths)[:3]


def request_cycles(parameters: Parameters, bits: int, *, public: bool = False) -> int:
    """Clock cycles of a private operation by CRT, or of a public one, as a user sees it.

    From the handshake of the request's first word to that of the answer's last one, on the bare
    stream of an idle engine without back-pressure. In addition to `rsa_cycles`, the input's words
    become digits, and the result's digits become words. This takes as long for every word, and is
    the same for any number of elements. It was found by simulation, and a test compares it.

    Args:
        parameters: of the engine.
        bits: of the modulus, a multiple of 32; each prime has half of them.
        public: whether the operation is public.
    """
    half = bits // 2
    _, private_cycles, public_cycles = rsa_cycles(
        parameters, RsaLengths(bits, prime_bits=(half, half))
    )
    word = {18: 37, 17: 69}[parameters["digit_bits"]]
    around = bits // _WORD_BITS * word + (485 if public else 453)
    return (public_cycles if public else private_cycles) + around


def exponentiation(parameters: Parameters, lengths: RsaLengths) -> tuple[int, int]:
    """Montgomery products of a private operation's exponentiation, and the cycles spent in them.

    The products are counted in each stream. A key with primes has two streams in parallel.
    """
    return _rsa(tuple(sorted(parameters.items())), lengths)[3]


@cache
def _rsa(
    parameters: tuple[tuple[str, int], ...], lengths: RsaLengths
) -> tuple[int, int, int, tuple[int, int]]:
    clock = _clock(dict(parameters))
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
    load = _asked(clock, [Command.LOAD_RSA_KEY | Request.OPTION.put(form), *public, *numbers])
    option = 0 if lengths.blind_base else PrivateOption.NO_BASE_BLINDING
    option |= PrivateOption.EXPONENT_BLINDING if lengths.blind_exponent else 0
    private = _asked(clock, [Command.PRIVATE | Request.OPTION.put(option), bits, *n])
    secret = clock.exponentiation
    return load, private, _asked(clock, [Command.PUBLIC, bits, *n]), secret


def pair_cycles(
    parameters: Parameters, moduli: Sequence[int], exponent_bits: int
) -> tuple[int, int]:
    """Clock cycles to load a pair of moduli, and to raise two bases to their exponents.

    All moduli and bases have the stated length of the longer modulus; the exponents have this
    length.
    """
    lengths = tuple(modulus.bit_length() for modulus in moduli)
    return _pair(tuple(sorted(parameters.items())), lengths, exponent_bits)


@cache
def _pair(
    parameters: tuple[tuple[str, int], ...], lengths: tuple[int, ...], exponent_bits: int
) -> tuple[int, int]:
    clock = _clock(dict(parameters))
    bits = max(lengths)
    moduli = [word for length in lengths for word in _number((1 << length) - 1, bits)]
    load = [Command.LOAD_PAIR, bits, exponent_bits, *moduli, *2 * _longest(exponent_bits)]
    return _asked(clock, load), _asked(
        clock, [Command.EXPONENTIATE | Request.OPTION.put(1), bits, *2 * _longest(bits)]
    )


@cache
def _plain(
    parameters: tuple[tuple[str, int], ...], modulus_bits: int, exponent_bits: int
) -> tuple[int, int]:
    clock = _clock(dict(parameters))
    n = _longest(modulus_bits)
    load = [Command.LOAD_KEY, modulus_bits, exponent_bits, *n, *_longest(exponent_bits)]
    return _asked(clock, load), _asked(clock, [Command.EXPONENTIATE, modulus_bits, *n])


def _clock(parameters: Parameters) -> Clock:
    elements = parameters["elements"]
    return Clock(
        _program(),
        elements,
        short_elements(elements),
        banks(elements),
        parameters["digit_bits"],
        parameters["width"],
        parameters["key_slots"],
    )


def _asked(clock: Clock, packet: Sequence[int]) -> int:
    clock.exchange(packet)
    return clock.cycles


def _number(value: int, bits: int) -> list[int]:
    return [value >> at & 0xFFFFFFFF for at in range(0, bits, _WORD_BITS)]


def _longest(bits: int) -> list[int]:
    return _number((1 << bits) - 1, bits)


def _plain_of(given: Mapping[str, Any]) -> tuple[int, int]:
    parameters = {parameter.name: given[parameter.name] for parameter in ENGINE.parameters}
    return _plain(tuple(sorted(parameters.items())), given["L"], given["k"])


def _check(parameters: Parameters) -> None:
    if parameters["form"] == 2 and parameters["digit_bits"] != 17:
        raise InputError("form is 2, which needs digit_bits 17: its multipliers are signed")
    if parameters["elements"] > 64 and parameters["width"] < 4096:
        raise InputError(
            f"elements is {parameters['elements']}, allowed are 65 up for a width of 4096 only"
        )


ENGINE = Design(
    name="engine",
    title="the engine: whole RSA operations on a ring of Montgomery elements",
    rows={},
    source="docs/engine.md",
    core="totient:ip:rsa_engine",
    module="rsa_engine",
    ip_core="totient:ip:rsa_engine",
    ip_module="rsa_engine",
    parameters=(
        Parameter(
            "width",
            "MaxBits",
            4096,
            1024,
            4096,
            "largest modulus, in bits",
            (1024, 2048, 3072, 4096),
            face_rtl="Width",
        ),
        Parameter(
            "elements",
            "Elements",
            8,
            1,
            128,
            "elements of the ring, 2 multipliers each; 65 up: width 4096 only",
        ),
        Parameter(
            *("digit_bits", "Bits", 18, 17, 18, "bits of a digit", (17, 18)), face_rtl="DigitBits"
        ),
        Parameter("key_slots", "Slots", 1, 1, 3, "keys that it holds"),
        Parameter(
            "form",
            "Form",
            0,
            0,
            2,
            "multipliers and memories: 0 inferred, 1 of Lattice ECP5, 2 of AMD Artix-7 (17 bits)",
            (0, 1, 2),
            families={1: "Lattice ECP5", 2: "AMD Artix-7"},
        ),
    ),
    check=_check,
    multipliers=lambda parameters: 2 * parameters["elements"],
    timing=lambda parameters: TimingClass.EXPONENT_LENGTH,
    timing_words=(
        "depends on lengths, on options and on the value of the public exponent, on nothing secret"
    ),
    setup=Computed(
        "the program run on lengths (totient.engine.timing)",
        lambda given: _plain_of(given)[0],
    ),
    operation=Computed(
        "the program run on lengths; a pair of products max(2 w, 2 E + 5 + S) passes, "
        "w = words + 1, E = elements, S = 1 with a short ring",
        lambda given: _plain_of(given)[1],
    ),
    suiting={"Lattice ECP5": {"form": 1}, "AMD Artix-7": {"form": 2, "digit_bits": 17}},
    configurations={f"engine-{elements}": {"elements": elements} for elements in ELEMENTS},
)
"""The engine."""
