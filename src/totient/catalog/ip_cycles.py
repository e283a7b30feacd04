"""Exact cycle formulas of the IPs. `totient check` compares the RTL with them for equality.

No time depends on a secret's value, except in `rsa_restoring`. It depends only on the lengths of
the modulus, of the primes and of the exponent, and on the public exponents that were tried.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from totient.catalog.designs import MONTGOMERY_SETUP, montgomery_words
from totient.catalog.ips import Ip, IpConfiguration
from totient.common.formula import Formula


@dataclass(frozen=True)
class Work:
    """The work of an IP, as input of the formulas.

    Attributes:
        p_bits, q_bits: lengths of the primes, if the IP makes the key.
        tried: the public exponents that it tries, that of the key last.
        modulus: only its length is used.
        exponent_bits: length of the exponent; of a private one that the IP made, `private_bits`; 0
            if the IP computes products.
        messages: in a packet.
        new_key: whether this packet's key must be made; for a built-in key: the first after reset.
        new_exponent: whether it must be loaded into the exponentiator, as for every new key.
        divisions: of Euclid's algorithm for all exponents that are tried
            (`golden.keygen.euclid_divisions`), for `rsa_restoring`.
    """

    modulus: int
    exponent_bits: int
    p_bits: int = 0
    q_bits: int = 0
    tried: tuple[int, ...] = ()
    messages: int = 1
    new_key: bool = False
    new_exponent: bool = False
    divisions: int = 0


@dataclass(frozen=True)
class CycleFormula:
    """Clock cycles of a part of an IP's work.

    Attributes:
        title: the part, with its first and last event.
        formula: of the IP's parameters and of `SYMBOLS`; a term may be a part of the IP's work with
            a formula of its own.
    """

    title: str
    formula: Formula

    def cycles(self, ip: IpConfiguration, work: Work) -> int:
        """The cycles of given work."""
        return self.formula.value(
            {
                **ip.parameters,
                "width": ip.width,
                "L": work.modulus.bit_length(),
                "k": work.exponent_bits,
                "b": work.p_bits,
                "c": work.q_bits,
                "tried": work.tried,
                "m": work.messages,
                "new_key": int(work.new_key),
                "new_exponent": int(work.new_exponent),
                "made": int(bool(work.tried)),
                "divisions": work.divisions,
                "e": work.tried[-1] if work.tried else 0,
            }
        )

    @property
    def text(self) -> str:
        """The formula with its terms, for people, without the terms that are parts."""
        terms = zip(self.formula.terms, self.formula.term_texts, strict=True)
        shown = (text for name, text in terms if name not in _PARTS)
        return "; ".join([self.formula.text, *shown])


SYMBOLS = {
    "k": "bits of the exponent: of e, or b + c of the private one (rsa_restoring: of d itself)",
    "L": "bits of the modulus",
    "b, c": "bits of the primes",
    "e": "the public exponent",
    "tried": "the public exponents that were tried, e itself the last",
    "made": "1 where the IP makes the key",
    "divisions": "of Euclid's algorithm until a remainder is 0, for all exponents that are tried",
    "m": "messages",
    "new_key": "1 before the first message with a key",
    "new_exponent": "1 before the first message in the other direction",
}
"""Symbols of the formulas besides an IP's parameters and their own terms."""


def cycle_formulas(ip: Ip) -> Mapping[str, CycleFormula]:
    """The formulas of an IP by short names, in the order of its work."""
    return _FORMULAS[ip.name]


def symbols(ip: Ip) -> Mapping[str, str]:
    """Symbols in an IP's formulas besides its parameters, with their meanings."""
    named = {name for formula in cycle_formulas(ip).values() for name in formula.formula.names}
    return {name: text for name, text in SYMBOLS.items() if named & set(name.split(", "))}


def private_bits(ip: Ip, d: int, prime_bits: int) -> int:
    """Length that an IP takes for a private exponent that it made.

    Args:
        ip: the IP.
        d: the exponent.
        prime_bits: lengths of both primes together.
    """
    return d.bit_length() if ip.name == "rsa_restoring" else prime_bits


