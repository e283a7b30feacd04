"""Transports to a core, each with its libtotient transport."""

import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from totient.catalog import Face
from totient.common.closing import Closing
from totient.common.errors import InputError, ToolError
from totient.common.trust import check_code
from totient.device.library import library, text
from totient.sim import FIRST_CHUNK, next_chunk

Progress = Callable[[int], None]
"""Called at intervals with the number of clock cycles of the operation so far."""

_shared: "weakref.WeakSet[Transport]" = weakref.WeakSet()
"""Transports whose device a forked child process would share."""


def _close_copies() -> None:
    for transport in tuple(_shared):
        transport.close()


# A child's copy of a file would also keep its lock when the parent process has closed it.
os.register_at_fork(after_in_child=_close_copies)


class Transport(Closing):
    """A transport to a core.

    Attributes:
        table: `struct totient_transport *`.
        context: argument of its functions.
    """

    table: Any
    context: Any
    _finish: Callable[[], object]

    @contextmanager
    def watched(self, progress: Progress | None) -> Iterator[None]:
        """Call `progress`, if the transport supports it, while the block runs.

        An error in `progress`, or an interrupt, ends the core's operation. It is raised when the
        block ends.
        """
        yield

    def failure(self, code: int) -> str:
        """Text for a result of libtotient that is not a core's refusal."""
        return text(code)

    def close(self) -> None:
        """Close the connection. Closing twice has no effect."""
        self._finish()


class _WaitingTransport(Transport):
    """A transport that calls a function at intervals while it waits for the core."""

    _progress: Progress | None = None
    _failure: BaseException | None = None

    @contextmanager
    def watched(self, progress: Progress | None) -> Iterator[None]:
        """Call `progress` while the block runs; see `Transport.watched`."""
        self._progress, self._failure = progress, None
        try:
            yield
        finally:
            self._progress, failure = None, self._failure
            self._failure = None
            if failure is not None:
                raise failure

    def _function(self, kind: str, method: Callable[..., bool]) -> Any:
        """A method of this transport as a C function, whose first argument is not used.

        Python looks for signals when C calls it. What is raised then ends the wait, and is kept for
        the end of the block.
        """
        # The function must not keep this object alive, or it would never be closed.
        own, call = weakref.ref(self), weakref.WeakMethod(method)

        def waiting(user: Any, *arguments: Any) -> bool:
            function = call()
            return function is not None and function(*arguments)

        def fail(kind: Any, error: BaseException, trace: Any) -> None:
            transport = own()
            if transport is not None:
                transport._failure = error

        ffi, _ = library()
        return ffi.callback(kind, waiting, error=False, onerror=fail)


class SimulationTransport(_WaitingTransport):
    """A simulated core in this process, behind any of its faces."""

    def __init__(self, model: Path, face: Face = Face.STREAM) -> None:
        """Open a model.

        Args:
            model: from `totient.sim.build_model`.
            face: of the model.

        Raises:
            ToolError: the model cannot be loaded, or somebody else can have written it.
        """
        ffi, lib = library()
        check_code(model)
        self._lib = lib
        self._before = 0.0
        self._callback = self._function("bool(void *, uint64_t)", self._tell)
        self._simulation = simulation = ffi.new("struct totient_simulation *")
        simulation.progress = self._callback
        simulation.chunk = FIRST_CHUNK
        if lib.totient_simulation_open(simulation, str(model).encode()) != lib.TOTIENT_OK:
            why = ffi.string(lib.totient_simulation_reason(simulation)).decode(errors="replace")
            raise ToolError(f"cannot load the model: {why}")
        self._finish = weakref.finalize(self, lib.totient_simulation_close, simulation)
        if face == Face.STREAM:
            self.table, self.context = ffi.addressof(lib.totient_over_simulation), simulation
        elif face == Face.REGISTERS:
            functions = lib.totient_simulation_read, lib.totient_simulation_write
            self._over("registers", *functions, bus=simulation)
        else:
            functions = lib.totient_simulation_line_read, lib.totient_simulation_line_write
            self._over("serial", *functions, line=simulation)

    def _over(self, kind: str, read: Any, write: Any, **end: Any) -> None:
        """Send packets over `registers` or `serial`, with functions of their `bus` or `line`."""
        ffi, lib = library()
        self.table = ffi.addressof(getattr(lib, f"totient_over_{kind}"))
        self.context = ffi.new(f"struct totient_{kind} *", {"read": read, "write": write, **end})

    @contextmanager
    def watched(self, progress: Progress | None) -> Iterator[None]:
        """Call `progress` while the block runs; see `Transport.watched`."""
        self._before = time.perf_counter()
        with super().watched(progress):
            yield

    def _tell(self, cycles: int) -> bool:
        now = time.perf_counter()
        self._simulation.chunk = next_chunk(self._simulation.chunk, now - self._before)
        self._before = now
        if self._progress is not None:
            self._progress(cycles)
        return True

    def failure(self, code: int) -> str:
        """The message of a failed assertion in the RTL, if that is the cause."""
        ffi, lib = library()
        printed = ffi.string(lib.totient_simulation_reason(self._simulation))
        reason = str(printed.decode(errors="replace").partition("\n")[0])
        if reason and code == lib.TOTIENT_TRANSPORT:
            return f"the simulated core stopped: {reason}"
        return super().failure(code)


class AddressTransport(_WaitingTransport):
    """A device that libtotient opens by its address: registers, a serial line or a socket."""

    def __init__(self, address: str) -> None:
        """Open the device, without a word to the core behind it.

        Args:
            address: `uio:`, `tty:` or `unix:` with a path and parameters (`totient/address.h`).

        Raises:
            InputError: a parameter is unknown or out of range, or the device cannot be opened, for
                instance as another program has opened it.
        """
        ffi, lib = library()
        self._device = device = ffi.new("struct totient_device *")
        code = lib.totient_connect_address(device, os.fsencode(address))
        if code != lib.TOTIENT_OK:
            raise InputError(self.failure(code))
        self._finish = weakref.finalize(self, lib.totient_close_device, device)
        _shared.add(self)
        self._waiting = self._function("bool(void *)", self._goes_on)
        device.line.waiting = device.uio.waiting = self._waiting
        self.table, self.context = device.transport, device.context

    def _goes_on(self) -> bool:
        return self._failure is None

    def failure(self, code: int) -> str:
        """What libtotient states about the device: its address, the time waited."""
        ffi, lib = library()
        reason = ffi.string(lib.totient_device_reason(self._device, code))
        return str(reason.decode(errors="replace"))
