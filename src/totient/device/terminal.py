"""A simulated core on a pseudo-terminal, which other programs open as a serial line."""

import os
import tty
import weakref
from collections.abc import Sequence
from pathlib import Path

from totient.device.served import PIECE, Served


class Terminal(Served):
    """The pseudo-terminal of a simulated core.

    Attributes:
        path: to open in place of a serial port; rate and parity do not matter.
    """

    def __init__(self, model: Path) -> None:
        """Open a model and a pseudo-terminal; arguments and errors as for `Served`."""
        super().__init__(model)
        ours, theirs = os.openpty()
        # The other end is kept open, so that programs may connect repeatedly.
        tty.setraw(theirs)
        self._ours = ours
        self.path = os.ttyname(theirs)
        self._finish = weakref.finalize(self, _close, ours, theirs)

    def close(self) -> None:
        """Close both. Closing twice has no effect."""
        self._model.close()
        self._finish()

    def _files(self) -> Sequence[int]:
        return (self._ours,)

    def _receive(self, ready: Sequence[int]) -> bytes:
        return os.read(self._ours, PIECE)

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._ours, data) :]


def _close(*files: int) -> None:
    for file in files:
        os.close(file)
