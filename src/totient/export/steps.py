"""The steps of an exported test bench, with expected values from Python's integers and formulas.

Nothing is simulated here. A step is an access or a word, according to `Op`. A step with an expected
value has a mask of the compared bits.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from random import Random

from Crypto.Util.number import getPrime

from totient.catalog import (
    Configuration,
    Face,
    IpConfiguration,
    Operation,
    Register,
    RsaLengths,
    rsa_cycles,
)
from totient.catalog.ips import registers
from totient.check.packets import (
    exponentiate_request,
    load_key_request,
    load_rsa_key_request,
    number_words,
    operation_request,
)
from totient.common.contract import Command, Response
from totient.device import key_of_primes
from totient.golden.keygen import tried_exponents
from totient.sim.line import framed

_WORD = 32
_ALL = 0xFFFF_FFFF
_LONG_EXPONENT = 256  # bits of the widest core that also gets an exponent of full length
_RANDOM_WORDS = 244  # maximum for a private operation of an engine (docs/contracts.md)


class Op(IntEnum):
    """Kinds of steps. The numbers are those in the test bench."""

    SEND = 1
    EXPECT = 2
    WRITE = 3
    READ = 4
    POLL = 5
    BYTE_SEND = 6
    BYTE_EXPECT = 7


@dataclass(frozen=True)
class Step:
    """A step.

    Attributes:
        op: kind of step.
        address: of a register, in bytes; for a word of a stream, whether it is the last one.
        data: to send, or expected.
        mask: compared bits.
        note: for people: the operation that begins here.
    """

    op: Op
    address: int
    data: int
    mask: int = _ALL
    note: str = ""

    @property
    def text(self) -> str:
        """The step as the test bench reads it, a number in hexadecimal."""
        note = f"// {self.note}\n" if self.note else ""
        return f"{note}{self.op:x}{self.address:08x}{self.mask:08x}{self.data:08x}\n"


@dataclass(frozen=True)
class _Packet:
    """A packet to send, and its answer; `None` is a word with any value."""

    note: str
    request: Sequence[int]
    response: Sequence[int | None]


def steps(subject: Configuration | IpConfiguration, face: Face) -> list[Step]:
    """The steps for a design behind a face, or for an IP."""
    draw = Random(f"totient export {subject.label}")
    if isinstance(subject, IpConfiguration):
        return list(_OF_IPS[subject.name](subject, draw))
    packets = (_engine if subject.key_slots else _exponentiator)(subject, draw, face)
    return [step for each in packets for step in _noted(each.note, _FACES[face](each))]


def _answer(command: Command, *words: int | None) -> list[int | None]:
    return [Response.COMMAND.put(command) | Response.WORDS.put(len(words)), *words]


def _exponentiator(chosen: Configuration, draw: Random, face: Face) -> Iterator[_Packet]:
    """A key with a short exponent; for narrow cores also one with a long exponent."""
    width = chosen.width
    modulus = draw.getrandbits(width) | 1 << width - 1 | 1
    slow = chosen.name == "repeated"
    exponents = [17 if slow or width < 20 else 65537]
    if not slow and width <= _LONG_EXPONENT:
        exponents.append(draw.getrandbits(width) | 1 << width - 1)
    for exponent in exponents:
        bits, base = exponent.bit_length(), draw.randrange(modulus)
        yield _Packet(
            f"load key: modulus {modulus:#x}, exponent {exponent:#x}",
            load_key_request(modulus, exponent, bits),
            _answer(Command.LOAD_KEY, *number_words(chosen.setup_cycles(modulus, bits), 64)),
        )
        cycles = chosen.operation_cycles(Operation(modulus, exponent, bits, base))
        yield _Packet(
            f"exponentiate: base {base:#x}",
            exponentiate_request([base], width),
            _answer(
                Command.EXPONENTIATE,
                *number_words(cycles, 64),
                *number_words(pow(base, exponent, modulus), width),
            ),
        )


def _engine(chosen: Configuration, draw: Random, face: Face) -> Iterator[_Packet]:
    """An RSA key with its primes, a public operation, and the private one that inverts it."""
    bits, e = chosen.width, 65537
    half = bits // 2
    while True:
        p, q = sorted((getPrime(half, draw.randbytes) for _ in range(2)), reverse=True)
        order = math.lcm(p - 1, q - 1)
        if p != q and (p * q).bit_length() == bits and math.gcd(e, order) == 1:
            break
    key, d = key_of_primes(p, q, e)
    n = key.modulus
    lengths = RsaLengths(bits, e, prime_bits=(half, half))
    load, private, public = rsa_cycles(chosen.parameters, lengths)
    yield _Packet(
        f"load RSA key: n {n:#x}, e {e}",
        load_rsa_key_request(key),
        _answer(Command.LOAD_RSA_KEY, *number_words(load, 64)),
    )
    message = draw.randrange(n)
    cipher = pow(message, e, n)
    yield _Packet(
        f"public operation: {message:#x}",
        operation_request(Command.PUBLIC, [message], bits),
        _answer(Command.PUBLIC, *number_words(public, 64), *number_words(cipher, bits)),
    )
    if face == Face.SERIAL:
        return  # the answer to random words is not fully known, and so neither is its checksum
    if face == Face.REGISTERS:
        words = [draw.getrandbits(_WORD) for _ in range(_RANDOM_WORDS)]
        given, taken = [Command.RANDOM_WORDS, *words], len(words)
        yield _Packet("random words", given, _answer(Command.RANDOM_WORDS, taken, None))
    yield _Packet(
        f"private operation: {cipher:#x}",
        operation_request(Command.PRIVATE, [cipher], bits),
        _answer(
            Command.PRIVATE, *number_words(private, 64), *number_words(pow(cipher, d, n), bits)
        ),
    )


def _on_stream(packet: _Packet) -> Iterator[Step]:
    yield from _words(Op.SEND, packet.request)
    yield from _words(Op.EXPECT, packet.response)


def _words(op: Op, words: Sequence[int | None], *, ends: bool = True) -> Iterator[Step]:
    """Words to send, or expected. The last of them ends the packet, or not."""
    for place, word in enumerate(words):
        last = int(ends and place == len(words) - 1)
        yield Step(op, last, word or 0, 0 if word is None else _ALL)


def _on_registers(packet: _Packet) -> Iterator[Step]:
    at = _Registers(registers("stream_registers"))
    for place, word in enumerate(packet.request):
        last = place == len(packet.request) - 1
        yield at.poll("STATUS", request_ready=1)
        yield from at.write("REQUEST_LAST" if last else "REQUEST", word)
    for answer in packet.response:
        yield at.poll("STATUS", response_valid=1)
        response = at["RESPONSE"].offset
        yield Step(Op.READ, response, answer or 0, 0 if answer is None else _ALL)


def _on_line(packet: _Packet) -> Iterator[Step]:
    for byte in framed(packet.request):
        yield Step(Op.BYTE_SEND, 0, byte, 0xFF)
    for byte in framed([word or 0 for word in packet.response]):
        yield Step(Op.BYTE_EXPECT, 0, byte, 0xFF)


def _noted(note: str, steps: Iterable[Step]) -> Iterator[Step]:
    """Steps, the first of them with a note."""
    first, *others = steps
    yield replace(first, note=note)
    yield from others


_FACES = {Face.STREAM: _on_stream, Face.REGISTERS: _on_registers, Face.SERIAL: _on_line}


class _Registers:
    """Steps with register names."""

    def __init__(self, registers: Mapping[str, Register]) -> None:
        self._registers = registers

    def __getitem__(self, name: str) -> Register:
        return self._registers[name]

    def write(self, name: str, value: int, op: Op = Op.WRITE) -> Iterator[Step]:
        register = self._registers[name]
        for place, word in enumerate(number_words(value, _WORD * register.words)):
            yield Step(op, register.offset + 4 * place, word)

    def read(self, name: str, value: int) -> Iterator[Step]:
        return self.write(name, value, Op.READ)

    def set(self, name: str, **parts: int) -> Iterator[Step]:
        return self.write(name, self._registers[name].value(**parts))

    def poll(self, name: str, **parts: int) -> Step:
        register = self._registers[name]
        bits = register.value(**parts)
        return Step(Op.POLL, register.offset, bits, bits)


def _key(draw: Random, bits: int) -> tuple[int, int, int, int, int]:
    """Two primes of these lengths, and n, e and d of the key that an IP makes from them."""
    while True:
        p, q = (getPrime(bits, draw.randbytes) for _ in range(2))
        if p != q and min(p, q) > 2:
            order = (p - 1) * (q - 1)
            e = tried_exponents(order)[-1]
            return p, q, p * q, e, pow(e, -1, order)


def _keygen(ip: IpConfiguration, draw: Random) -> Iterator[Step]:
    """Make a key from primes and encrypt, then decrypt with the same primes."""
    at = _Registers(ip.ip.registers)
    p, q, n, e, d = _key(draw, ip.width // 2)
    message = draw.randrange(n)
    for name, mode, given in (("encrypt", 0, message), ("decrypt", 2, pow(message, e, n))):
        yield from _noted(f"{name} {given:#x}, primes {p} and {q}", at.write("P", p))
        yield from at.write("Q", q)
        yield from at.write("I_MSG", given)
        yield from at.write("MODE", mode)
        yield from at.set("CONTROL", sp=1)
        yield at.poll("MOD_EXP_FINISH", mod_exp_finish=1)
        result = at.read("DATA_MSG", pow(given, d if mode else e, n))
        yield from _noted("the result, and the key", result)
        yield from at.read("N_OUTPUT", n)
        yield from at.read("DATA_ENCRYPT", e)
        yield from at.read("DATA_DECRYPT", d)


def _fixed(ip: IpConfiguration, draw: Random) -> Iterator[Step]:
    """A packet of three messages."""
    modulus, exponent = ip.parameters["modulus"], ip.parameters["exponent"]
    messages = [draw.randrange(modulus) for _ in range(3)]
    results = [pow(message, exponent, modulus) for message in messages]
    yield from _noted("three messages", _messages(messages, results, ip.width))


def _messages(messages: Sequence[int], results: Sequence[int], bits: int) -> Iterator[Step]:
    """Messages of one packet. Each is answered before the next one is sent."""
    for place, (message, result) in enumerate(zip(messages, results, strict=True)):
        ends = place == len(messages) - 1
        yield from _words(Op.SEND, number_words(message, bits), ends=ends)
        yield from _words(Op.EXPECT, number_words(result, bits), ends=ends)


def _stream(ip: IpConfiguration, draw: Random) -> Iterator[Step]:
    """A key from primes, two ciphers, then the other direction."""
    at = _Registers(ip.ip.registers)
    p, q, n, e, d = _key(draw, ip.parameters["prime_bits"])
    bits = p.bit_length() + q.bit_length()
    messages = [draw.randrange(n) for _ in range(2)]
    ciphers = [pow(message, e, n) for message in messages]
    yield from _noted(f"primes {p:#x} and {q:#x}", at.write("DIRECTION", 0))
    yield from at.write("EXPONENT", 0)
    yield from at.write("PRIME1", p)
    yield from at.write("PRIME2", q)
    yield from _noted("two messages", _messages(messages, ciphers, bits))
    yield from _noted("the key", at.read("MODULUS", n))
    yield from at.read("KEY_EXPONENT", e)
    yield from at.read("PRIVATE", d)
    yield from _noted("the other direction", at.write("DIRECTION", 1))
    yield from _noted("two ciphers", _messages(ciphers, messages, bits))


def _products(ip: IpConfiguration, draw: Random) -> Iterator[Step]:
    """Two products modulo one modulus."""
    at = _Registers(ip.ip.registers)
    n = draw.getrandbits(ip.width) | 1 << ip.width - 1 | 1
    yield from _noted(f"modulus {n:#x}", at.write("MODULUS", n))
    for _ in range(2):
        a, b = draw.randrange(n), draw.randrange(n)
        yield from _noted(f"product of {a:#x} and {b:#x}", at.write("A", a))
        yield from at.write("B", b)
        yield from at.set("CONTROL", start=1)
        yield at.poll("STATUS", complete=1)
        yield from at.read("PRODUCT", a * b * pow(2, -n.bit_length(), n) % n)


_OF_IPS = {
    "rsa_keygen": _keygen,
    "rsa_restoring": _keygen,
    "rsa_fixed": _fixed,
    "rsa_stream": _stream,
    "modmul_montgomery": _products,
}
