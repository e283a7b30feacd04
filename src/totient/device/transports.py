"""Ways to a core, each with libtotient's transport for it."""

import errno
import os
import time
import weakref
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from totient.catalog import Face
from totient.common.closing import Closing
from totient.common.errors import InputError, ToolError
from totient.device.library import library, text
from totient.sim import FIRST_CHUNK, next_chunk

Progress = Callable[[int], None]
"""Called every now and then with the number of clock cycles that an operation has run."""

SERIAL_TIMEOUT = 60
"""Longest wait for a byte of a serial line, in seconds, where the address gives no other."""

_LONGEST_TIMEOUT = 86_400

_POLLS = 100_000_000
"""Reads of a register of a board to wait for an answer, at most: about ten seconds."""


class Transport(Closing):
    """A way to a core.

    Attributes:
        table: `struct totient_transport *`.
        context: what its functions are called with.
        address: what the user calls the device, for messages; empty for a simulated core.
    """

    table: Any
    context: Any
    address: str = ""

    @contextmanager
    def watched(self, progress: Progress | None) -> Iterator[None]:
        """Tell `progress`, where the transport can, while the block runs.

        What goes wrong in it, an interrupt among that, ends what the core does, and is raised when
        the block ends.
        """
        yield

    def failure(self, code: int) -> str:
        """What a result of libtotient that is no core's refusal means here."""
        return f"{self.address}: {text(code)}" if self.address else text(code)

    @abstractmethod
    def close(self) -> None:
        """Give up the connection; closing twice does nothing."""


class SimulationTransport(Transport):
    """To a simulated core in this process, by any of its faces."""

    def __init__(self, model: Path, face: Face = Face.STREAM) -> None:
        """Open a model.

        Args:
            model: what `totient.sim.build_model` returned.
            face: the face that it was built with.

        Raises:
            ToolError: the model cannot be loaded.
        """
        ffi, lib = library()
        self._lib = lib
        self._progress: Progress | None = None
        self._failure: BaseException | None = None
        self._before = 0.0
        # The callback must not keep this object alive, or it would never be closed.
        own = weakref.ref(self)

        def tell(user: Any, cycles: int) -> bool:
            transport = own()
            return transport is not None and transport._tell(cycles)

        def fail(kind: Any, error: BaseException, trace: Any) -> None:
            transport = own()
            if transport is not None:
                transport._failure = error

        self._callback = ffi.callback("bool(void *, uint64_t)", tell, error=False, onerror=fail)
        self._simulation = simulation = ffi.new("struct totient_simulation *")
        simulation.progress = self._callback
        simulation.chunk = FIRST_CHUNK
        if lib.totient_simulation_open(simulation, str(model).encode()) != lib.TOTIENT_OK:
            raise ToolError(f"cannot load the model {model}")
        self._finish = weakref.finalize(self, lib.totient_simulation_close, simulation)
        if face == Face.STREAM:
            self.table, self.context = ffi.addressof(lib.totient_over_simulation), simulation
        elif face == Face.REGISTERS:
            self.table = ffi.addressof(lib.totient_over_registers)
            self.context = ffi.new("struct totient_registers *")
            self.context.read = lib.totient_simulation_read
            self.context.write = lib.totient_simulation_write
            self.context.bus = simulation
        else:
            self.table = ffi.addressof(lib.totient_over_serial)
            self.context = ffi.new("struct totient_serial *")
            self.context.read = lib.totient_simulation_line_read
            self.context.write = lib.totient_simulation_line_write
            self.context.line = simulation

    @contextmanager
    def watched(self, progress: Progress | None) -> Iterator[None]:
        """Tell `progress` while the block runs; see `Transport.watched`."""
        self._progress, self._failure = progress, None
        self._before = time.perf_counter()
        try:
            yield
        finally:
            self._progress, failure = None, self._failure
            self._failure = None
            if failure is not None:
                raise failure

    def _tell(self, cycles: int) -> bool:
        now = time.perf_counter()
        self._simulation.chunk = next_chunk(self._simulation.chunk, now - self._before)
        self._before = now
        if self._progress is not None:
            self._progress(cycles)
        return True

    def failure(self, code: int) -> str:
        """What a failed assertion of the RTL has printed, if that is why."""
        ffi, lib = library()
        printed = ffi.string(lib.totient_simulation_reason(self._simulation))
        reason = str(printed.decode(errors="replace").partition("\n")[0])
        if reason and code == lib.TOTIENT_TRANSPORT:
            return f"the simulated core stopped: {reason}"
        return super().failure(code)

    def close(self) -> None:
        """Free the model; closing twice does nothing."""
        self._finish()


class UioTransport(Transport):
    """To a core behind AXI4-Lite registers of this board, by a UIO device."""

    def __init__(self, path: str) -> None:
        """Map the registers.

        Args:
            path: of the device, for instance `/dev/uio0`.

        Raises:
            InputError: it cannot be opened.
        """
        ffi, lib = library()
        uio = ffi.new("struct totient_uio *")
        if lib.totient_uio_open(uio, path.encode()) != lib.TOTIENT_OK:
            raise InputError(f"cannot map the registers of {path}: {_errno(ffi)}")
        self._finish = weakref.finalize(self, lib.totient_uio_close, uio)
        self.address = f"uio:{path}"
        self.table = ffi.addressof(lib.totient_over_registers)
        self.context = ffi.new("struct totient_registers *")
        self.context.read = lib.totient_mapped_read
        self.context.write = lib.totient_mapped_write
        self.context.bus = uio.registers
        self.context.polls = _POLLS

    def close(self) -> None:
        """Give up the registers; closing twice does nothing."""
        self._finish()


class TtyTransport(Transport):
    """To a core at the end of a serial line."""

    def __init__(self, path: str, baud: int, timeout: int = SERIAL_TIMEOUT) -> None:
        """Open the line.

        Args:
            path: of the line, for instance `/dev/ttyUSB0`.
            baud: one of the usual rates, 9600 to 3000000.
            timeout: longest wait for a byte, in seconds: a core may work on an answer for so long.

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
        if code != lib.TOTIENT_OK and ffi.errno == errno.EBUSY:
            raise InputError(f"tty:{path} is in use by another program")
        if code != lib.TOTIENT_OK:
            raise InputError(f"cannot open the serial line {path}: {_errno(ffi)}")
        self._finish = weakref.finalize(self, lib.totient_tty_close, tty)
        self.address, self._timeout = f"tty:{path}", timeout
        self.table = ffi.addressof(lib.totient_over_serial)
        self.context = ffi.new("struct totient_serial *")
        self.context.read = lib.totient_tty_read
        self.context.write = lib.totient_tty_write
        self.context.line = tty

    def failure(self, code: int) -> str:
        """How long was waited, and how to wait longer, if that is why."""
        _, lib = library()
        if code != lib.TOTIENT_TIMEOUT:
            return super().failure(code)
        return (
            f"{self.address}: the core did not answer in {self._timeout} s; where it needs more "
            f"time, {self.address}?timeout=SECONDS gives it up to {_LONGEST_TIMEOUT}"
        )

    def close(self) -> None:
        """Close the line; closing twice does nothing."""
        self._finish()


def _errno(ffi: Any) -> str:
    return os.strerror(ffi.errno)
