"""A simulated core: packets, register accesses or bytes in and out, the clock loop in C++."""

import ctypes
import threading
import time
import weakref
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from totient.catalog import Configuration, Face
from totient.common.closing import Closing
from totient.common.errors import ToolError
from totient.sim.build import build_model
from totient.sim.library import Element, load

# The loop returns to Python this often, so that Ctrl-C and progress are not kept waiting.
_CHUNK_SECONDS = 0.05
FIRST_CHUNK = 2_000
"""Clock cycles to run before anything is known of a model's speed."""


_ACCESS_CYCLES = 10_000  # most cycles of a register access: a core may hold it back

_STOPPED = -1


class Model(Closing):
    """A core in simulation, reset and ready.

    Several models, of the same or of different designs, may be open at once; each may be used by
    any thread, one call at a time.
    """

    def __init__(self, library: Path, unknowns: int = 1) -> None:
        """Open a model.

        Args:
            library: what `build_model` or `build_netlist_model` returned.
            unknowns: seed of what a netlist leaves unknown, 1 to 2^31 - 1; RTL leaves nothing.

        Raises:
            ToolError: the library cannot be loaded.
        """
        try:
            self._functions = load(library)
        except OSError as error:
            raise ToolError(f"cannot load the model {library}: {error}") from error
        self._handle = self._functions["open_unknown"](unknowns)
        self._finish = weakref.finalize(self, self._functions["close"], self._handle)
        self._lock = threading.Lock()
        self._chunk = FIRST_CHUNK

    def close(self) -> None:
        """Free the model; closing twice does nothing."""
        with self._lock:
            self._finish()

    @property
    def cycles(self) -> int:
        """Clock cycles since the model was opened, those of resets included."""
        with self._lock:
            return int(self._call("cycles"))

    def reset(self) -> None:
        """Reset the core: it holds no key, and queued packets are dropped."""
        with self._lock:
            self._call("reset")

    def pause_at_random(self, seed: int) -> None:
        """Hold back every handshake at random, about half of the time.

        Args:
            seed: chooses when, 1 to 2^64 - 1; 0 turns pauses off.
        """
        with self._lock:
            self._call("pauses", seed)

    def give_randomness(self, there: bool) -> None:
        """Whether a core that asks for random words gets any; it does at first."""
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
        """Let so many clock cycles pass.

        Raises:
            ToolError: an assertion of a checked model failed.
        """
        with self._lock:
            if self._call("advance", cycles) < 0:
                raise self._stopped()

    def state(self) -> str:
        """Every signal, register and memory word as it is now, of a visible model.

        Returns:
            A waveform of one moment, in the format VCD (IEEE 1800).

        Raises:
            ToolError: the model was not built to be seen.
        """
        with self._lock:
            text: bytes = self._seen("state")
        return text.decode()

    def _seen(self, name: str) -> Any:
        if "state" not in self._functions:
            raise ToolError("the simulated core was not built to be seen")
        return self._call(name)

    def record(self) -> None:
        """Record every clock cycle of a visible model from now on, its handshakes settled.

        Raises:
            ToolError: the model was not built to be seen.
        """
        with self._lock:
            self._seen("record")

    def recorded(self) -> str:
        """What was recorded since `record`, which ends.

        Returns:
            A waveform in the format VCD (IEEE 1800), whose times are clock cycles.

        Raises:
            ToolError: the model was not built to be seen.
        """
        with self._lock:
            text: bytes = self._seen("recorded")
        return text.decode()

    def elements(self) -> tuple[list[Element], list[Element]]:
        """Of a probed model: its state, and the signals that it is watched by.

        Raises:
            ToolError: the model was not built to be probed.
        """
        with self._lock:
            text: bytes = self._probed("elements")
        found: dict[str, list[Element]] = {"state": [], "watched": []}
        for line in text.decode().splitlines():
            kind, name, *numbers = line.split()
            found[kind].append(Element(name, *map(int, numbers)))
        return found["state"], found["watched"]

    def flip(self, element: int, word: int, bit: int) -> None:
        """Change a bit of the state of a probed model.

        Args:
            element: its place in what `elements` gives as state.
            word: of it.
            bit: of that word.

        Raises:
            ToolError: the model was not built to be probed.
        """
        with self._lock:
            self._probed("flip", element, word, bit)

    def peek(self, element: int, like: Element) -> bytes:
        """Read an element of the state of a probed model.

        Args:
            element: its place in what `elements` gives as state.
            like: what it gives there.

        Returns:
            Its words, each in `like.size` bytes, the lowest first.

        Raises:
            ToolError: the model was not built to be probed.
        """
        data = (ctypes.c_uint8 * (like.size * like.words))()
        with self._lock:
            self._probed("peek", element, data)
        return bytes(data)

    def watch(self, wanted: bool = True) -> None:
        """Whether the signals of a probed model are watched, which takes time; not at first.

        Raises:
            ToolError: the model was not built to be probed.
        """
        with self._lock:
            self._probed("watch", wanted)

    def watched(self, count: int) -> tuple[int, ...]:
        """Of a probed model: how the last operation went, from its request to its response.

        Args:
            count: of the signals watched (`elements`).

        Returns:
            Clock cycles, and for each signal a hash of its values, cycle by cycle.

        Raises:
            ToolError: the model was not built to be probed.
        """
        hashes = (ctypes.c_uint64 * count)()
        with self._lock:
            cycles: int = self._probed("watched", hashes)
        return cycles, *hashes

    def _probed(self, name: str, *arguments: Any) -> Any:
        if name not in self._functions:
            raise ToolError("the simulated core was not built to be probed")
        return self._call(name, *arguments)

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
        words = array("I", packet)
        with self._lock:
            self._call("send", _pointer(words), len(words), whole)

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
            try:
                self._run("run", progress, limit)
            except BaseException:
                self._call("reset")
                raise
            words = array("I", bytes(4 * self._call("response_words")))
            self._call("take", _pointer(words), len(words))
        return words.tolist()

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
            Its value; `None` where the bus answers with an error.

        Raises:
            ToolError: no answer, or an assertion of a checked model failed.
        """
        value = ctypes.c_uint32()
        with self._lock:
            answer = self._call("read", offset, ctypes.byref(value), _ACCESS_CYCLES)
            self._check_answer(answer)
        return None if answer else value.value

    def write(self, offset: int, value: int, lanes: int = 0b1111) -> bool:
        """Write a register of 32 bits.

        Args:
            offset: in bytes.
            value: what is written.
            lanes: which of its bytes, the lowest first.

        Returns:
            Whether the bus answers without an error.

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
            self._call("line_send", (ctypes.c_uint8 * len(data)).from_buffer_copy(data), len(data))

    def receive_bytes(self, cycles: int) -> bytes:
        """Bytes from the serial line, after running until one is there or for `cycles`.

        Raises:
            ToolError: an assertion of a checked model failed.
        """
        some = (ctypes.c_uint8 * 4096)()
        with self._lock:
            if self._call("line_run", cycles) < 0:
                raise self._stopped()
            return bytes(some[: self._call("line_take", some, len(some))])

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
        if answer == _STOPPED:
            raise self._stopped()
        if answer < 0:
            raise ToolError(f"no answer to a register access within {_ACCESS_CYCLES} cycles")

    def _stopped(self) -> ToolError:
        """Why the RTL did not go on."""
        reason = self._call("reason").decode(errors="replace").split("\n")
        return ToolError(f"the simulated core stopped: {reason[0]}")

    def _call(self, name: str, *arguments: Any) -> Any:
        if not self._finish.alive:
            raise ToolError("the simulated core is closed")
        if name not in self._functions:
            raise ToolError(f"the simulated core has no face for {name!r}")
        return self._functions[name](self._handle, *arguments)


def next_chunk(cycles: int, seconds: float) -> int:
    """Clock cycles to run before Python is asked again, after so many took so long."""
    aim = int(cycles * _CHUNK_SECONDS / max(seconds, 1e-6))
    return max(FIRST_CHUNK, min(aim, 4 * cycles))


def _pointer(words: "array[int]") -> "ctypes.Array[ctypes.c_uint32]":
    return (ctypes.c_uint32 * len(words)).from_buffer(words)


def open_model(
    configuration: Configuration, face: Face = Face.STREAM, *, checked: bool = False
) -> Model:
    """Open a model of a design, built first if the cache has none.

    Args:
        configuration: the design with its parameters.
        face: how it is reached.
        checked: with the assertions in the RTL; slower, for tests.

    Raises:
        ToolError: the model cannot be built.
    """
    return Model(build_model(configuration.top(face), checked=checked))
