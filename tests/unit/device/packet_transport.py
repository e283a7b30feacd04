"""A transport whose other end is a function of packets, for cores that no RTL would make."""

from collections.abc import Callable
from typing import Any

from totient.device.library import library
from totient.device.transports import Transport

Words = list[int]


class PacketTransport(Transport):
    """Hands whole packets to a function, and its answers back word by word."""

    def __init__(self, exchange: Callable[[Words], Words]) -> None:
        ffi, _ = library()
        request: Words = []
        response: Words = []

        def send(context: Any, words: Any, count: int, last: bool) -> int:
            request.extend(words[0:count])
            if last:
                response.extend(exchange(list(request)))
                request.clear()
            return 0

        def receive(context: Any, words: Any, count: int, last: Any) -> int:
            for place in range(count):
                if not response:
                    return 67 if place else 66  # it ends too early; no answer in time
                words[place] = response.pop(0)
            last[0] = not response
            return 0

        self._callbacks = (
            ffi.callback("totient_result(void *, uint32_t *, size_t, bool)", send),
            ffi.callback("totient_result(void *, uint32_t *, size_t, bool *)", receive),
        )
        self.table = ffi.new("struct totient_transport *")
        self.table.send, self.table.receive = self._callbacks
        self.context = ffi.NULL

    def close(self) -> None:
        """Nothing is held."""
