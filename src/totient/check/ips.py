"""Checks of the IPs that are more than a core: random keys and messages, and bad input."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from Crypto.Util.number import getPrime

from totient.catalog import IpConfiguration, Work, cycle_formulas, private_bits
from totient.check.openssl import SIGNING_BITS, private_key, signature
from totient.check.pins import BoardModel
from totient.check.run import Outcome, check_drawing, counted
from totient.check.subject import RTL, On, Subject
from totient.common.contract import ErrorCode
from totient.device.modmul_montgomery import ModmulMontgomery
from totient.device.rsa_keygen import Mode, RsaKeygen
from totient.device.rsa_stream import RsaStream, exchange_messages
from totient.golden.keygen import euclid_divisions, tried_exponents
from totient.sim import Model

# One case in this many also sends bad input.
_REFUSALS_EVERY = 5

LIMIT = 20_000_000
"""Time limit of a packet in clock cycles: several times the longest one."""


class _Ends:
    """The faces of a model, with a time limit."""

    def __init__(self, model: Model | BoardModel) -> None:
        self.read, self.write = model.read, model.write
        self._model = model

    def exchange(self, packet: Sequence[int]) -> list[int]:
        return self._model.exchange(packet, limit=LIMIT)


class _Run:
    """A check in progress: the IP and random draws."""

    def __init__(
        self,
        ip: IpConfiguration,
        model: Model | BoardModel,
        seed: int,
        outcome: Outcome,
        *,
        timed: bool,
    ) -> None:
        self.ip, self.model, self.ends = ip, model, _Ends(model)
        self.outcome = outcome
        self.draw = Random(f"totient check {ip.name} {seed}")
        self._formulas = cycle_formulas(ip.ip)
        self._seed, self._timed = seed, timed

    def pause(self, on: bool) -> None:
        """Let handshakes pause at random or not. Without pauses cycles follow the formula."""
        self.model.pause_at_random(self._seed if on else 0)

    def cycles(self, number: int, name: str, found: int, work: Work) -> None:
        """Record a fault if cycles differ from the formula."""
        if not self._timed:
            return
        if name == "packet" and isinstance(self.model, BoardModel):
            return  # the cycles include the serial line
        expected = self._formulas[name].cycles(self.ip, work)
        self.outcome.expect(number, f"cycles ({name})", found, expected)

    def refused(self, number: int, found: object, expected: object) -> None:
        """Record a fault if bad input was not refused as required."""
        self.outcome.expect(number, "refusal", found, expected)
        self.outcome.refusals += 1


def check_ip(
    ip: IpConfiguration,
    count: int,
    seed: int,
    on: On = RTL,
) -> Outcome:
    """Run `count` cases: keys and messages against Python's integers.

    Cycles must equal the catalog's formulas. Every handshake pauses at random, except in every
    second case of an IP with streams, which checks the cycles of whole packets. One case in five
    also sends bad input. A key that is long enough for signatures is also given to `cryptography`,
    which must accept it and the signature. An RTL model includes the assertions. A netlist runs
    everything with each seed of its unknowns.

    Args:
        ip: to check.
        count: cases, 1 to `MOST_CASES`: a key with its messages each, or an exponentiation if the
            IP computes products.
        seed: of keys, messages and pauses, at least 0. Never derive a secret from it.
        on: what is run of it. On a board the cycles of whole packets are not visible and are not
            checked.

    Raises:
        InputError: count or seed out of range; no such netlist.
        ToolError: the model cannot be built, an assertion of the RTL failed, or the IP hangs.
    """
    check_drawing(count, seed)
    subject = Subject(ip, on)
    outcome = Outcome(count * len(subject.unknowns))
    for unknowns in subject.unknowns:
        with subject.open(unknowns) as model:
            case = ip_cases(ip, model, seed, outcome)
            for number in counted(f"check {ip.label}", count):
                case(number)
            outcome.cycles += model.cycles
    return outcome


_Case = Callable[[int], None]


def ip_cases(
    ip: IpConfiguration,
    model: Model | BoardModel,
    seed: int,
    outcome: Outcome,
    *,
    timed: bool = True,
) -> Callable[[int], None]:
    """The cases of an IP: a function of a case's number, which adds to the outcome.

    Args:
        ip: to check.
        model: of it.
        seed: of keys, messages and pauses.
        outcome: gets what is found.
        timed: whether cycles are compared with the formulas.
    """
    cases = {
        "rsa_keygen": _keygen,
        "rsa_restoring": _keygen,
        "rsa_fixed": _fixed,
        "rsa_stream": _stream,
        "modmul_montgomery": _products,
    }[ip.name]
    return cases(_Run(ip, model, seed, outcome, timed=timed))


def _primes(draw: Random, bits: int) -> tuple[int, int]:
    """Two different odd primes, mostly of the full length."""
    while True:
        p, q = (
            getPrime(draw.choice((bits, bits, draw.randint(3, bits))), draw.randbytes)
            for _ in range(2)
        )
        if p != q and min(p, q) > 2:
            return p, q


def _message(draw: Random, modulus: int) -> int:
    return draw.choice((0, 1, modulus - 1, *(draw.randrange(modulus) for _ in range(5))))


def _keygen(run: _Run) -> _Case:
    device, draw = RsaKeygen(run.model), run.draw
    run.pause(True)

    def case(number: int) -> None:
        p, q = _primes(draw, run.ip.width // 2)
        n, totient = p * q, (p - 1) * (q - 1)
        message = _message(draw, n)
        tried = tried_exponents(totient)
        e, d = tried[-1], pow(tried[-1], -1, totient)
        encrypted = device.run(Mode.ENCRYPT, p=p, q=q, i_msg=message)
        decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
        given = device.run(Mode.GIVEN, i_msg=message, i_key=d, i_n=n)
        run.outcome.expect(number, "key", (encrypted.e, encrypted.d, encrypted.n), (e, d, n))
        run.outcome.expect(number, "cipher", encrypted.result, pow(message, e, n))
        run.outcome.expect(number, "decrypted", decrypted.result, message)
        run.outcome.expect(number, "result", given.result, pow(message, d, n))
        lengths = p.bit_length(), q.bit_length()
        divisions = euclid_divisions(totient, tried)
        made = Work(n, e.bit_length(), *lengths, tuple(tried), divisions=divisions)
        for done, work in (
            (encrypted, made),
            (decrypted, replace(made, exponent_bits=private_bits(run.ip.ip, d, sum(lengths)))),
            (given, Work(n, d.bit_length())),
        ):
            if work.tried:
                run.cycles(number, "key", done.key_cycles, work)
            run.cycles(number, "message", done.message_cycles, work)
            run.cycles(number, "all", done.cycles, work)
        run.outcome.exponentiations += 3
        if number % _REFUSALS_EVERY == 0:
            for operands, error in (
                ({"p": p, "q": p}, ErrorCode.PRIME),
                ({"p": p - 1, "q": q}, ErrorCode.PRIME),
                ({"p": p, "q": q, "i_msg": n}, ErrorCode.BASE_NOT_BELOW),
            ):
                refused = device.run(Mode.ENCRYPT, **operands)
                run.refused(number, (refused.error, refused.result), (error, 0))

    return case


def _fixed(run: _Run) -> _Case:
    modulus, exponent = run.ip.parameters["modulus"], run.ip.parameters["exponent"]
    words = -(-run.ip.width // 32)

    def raise_all(messages: Sequence[int]) -> tuple[list[int], int]:
        """Results and clock cycles of a packet."""
        before = run.model.cycles
        return exchange_messages(run.ends, messages, words), run.model.cycles - before

    def work(messages: int, first: bool = False) -> Work:
        return Work(modulus, exponent.bit_length(), messages=messages, new_key=first)

    run.pause(False)
    run.cycles(0, "packet", raise_all([1, 0])[1], work(2, first=True))

    def case(number: int) -> None:
        draw, quiet = run.draw, number % 2 == 1
        run.pause(not quiet)
        messages = [_message(draw, modulus) for _ in range(draw.randint(1, 20))]
        expected = [pow(m, exponent, modulus) for m in messages]
        results, cycles = raise_all(messages)
        run.outcome.expect(number, "results", results, expected)
        if quiet:
            run.cycles(number, "packet", cycles, work(len(messages)))
        run.outcome.exponentiations += len(messages)
        if number % _REFUSALS_EVERY == 0:
            top, place = 1 << 32 * words, draw.randint(0, len(messages))
            large = draw.choice((modulus, draw.randrange(modulus, top), top - 1))
            results, _ = raise_all([*messages[:place], large, *messages[place:]])
            run.refused(number, results, [*expected[:place], 0, *expected[place:]])

    return case


def _stream(run: _Run) -> _Case:
    device, draw, bits = RsaStream(run.ends), run.draw, run.ip.parameters["prime_bits"]

    def case(number: int) -> None:
        quiet = number % 2 == 1
        run.pause(not quiet)
        p, q = _primes(draw, bits)
        n, totient = p * q, (p - 1) * (q - 1)
        given = draw.choice((0, 3, 65537, draw.getrandbits(32) | 1))
        if given == 1 or math.gcd(given, totient) > 1:
            given = 0
        tried = (given,) if given else tuple(tried_exponents(totient))
        e, d = tried[-1], pow(tried[-1], -1, totient)
        lengths = p.bit_length(), q.bit_length()
        work = Work(n, e.bit_length(), *lengths, tried)

        def raises(what: str, messages: Sequence[int], exponent: int, work: Work) -> list[int]:
            before = run.model.cycles
            results = device.raise_all(messages)
            packet = run.model.cycles - before
            expected = [pow(message, exponent, n) for message in messages]
            run.outcome.expect(number, what, results, expected)
            if quiet:
                run.cycles(number, "packet", packet, replace(work, messages=len(messages)))
            run.cycles(number, "message", device.registers.message_cycles, work)
            run.outcome.exponentiations += len(messages)
            return results

        device.registers.direction = 0
        device.set_primes(p, q, given)
        messages = [_message(draw, n) for _ in range(draw.randint(1, 5))]
        ciphers = raises("ciphers", messages, e, replace(work, new_key=True))
        run.outcome.expect(number, "key", device.key, (n, e, d))
        run.cycles(number, "key", device.registers.key_cycles, work)
        signed = _signature(run, number, device.key)
        (block,) = raises("block", [signed], e, work)
        device.registers.direction = 1
        work = replace(work, exponent_bits=sum(lengths))
        raises("decrypted", ciphers, d, replace(work, new_exponent=True))
        raises("signature", [block], d, work)
        if number % _REFUSALS_EVERY == 0:
            run.refused(
                number, (device.raise_all([n]), device.error), ([0], ErrorCode.BASE_NOT_BELOW)
            )
            for primes, error in (
                ((p, p, 0), ErrorCode.PRIME),
                ((p - 1, q, 0), ErrorCode.PRIME),
                ((p, q, 2), ErrorCode.PUBLIC_EXPONENT),
            ):
                device.set_primes(*primes)
                answer = device.raise_all([1])
                run.refused(number, (answer, device.error, device.key), ([0], error, (0, 0, 0)))

    return case


# Longest exponent, in bits, for exponentiation by single products.
_EXPONENT_BITS = 12


def _products(run: _Run) -> _Case:
    """A right-to-left exponentiation with every product from the IP."""
    device, draw, width = ModmulMontgomery(run.model), run.draw, run.ip.width
    run.pause(True)

    def case(number: int) -> None:
        length = draw.choice((width, width, draw.randint(1, width)))
        n = draw.choice(((1 << length) - 1, 1 << length - 1, draw.getrandbits(length))) | 1
        exponent = draw.getrandbits(draw.randint(0, _EXPONENT_BITS))
        base = draw.choice((0, 1 % n, n - 1, draw.randrange(n)))
        device.registers.modulus = n

        def product(a: int, b: int) -> int:
            done = device.multiply(a, b)
            expected = a * b * pow(2, -n.bit_length(), n) % n
            run.outcome.expect(number, "product", (done.product, done.error), (expected, 0))
            run.cycles(number, "product", done.cycles, Work(n, 0))
            return done.product

        square = product(base, pow(2, 2 * n.bit_length(), n))
        result = (1 << n.bit_length()) % n
        for place in range(exponent.bit_length()):
            if exponent >> place & 1:
                result = product(result, square)
            square = product(square, square)
        result = product(result, 1 % n)
        run.outcome.expect(number, "power", result, pow(base, exponent, n))
        run.outcome.exponentiations += 1
        if number % _REFUSALS_EVERY == 0:
            large = draw.randint(n, (1 << width) - 1)
            bad = [(base, base, n - 1, ErrorCode.MODULUS_EVEN)]
            bad += [(*pair, n, ErrorCode.BASE_NOT_BELOW) for pair in ((large, base), (base, large))]
            if width < 64:
                bad += [(1 << width, base, n, ErrorCode.LENGTH)]
            for a, b, modulus, error in bad:
                done = device.multiply(a, b, modulus)
                run.refused(number, (done.error, done.product), (error, 0))

    return case


def _signature(run: _Run, number: int, key: tuple[int, int, int]) -> int:
    """OpenSSL's signature with an IP's key; for a short key any message.

    Raised to e it gives the padded digest, which the IP then signs itself.
    """
    n, e, d = key
    if n.bit_length() < SIGNING_BITS:
        return _message(run.draw, n) if n else 0
    try:
        signing_key = private_key(n, e, d)
    except ValueError as error:
        run.outcome.faults.append(f"case {number}: cryptography refuses the key: {error}")
        return 0
    return signature(signing_key, run.draw.randbytes(20))
