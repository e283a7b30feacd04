"""The engine's packets (`docs/contracts.md`) answered by integers: what its RTL has to answer, too.

A packet is a list of words; `totient.check.packets` makes requests. The cycles of an answer are
made up. As nothing takes time here, nothing is ended by a clear.

The first fault in a packet, word by word, is the one that is answered, as behind the stream's
adapter; of what is wrong with a whole packet, in this order: no fitting key, exponents, moduli,
bases.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from totient.catalog import ErrorCode, TimingClass
from totient.check.packets import Command, number_words, parse_number
from totient.device import Primes, RsaKey

Words = list[int]

LEAST_BITS = 512
"""Of an RSA modulus."""

_WORD = 32


class RefusalError(Exception):
    """An error code is the answer."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code.name)
        self.code = code


class _Reader:
    """Words of a packet after the first one."""

    def __init__(self, packet: Sequence[int], most: int) -> None:
        self._words = list(packet)
        self._most = most

    def word(self) -> int:
        if not self._words:
            raise RefusalError(ErrorCode.PACKET_SHORT)
        return self._words.pop(0)

    def length(self, least: int = 0, most: int | None = None) -> int:
        bits = self.word()
        if not least <= bits <= (self._most if most is None else most):
            raise RefusalError(ErrorCode.LENGTH)
        return bits

    def number(self, bits: int, exact: bool = False) -> int:
        number = parse_number([self.word() for _ in range(-(-bits // _WORD))])
        if number.bit_length() > bits or (exact and number.bit_length() < bits):
            raise RefusalError(ErrorCode.LENGTH)
        return number

    def end(self) -> None:
        if self._words:
            raise RefusalError(ErrorCode.PACKET_LONG)


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
        keys: by slot.
        requests: command, option and slot of each request so far.
        refusal: answered to the next request.
        starved: no random words come.
        spoil: applied to what a private operation has computed, before the check inside.
        release: applied to what passed that check.
    """

    max_bits: int = 1024
    slots: int = 4
    lanes: int = 1
    name: str = "engine"
    keys: dict[int, RsaKey | _Plain] = field(default_factory=dict)
    requests: list[tuple[int, int, int]] = field(default_factory=list)
    refusal: ErrorCode = ErrorCode.NONE
    starved: bool = False
    spoil: Callable[[int], int] = lambda value: value
    release: Callable[[int], int] = lambda value: value

    def __call__(self, packet: Words) -> Words:
        """The response to a request."""
        first = packet[0]
        command, option, slot = first & 0xFF, first >> 8 & 0xFF, first >> 16 & 0xFF
        self.requests.append((command, option, slot))
        refusal, self.refusal = self.refusal, ErrorCode.NONE
        try:
            if refusal:
                raise RefusalError(refusal)
            body = self._answer(first, command, option, slot, _Reader(packet[1:], self.max_bits))
        except RefusalError as refusal:
            if command in (Command.LOAD_KEY, Command.LOAD_RSA_KEY, Command.LOAD_PAIR):
                self.keys.pop(slot, None)
            return [command | refusal.code << 8]
        return [command | len(body) << 16, *body]

    def _answer(self, first: int, command: int, option: int, slot: int, request: _Reader) -> Words:
        most_option = {
            Command.EXPONENTIATE: 255,
            Command.LOAD_RSA_KEY: 2,
            Command.PRIVATE: 3,
        }
        known = command in list(Command) and option <= most_option.get(Command(command), 0)
        if not known or first >> 24 or slot >= self.slots:
            raise RefusalError(ErrorCode.COMMAND)
        match command:
            case Command.INFO:
                request.end()
                return self._info()
            case Command.CLEAR:
                request.end()
                self.keys.clear()
                return []
            case Command.SELF_TEST:
                request.end()
                return []
            case Command.LOAD_KEY:
                self.keys[slot] = self._plain(request, 1, self.max_bits)
                return [1000, 0]
            case Command.LOAD_PAIR:
                self.keys[slot] = self._plain(request, 2, self.max_bits // 2)
                return [2000, 0]
            case Command.LOAD_RSA_KEY:
                self.keys[slot] = self._rsa_key(request, option)
                return [3000, 0]
            case Command.EXPONENTIATE:
                return self._exponentiate(request, option + 1, slot)
            case _:
                return self._operate(request, Command(command), option, slot)

    def _info(self) -> Words:
        name = name_words(self.name)
        return [*name, 0x100, self.max_bits, TimingClass.EXPONENT_LENGTH, self.lanes, self.slots]

    def _plain(self, request: _Reader, count: int, most: int) -> _Plain:
        bits, exponent_bits = request.length(most=most), request.length()
        moduli = tuple(request.number(bits) for _ in range(count))
        exponents = tuple(request.number(exponent_bits) for _ in range(count))
        request.end()
        if exponent_bits == 0:
            raise RefusalError(ErrorCode.EXPONENT_EMPTY)
        for modulus in moduli:
            _check_modulus(modulus)
        return _Plain(bits, moduli, exponents)

    def _rsa_key(self, request: _Reader, option: int) -> RsaKey:
        n_bits, e_bits = request.length(LEAST_BITS), request.length(1)
        p_bits = q_bits = 0
        if option == 2:
            longest = self.max_bits // 2 + 8
            p_bits = request.length(1, longest)
            q_bits = request.length(n_bits - p_bits, min(n_bits - p_bits, longest))
        n, e = request.number(n_bits, exact=True), request.number(e_bits, exact=True)
        d = request.number(n_bits) if option == 1 else None
        primes = None
        if option == 2:
            primes = Primes(
                p=request.number(p_bits, exact=True),
                q=request.number(q_bits, exact=True),
                d_p=request.number(p_bits),
                d_q=request.number(q_bits),
                q_inverse=request.number(p_bits),
            )
        request.end()
        if e < 3 or e % 2 == 0:
            raise RefusalError(ErrorCode.PUBLIC_EXPONENT)
        for modulus in (n,) if primes is None else (n, primes.p, primes.q):
            _check_modulus(modulus)
        return RsaKey(n, e, d, primes)

    def _exponentiate(self, request: _Reader, count: int, slot: int) -> Words:
        key = self.keys.get(slot)
        if count > max(self.lanes, 2):
            raise RefusalError(ErrorCode.COMMAND)
        bits = request.length(most=self.max_bits // 2 if count == 2 else None)
        bases = [request.number(bits) for _ in range(count)]
        request.end()
        if not isinstance(key, _Plain) or len(key.moduli) != count:
            raise RefusalError(ErrorCode.NO_KEY)
        if any(base >= modulus for base, modulus in zip(bases, key.moduli, strict=True)):
            raise RefusalError(ErrorCode.BASE_NOT_BELOW)
        results = map(pow, bases, key.exponents, key.moduli)
        return [100, 0, *(word for result in results for word in number_words(result, key.bits))]

    def _operate(self, request: _Reader, command: Command, option: int, slot: int) -> Words:
        key = self.keys.get(slot)
        bits = request.length()
        value = request.number(bits)
        request.end()
        fits = isinstance(key, RsaKey) and (command == Command.PUBLIC or key.is_private)
        if not isinstance(key, RsaKey) or not fits:
            raise RefusalError(ErrorCode.NO_KEY)
        if value >= key.modulus:
            raise RefusalError(ErrorCode.BASE_NOT_BELOW)
        result = pow(value, key.exponent, key.modulus)
        if command == Command.PRIVATE:
            blinds = option != 1
            if blinds and self.starved:
                raise RefusalError(ErrorCode.RANDOM)
            result = self.release(self._privately(key, value))
        return [200, 0, *number_words(result, key.modulus.bit_length())]

    def _privately(self, key: RsaKey, value: int) -> int:
        n, parts = key.modulus, key.primes
        if parts is None:
            result = pow(value, key.private_exponent or 0, n)
        else:
            by_p, by_q = pow(value, parts.d_p, parts.p), pow(value, parts.d_q, parts.q)
            result = (by_q + parts.q * (parts.q_inverse * (by_p - by_q) % parts.p)) % n
        result = self.spoil(result)
        if pow(result, key.exponent, n) != value:
            raise RefusalError(ErrorCode.CHECK)
        return result


def name_words(name: str) -> Words:
    """A design's name as the info packet has it."""
    data = name.encode("ascii").ljust(16, b"\0")
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, 16, 4)]


def _check_modulus(modulus: int) -> None:
    if modulus < 2:
        raise RefusalError(ErrorCode.MODULUS_SMALL)
    if modulus % 2 == 0:
        raise RefusalError(ErrorCode.MODULUS_EVEN)
