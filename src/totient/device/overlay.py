"""The stream IPs as PYNQ overlays: buffers, a DMA engine and registers by name.

The same program runs on the simulated IP and, with `pynq`, on a board:

    overlay = open_overlay()                      # simulated
    overlay = open_overlay("rsa_stream.bit")      # on a board
    source, result = overlay.allocate(13), overlay.allocate(13)
    overlay.rsa.register_map.prime1 = 2027
    overlay.dma.sendchannel.transfer(source)
    overlay.dma.recvchannel.transfer(result)
    overlay.dma.sendchannel.wait()
    overlay.dma.recvchannel.wait()

The IP with a fixed key (`open_overlay(design="E2")`) has no registers, just streams.
"""

import importlib
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from totient.catalog import IpConfiguration, find_subject
from totient.catalog.block_design import DMA_CELL, check_streams, ip_cell
from totient.common.closing import Closing
from totient.common.contract import ErrorCode
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device.library import text
from totient.device.register_map import RegisterMap
from totient.device.rsa_stream import refusal
from totient.sim import Model, build_model

# Time limit of a simulated IP in clock cycles: hours of a board's time for a key, seconds
# here.
_LIMIT = 1_000_000_000

_WORD = 32
_DIRECTION = {"direction": 1}  # width of the register
_MOST_REFUSALS = 0xFFFF  # the count in the register STATUS saturates there


class _Send:
    def __init__(self, model: Model) -> None:
        self._model = model
        self.unanswered = 0  # packets

    def transfer(self, buffer: Any) -> None:
        if not len(buffer):
            raise InputError("the buffer has 0 words, allowed is 1 or more")
        self._model.send([int(word) for word in buffer])
        self.unanswered += 1

    def wait(self) -> None:
        """Return at once: the simulated engine has taken the words."""


class _Receive:
    def __init__(self, model: Model, sent: _Send) -> None:
        self._model = model
        self._sent = sent
        self._buffer: Any = None

    def transfer(self, buffer: Any) -> None:
        if self._buffer is not None:
            raise ToolError("the DMA engine is busy: wait for its end")
        self._buffer = buffer

    def wait(self) -> None:
        if self._buffer is None:
            return
        if not self._sent.unanswered:
            raise ToolError("no packet was sent that the IP could answer")
        buffer, self._buffer = self._buffer, None
        self._sent.unanswered -= 1
        words = self._model.receive(limit=_LIMIT)
        if len(words) > len(buffer):
            raise ToolError(f"{len(words)} words arrived, the buffer has {len(buffer)}")
        buffer[: len(words)] = words


class SimulatedOverlay(Closing):
    """The simulated IP with a DMA engine.

    Attributes:
        chosen: the IP with its parameters.
        dma: the engine, with `sendchannel` and `recvchannel`; each transfers a buffer of 32-bit
            words and waits for its end.
        rsa: the IP, with its `register_map`, which is empty for the IP with a fixed key.
    """

    def __init__(self, chosen: IpConfiguration) -> None:
        """Build the IP, and reset it.

        Args:
            chosen: an IP with streams.

        Raises:
            ToolError: the model cannot be built.
        """
        self.chosen = chosen
        self._model = Model(build_model(chosen.top()))
        send = _Send(self._model)
        self.dma = SimpleNamespace(sendchannel=send, recvchannel=_Receive(self._model, send))
        prime = chosen.parameters.get("prime_bits", 0)
        bits = {**_DIRECTION, "prime1": prime, "prime2": prime}
        self.rsa = SimpleNamespace(register_map=RegisterMap(self._model, chosen.ip.registers, bits))

    @property
    def cycles(self) -> int:
        """Clock cycles since the overlay was opened."""
        return self._model.cycles

    def allocate(self, words: int) -> Any:
        """A buffer of 32-bit words, a NumPy array of zeros."""
        return importlib.import_module("numpy").zeros(words, dtype="uint32")

    def close(self) -> None:
        """Free the model. Closing twice has no effect."""
        self._model.close()


class BoardOverlay(Closing):
    """The IP on a board, through `pynq`. Attributes as in `SimulatedOverlay`."""

    def __init__(self, bitstream: str, chosen: IpConfiguration) -> None:
        """Load a bitstream with the cells of the exported block design (`totient export`).

        Args:
            bitstream: path of the `.bit` file, with its `.hwh` file beside it.
            chosen: its IP. The parameters are not in the hardware.

        Raises:
            InputError: there is no such file.
            ToolError: this is no PYNQ board.
        """
        if not Path(bitstream).is_file():
            raise InputError(f"there is no bitstream {bitstream}")
        try:
            self._pynq = importlib.import_module("pynq")
        except ImportError as error:
            raise ToolError("the package pynq is missing: this is no PYNQ board") from error
        self.chosen = chosen
        overlay = self._pynq.Overlay(bitstream)
        self.dma = getattr(overlay, DMA_CELL)
        registers = chosen.ip.registers
        # `pynq` has no cell for an IP without registers. None states the longest prime.
        mmio = _Mmio(getattr(overlay, ip_cell(chosen.ip)) if registers else None)
        self.rsa = SimpleNamespace(register_map=RegisterMap(mmio, registers, _DIRECTION))

    def allocate(self, words: int) -> Any:
        """A buffer of 32-bit words that the engine can access."""
        return self._pynq.allocate(shape=(words,), dtype="uint32")

    def close(self) -> None:
        """Leave the bitstream in the board."""