def work_examples(ip: IpConfiguration) -> Mapping[str, Work]:
    """Example work for the formulas, by description."""
    if ip.name == "rsa_fixed":
        modulus, exponent = ip.parameters["modulus"], ip.parameters["exponent"]
        return {"the key that is built in": Work(modulus, exponent.bit_length())}
    if ip.name == "modmul_montgomery":
        lengths = sorted({1, ip.width // 2, ip.width})
        return {f"a modulus of {bits} bits": Work(1 << bits - 1, 0) for bits in lengths}
    bits = ip.width // 2
    # One IP finds e itself, the other accepts any given one.
    finds = ip.name in ("rsa_keygen", "rsa_restoring")
    tried = (3, 5, 7) if finds else (65537 if bits > 8 else 3,)
    # The least: 3 and 5 divide the totient, 7 leaves 1.
    divisions = len(tried) + 1
    shown = f", {divisions} divisions" if ip.name == "rsa_restoring" else ""
    public, private = tried[-1].bit_length(), 2 * bits
    modulus = 1 << private - 1
    return {
        f"{name}, primes of {bits} bits, e = {tried[-1]}{shown}": Work(
            modulus, length, bits, bits, tried, divisions=divisions
        )
        for name, length in (("encrypt", public), ("decrypt", private))
    }


_KEY = (
    "ceil(b / 32) * ceil(c / 32) + max(ceil(b / 32), ceil(c / 32)) + ceil(b / 32) + ceil(c / 32)"
    " + ceil((b + c + bits(e)) / 32) + b + c + bits(e)"
    " + sum(b + c + 2 * bits(f) + 7 for f in tried)"
)
"""Cycles to make a key, without a constant: the modulus, e, the private exponent."""


def _montgomery(width: str) -> dict[str, str]:
    """Terms of an IP with the systolic multiplier: operands' words, inside and on the stream."""
    return {"s": montgomery_words(width), "W": f"ceil({width} / 32)"}


_PARTS = ("key", "load", "start", "message")
"""Terms that are parts of an IP's work, with their own formulas."""

_EXPONENTIATE = "(2 * s + 2) * (k + 1) + 3 * s"

# rsa_keygen: its steps run one after the other, with a fixed number of cycles around them.
_KEYGEN_KEY = f"{_KEY} + 19"
_KEYGEN_MESSAGE = "66 * (k - 1) + (32 if made == 1 else 27)"

# rsa_restoring: a product and a division for each step, s cycles; no constant is shared.
_RESTORING = {"s": "2 * width + stages + 2"}
_RESTORING_KEY = "divisions * s + stages + 3"
_RESTORING_MESSAGE = "k * s + (1 if made == 1 else 2)"

_FIXED = _montgomery("width")
_FIXED_START = f"{MONTGOMERY_SETUP} + s + 2 * W + 14"
_FIXED_MESSAGE = f"{_EXPONENTIATE} + 15"

_STREAM = {"D": "max(32, 2 * prime_bits)", **_montgomery("D")}
_STREAM_KEY = f"2 * ceil(prime_bits / 32) + {_KEY} + 18"
_STREAM_LOAD = f"{MONTGOMERY_SETUP} + 2 * W + 17"
_STREAM_MESSAGE = f"{_EXPONENTIATE} + W - w + 16"
_STREAM_WORDS = {**_STREAM, "w": "ceil((b + c) / 32)"}

_FORMULAS: Mapping[str, Mapping[str, CycleFormula]] = {
    "rsa_keygen": {
        "key": CycleFormula("a key (low half of STEP_COUNTS)", Formula(_KEYGEN_KEY)),
        "message": CycleFormula(
            "a message, its exponent loaded (high half of STEP_COUNTS)", Formula(_KEYGEN_MESSAGE)
        ),
        "all": CycleFormula(
            "a whole operation (CLK_COUNT)",
            Formula(
                "message + (key + 11 if made == 1 else 13)",
                {"key": _KEYGEN_KEY, "message": _KEYGEN_MESSAGE},
            ),
        ),
    },
    "rsa_restoring": {
        "key": CycleFormula("a key (low half of STEP_COUNTS)", Formula(_RESTORING_KEY, _RESTORING)),
        "message": CycleFormula(
            "a message (high half of STEP_COUNTS)", Formula(_RESTORING_MESSAGE, _RESTORING)
        ),
        "all": CycleFormula(
            "a whole operation (CLK_COUNT)",
            Formula(
                "message + (key if made == 1 else 0)",
                {**_RESTORING, "key": _RESTORING_KEY, "message": _RESTORING_MESSAGE},
            ),
        ),
    },
    "rsa_fixed": {
        "start": CycleFormula("from reset to the first message", Formula(_FIXED_START, _FIXED)),
        "message": CycleFormula(
            "from a message's last word to its result's first one", Formula(_FIXED_MESSAGE, _FIXED)
        ),
        "packet": CycleFormula(
            "m messages one after the other, at neither end held back",
            Formula(
                "m * (message + 4 * W - 3) + (start if new_key == 1 else 0)",
                {**_FIXED, "start": _FIXED_START, "message": _FIXED_MESSAGE},
            ),
        ),
    },
    "rsa_stream": {
        "key": CycleFormula("a key (KEY_CYCLES)", Formula(_STREAM_KEY)),
        "load": CycleFormula(
            "loading the exponent of a new key or of the other direction",
            Formula(_STREAM_LOAD, _STREAM),
        ),
        "message": CycleFormula(
            "from a message's last word to its result's first one (MESSAGE_CYCLES)",
            Formula(_STREAM_MESSAGE, _STREAM_WORDS),
        ),
        "packet": CycleFormula(
            "m messages one after the other, at neither end held back",
            Formula(
                "m * (message + 4 * w) - 1 + (key + 2 if new_key == 1 else 0)"
                " + (load if new_key + new_exponent > 0 else 0)",
                {
                    **_STREAM_WORDS,
                    "key": _STREAM_KEY,
                    "load": _STREAM_LOAD,
                    "message": _STREAM_MESSAGE,
                },
            ),
        ),
    },
    "modmul_montgomery": {
        "product": CycleFormula(
            "from the start to the product (CYCLES); 4 where the operands are refused",
            Formula("ceil(max(L, 1) / bits_per_cycle) + 6"),
        ),
    },
}
