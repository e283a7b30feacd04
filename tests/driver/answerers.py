"""What answers libtotient in place of RTL, and fails in ways that RTL does not know."""

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field

from tests.driver.bench import Bus, WayError
from tests.engine_packets import Engine, Words
from tests.faces import LAST, VALID
from tests.rtl.serial_frames import END, frame, opened, packet_of, payload_of

from totient.catalog.ips import registers
from totient.common.contract import RANDOM_WORD_DIGIT_BITS, Command

ENGINE_BITS, ENGINE_SLOTS, LANES = 512, 3, 4
CYCLES = 100
"""Of raising a number, as the engine's model has them."""
PUBLIC_CYCLES = 17
LOAD_CYCLES = 1 << 32 | 1000
"""Both words count."""

_MASK = (1 << 32) - 1
_DAMAGED = frame(b"\1")


@dataclass
class Answerer:
    """A core: called with a request, it gives the answer, if any.

    Attributes:
        engine: what computes.
        lie: the next result is wrong.
        delay: requests that are answered well before the next four count.
        silent: requests to swallow without an answer.
        refusal: error code of the next answer.
        further: words that the next answer has beside what it says; negative: fewer.
        more: the same, but it says so.
        requests: so far.
        random: words of the last packet with random ones.
    """

    engine: Engine
    lie: bool = False
    delay: int = 0
    silent: int = 0
    refusal: int = 0
    further: int = 0
    more: int = 0
    requests: int = 0
    random: Words = field(default_factory=list)

    @classmethod
    def of(cls, *, engine: bool) -> "Answerer":
        """An engine, or a core of 64 bits that is none."""
        bits, slots = (ENGINE_BITS, ENGINE_SLOTS) if engine else (64, 0)
        model = Engine(
            *(bits, slots, not engine, LANES, "answerer"), digit_bits=RANDOM_WORD_DIGIT_BITS
        )
        answerer = cls(model)
        model.spoil = answerer._spoil
        return answerer

    def _spoil(self, result: int) -> int:
        lie, self.lie = self.lie, False
        return result ^ lie

    def __call__(self, packet: Words) -> Words:
        """The answer, empty for none."""
        self.requests += 1
        if self.delay:
            self.delay -= 1
            return self.engine(packet)
        if self.silent:
            self.silent -= 1
            return []
        command = packet[0] & 0xFF
        first, *words = self.engine(packet)
        if command == Command.RANDOM_WORDS and len(packet) > 1:
            self.random = packet[1:]
        if command == Command.LOAD_KEY and words:
            words[1] = LOAD_CYCLES >> 32
        if command == Command.EXPONENTIATE and words:
            words[2] = self._spoil(words[2])
        if command == Command.PUBLIC and words:
            words[0] = PUBLIC_CYCLES
        if self.refusal:
            first, words, self.refusal = command | self.refusal << 8, [], 0
        length = len(words) + self.further + self.more
        first += self.more << 16
        self.further = self.more = 0
        return [first, *words[:length], *[0x12345678] * (length - len(words))]

    def reset(self) -> None:
        """What a clear by a register does."""
        self.engine.keys.clear()
        self.engine.held = 0


class RegisterBlock(Bus, ABC):
    """The registers of a map on a bus.

    Attributes:
        written: by its name, what software has written to each register.
    """

    def __init__(self, name: str) -> None:
        super().__init__(self._get, self._put)
        self._map = registers(name)
        self.written = {name: 0 for name, each in self._map.items() if "w" in each.access}

    @abstractmethod
    def value(self, name: str) -> int:
        """What a register shows."""

    @abstractmethod
    def wrote(self, name: str) -> None:
        """A word of a register was written."""

    def _find(self, offset: int, access: str) -> tuple[str, int]:
        """The register at an offset, and the place of its word there in bits."""
        assert offset % 4 == 0
        (found,) = (
            (name, 8 * (offset - each.offset))
            for name, each in self._map.items()
            if access in each.access and 0 <= offset - each.offset < 4 * each.words
        )
        return found

    def _get(self, offset: int) -> int:
        name, place = self._find(offset, "r")
        return self.value(name) >> place & _MASK

    def _put(self, offset: int, value: int) -> None:
        name, place = self._find(offset, "w")
        self.written[name] = self.written[name] & ~(_MASK << place) | value << place
        self.wrote(name)


class Registers(RegisterBlock):
    """A core's stream behind registers, with room for a request of four words."""

    def __init__(self, answerer: Answerer) -> None:
        super().__init__("stream_registers")
        self._answerer = answerer
        self._request: Words = []
        self._response: deque[tuple[int, bool]] = deque()

    def value(self, name: str) -> int:
        """What a register shows."""
        if name == "RESPONSE":
            return self._response.popleft()[0]
        status = VALID | (LAST if self._response[0][1] else 0) if self._response else 0
        return {"IDENTIFICATION": 0x544F5449, "STATUS": status, "WORDS": 4}[name]

    def wrote(self, name: str) -> None:
        """A register was written."""
        if name == "CONTROL":
            assert self.written[name] == 1
            self._request.clear()
            self._response.clear()
            self._answerer.reset()
        elif name != "EVENTS":
            self._request.append(self.written[name])
            if name == "REQUEST_LAST":
                answer, self._request = self._answerer(self._request), []
                ends = [False] * (len(answer) - 1) + [True]
                self._response.extend(zip(answer, ends, strict=False))


class SerialLine:
    """A core's stream behind a serial line.

    Attributes:
        out: bytes to the host.
    """

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer
        self._begun = b""
        self.out: deque[int] = deque()

    def read(self) -> int:
        """The next byte."""
        if not self.out:
            raise WayError("TIMEOUT")
        return self.out.popleft()

    def write(self, data: bytes) -> None:
        """Take bytes; a frame that has ended is answered."""
        *ended, self._begun = (self._begun + data).split(bytes([END]))
        for body in ended:
            if body:
                self.out.extend(self._answer(body))

    def _answer(self, body: bytes) -> bytes:
        try:
            payload = opened(body)
        except AssertionError:
            return _DAMAGED
        if not payload or len(payload) % 4:
            return _DAMAGED
        answer = self._answerer(packet_of(payload))
        return frame(payload_of(answer)) if answer else b""
