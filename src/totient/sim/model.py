"""A simulated core: request packets in, response packets out, the clock loop in C++."""

import ctypes
import threading
import time
import weakref
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from totient.catalog import Configuration
from totient.common.closing import Closing
from totient.common.errors import ToolError
from totient.sim.build import build_model

# The loop returns to Python this often, so that Ctrl-C and progress are not kept waiting.
_CHUNK_SECONDS = 0.05
_FIRST_CHUNK = 2_000  # cycles


@cache
def _load(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    words = ctypes.POINTER(ctypes.c_uint32)
    for name, result, arguments in (
        ("open", ctypes.c_void_p, []),
        ("close", None, [ctypes.c_void_p]),
        ("reset", None, [ctypes.c_void_p]),
        ("cycles", ctypes.c_uint64, [ctypes.c_void_p]),
        ("pauses", None, [ctypes.c_void_p, ctypes.c_uint64]),
        ("send", None, [ctypes.c_void_p, words, ctypes.c_size_t]),
        ("run", ctypes.c_int, [ctypes.c_void_p, ctypes.c_uint64]),
        ("response_words", ctypes.c_size_t, [ctypes.c_void_p]),
        ("take", None, [ctypes.c_void_p, words]),
        ("printed", ctypes.c_char_p, [ctypes.c_void_p]),
    ):
        function = getattr(library, f"totient_{name}")
        function.restype = result
        function.argtypes = arguments
    return library


class Model(Closing):
    """A core in simulation, reset and ready.

    Several models, of the same or of different designs, may be open at once; each may be used by
    any thread, one call at a time.
    """

    def __init__(self, library: Path) -> None:
        """Open a model.

        Args:
            library: what `build_model` returned.

        Raises:
            ToolError: the library cannot be loaded.
        """
        try:
            self._library = _load(library)
        except OSError as error:
            raise ToolError(f"cannot load the model {library}: {error}") from error
        self._handle = self._library.totient_open()
        self._finish = weakref.finalize(self, self._library.totient_close, self._handle)
        self._lock = threading.Lock()
        self._chunk = _FIRST_CHUNK

    def close(self) -> None:
        """Free the model; closing twice does nothing."""
        with self._lock:
            self._finish()

    @property
    def cycles(self) -> int:
        """Clock cycles since the model was opened, those of resets included."""
        with self._lock:
            return int(self._library.totient_cycles(self._open_handle()))

    def reset(self) -> None:
        """Reset the core: it holds no key, and queued packets are dropped."""
        with self._lock:
            self._library.totient_reset(self._open_handle())

    def pause_at_random(self, seed: int) -> None:
        """Hold back words on both sides of the stream at random, about half of the time.

        Args:
            seed: chooses when, 1 to 2^64 - 1; 0 turns pauses off.
        """
        with self._lock:
            self._library.totient_pauses(self._open_handle(), seed)

    def exchange(
        self,
        packet: Sequence[int],
        progress: Callable[[int], None] | None = None,
        limit: int | None = None,
    ) -> list[int]:
        """Send a request packet and return its response: `send`, then `receive`."""
        self.send(packet)
        return self.receive(progress, limit)

    def send(self, packet: Sequence[int]) -> None:
        """Queue a request packet of one or more 32-bit words."""
        words = array("I", packet)
        with self._lock:
            self._library.totient_send(self._open_handle(), _pointer(words), len(words))

    def receive(
        self, progress: Callable[[int], None] | None = None, limit: int | None = None
    ) -> list[int]:
        """Run the clock until the next response packet is complete, and return its words.

        An error or an interrupt resets the core, which is then ready again.

        Args:
            progress: called every now and then with the number of cycles run so far.
            limit: most clock cycles to wait; for ever without.

        Raises:
            ToolError: no response within `limit`, or an assertion of a checked model failed.
        """
        with self._lock:
            handle = self._open_handle()
            try:
                self._run(handle, progress, limit)
            except BaseException:
                self._library.totient_reset(handle)
                raise
            words = array("I", bytes(4 * self._library.totient_response_words(handle)))
            self._library.totient_take(handle, _pointer(words))
        return words.tolist()

    def _run(self, handle: int, progress: Callable[[int], None] | None, limit: int | None) -> None:
        done = 0
        while limit is None or done < limit:
            cycles = self._chunk if limit is None else min(self._chunk, limit - done)
            before = time.perf_counter()
            outcome = self._library.totient_run(handle, cycles)
            seconds = time.perf_counter() - before
            if outcome > 0:
                return
            if outcome < 0:
                printed = self._library.totient_printed(handle).decode(errors="replace").split("\n")
                raise ToolError(f"the simulated core stopped: {printed[0]}")
            done += cycles
            if progress is not None:
                progress(done)
            aim = int(cycles * _CHUNK_SECONDS / max(seconds, 1e-6))
            self._chunk = max(_FIRST_CHUNK, min(aim, 4 * cycles))
        raise ToolError(f"no response from the simulated core within {limit} cycles")

    def _open_handle(self) -> int:
        if not self._finish.alive:
            raise ToolError("the simulated core is closed")
        return int(self._handle)


def _pointer(words: "array[int]") -> "ctypes.Array[ctypes.c_uint32]":
    return (ctypes.c_uint32 * len(words)).from_buffer(words)


def open_model(configuration: Configuration, *, checked: bool = False) -> Model:
    """Open a model of a design, built first if the cache has none.

    Args:
        configuration: the design with its parameters.
        checked: with the assertions in the RTL; slower, for tests.

    Raises:
        ToolError: the model cannot be built.
    """
    return Model(build_model(configuration, checked=checked))
