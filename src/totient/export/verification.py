"""What the project's tests check of a design or IP, and which proofs are of modules in it.

Nothing here is a result: `docs/formal.md` has those, and a test compares the proofs with them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from totient.catalog import Configuration, IpConfiguration, command_words
from totient.export.ports import Instance

_POW = "results of the RTL against Python's `pow`"
_RESULTS: Mapping[str, Sequence[str]] = {
    "repeated": (_POW, "at 512 bits, a signature of OpenSSL, verified on the core"),
    "binary": (_POW, "at 512 bits, signatures of the core, verified by OpenSSL"),
    "montgomery": (
        _POW,
        "at 512 to 2,048 bits, signatures and ciphertexts, exchanged with OpenSSL and "
        "`cryptography`",
    ),
    "digit_serial": (_POW,),
    "engine": (
        f"{_POW}, with keys and signatures of `cryptography`",
        "signatures and ciphertexts, exchanged with OpenSSL",
    ),
    "rsa_keygen": ("keys and results of the RTL against Python's integers",),
    "rsa_restoring": ("keys and results of the RTL against Python's integers",),
    "rsa_fixed": (_POW,),
    "rsa_stream": (
        "keys and results of the RTL against Python's integers",
        "with moduli from 496 bits up, keys and signatures against `cryptography`",
    ),
    "modmul_montgomery": ("products of the RTL against Python's integers",),
}
"""By design or IP, what its results are compared with, in random and corner cases."""

_LITE = "the AXI4-Lite face answers every access once, in bounded time, and refuses by the map"
_CUT = "; key generator and exponentiator are cut off"
_TIME = "the time does not depend on exponent or base, of one stated length"
_MODEL = "a model of its multipliers that may give any numbers"
_STREAM = "every word passes once, in order"
_BITS = "all bits pass once, in order"


@dataclass(frozen=True)
class Proof:
    """What is proved of a module.

    Attributes:
        module: the module.
        claim: the proved property, in words.
        settings: values of all its parameters, for each time it was proved.
    """

    module: str
    claim: str
    settings: Sequence[Mapping[str, int]] = ({},)


_TIMED_BINARY = {"BitsPerCycle": 1, "EarlyEnd": 0, "FixedTime": 1}
_TIMED_DIGITS = {"DigitBits": 4, "Slots": 3, "Links": 0, "Multipliers": 2}
_TIMED_DIGITS |= {"Separated": 1, "Lanes": 1}
_TIMED_MONTGOMERY = {"WordBits": 8, "FixedTime": 1, "Multiplier": 0}
_WIDE_DIGITS = {**_TIMED_DIGITS, "DigitBits": 9, "Slots": 1}
_PLAIN_PRODUCT = {"DigitBits": 2, "Slots": 1, "Links": 0}
_PACKETS = {"PlaceBits": 5, "AddressBits": 11, "Result": 18, "Form": 0}
_DATAPATH = {"Bits": 18, "Taps": 0, "FarLinks": 0, "PlaceBits": 3, "AddressBits": 9}
_DATAPATH |= {"Partial": 4, "Banks": 8, "Form": 0}
_CONTROL = {"Bits": 18, "Elements": 4, "Taps": 0, "PlaceBits": 7, "MaxBits": 4096}
_CONTROL |= {"HalfBits": 2056, "Form": 0}
_ARRAYS = ((1, 2, 0, 0), (2, 2, 0, 0), (1, 3, 0, 0), (2, 2, 0, 3), (2, 2, 1, 0), (3, 2, 513, 0))
PROOFS = (
    Proof("axil_stream", _LITE, [{"RequestDepth": d, "ResponseDepth": d} for d in (2, 32)]),
    Proof("rsa_keygen_axil", f"{_LITE}{_CUT}"),
    Proof("rsa_keygen_axis", f"{_LITE}{_CUT}", [{"PrimeBits": 32, "WordBits": 16}]),
    Proof(
        "modmul_montgomery_axil",
        f"{_LITE}; the multiplier is cut off",
        [{"Width": 64, "BitsPerCycle": 1}],
    ),
    Proof("packet_fifo", f"{_STREAM}; nothing stays after a wipe", [{"Bits": 3, "Depth": 4}]),
    Proof("stream_fifo", f"{_STREAM}; nothing stays after a wipe", [{"Bits": 4, "Depth": 4}]),
    Proof("stream_half_buffer", _STREAM, [{"Bits": 4}]),
    Proof("stream_register", _STREAM, [{"Bits": 4}]),
    Proof(
        "frame_decoder",
        "whole, undamaged frames pass once, others are reported",
        [{"FrameWords": 1}, {"FrameWords": 2}],
    ),
    Proof("frame_encoder", "every packet becomes one frame with its checksum"),
    Proof(
        "modexp_binary",
        f"{_TIME}; at 8 bits it squares and multiplies as it should, and gives the last product",
        [{"Width": w, **_TIMED_BINARY} for w in (8, 1024)],
    ),
    Proof("modexp_digit_serial", _TIME, [{"Width": w, **_TIMED_DIGITS} for w in (16, 32)]),
    Proof(
        "modexp_digit_serial",
        f"with {_MODEL}, the result or the right error, for exponents to 4 bits",
        [{"Width": 16, **_WIDE_DIGITS}],
    ),
    Proof("modexp_montgomery", _TIME, [{"Width": w, **_TIMED_MONTGOMERY} for w in (8, 32)]),
    Proof(
        "modexp_montgomery",
        f"with {_MODEL}, the result or the right error",
        [{"Width": 8, **_TIMED_MONTGOMERY, "FixedTime": fixed} for fixed in (1, 0)],
    ),
    Proof(
        "modmul_digit_serial",
        "each digit is that of a Montgomery product, for all operands",
        [{"Width": w, **_PLAIN_PRODUCT} for w in (8, 16)],
    ),
    Proof(
        "modular_doubling",
        "2^count x mod n, for counts to 5",
        [{"Words": w, "WordBits": b, "CountBits": 3} for w, b in ((2, 3), (3, 2))],
    ),
    Proof("montgomery_inverse", "-n^-1 modulo the word", [{"WordBits": bits} for bits in (8, 12)]),
    Proof(
        "modmul_interleaved",
        "the product is a b mod n, in the stated cycles",
        [{"Width": w, "BitsPerCycle": 1, "EarlyEnd": 0} for w in (8, 16)],
    ),
    Proof(
        "modmul_montgomery_systolic",
        "each step is that of a Montgomery product, for all operands, in the stated cycles",
        [{"Words": words, "WordBits": bits, "Multiplier": 0} for words, bits in ((2, 3), (3, 2))],
    ),
    Proof(
        "modmul_montgomery_radix2",
        "the product is a b / 2^L mod n or the right error, in the stated cycles",
        [{"Width": 6, "BitsPerCycle": 1}],
    ),
    Proof(
        "engine_packet_io",
        "a word of a number leaves only if asked for, equal in both copies, with its digest",
        [{**_PACKETS, "Bits": bits} for bits in (18, 17)],
    ),
    Proof(
        "engine_digit_access",
        "a number that is sent is read in the block of the result, in both copies",
        [{"Bits": bits, "PlaceBits": 7, "AddressBits": 13, "Result": 18} for bits in (18, 17)],
    ),
    Proof("engine_halves_in", _BITS, [{"Bits": 18}, {"Bits": 17}]),
    Proof("engine_halves_out", _BITS, [{"Bits": 18}, {"Bits": 17}]),
    Proof("engine_half_queue", _STREAM),
    Proof(
        "engine_array",
        "each step of a job is that of a Montgomery product, for all operands",
        [
            {"Elements": elements, "Bits": bits, "Taps": taps, "FarLinks": far, "Form": 0}
            for elements, bits, taps, far in _ARRAYS
        ],
    ),
    Proof(
        "engine_control",
        "for any program, what it asks for depends on no number but by a jump",
        [{**_CONTROL, "Slots": slots} for slots in (1, 3)],
    ),
    Proof(
        "engine_datapath",
        "time and addresses depend on no number",
        [
            *({**_DATAPATH, "Elements": elements} for elements in (2, 8)),
            {**_DATAPATH, "Elements": 4, "Taps": 2, "Banks": 2},
        ],
    ),
    Proof(
        "engine_reader",
        "it comes to its end, whatever its counters hold",
        [{"PlaceBits": 7, "AddressBits": 13, "Waits": waits} for waits in (1, 0)],
    ),
    Proof(
        "engine_window",
        "time and addresses depend on no exponent and no power",
        [{"Banks": banks, "Bits": 18, "PlaceBits": 2, "Form": 0} for banks in (8, 4, 2)],
    ),
)
"""All proofs of docs/formal.md, except those of parts that only boards have."""


def tests_of(subject: Configuration | IpConfiguration) -> Iterator[str]:
    """Lines on the tests of a design or IP."""
    yield "The project's tests run these checks, at many widths and parameters but not at all:"
    yield ""
    yield from (f"- {what}" for what in _RESULTS[subject.name])
    yield "- its cycles against the formulas above, for equality"
    yield "- Verilator `-Wall`, Verible, and reading by Yosys (`read_slang`)"
    yield ""
    yield (
        f"For these parameters, `totient check {command_words(subject)}` compares results and "
        "cycles."
    )
    yield ""


def proofs_of(instances: Sequence[Instance]) -> Iterator[str]:
    """Lines on the proofs of modules in an IP, and whether they are of the parameters there.

    Args:
        instances: the modules of the elaborated IP.
    """
    lines = [
        line
        for proof in PROOFS
        if (line := _line(proof, [i for i in instances if proof.module == i.module]))
    ]
    if not lines:
        yield "No formal proof covers a module of this IP."
    else:
        yield "Formal proofs (docs/formal.md of the project), each of a module alone:"
        yield ""
        yield from lines
    yield ""


def _line(proof: Proof, found: Sequence[Instance]) -> str:
    """One proof, with the parameters of the module here that it is not of."""
    if not found:
        return ""
    given = sorted({_shown(each.parameters) for each in found})
    proved = [_shown(each) for each in proof.settings]
    text = f"- `{proof.module}`: {proof.claim}"
    if other := [each for each in given if each not in proved]:
        return (
            f"{text}. Proved with {' and with '.join(proved)}, not with {', '.join(other)} as here."
        )
    return f"{text}. Proved with the parameters here{f', {given[0]}' if given[0] else ''}."


def _shown(parameters: Mapping[str, int | str]) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(parameters.items()))
