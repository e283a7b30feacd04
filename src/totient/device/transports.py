"""Transports to a core, each with its libtotient transport."""

import errno
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

SERIAL_TIMEOUT = 60
"""Default time limit for a byte of a serial line, in seconds."""

_LONGEST_TIMEOUT = 86_400

_REGION = 4096
"""Bytes of registers that are mapped."""

_POLLS = 100_000_000
"""Maximum number of register reads while waiting for a board's answer: about ten seconds."""


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
        address: of the device, for messages; empty for a simulated core.
    """

    table: Any
    context: Any
    address: str = ""
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
        return f"{self.address}: {text(code)}" if self.address else text(code)

    def close(self) -> None:
        """Close the connection. Closing twice has no effect."""
        self._finish()

    def _over(self, kind: str, read: Any, write: Any, **end: Any) -> None:
        """Send packets over `registers` or `serial`, with functions of their `bus` or `line`."""
        ffi, lib = library()
        self.table = ffi.addressof(getattr(lib, f"totient_over_{kind}"))
        self.context = ffi.new(f"struct totient_{kind} *", {"read": read, "write": write, **end})


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
            raise ToolError(f"cannot load the model {model}")
        self._finish = weakref.finalize(self, lib.totient_simulation_close, simulation)
        if face == Face.STREAM:
            self.table, self.context = ffi.addressof(lib.totient_over_simulation), simulation
        elif face == Face.REGISTERS:
            functions = lib.totient_simulation_read, lib.totient_simulation_write
            self._over("registers", *functions, bus=simulation)
        else:
            functions = lib.totient_simulation_line_read, lib.totient_simulation_line_write
            self._over("serial", *functions, line=simulation)

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


class UioTransport(Transport):
    """A core behind AXI4-Lite registers of this board, through a UIO device."""

    def __init__(self, path: str) -> None:
        """Map the registers.

        Args:
            path: of the device, for instance `/dev/uio0`.

        Raises:
            InputError: it cannot be opened, for instance as another program has opened it, or it is
                shorter than the registers.
        """
        ffi, lib = library()
        uio = ffi.new("struct totient_uio *")
        if lib.totient_uio_open(uio, path.encode()) != lib.TOTIENT_OK:
            what = f"cannot map the registers of {path}"
            if ffi.errno == errno.ENXIO:
                raise InputError(f"{what}: it has less than {_REGION} bytes")
            raise _not_opened(ffi, f"uio:{path}", what)
        self._finish = weakref.finalize(self, lib.totient_uio_close, uio)
        _shared.add(self)
        self.address = f"uio:{path}"
        functions = lib.totient_mapped_read, lib.totient_mapped_write
        self._over("registers", *functions, bus=uio.registers, polls=_POLLS)


class TtyTransport(_WaitingTransport):
    """A core on a serial line."""

    def __init__(self, path: str, baud: int, timeout: int = SERIAL_TIMEOUT) -> None:
        """Open the line.

        Args:
            path: of the line, for instance `/dev/ttyUSB0`.
            baud: one of the usual rates, 9600 to 3000000.
            timeout: time limit for a byte, in seconds, including the core's work on an answer.
                Twice as long is the limit for a whole answer.

        Raises:
            InputError: another rate, a timeout out of range, or it cannot be opened.
        """
        if not 1 <= timeout <= _LONGEST_TIMEOUT:
            raise InputError(f"timeout is {timeout}, allowed is 1 to {_LONGEST_TIMEOUT} seconds")
        ffi, lib = library()
        self._tty = tty = ffi.new("struct totient_tty *")
        code = lib.totient_tty_open(tty, path.encode(), baud, timeout * 1000)
        if code == lib.TOTIENT_ARGUMENT:
            raise InputError(f"baud is {baud}, allowed is a usual rate of 9600 to 3000000")
        if code != lib.TOTIENT_OK:
            raise _not_opened(ffi, f"tty:{path}", f"cannot open the serial line {path}")
        self._finish = weakref.finalize(self, lib.totient_tty_close, tty)
        _shared.add(self)
        self.address, self._timeout = f"tty:{path}", timeout
        self._waiting = tty.waiting = self._function("bool(void *)", self._goes_on)
        functions = lib.totient_tty_read, lib.totient_tty_write
        self._over("serial", *functions, line=tty, start_timer=lib.totient_tty_start_timer)

    def _goes_on(self) -> bool:
        return self._failure is None

    def failure(self, code: int) -> str:
        """The time waited, and how to wait longer, if that is the cause."""
        _, lib = library()
        if code != lib.TOTIENT_TIMEOUT:
            return super().failure(code)
        return (
            f"{self.address}: the core did not answer in {self._timeout} s, or its whole answer "
            f"took more than {2 * self._timeout} s. For longer limits use "
            f"{self.address}?timeout=SECONDS, up to {_LONGEST_TIMEOUT}"
        )


def _not_opened(ffi: Any, address: str, what: str) -> InputError:
    """The error for a device that could not be opened."""
    if ffi.errno == errno.EBUSY:
        return InputError(f"{address} is in use by another program")
    return InputError(f"{what}: {os.strerror(ffi.errno)}")
