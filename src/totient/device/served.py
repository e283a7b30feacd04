"""A simulated core that passes bytes with other programs: what all its lines have in common."""

import os
import select
import signal
import threading
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from totient.common.closing import Closing
from totient.common.contract import FrameByte
from totient.sim import Model

_CHUNK = 20_000  # clock cycles between looks at the terminal
PIECE = 4096  # bytes


class _Frames:
    """Counts frames by their ends."""

    def __init__(self) -> None:
        self.count = 0
        self._inside = False

    def pass_on(self, data: bytes) -> None:
        for byte in data:
            if byte != FrameByte.END:
                self._inside = True
            elif self._inside:
                self.count += 1
                self._inside = False


class Served(Closing):
    """A simulated core at the end of a line that other programs open."""

    def __init__(self, model: Path) -> None:
        """Open a model.

        Args:
            model: a model with a serial line, from `totient.sim.build_model`.

        Raises:
            ToolError: the model cannot be loaded.
        """
        self._model = Model(model)
        self._requests, self._responses = _Frames(), _Frames()

    @abstractmethod
    def _files(self) -> Sequence[int]:
        """Files that have bytes, or a program, when they can be read."""

    @abstractmethod
    def _receive(self, ready: Sequence[int]) -> bytes:
        """Bytes from the program, of files that can be read."""

    @abstractmethod
    def _send(self, data: bytes) -> None:
        """Pass bytes to the program."""

    def serve(self, seconds: float | None = None) -> None:
        """Pass bytes and run the clock while the core has work.

        Args:
            seconds: return after about this idle time; by default never.

        Raises:
            ToolError: an assertion of a checked model failed.
        """
        with _signals() as signals:
            while self._pass(signals, seconds):
                pass

    def _pass(self, signals: list[int], seconds: float | None) -> bool:
        """Pass available bytes, and run the clock for a while; return whether there was work."""
        # The core owes an answer to every frame. Its clock stands still while it owes none.
        owes = self._requests.count > self._responses.count
        files = self._files()
        ready, _, _ = select.select([*files, *signals], [], [], 0 if owes else seconds)
        for each in signals:
            if each in ready:
                os.read(each, PIECE)
        data = self._receive(ready) if any(each in ready for each in files) else b""
        if data:
            self._requests.pass_on(data)
            self._model.send_bytes(data)
        elif not owes:
            return bool(ready)
        answer = self._model.receive_bytes(_CHUNK)
        self._responses.pass_on(answer)
        self._send(answer)
        return True


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Files to wait for in addition: one that has bytes when a signal has arrived.

    A signal just before the process begins to wait does not end the wait. Its handler runs only
    after the wait: Ctrl-C would be lost. Only the main thread receives signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    try:
        yield [ours]
    finally:
        signal.set_wakeup_fd(before)
        os.close(ours)
        os.close(theirs)
