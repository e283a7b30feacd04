"""A simulated core: packets, register accesses or bytes in and out, the clock loop in C++."""

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from totient.catalog import Configuration, Face
from totient.common.closing import Closing
from totient.common.errors import ToolError
from totient.sim.build import build_model
from totient.sim.library import Element, load

# The loop returns to Python at this interval, for Ctrl-C and progress.
_CHUNK_SECONDS = 0.05
FIRST_CHUNK = 2_000
"""Clock cycles of the first run, before a model's speed is known."""


# What a model without some functions is not.
_SEEN = "was not built to be seen"
_PROBED = "was not built to be probed"

_ACCESS_CYCLES = 10_000  # most cycles of a register access: a core may hold it back


class Model(Closing):
    """A core in simulation, reset and ready.

    Several models, of the same or of different designs, may be open at once. Each may be used by
    any thread, one call at a time.
    """

    def __init__(self, library: Path, unknowns: int = 1) -> None:
        """Open a model.

        Args:
            library: from `build_model` or `build_netlist_model`.
            unknowns: start of a netlist, 1 to 2^31 - 1. Starts 1 and 2, 3 and 4 and so on give its
                unknown bits opposite values. RTL has none.

        Raises:
            ToolError: the library cannot be loaded.
        """
        self._ffi, self._lib = load(library)
        self._handle = self._lib.totient_model_open_unknown(unknowns)
        self._finish = weakref.finalize(self, self._lib.totient_model_close, self._handle)
        self._lock = threading.Lock()
        self._chunk = FIRST_CHUNK

    def close(self) -> None:
        """Free the model. Closing twice has no effect."""
        with self._lock:
            self._finish()

    @property
    def cycles(self) -> int:
        """Clock cycles since the model was opened, including resets."""
        with self._lock:
            return int(self._call("cycles"))

    def reset(self) -> None:
        """Reset the core: it holds no key, and queued packets are dropped."""
        with self._lock:
            self._call("reset")

    def pause_at_random(self, seed: int) -> None:
        """Delay every handshake at random, about half of the time.

        Args:
            seed: chooses when, 1 to 2^64 - 1; 0 turns pauses off.
        """
        with self._lock:
            self._call("pauses", seed)

    def give_randomness(self, there: bool) -> None:
        """Whether a core that requests random words gets any; initially true."""
        with self._lock:
            self._call("randomness", there)

    def seed_randomness(self, seed: int) -> None:
        """Take random words from a generator from now on, the same ones each time.

        Args:
            seed: of the generator, 1 to 2^32 - 1; 0: from the operating system again.
        """
        with self._lock:
            self._call("seed", seed)

    def advance(self, cycles: int) -> None:
        """Run this many clock cycles.

        Raises:
            ToolError: an assertion of a checked model failed.
        """
        with self._lock:
            if self._call("advance", cycles) < 0:
                raise self._stopped()

    def state(self) -> str:
        """Present value of every signal, register and memory word of a visible model.

        Returns:
            A waveform of one moment, in the format VCD (IEEE 1800).

        Raises:
            ToolError: the model was not built visible.
        """
        with self._lock:
            return self._text(self._call("state", what=_SEEN))

    def record(self) -> None:
        """Record every clock cycle of a visible model from now on, after its handshakes settle.

        Raises:
            ToolError: the model was not built visible.
        """
        with self._lock:
            self._call("record", what=_SEEN)

    def recorded(self) -> str:
        """End the recording since `record` and return it.

        Returns:
            A waveform in the format VCD (IEEE 1800), whose times are clock cycles.

        Raises:
            ToolError: the model was not built visible.
        """
        with self._lock:
            return self._text(self._call("recorded", what=_SEEN))

    def elements(self) -> tuple[list[Element], list[Element]]:
        """The state and the watched signals of a probed model.

        Raises:
            ToolError: the model was not built probed.
        """
        with self._lock:
            text = self._text(self._call("elements", what=_PROBED))
        found: dict[str, list[Element]] = {"state": [], "watched": []}
        for line in text.splitlines():
            kind, name, *numbers = line.split()
            found[kind].append(Element(name, *map(int, numbers)))
        return found["state"], found["watched"]

    def flip(self, element: int, word: int, bit: int) -> None:
        """Change a bit of the state of a probed model.

        Args:
            element: its position in the state of `elements`.
            word: of it.
            bit: of that word.

        Raises:
            ToolError: the model was not built probed.
        """
        with self._lock:
            self._call("flip", element, word, bit, what=_PROBED)

    def peek(self, element: int, like: Element) -> bytes:
        """Read an element of the state of a probed model.

        Args:
            element: its position in the state of `elements`.
            like: its entry there.

        Returns:
            Its words, each in `like.size` bytes, the lowest first.

        Raises:
            ToolError: the model was not built probed.
        """
        data = bytearray(like.size * like.words)
        with self._lock:
            self._call("peek", element, self._ffi.from_buffer("uint8_t[]", data), what=_PROBED)
        return bytes(data)

    def words(self, element: int, like: Element) -> list[int]:
        """The same as `peek`, as numbers: one for each word."""
        data = self.peek(element, like)
        return [
            int.from_bytes(data[place : place + like.size], "little")
            for place in range(0, len(data), like.size)
        ]

    def watch(self, enabled: bool = True) -> None:
        """Whether the signals of a probed model are watched, which takes time; initially not.

        Raises:
            ToolError: the model was not built probed.
        """
        with self._lock:
            self._call("watch", enabled, what=_PROBED)

    def watched(self, count: int) -> tuple[int, ...]:
        """Trace of a probed model's last operation, from its request to its response.

        Args:
            count: number of watched signals (`elements`).

        Returns:
            Clock cycles, and for each signal a hash of its values, cycle by cycle.

        Raises:
            ToolError: the model was not built probed.
        """
        hashes = self._ffi.new("uint64_t[]", count)
        with self._lock:
            cycles: int = self._call("watched", hashes, what=_PROBED)
        return cycles, *hashes

    def exchange(
        self,
        packet: Sequence[int],
        progress: Callable[[int], None] | None = None,
        limit: int | None = None,
    ) -> list[int]:
        """Send a request packet and return its response: `send`, then `receive`."""
        self.send(packet)
        return self.receive(progress, limit)

    def send(self, packet: Sequence[int], *, whole: bool = True) -> None:
        """Queue one or more 32-bit words of a request packet.

        Args:
            packet: the words.
            whole: whether the packet ends with them.
        """
        words = self._ffi.new("uint32_t[]", list(packet))
        with self._lock:
            self._call("send", words, len(words), whole)

    def receive(
        self, progress: Callable[[int], None] | None = None, limit: int | None = None
    ) -> list[int]:
        """Run the clock until the next response packet is complete, and return its words.

        An error or an interrupt resets the core, which is then ready again.

        Args:
            progress: called at intervals with the number of cycles so far.
            limit: maximum clock cycles to wait; by default unlimited.

        Raises:
            ToolError: no response within `limit`, or an assertion of a checked model failed.
        """
        with self._lock:
            try:
                self._run("run", progress, limit)
            except BaseException:
                self._call("reset")
                raise
            words = self._ffi.new("uint32_t[]", self._call("response_words"))
            self._call("take", words, len(words))
        return list(words)

    @property
    def answered(self) -> bool:
        """Whether a response packet is complete."""
        with self._lock:
            return bool(self._call("response_words"))

    def read(self, offset: int) -> int | None:
        """Read a register of 32 bits.

        Args:
            offset: in bytes.

        Returns:
            Its value; `None` if the bus returns an error.

        Raises:
            ToolError: no answer, or an assertion of a checked model failed.
        """
        value = self._ffi.new("uint32_t *")
        with self._lock:
            answer = self._call("read", offset, value, _ACCESS_CYCLES)
            self._check_answer(answer)
        return None if answer else int(value[0])

    def write(self, offset: int, value: int, lanes: int = 0b1111) -> bool:
        """Write a register of 32 bits.

        Args:
            offset: in bytes.
            value: to write.
            lanes: byte lanes to write, the lowest first.

        Returns:
            Whether the bus returns no error.

        Raises:
            ToolError: as for `read`.
        """
        with self._lock:
            answer = self._call("write", offset, value, lanes, _ACCESS_CYCLES)
            self._check_answer(answer)
        return not answer

    def wait(self, progress: Callable[[int], None] | None = None, limit: int | None = None) -> None:
        """Run the clock until the interrupt is raised; arguments and errors as for `receive`."""
        with self._lock:
            self._run("wait", progress, limit)

    def send_bytes(self, data: bytes) -> None:
        """Queue bytes for the serial line."""
        with self._lock:
            self._call("line_send", data, len(data))

    def receive_bytes(self, cycles: int) -> bytes:
        """Bytes from the serial line, after running until one arrives or for `cycles`.

        Raises:
            ToolError: an assertion of a checked model failed.
        """
        some = self._ffi.new("uint8_t[]", 4096)
        with self._lock:
            if self._call("line_run", cycles) < 0:
                raise self._stopped()
            count = self._call("line_take", some, len(some))
        return bytes(self._ffi.buffer(some, count))

    def _run(
        self, function: str, progress: Callable[[int], None] | None, limit: int | None
    ) -> None:
        done = 0
        while limit is None or done < limit:
            cycles = self._chunk if limit is None else min(self._chunk, limit - done)
            before = time.perf_counter()
            outcome = self._call(function, cycles)
            seconds = time.perf_counter() - before
            if outcome > 0:
                return
            if outcome < 0:
                raise self._stopped()
            done += cycles
            if progress is not None:
                progress(done)
            self._chunk = next_chunk(cycles, seconds)
        raise ToolError(f"no response from the simulated core within {limit} cycles")

    def _check_answer(self, answer: int) -> None:
        if answer == self._lib.TOTIENT_MODEL_STOPPED:
            raise self._stopped()
        if answer < 0:
            raise ToolError(f"no answer to a register access within {_ACCESS_CYCLES} cycles")

    def _stopped(self) -> ToolError:
        """Why the RTL did not go on."""
        reason = self._text(self._call("reason")).partition("\n")[0]
        return ToolError(f"the simulated core stopped: {reason}")

    def _text(self, characters: Any) -> str:
        return str(self._ffi.string(characters).decode(errors="replace"))

    def _call(self, name: str, *arguments: Any, what: str = "") -> Any:
        """Call a function of the library, `what` says of a model without it what it is not."""
        if not self._finish.alive:
            raise ToolError("the simulated core is closed")
        try:
            function = getattr(self._lib, f"totient_model_{name}")
        except self._ffi.error:
            without = what or f"has no face for {name!r}"
            raise ToolError(f"the simulated core {without}") from None
        return function(self._handle, *arguments)


def next_chunk(cycles: int, seconds: float) -> int:
    """Clock cycles until the next return to Python, from the duration of the last run."""
    aim = int(cycles * _CHUNK_SECONDS / max(seconds, 1e-6))
    return max(FIRST_CHUNK, min(aim, 4 * cycles))


def open_model(
    configuration: Configuration, face: Face = Face.STREAM, *, checked: bool = False
) -> Model:
    """Open a model of a design, built first if the cache has none.

    Args:
        configuration: the design with its parameters.
        face: to use.
        checked: with the assertions in the RTL; slower, for tests.

    Raises:
        ToolError: the model cannot be built.
    """
    return Model(build_model(configuration.top(face), checked=checked))
