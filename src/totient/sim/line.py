"""Packets over the serial pins of a simulated board, in frames (docs/contracts.md)."""

import struct
import zlib
from collections.abc import Callable, Sequence

from totient.catalog import Top
from totient.common.errors import ToolError
from totient.sim.build import serial_bit_sixteenths
from totient.sim.model import Model

_END, _ESCAPE = b"\xc0", b"\xdb"
_ESCAPED_END, _ESCAPED_ESCAPE = b"\xdb\xdc", b"\xdb\xdd"
_CHECKSUM_BYTES = 4
_BYTE_BITS = 10  # with start and stop bit
_CHUNK = 50_000  # clock cycles between checks of the time limit
_LIMIT = 10**9


def framed(packet: Sequence[int]) -> bytes:
    """A packet's words between two END bytes, with a checksum."""
    data = struct.pack(f"<{len(packet)}I", *packet)
    data += struct.pack("<I", zlib.crc32(data))
    return _END + data.replace(_ESCAPE, _ESCAPED_ESCAPE).replace(_END, _ESCAPED_END) + _END


class FrameRefusedError(ToolError):
    """The other end refused a frame. None of it was executed.

    Attributes:
        code: the reason, as in docs/contracts.md: 1 damaged, 2 long, 3 busy.
    """

    def __init__(self, code: int) -> None:
        super().__init__(f"the end of the simulated line has refused a frame, code {code}")
        self.code = code


class SimulatedLine:
    """Packets to a simulated line."""

    def __init__(self, model: Model, top: Top) -> None:
        """Use a simulated line.

        Args:
            model: with the line.
            top: of the model, with the rate of the line.
        """
        self._model = model
        self._left = b""
        self._byte_cycles = -(-_BYTE_BITS * serial_bit_sixteenths(top) // 16)

    def exchange(
        self,
        packet: Sequence[int],
        progress: Callable[[int], None] | None = None,
        limit: int | None = None,
    ) -> list[int]:
        """Send a packet's words, and return those of the answer.

        Args:
            packet: 32-bit words.
            progress: called at intervals with the number of cycles so far.
            limit: maximum clock cycles to wait for the answer, besides those of its bytes.

        Raises:
            FrameRefusedError: the answer states that the request was not executed.
            ToolError: no answer within `limit`, the answer is damaged, or an assertion of a checked
                model failed.
        """
        data = framed(packet)
        self._model.send_bytes(data)
        before, most = self._model.cycles, limit or _LIMIT
        on_the_line = len(data)
        while not (frame := self._frame()):
            come = self._model.receive_bytes(_CHUNK)
            self._left += come
            on_the_line += len(come)
            done = self._model.cycles - before
            if done > most + on_the_line * self._byte_cycles:
                raise ToolError(f"no answer on the simulated line within {most} cycles")
            if progress is not None:
                progress(done)
        payload, checksum = frame[:-_CHECKSUM_BYTES], frame[-_CHECKSUM_BYTES:]
        if struct.pack("<I", zlib.crc32(payload)) != checksum or len(payload) % 4 > 1:
            raise ToolError("the simulated line has damaged a frame")
        if len(payload) == 1:
            raise FrameRefusedError(payload[0])
        return list(struct.unpack(f"<{len(payload) // 4}I", payload))

    def _frame(self) -> bytes:
        """The next whole frame, without its marks; empty if there is none yet."""
        first, *rest = self._left.lstrip(_END).split(_END, 1)
        if not rest:
            return b""
        self._left = rest[0]
        return first.replace(_ESCAPED_END, _END).replace(_ESCAPED_ESCAPE, _ESCAPE)
