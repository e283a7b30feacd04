"""The interrupt of a UIO device: a core in RTL behind registers, and Linux's part by a thread."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from totient.catalog import Face, select
from totient.device.library import library
from totient.sim import build_model
from totient.sim.library import load

BITS = 1024
N, BASE = (1 << BITS) - 159, 1 << 1000 | 12345
ENABLE = (1).to_bytes(4, "little")
STATUS = 0x0C
CHUNK = 500
"""Clock cycles between looks at the interrupt."""


@dataclass
class Board:
    """A core with registers and an interrupt, and the file of its UIO device.

    Attributes:
        registers: `struct totient_registers *`.
        uio: `struct totient_uio *`.
        reads: of the status.
        interrupts: that were passed on.
        dead: the core says nothing.
        deaf: no interrupt is passed on.
        kept: functions that the library calls.
    """

    registers: Any
    uio: Any
    theirs: socket.socket
    reads: int = 0
    interrupts: int = 0
    dead: bool = False
    deaf: bool = False
    kept: list[Any] = field(default_factory=list)

    def linux(self, run: Any) -> None:
        """What the kernel does: once enabled, it passes one interrupt on, as a number."""
        while self._enabled():
            while not self.deaf:
                outcome = run()
                if outcome != 0:
                    break
            if not self.deaf:
                self.interrupts += 1
                self.theirs.send(self.interrupts.to_bytes(4, "little"))

    def _enabled(self) -> bool:
        """Wait until the driver enables the interrupt; false if it closes the device."""
        try:
            data = self.theirs.recv(4)
        except ConnectionResetError:
            return False
        assert data in (b"", ENABLE)
        return bool(data)


def opened(board: Board) -> Any:
    """The core's handle, or the result."""
    ffi, lib = library()
    core = ffi.new("struct totient *")
    table = ffi.addressof(lib.totient_over_registers)
    code = lib.totient_open(core, table, board.registers)
    return core if code == lib.TOTIENT_OK else code


@pytest.fixture
def board() -> Iterator[Board]:
    ffi, lib = library()
    path = build_model(select("T3", width=BITS).top(Face.REGISTERS))
    simulation = ffi.new("struct totient_simulation *")
    assert lib.totient_simulation_open(simulation, bytes(path)) == lib.TOTIENT_OK
    model_ffi, model = load(path)
    handle = model_ffi.cast("struct totient_model *", int(ffi.cast("intptr_t", simulation.model)))
    lock = threading.Lock()  # the model is for one thread at a time
    ours, theirs = socket.socketpair()
    uio = ffi.new("struct totient_uio *")
    uio.file, uio.timeout_ms, uio.interrupts = ours.fileno(), 10_000, True
    registers = ffi.new("struct totient_registers *")
    made = Board(registers, uio, theirs)

    def read(_: Any, offset: int, value: Any) -> int:
        made.reads += offset == STATUS
        with lock:
            code = int(lib.totient_simulation_read(simulation, offset, value))
        if made.dead and offset == STATUS:
            value[0] = 0
        return code

    def write(_: Any, offset: int, value: int) -> int:
        with lock:
            return int(lib.totient_simulation_write(simulation, offset, value))

    def run() -> int:
        with lock:
            return int(model.totient_model_wait(handle, CHUNK))

    made.kept.append(ffi.callback("totient_result(void *, uint32_t, uint32_t *)", read))
    made.kept.append(ffi.callback("totient_result(void *, uint32_t, uint32_t)", write))
    registers.read, registers.write = made.kept
    registers.wait = ffi.addressof(lib, "totient_uio_wait")
    registers.waiter = uio
    kernel = threading.Thread(target=made.linux, args=(run,))
    kernel.start()
    yield made
    made.deaf = True
    ours.close()
    kernel.join(60)
    theirs.close()
    lib.totient_simulation_close(simulation)


def power(core: Any, exponent: int) -> tuple[int, int]:
    """The result's code, and the number."""
    ffi, lib = library()
    size = BITS // 8
    key = N.to_bytes(size), exponent.to_bytes(size)
    code = lib.totient_load_key(core, key[0], size, key[1], size, BITS)
    result = ffi.new(f"uint8_t[{size}]")
    if code == lib.TOTIENT_OK:
        code = lib.totient_raise(core, BASE.to_bytes(size), size, result, size)
    return code, int.from_bytes(bytes(result))


def test_an_operation_waits_for_the_interrupt(board: Board) -> None:
    """Its response is longer than the FIFO. The status is read a few times, not thousands."""
    core = opened(board)
    board.reads = 0
    assert power(core, 65537) == (0, pow(BASE, 65537, N))
    assert board.interrupts > 0
    # A poll of the status costs the RTL some clock cycles: the operation has 100,000.
    assert core.cycles > 50_000
    polled = board.reads
    board.registers.wait = library()[0].NULL
    board.reads = 0
    assert power(core, 65537) == (0, pow(BASE, 65537, N))
    assert 2 * polled < board.reads


@pytest.mark.parametrize("file", ["/dev/null", "/dev/zero", "/dev/full"])
def test_a_device_without_an_interrupt_is_polled(board: Board, file: str) -> None:
    """One whose file refuses to enable it, or gives no number, or gives one each time."""
    core = opened(board)
    opened_file = os.open(file, os.O_RDWR)
    board.uio.file = opened_file
    board.uio.interrupts = True
    ffi, lib = library()

    def wait(waiter: Any, first: bool) -> int:
        # Nobody else lets the clock run: reads of the status do.
        return int(lib.totient_uio_wait(waiter, first))

    board.kept.append(ffi.callback("totient_result(void *, bool)", wait))
    board.registers.wait = board.kept[-1]
    assert power(core, 3)[1] == pow(BASE, 3, N)
    assert board.uio.interrupts == (file == "/dev/zero")
    os.close(opened_file)


@pytest.mark.parametrize("deaf", [False, True])
@pytest.mark.parametrize("interrupts", [False, True])
def test_a_dead_core_is_given_up(board: Board, deaf: bool, interrupts: bool) -> None:
    _, lib = library()
    core = opened(board)
    board.uio.timeout_ms = 300
    board.uio.interrupts = interrupts
    board.dead, board.deaf = True, deaf
    begin = time.monotonic()
    assert power(core, 3)[0] == lib.TOTIENT_TIMEOUT
    assert 0.29 <= time.monotonic() - begin < 5


def test_the_caller_ends_the_wait(board: Board) -> None:
    ffi, lib = library()
    core = opened(board)
    board.dead = True
    asked: list[float] = []

    def waiting(_: Any) -> bool:
        asked.append(time.monotonic())
        return len(asked) < 3

    board.kept.append(ffi.callback("bool(void *)", waiting))
    board.uio.waiting = board.kept[-1]
    assert power(core, 3)[0] == lib.TOTIENT_TIMEOUT
    assert len(asked) >= 3
    assert asked[2] - asked[0] > 0.15
