"""What answers libtotient in place of the IPs with key generation, for primes of 32 bits."""

import math
from collections import deque
from dataclasses import dataclass
from typing import Any

from tests.driver.answerers import RegisterBlock
from tests.driver.bench import WayError, callback, new
from tests.engine_packets import RefusalError

from totient.common.contract import ErrorCode

KEY_CYCLES, MESSAGE_CYCLES, MORE_CYCLES = 321, 54, 11
PRIME_BITS = 32

_WORD = 32
_MASK = (1 << _WORD) - 1
_OPERANDS = ("P", "Q", "I_MSG", "I_KEY", "I_N")
_RESULTS = ("DATA_MSG", "DATA_ENCRYPT", "DATA_DECRYPT", "N_OUTPUT")
_FINISHED, _RUNNING = 1, 0x100


@dataclass(frozen=True)
class MadeKey:
    """A key that an IP has made."""

    n: int
    e: int
    d: int

    @classmethod
    def of(cls, p: int, q: int, e: int = 0) -> "MadeKey":
        """Of two primes and an exponent; 0 for the first one that is coprime."""
        if not p or not q:
            raise RefusalError(ErrorCode.LENGTH)
        if p % 2 == 0 or q % 2 == 0 or min(p, q) < 3 or p == q:
            raise RefusalError(ErrorCode.PRIME)
        phi = (p - 1) * (q - 1)
        e = e or next(odd for odd in range(3, phi + 3, 2) if math.gcd(odd, phi) == 1)
        if e < 3 or e % 2 == 0 or math.gcd(e, phi) != 1:
            raise RefusalError(ErrorCode.PUBLIC_EXPONENT)
        return cls(p * q, e, pow(e, -1, phi))


class RegistersIp(RegisterBlock):
    """`rsa_keygen_axil`: a key for each message.

    Attributes:
        results: what it gives for its operands, by register.
        works: reads of the state until an operation has ended.
        wiping: reads of the state until a reset has ended; an operation waits for it.
        lie: xor of the next state of an operation that has ended.
    """

    def __init__(self) -> None:
        super().__init__("rsa_keygen_registers")
        self.results: dict[str, int] = {}
        self.works, self.wiping, self.lie = 2, 0, 0
        self._busy, self._held = 0, False

    def value(self, name: str) -> int:
        """What a register shows."""
        if name == "IDENTIFICATION":
            return 0x10052534B47
        return self._state() if name == "MOD_EXP_FINISH" else self.results.get(name, 0)

    def _state(self) -> int:
        self.wiping = max(self.wiping - 1, 0)
        if self._busy:
            self._busy -= 1
            return _RUNNING
        state = self.results.get("MOD_EXP_FINISH", 0) ^ self.lie
        if state & _FINISHED:
            self.lie = 0
        return state

    def wrote(self, name: str) -> None:
        """A word of a register was written."""
        if name in ("P", "Q"):
            self.written[name] &= _MASK  # primes have 32 bits
        if name != "CONTROL":
            return
        control, was_held = self.written["CONTROL"], self._held
        self._held = control >> 1 & 1 != control & 1
        if self._held:
            self.written |= dict.fromkeys(_OPERANDS, 0)
            self.results = {}
            self._busy, self.wiping = 0, 4
        elif control & 4 and not self._busy and not was_held:
            self._start()

    def _start(self) -> None:
        given = bool(self.written["MODE"] & 1)
        key_cycles = 0 if given else KEY_CYCLES
        values, code = (0, 0, 0, 0), ErrorCode.OK
        try:
            values = self._given() if given else self._made()
        except RefusalError as refused:
            code = refused.code
        self.results = dict(zip(_RESULTS, values, strict=True)) | {
            "CLK_COUNT": key_cycles + MESSAGE_CYCLES + MORE_CYCLES,
            "MOD_EXP_FINISH": _FINISHED | code << 4,
            "STEP_COUNTS": key_cycles | MESSAGE_CYCLES << _WORD,
        }
        self._busy = self.works + self.wiping

    def _given(self) -> tuple[int, int, int, int]:
        n, e = self.written["I_N"], self.written["I_KEY"]
        for wrong, code in (
            (e == 0, ErrorCode.EXPONENT_EMPTY),
            (n < 2, ErrorCode.MODULUS_SMALL),
            (n % 2 == 0, ErrorCode.MODULUS_EVEN),
        ):
            if wrong:
                raise RefusalError(code)
        return self._power(e, n), 0, 0, n

    def _made(self) -> tuple[int, int, int, int]:
        key = MadeKey.of(self.written["P"], self.written["Q"])
        return self._power(key.d if self.written["MODE"] & 2 else key.e, key.n), key.e, key.d, key.n

    def _power(self, exponent: int, n: int) -> int:
        message = self.written["I_MSG"]
        if message >= n:
            raise RefusalError(ErrorCode.BASE_NOT_BELOW)
        return pow(message, exponent, n)


