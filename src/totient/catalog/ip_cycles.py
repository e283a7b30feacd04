"""Cycle formulas of the IPs; exact, as those of the designs: `totient check` holds the RTL to them.

No time depends on a secret's value: the lengths of the modulus and of the primes, the public
exponents that were tried and the length of the exponent are all that counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from totient.catalog.designs import select
from totient.catalog.ips import Ip, IpConfiguration
from totient.catalog.model import Configuration, Operation
from totient.golden.keygen import key_cycles
from totient.golden.montgomery_radix2 import Radix2Multiplier

_WORD = 32


@dataclass(frozen=True)
class Work:
    """What an IP is given, as the formulas see it.

    Attributes:
        p_bits, q_bits: lengths of the primes, where the IP makes the key.
        tried: the public exponents that it tries, the key's last.
        modulus: its length is all that counts.
        exponent_bits: length of the exponent; of a private one that the IP made, both primes'; 0
            where the IP forms products.
        messages: of a packet.
        new_key: this packet's key has to be made; of a built-in key: the first after reset.
        new_exponent: it has to be loaded into the exponentiator, as every new key, too.
    """

    modulus: int
    exponent_bits: int
    p_bits: int = 0
    q_bits: int = 0
    tried: tuple[int, ...] = ()
    messages: int = 1
    new_key: bool = False
    new_exponent: bool = False


@dataclass(frozen=True)
class CycleFormula:
    """Clock cycles of a part of an IP's work.

    Attributes:
        title: which part, and from when to when.
        formula: in words.
        cycles: of an IP with its parameters, for given work.
    """

    title: str
    formula: str
    cycles: Callable[[IpConfiguration, Work], int]


def cycle_formulas(ip: Ip) -> Mapping[str, CycleFormula]:
    """The formulas of an IP by short names, in the order of its work."""
    return _FORMULAS[ip.name]


def work_examples(ip: IpConfiguration) -> Mapping[str, Work]:
    """Work to show the formulas with, by what it is."""
    if ip.name == "rsa_fixed":
        modulus, exponent = ip.parameters["modulus"], ip.parameters["exponent"]
        return {"the key that is built in": Work(modulus, exponent.bit_length())}
    if ip.name == "modmul_montgomery":
        lengths = sorted({1, ip.width // 2, ip.width})
        return {f"a modulus of {bits} bits": Work(1 << bits - 1, 0) for bits in lengths}
    bits = ip.width // 2
    # The one IP finds e by itself, the other one takes any that is given.
    tried = (3, 5, 7) if ip.name == "rsa_keygen" else (65537 if bits > 8 else 3,)
    public, private = tried[-1].bit_length(), 2 * bits
    modulus = 1 << private - 1
    return {
        f"{name}, primes of {bits} bits, e = {tried[-1]}": Work(modulus, length, bits, bits, tried)
        for name, length in (("encrypt", public), ("decrypt", private))
    }


_KEY = (
    "w(b) w(c) + max(w(b), w(c)) + w(b) + w(c) + w(b + c + l) + b + c + l + {constant} + "
    "sum of b + c + 2 l(f) + 7 over every f tried for e, e itself included; b, c = bits of the "
    "primes, l(x) = bits of x, l = l(e), w(x) = ceil(x/32)"
)


def _generated(work: Work) -> int:
    return key_cycles(work.p_bits, work.q_bits, list(work.tried))


def _exponentiate(core: Configuration, work: Work) -> int:
    operation = Operation(work.modulus, 1, work.exponent_bits, 0)
    return core.operation_cycles(operation)


def _words(bits: int) -> int:
    return -(-bits // _WORD)


# rsa_keygen: its steps run one after the other, with a fixed number of cycles around them.


def _keygen_key(ip: IpConfiguration, work: Work) -> int:
    return _generated(work) + 3


def _keygen_message(ip: IpConfiguration, work: Work) -> int:
    core = select("binary", width=ip.width, bits_per_cycle=2, fixed_time=1)
    handed = 11 if work.tried else 6
    return core.setup_cycles(work.modulus, work.exponent_bits) + _exponentiate(core, work) + handed


def _keygen_all(ip: IpConfiguration, work: Work) -> int:
    message = _keygen_message(ip, work)
    return message + _keygen_key(ip, work) + 11 if work.tried else message + 13


# rsa_fixed


def _montgomery(ip: IpConfiguration, width: int) -> Configuration:
    return select("montgomery", width=width, word_bits=ip.parameters["word_bits"])


def _fixed_start(ip: IpConfiguration, work: Work) -> int:
    core = _montgomery(ip, ip.width)
    wipe = max(2, -(-(ip.width + 2) // ip.parameters["word_bits"]))
    return core.setup_cycles(work.modulus, work.exponent_bits) + 2 * _words(ip.width) + wipe + 2


def _fixed_message(ip: IpConfiguration, work: Work) -> int:
    return _exponentiate(_montgomery(ip, ip.width), work) + 4


def _fixed_packet(ip: IpConfiguration, work: Work) -> int:
    each = _fixed_message(ip, work) + 4 * _words(ip.width) - 3
    return work.messages * each + (_fixed_start(ip, work) if work.new_key else 0)


# rsa_stream


def _stream_width(ip: IpConfiguration) -> int:
    return max(_WORD, ip.width)


def _stream_key(ip: IpConfiguration, work: Work) -> int:
    return _generated(work) + 2 * _words(ip.parameters["prime_bits"]) + 2


def _stream_load(ip: IpConfiguration, work: Work) -> int:
    width = _stream_width(ip)
    return (
        _montgomery(ip, width).setup_cycles(work.modulus, work.exponent_bits)
        + 2 * _words(width)
        + 5
    )


def _stream_message(ip: IpConfiguration, work: Work) -> int:
    width = _stream_width(ip)
    filled = _words(width) - _words(work.p_bits + work.q_bits)
    return _exponentiate(_montgomery(ip, width), work) + filled + 5


def _stream_packet(ip: IpConfiguration, work: Work) -> int:
    each = _stream_message(ip, work) + 4 * _words(work.p_bits + work.q_bits)
    cycles = work.messages * each - 1
    if work.new_key or work.new_exponent:
        cycles += _stream_load(ip, work)
    if work.new_key:
        cycles += _stream_key(ip, work) + 2
    return cycles


# modmul_montgomery


def _product(ip: IpConfiguration, work: Work) -> int:
    multiplier = Radix2Multiplier(ip.width, ip.parameters["bits_per_cycle"])
    return multiplier.cycles(0, 0, work.modulus | 1)


_EXPONENTIATE = "(2 s + 2) (k + 1) + 3 s"
_SET_UP = "max(v, (s v - L + 2) (s + 1) + 3) + (2 s + 2) (bits of (s v) + 1) + 4 s"
_TERMS = "v = word_bits, s = ceil(({width} + 2)/v), L = bits of the modulus"
_STREAM_TERMS = _TERMS.format(width="D") + ", D = max(32, 2 prime_bits)"
_LENGTH = (
    "k = bits of the exponent: of e, or b + c of the private one; W = ceil(D/32), "
    "w = ceil((b + c)/32)"
)

_FORMULAS: Mapping[str, Mapping[str, CycleFormula]] = {
    "rsa_keygen": {
        "key": CycleFormula(
            "a key (low half of STEP_COUNTS)", _KEY.format(constant=19), _keygen_key
        ),
        "message": CycleFormula(
            "a message, its exponent loaded (high half of STEP_COUNTS)",
            "66 (k - 1) + 32, k = bits of e, or b + c to decrypt; 66 (k - 1) + 27 with a given "
            "exponent of k bits",
            _keygen_message,
        ),
        "all": CycleFormula(
            "a whole operation (CLK_COUNT)",
            "key + message + 11; message + 13 with a given exponent",
            _keygen_all,
        ),
    },
    "rsa_fixed": {
        "start": CycleFormula(
            "from reset to the first message",
            f"{_SET_UP} + s + 2 W + 14, {_TERMS.format(width='width')}, W = ceil(width/32)",
            _fixed_start,
        ),
        "message": CycleFormula(
            "from a message's last word to its result's first one",
            f"{_EXPONENTIATE} + 15, k = bits of the exponent",
            _fixed_message,
        ),
        "packet": CycleFormula(
            "m messages one after the other, at neither end held back",
            "m (message + 4 W - 3); + start before the first ones",
            _fixed_packet,
        ),
    },
    "rsa_stream": {
        "key": CycleFormula(
            "a key (KEY_CYCLES)",
            f"2 ceil(prime_bits/32) + {_KEY.format(constant=18)}",
            _stream_key,
        ),
        "load": CycleFormula(
            "loading the exponent of a new key or of the other direction",
            f"{_SET_UP} + 2 W + 17, {_STREAM_TERMS}, W = ceil(D/32)",
            _stream_load,
        ),
        "message": CycleFormula(
            "from a message's last word to its result's first one (MESSAGE_CYCLES)",
            f"{_EXPONENTIATE} + W - w + 16, {_LENGTH}, s and D as above",
            _stream_message,
        ),
        "packet": CycleFormula(
            "m messages one after the other, at neither end held back",
            "m (message + 4 w) - 1; + load before them with a new key or direction; + key + 2 "
            "before that with a new key",
            _stream_packet,
        ),
    },
    "modmul_montgomery": {
        "product": CycleFormula(
            "from the start to the product (CYCLES)",
            "ceil(L/bits_per_cycle) + 6, L = bits of the modulus; 4 where the operands are refused",
            _product,
        ),
    },
}
