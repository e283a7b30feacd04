"""Packets to a simulated core and back, the same calls through each of its faces."""

from abc import ABC, abstractmethod

from tests.rtl.serial_frames import END, begun, frame, opened, packet_of, payload_of
from totient.catalog import Face
from totient.catalog.ips import registers
from totient.sim import Model
from totient.sim.build import SERIAL_BIT_CYCLES

_MAP = registers("stream_registers")
STATUS, CONTROL, EVENTS, WORDS = (
    _MAP[name].offset for name in ("STATUS", "CONTROL", "EVENTS", "WORDS")
)
REQUEST, REQUEST_LAST, RESPONSE = (
    _MAP[name].offset for name in ("REQUEST", "REQUEST_LAST", "RESPONSE")
)
VALID, LAST, CLEARING = (
    _MAP["STATUS"].value(**{name: 1}) for name in ("response_valid", "response_last", "clearing")
)
LIMIT = 2_000_000  # clock cycles in which anything has to be answered

_BYTE_CYCLES = 10 * SERIAL_BIT_CYCLES

Words = list[int]


class Way(ABC):
    """A way to a core.

    Attributes:
        model: the simulated core.
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    @abstractmethod
    def send(self, packet: Words, *, whole: bool = True) -> None:
        """Give the face a request, or its first words; the core may not have them all yet."""

    @abstractmethod
    def receive(self) -> Words:
        """The next response."""

    def ask(self, packet: Words) -> Words:
        """Send a request and return its response."""
        self.send(packet)
        return self.receive()


class StreamWay(Way):
    """By AXI4-Stream."""

    def send(self, packet: Words, *, whole: bool = True) -> None:
        """Queue the words."""
        self.model.send(packet, whole=whole)

    def receive(self) -> Words:
        """Run until a response is there."""
        return self.model.receive(limit=LIMIT)


class RegistersWay(Way):
    """By registers, as slowly as a processor would."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._room = 0  # words that may be written without a look, at least

    def send(self, packet: Words, *, whole: bool = True) -> None:
        """Write the words, as there is room for them."""
        for place, word in enumerate(packet):
            for _ in range(LIMIT):
                if self._room:
                    break
                self._room = _MAP["WORDS"].parts(self.model.read(WORDS) or 0)["request_free"]
            self._room -= 1
            last = whole and place == len(packet) - 1
            assert self.model.write(REQUEST_LAST if last else REQUEST, word)

    def receive(self) -> Words:
        """Poll, and read word by word."""
        packet: Words = []
        for _ in range(LIMIT):
            status = self.model.read(STATUS) or 0
            if status & VALID:
                packet.append(self.model.read(RESPONSE) or 0)
                if status & LAST:
                    return packet
        raise AssertionError("no response")


class SerialWay(Way):
    """By frames on a serial line."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._received = b""

    def send(self, packet: Words, *, whole: bool = True) -> None:
        """Send a frame, or the beginning of one, to its last bit."""
        data = (frame if whole else begun)(payload_of(packet))
        self.model.send_bytes(data)
        self.model.advance(_BYTE_CYCLES * len(data))

    def payload(self) -> bytes:
        """The next frame without its checksum."""
        while True:
            while END in self._received[1:]:
                end = self._received.index(END, 1)
                body, self._received = self._received[:end], self._received[end:]
                if body.strip(bytes([END])):
                    return opened(body.strip(bytes([END])))
            some = self.model.receive_bytes(LIMIT)
            assert some, "no response"
            self._received += some

    def receive(self) -> Words:
        """The next frame's words; the byte of one that reports a refused frame."""
        payload = self.payload()
        if len(payload) == 1:
            return [*payload]
        assert len(payload) % 4 == 0, payload
        return packet_of(payload)


WAYS: dict[Face, type[Way]] = {
    Face.STREAM: StreamWay,
    Face.REGISTERS: RegistersWay,
    Face.SERIAL: SerialWay,
}
