"""Checks of the IPs that are systems of their own: random keys and messages, what is refused."""

from collections.abc import Callable
from random import Random

from Crypto.Util.number import getPrime

from totient.catalog import ErrorCode, Ip
from totient.check.run import Faults, Outcome, check_drawing
from totient.common.progress import bar
from totient.device.register_map import RegisterMap
from totient.device.rsa_keygen import Mode, RsaKeygen
from totient.golden.keygen import key_cycles, tried_exponents
from totient.sim import Model, build_model

# One case in so many also sends what has to be refused.
_REFUSALS_EVERY = 5

# Cycles in which the IP hands two primes to the key generator, and its answer on.
_KEY_HANDED = 3

_CHECKED = {
    "rsa_keygen": "every result is right, the cycles of every key are the formula's",
}
"""What is held to the specification, where that is more than the results."""

_PRIME = 11  # error code of primes that are none (docs/contracts.md)


class _Count:
    """Counts and faults of a check under way."""

    def __init__(self) -> None:
        self.messages = self.refusals = 0
        self.faults = Faults()


def check_ip(ip: Ip, count: int, seed: int) -> Outcome:
    """Run `count` cases on the RTL: keys and messages against Python's integers.

    Every handshake pauses at random; one case in five also sends what has to be refused. The model
    is built with the assertions of the RTL in it.

    Args:
        ip: what is checked.
        count: cases, at least 1: a key with its messages each.
        seed: of keys, messages and pauses, at least 0. No secret may come of it.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built, or an assertion of the RTL failed.
    """
    check_drawing(count, seed)
    run = {"rsa_keygen": _keygen, "rsa_fixed": _fixed, "rsa_stream": _stream}[ip.name]
    draw, counted = Random(f"totient check {ip.name} {seed}"), _Count()
    with Model(build_model(ip.top(), checked=True)) as model:
        model.pause_at_random(seed)
        with bar(f"check {ip.name}", count) as progress:
            case = run(ip, model, draw, counted)
            for number in range(count):
                case(number)
                progress.advance()
        cycles = model.cycles
    faults, checked = tuple(counted.faults), _CHECKED.get(ip.name, "every result is right")
    return Outcome(count, counted.messages, counted.refusals, cycles, faults, checked)


_Case = Callable[[int], None]


def _primes(draw: Random, bits: int) -> tuple[int, int]:
    """Two different odd primes; more often than not of the full length."""
    while True:
        p, q = (
            getPrime(draw.choice((bits, bits, draw.randint(3, bits))), draw.randbytes)
            for _ in range(2)
        )
        if p != q and min(p, q) > 2:
            return p, q


def _message(draw: Random, modulus: int) -> int:
    return draw.choice((0, 1, modulus - 1, *(draw.randrange(modulus) for _ in range(5))))


def _keygen(ip: Ip, model: Model, draw: Random, counted: _Count) -> _Case:
    device = RsaKeygen(model)

    def case(number: int) -> None:
        p, q = _primes(draw, 32)
        n, totient = p * q, (p - 1) * (q - 1)
        message = _message(draw, n)
        tried = tried_exponents(totient)
        encrypted = device.run(Mode.ENCRYPT, p=p, q=q, i_msg=message)
        decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
        given = device.run(Mode.GIVEN, i_msg=message, i_key=encrypted.d, i_n=n)
        d = pow(tried[-1], -1, totient)
        key = encrypted.e, encrypted.d, encrypted.n
        counted.faults.expect(number, "key", key, (tried[-1], d, n))
        counted.faults.expect(number, "cipher", encrypted.result, pow(message, tried[-1], n))
        counted.faults.expect(number, "decrypted", decrypted.result, message)
        counted.faults.expect(number, "result", given.result, pow(message, d, n))
        expected = _KEY_HANDED + key_cycles(p.bit_length(), q.bit_length(), tried)
        for run in (encrypted, decrypted):
            counted.faults.expect(number, "cycles of the key", run.key_cycles, expected)
        counted.messages += 3
        if number % _REFUSALS_EVERY == 0:
            for operands, error in (
                ({"p": p, "q": p}, _PRIME),
                ({"p": p - 1, "q": q}, _PRIME),
                ({"p": p, "q": q, "i_msg": n}, ErrorCode.BASE_NOT_BELOW),
            ):
                refused = device.run(Mode.ENCRYPT, **operands)
                counted.faults.expect(
                    number, "refusal", (refused.error, refused.result), (error, 0)
                )
                counted.refusals += 1

    return case


def _fixed(ip: Ip, model: Model, draw: Random, counted: _Count) -> _Case:
    values = {p.name: p.default for p in ip.parameters}
    modulus, exponent = values["modulus"], values["exponent"]

    def case(number: int) -> None:
        messages = [_message(draw, modulus) for _ in range(draw.randint(1, 20))]
        if number % _REFUSALS_EVERY == 0:
            messages.insert(draw.randint(0, len(messages)), draw.randrange(modulus, 1 << 32))
            counted.refusals += 1
        expected = [pow(m, exponent, modulus) if m < modulus else 0 for m in messages]
        counted.faults.expect(number, "words", model.exchange(messages), expected)
        counted.messages += len(messages)

    return case


def _stream(ip: Ip, model: Model, draw: Random, counted: _Count) -> _Case:
    registers = RegisterMap(model, ip.registers)
    bits = next(p.default for p in ip.parameters if p.name == "prime_bits")

    def case(number: int) -> None:
        p, q = _primes(draw, bits)
        n, totient = p * q, (p - 1) * (q - 1)
        words = -(-(p.bit_length() + q.bit_length()) // 32)
        tried = tried_exponents(totient)
        registers.exponent, registers.direction = 0, 0
        registers.prime1, registers.prime2 = p, q
        messages = [_message(draw, n) for _ in range(draw.randint(1, 5))]
        ciphers = _raise(model, messages, words)
        key = registers.key_exponent, registers.private, registers.modulus
        counted.faults.expect(number, "key", key, (tried[-1], pow(tried[-1], -1, totient), n))
        counted.faults.expect(number, "ciphers", ciphers, [pow(m, tried[-1], n) for m in messages])
        registers.direction = 1
        counted.faults.expect(number, "decrypted", _raise(model, ciphers, words), messages)
        counted.messages += 2 * len(messages)
        if number % _REFUSALS_EVERY == 0:
            counted.faults.expect(number, "refusal", _raise(model, [n], words), [0])
            error = registers.status >> 4 & 15
            counted.faults.expect(number, "error code", error, ErrorCode.BASE_NOT_BELOW)
            counted.refusals += 1

    return case


def _raise(model: Model, messages: list[int], words: int) -> list[int]:
    """Messages of so many words each, in one packet; the results."""
    sent = [message >> 32 * place & 0xFFFF_FFFF for message in messages for place in range(words)]
    got = model.exchange(sent)
    return [
        sum(word << 32 * place for place, word in enumerate(got[at : at + words]))
        for at in range(0, len(got), words)
    ]