class _Mmio:
    """Registers of a `pynq` IP as a bus."""

    def __init__(self, ip: Any) -> None:
        self._ip = ip

    def read(self, offset: int) -> int | None:
        return int(self._ip.read(offset))

    def write(self, offset: int, value: int) -> bool:
        self._ip.write(offset, value)
        return True


def open_overlay(
    bitstream: str = "", design: str = "rsa_stream", **parameters: int
) -> SimulatedOverlay | BoardOverlay:
    """The IP: on this board with a bitstream, simulated without one.

    Args:
        bitstream: path of the `.bit` file.
        design: `rsa_stream` (E3), or `rsa_fixed` (E2).
        parameters: of the IP: `prime_bits` of E3; `width`, `modulus`, `exponent` of E2. With a
            bitstream those that it was made with.

    Raises:
        InputError: there is no such file, no such IP, or a parameter out of range.
        ToolError: the model cannot be built, or this is no PYNQ board.
    """
    chosen = check_streams(find_subject(design, **parameters), f"design {design!r}")
    return BoardOverlay(bitstream, chosen) if bitstream else SimulatedOverlay(chosen)


def run_kernel(overlay: SimulatedOverlay | BoardOverlay, words: Sequence[int]) -> list[int]:
    """Send words through the IP, and return the same number of words.

    Args:
        overlay: of E3 with its primes and its direction set.
        words: messages of one or more words, according to the key; at least a word.

    Raises:
        InputError: there is no word, or one is not a number of 32 bits; with a fixed key: not as
            many words as messages have.
        DeviceError: the IP refused a message, or the key to generate; with a fixed key: it would.
        ToolError: the IP returned an unexpected answer, or its count of refusals is saturated.
    """
    if not hasattr(words, "__len__"):
        raise InputError(f"the words are {words!r}, allowed is a sequence of whole numbers")
    if not len(words):  # it may be an array
        raise InputError("0 words are given, allowed is 1 or more")
    for word in words:
        if not isinstance(word, Integral) or not 0 <= word < 1 << 32:
            raise InputError(f"a word is {word!r}, allowed are whole numbers from 0 to 2^32 - 1")
    if not overlay.chosen.ip.registers:
        _check_messages(overlay.chosen, words)
        return _exchange(overlay, words)
    _, before = refusal(overlay.rsa.register_map)
    if before == _MOST_REFUSALS:
        raise ToolError(f"the IP has counted {before} refusals and counts no further: clear it")
    result = _exchange(overlay, words)
    error, after = refusal(overlay.rsa.register_map)
    if error or after != before:
        # The reason is that of the last message. All refused messages have the same reason: a key
        # exists for all or for none, and only the last message can be too short.
        code = error or ErrorCode.BASE_NOT_BELOW
        raise DeviceError(f"the IP refused {after - before} of the messages: {text(code)}", code)
    return result


def _exchange(overlay: SimulatedOverlay | BoardOverlay, words: Sequence[int]) -> list[int]:
    """Move words to the IP, and its answer back."""
    source, result = overlay.allocate(len(words)), overlay.allocate(len(words))
    source[:] = words
    overlay.dma.sendchannel.transfer(source)
    overlay.dma.recvchannel.transfer(result)
    overlay.dma.sendchannel.wait()
    overlay.dma.recvchannel.wait()
    return [int(word) for word in result]


def _check_messages(chosen: IpConfiguration, words: Sequence[int]) -> None:
    """Refuse what an IP without registers answers with zeros, and cannot tell why."""
    size = -(-chosen.width // _WORD)
    if len(words) % size:
        raise InputError(f"{len(words)} words are given, allowed is a multiple of {size}")
    messages = [
        sum(int(word) << _WORD * place for place, word in enumerate(words[at : at + size]))
        for at in range(0, len(words), size)
    ]
    if above := sum(message >= chosen.parameters["modulus"] for message in messages):
        code = ErrorCode.BASE_NOT_BELOW
        raise DeviceError(f"the IP refuses {above} of the messages: {text(code)}", code)