class StreamIp(RegisterBlock):
    """`rsa_keygen_axis`: primes and keys in registers, messages on a stream.

    Attributes:
        table: `struct totient_transport *` of its stream.
        key: the one that was made last.
        silent: packets to swallow without an answer.
        wiping: reads of the status until a clear has ended.
        lie: xor of the next status at rest.
    """

    def __init__(self) -> None:
        super().__init__("rsa_stream_registers")
        self._stream_callbacks = (
            callback("void *, const uint32_t *, size_t, bool", self._send),
            callback("void *, uint32_t *, size_t, bool *", self._receive),
            callback("void *", self._reset),
        )
        self.table = new("struct totient_transport *", 0)
        self.table.send, self.table.receive, self.table.reset = self._stream_callbacks
        self.silent = self.lie = 0
        self._packet: list[int] = []
        self._answer: deque[int] = deque()
        self._clear()
        self.wiping = 0

    def _clear(self) -> None:
        """Everything but what is under way in the engine that passes the words."""
        direction = self.written["DIRECTION"]
        self.written = dict.fromkeys(self.written, 0) | {"DIRECTION": direction}
        self._error = self._key_cycles = self._message_cycles = 0
        self.key: MadeKey | None = None
        self._changed, self._words, self.wiping = True, 1, 3

    def value(self, name: str) -> int:
        """What a register shows."""
        key = self.key or MadeKey(0, 0, 0)
        values = {
            "IDENTIFICATION": 0x52534B53,
            "KEY_EXPONENT": key.e,
            "KEY_CYCLES": self._key_cycles,
            "MESSAGE_CYCLES": self._message_cycles,
            "MODULUS": key.n,
            "PRIVATE": key.d,
        }
        return self._status() if name == "STATUS" else values[name]

    def _status(self) -> int:
        has_key = self.key is not None
        status = (self.wiping > 0) | has_key << 1 | self._error << 4 | self._words << 8
        if self.wiping:
            self.wiping -= 1
            return status
        lie, self.lie = self.lie, 0
        return status ^ lie

    def wrote(self, name: str) -> None:
        """A word of a register was written."""
        if name == "CONTROL":
            assert self.written["CONTROL"] == 1
            self._clear()
        elif name != "DIRECTION":
            self._changed, self.key = True, None

    def _send(self, _: Any, words: Any, count: int, last: bool) -> None:
        self._packet += [words[place] for place in range(count)]
        if last and self.silent:
            self.silent -= 1
        elif last:
            self._work()

    def _receive(self, _: Any, words: Any, count: int, last: Any) -> None:
        if len(self._answer) < count:
            raise WayError("TIMEOUT")
        for place in range(count):
            words[place] = self._answer.popleft()
        last[0] = not self._answer

    def _reset(self, _: Any) -> None:
        self._packet.clear()
        self._answer.clear()

    def _work(self) -> None:
        """A packet is there: a new key if need be, then message for message."""
        if self._changed:
            self._make()
        packet, self._packet, size = self._packet, [], self._words
        assert len(packet) % size == 0
        for at in range(0, len(packet), size):
            message = sum(
                word << _WORD * place for place, word in enumerate(packet[at : at + size])
            )
            result = self._power(message)
            self._answer.extend(result >> _WORD * place & _MASK for place in range(size))

    def _make(self) -> None:
        p, q = self.written["PRIME1"], self.written["PRIME2"]
        self._error, self._words, self._changed = 0, 1, False
        self._key_cycles = KEY_CYCLES
        try:
            if max(p, q) >> PRIME_BITS:
                raise RefusalError(ErrorCode.LENGTH)
            self.key = MadeKey.of(p, q, self.written["EXPONENT"])
            self._words = -(-(p.bit_length() + q.bit_length()) // _WORD)
        except RefusalError as refused:
            self._error = refused.code

    def _power(self, message: int) -> int:
        if self.key is None:
            return 0
        # Another exponent, another time.
        self._message_cycles = MESSAGE_CYCLES + self.written["DIRECTION"]
        self._error = 0 if message < self.key.n else ErrorCode.BASE_NOT_BELOW
        exponent = self.key.d if self.written["DIRECTION"] else self.key.e
        return 0 if self._error else pow(message, exponent, self.key.n)
