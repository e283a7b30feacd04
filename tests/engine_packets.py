"""The engine's packets (`docs/contracts.md`) answered by integers: what its RTL has to answer, too.

A packet is a list of words; `totient.check.packets` makes requests. The cycles of an answer are
made up. As nothing takes time here, nothing is ended by a clear.

Of several things that are wrong the first one of this list is answered: command, option or slot;
lengths without which the packet ends; a length that is not allowed; a packet that ends early, or
goes on; a number that is longer than stated; an empty exponent, or no fitting key; numbers of a key
in their order; bases; an option that the key has no use for.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from Crypto.Util.number import getPrime

from totient.check.packets import number_words, parse_number
from totient.common.contract import (
    LONGER_HALF_BITS,
    MIN_PRIME_BITS,
    MIN_RSA_BITS,
    Command,
    ErrorCode,
    KeyForm,
    PrivateOption,
    Request,
    Response,
    TimingClass,
)
from totient.device import Primes, RsaKey, key_of_primes

Words = list[int]

_WORD = 32


class RefusalError(Exception):
    """An error code is the answer."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code.name)
        self.code = code


class _Reader:
    """Words of a packet after the first one."""

    def __init__(self, packet: Sequence[int]) -> None:
        self._words = list(packet)
        self._short = self._over = False

    def lengths(self, count: int) -> list[int]:
        if len(self._words) < count:
            raise RefusalError(ErrorCode.PACKET_SHORT)
        return [self._words.pop(0) for _ in range(count)]

    def number(self, bits: int) -> int:
        count = -(-bits // _WORD)
        words, self._words = self._words[:count], self._words[count:]
        number = parse_number(words)
        self._short |= len(words) < count
        self._over |= number.bit_length() > bits
        return number

    def rest(self) -> int:
        """How many words there are to come."""
        return len(self._words)

    def end(self) -> None:
        for wrong, code in (
            (self._short, ErrorCode.PACKET_SHORT),
            (bool(self._words), ErrorCode.PACKET_LONG),
            (self._over, ErrorCode.LENGTH),
        ):
            _refuse(wrong, code)


@dataclass(frozen=True)
class _Plain:
    """One modulus with an exponent, or a pair of them; `bits` is the moduli's stated length."""

    bits: int
    moduli: tuple[int, ...]
    exponents: tuple[int, ...]


@dataclass
class Engine:
    """An engine: called with a request, it gives the response.

    Attributes:
        max_bits: longest modulus, in bits.
        slots: of keys.
        plain: it is no engine, and has no slots.
        lanes: numbers that are raised to a plain key's exponent at once.
        keys: by slot.
        requests: command, option and slot of each request so far.
        refusal: answered to the next request.
        starved: no random words come.
        room: random words that it keeps, from packets; 0: it gets them elsewhere.
        held: how many there are, those in the core's pool included.
        pool: words that the core fetches ahead; 0: it takes a word for each digit when it needs it.
        digit_bits: of a random number.
        spoil: applied to what a private operation has computed, before the check inside.
        release: applied to what passed that check.
    """

    max_bits: int = 1024
    slots: int = 4
    plain: bool = False
    lanes: int = 1
    name: str = "engine"
    keys: dict[int, RsaKey | _Plain] = field(default_factory=dict)
    requests: list[tuple[int, int, int]] = field(default_factory=list)
    refusal: ErrorCode = ErrorCode.OK
    starved: bool = False
    room: int = 0
    held: float = 0
    pool: int = 0
    digit_bits: int = 18
    spoil: Callable[[int], int] = lambda value: value
    release: Callable[[int], int] = lambda value: value

    def __call__(self, packet: Words) -> Words:
        """The response to a request."""
        first = packet[0]
        command = Request.COMMAND.of(first)
        option, slot = Request.OPTION.of(first), Request.SLOT.of(first)
        self.requests.append((command, option, slot))
        refusal, self.refusal = self.refusal, ErrorCode.OK
        try:
            if refusal:
                raise RefusalError(refusal)
            body = self._answer(first, command, option, slot, _Reader(packet[1:]))
        except RefusalError as refusal:
            loads = command in (Command.LOAD_KEY, Command.LOAD_RSA_KEY, Command.LOAD_PAIR)
            if loads and not first >> 24:
                self.keys.pop(slot, None)
            return [command | Response.ERROR.put(refusal.code)]
        return [command | Response.WORDS.put(len(body)), *body]

    def _answer(self, first: int, command: int, option: int, slot: int, request: _Reader) -> Words:
        most_option = {
            Command.EXPONENTIATE: 255,
            Command.LOAD_RSA_KEY: max(KeyForm),
            Command.PRIVATE: sum(PrivateOption),
        }
        commands = set(Command) - (set() if self.room else {Command.RANDOM_WORDS})
        if self.plain:
            commands = {Command.INFO, Command.LOAD_KEY, Command.EXPONENTIATE, Command.CLEAR}
        known = command in commands and option <= most_option.get(Command(command), 0)
        if command == Command.CLEAR:
            self.held = 0  # also where it is refused
        if not known or first >> 24 or slot >= (1 if self.plain else self.slots):
            raise RefusalError(ErrorCode.COMMAND)
        match command:
            case Command.RANDOM_WORDS:
                _refuse(slot > 0, ErrorCode.COMMAND)
                count = request.rest()
                outside = int(max(self.held - self.pool, 0))
                _refuse(count > self.room - outside, ErrorCode.LENGTH)
                self.held += count
                return [outside + count, self.room - outside - count]
            case Command.INFO:
                request.end()
                return self._info()
            case Command.CLEAR:
                request.end()
                self.keys.clear()
                return []
            case Command.SELF_TEST:
                request.end()
                self.keys.pop(slot, None)  # it has a key of its own there
                return []
            case Command.LOAD_KEY:
                self.keys[slot] = self._plain(request, 1, self.max_bits)
                return [1000, 0]
            case Command.LOAD_PAIR:
                self.keys[slot] = self._plain(request, 2, self._longest_half)
                return [2000, 0]
            case Command.LOAD_RSA_KEY:
                self.keys[slot] = self._rsa_key(request, option)
                return [3000, 0]
            case Command.EXPONENTIATE:
                return self._exponentiate(request, option + 1, slot)
            case _:
                return self._operate(request, Command(command), option, slot)

    @property
    def _longest_half(self) -> int:
        """Bits of a prime, or of a modulus of a pair."""
        return self.max_bits // 2 + LONGER_HALF_BITS

    def _info(self) -> Words:
        name = name_words(self.name)
        timing, slots = TimingClass.EXPONENT_LENGTH, [] if self.plain else [self.slots]
        return [*name, 0x100, self.max_bits, timing, self.lanes, *slots]

    def _plain(self, request: _Reader, count: int, most: int) -> _Plain:
        bits, exponent_bits = request.lengths(2)
        _refuse(bits > most or exponent_bits > most, ErrorCode.LENGTH)
        moduli = tuple(request.number(bits) for _ in range(count))
        exponents = tuple(request.number(exponent_bits) for _ in range(count))
        request.end()
        _refuse(exponent_bits == 0, ErrorCode.EXPONENT_EMPTY)
        for modulus in moduli:
            _refuse(modulus < 2, ErrorCode.MODULUS_SMALL)
            _refuse(modulus % 2 == 0, ErrorCode.MODULUS_EVEN)
        return _Plain(bits, moduli, exponents)

    def _rsa_key(self, request: _Reader, option: int) -> RsaKey:
        n_bits, e_bits, *prime_bits = request.lengths(4 if option == KeyForm.PRIMES else 2)
        _refuse(not MIN_RSA_BITS <= n_bits <= self.max_bits or e_bits > n_bits, ErrorCode.LENGTH)
        _refuse(e_bits < 2, ErrorCode.PUBLIC_EXPONENT)
        if prime_bits:
            for bits in prime_bits:
                _refuse(not MIN_PRIME_BITS <= bits <= self._longest_half, ErrorCode.LENGTH)
            _refuse(sum(prime_bits) != n_bits, ErrorCode.LENGTH)
        n, e = request.number(n_bits), request.number(e_bits)
        d = request.number(n_bits) if option == KeyForm.EXPONENT else None
        primes = None
        if prime_bits:
            p_bits, q_bits = prime_bits
            # dP, dQ and qInv follow the primes.
            primes = Primes(*map(request.number, (p_bits, q_bits, p_bits, q_bits, p_bits)))
        request.end()
        _refuse(n.bit_length() < n_bits, ErrorCode.LENGTH)
        _refuse(n % 2 == 0, ErrorCode.MODULUS_EVEN)
        _refuse(e.bit_length() < e_bits, ErrorCode.LENGTH)
        _refuse(e % 2 == 0, ErrorCode.PUBLIC_EXPONENT)
        if primes is not None:
            for prime, bits in zip((primes.p, primes.q), prime_bits, strict=True):
                _refuse(prime.bit_length() < bits, ErrorCode.LENGTH)
                _refuse(prime % 2 == 0, ErrorCode.PRIME)
            _refuse(primes.p * primes.q != n, ErrorCode.PRIME)
        return RsaKey(n, e, d, primes)

    def _exponentiate(self, request: _Reader, count: int, slot: int) -> Words:
        key = self.keys.get(slot)
        _refuse(count > max(self.lanes, 2), ErrorCode.COMMAND)
        moduli = len(key.moduli) if isinstance(key, _Plain) else 0
        lanes = moduli == 1 and count <= self.lanes
        (bits,) = request.lengths(1)
        whole = count == 1 or lanes
        _refuse(bits > (self.max_bits if whole else self._longest_half), ErrorCode.LENGTH)
        bases = [request.number(bits) for _ in range(count)]
        request.end()
        if not isinstance(key, _Plain) or not (lanes or moduli == count):
            raise RefusalError(ErrorCode.NO_KEY)
        copies = count // moduli
        work = list(zip(bases, key.exponents * copies, key.moduli * copies, strict=True))
        _refuse(any(base >= modulus for base, _, modulus in work), ErrorCode.BASE_NOT_BELOW)
        results = [pow(*each) for each in work]
        return [100, 0, *(word for result in results for word in number_words(result, key.bits))]

    def _operate(self, request: _Reader, command: Command, option: int, slot: int) -> Words:
        key = self.keys.get(slot)
        (bits,) = request.lengths(1)
        _refuse(bits > self.max_bits, ErrorCode.LENGTH)
        value = request.number(bits)
        request.end()
        if not isinstance(key, RsaKey) or (command == Command.PRIVATE and not key.is_private):
            raise RefusalError(ErrorCode.NO_KEY)
        _refuse(value >= key.modulus, ErrorCode.BASE_NOT_BELOW)
        # Exponents are blinded with multiples of p - 1 and q - 1.
        blinds_exponent = bool(option & PrivateOption.EXPONENT_BLINDING)
        _refuse(blinds_exponent and key.primes is None, ErrorCode.COMMAND)
        if command == Command.PUBLIC:
            result = pow(value, key.exponent, key.modulus)
        else:
            _refuse(self.starved and option != PrivateOption.NO_BASE_BLINDING, ErrorCode.RANDOM)
            self._take_random(key, option)
            result = self.release(self._privately(key, value))
        return [200, 0, *number_words(result, key.modulus.bit_length())]

    def _take_random(self, key: RsaKey, option: int) -> None:
        """Random words of a private operation; where there are too few, all that there are."""
        if not self.room:
            return
        parts = key.primes
        longest = max(parts.p, parts.q) if parts else key.modulus
        digits = -(-(longest.bit_length() + 2) // self.digit_bits)
        base = 0 if option & PrivateOption.NO_BASE_BLINDING else digits - 2
        exponent = 2 if option & PrivateOption.EXPONENT_BLINDING else 0
        count: float = base + exponent
        behind = 0
        if self.pool:  # all bits of halves of words; three words behind them have to be there
            count = sum(-(-each * self.digit_bits // 16) for each in (base, exponent)) / 2
            behind = 3
        count *= 2 if parts else 1
        enough = count + behind * (count > 0) <= self.held
        # Without enough of them, the core wipes what it has.
        self.held = max(self.held - count, 0) if enough or not self.pool else 0
        _refuse(not enough, ErrorCode.RANDOM)

    def _privately(self, key: RsaKey, value: int) -> int:
        n, parts = key.modulus, key.primes
        if parts is None:
            result = pow(value, key.private_exponent or 0, n)
        else:
            by_p, by_q = pow(value, parts.d_p, parts.p), pow(value, parts.d_q, parts.q)
            result = (by_q + parts.q * (parts.q_inverse * (by_p - by_q) % parts.p)) % n
        result = self.spoil(result)
        if pow(result, key.exponent, n) != value:
            raise RefusalError(ErrorCode.FAULT)
        return result


def error_of(answer: Words) -> ErrorCode:
    """The error code of an answer."""
    return ErrorCode(Response.ERROR.of(answer[0]))


def without_cycles(answer: Words) -> Words:
    """An answer without its cycles, which are made up here."""
    counted = answer[0] & 0xFF not in (Command.INFO, Command.RANDOM_WORDS) and len(answer) > 2
    return [answer[0], *answer[3:]] if counted else answer


def drawn_key(draw: Random, p_bits: int, q_bits: int, e: int = 65537) -> tuple[RsaKey, int]:
    """A key with primes of these lengths and a modulus of as many bits as both, and its d."""
    while True:
        p, q = getPrime(p_bits, draw.randbytes), getPrime(q_bits, draw.randbytes)
        fits = p != q and (p * q).bit_length() == p_bits + q_bits
        if fits and math.gcd(e, (p - 1) * (q - 1)) == 1:
            return key_of_primes(p, q, e)


def name_words(name: str) -> Words:
    """A design's name as the info packet has it."""
    return number_words(int.from_bytes(name.encode("ascii"), "little"), 128)


def _refuse(wrong: bool, code: ErrorCode) -> None:
    if wrong:
        raise RefusalError(code)
