"""Serial lines whose other end sends what no core sends, and signals while a core is waited for."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from types import FrameType

import pytest

from tests.rtl.serial_frames import END, frame
from totient.catalog import Face
from totient.catalog import select as select_design
from totient.common.errors import ToolError
from totient.device import Device, open_device
from totient.device.library import library
from totient.device.terminal import Terminal
from totient.device.transports import AddressTransport
from totient.sim import build_model

TIMEOUT = 0.3
"""For a byte, in seconds."""
MOST = 60
"""Bytes, or answers, that a peer sends at most: the driver gives up long before."""
WIDTH = 24
MODULUS, EXPONENT = 17 * 227, 5

Peer = Callable[[int], Iterator[bytes]]
"""The other end: gets the file, and gives what it sends, one write after another."""


class Line:
    """A pseudo-terminal with a peer at its other end.

    Attributes:
        path: to open.
        ours: file of the peer.
        sent: writes of the peer so far.
    """

    def __init__(self, peer: Peer) -> None:
        self.ours, self._theirs = os.openpty()
        os.set_blocking(self.ours, False)
        tty.setraw(self._theirs)
        self.path = os.ttyname(self._theirs)
        self.sent = 0
        self._over = False
        self._thread = threading.Thread(target=self._send, args=(peer,))
        self._thread.start()

    def _send(self, peer: Peer) -> None:
        for data in peer(self.ours):
            while data and not self._over:
                select.select([], [self.ours], [], 0.1)
                with suppress(BlockingIOError):
                    data = data[os.write(self.ours, data) :]
            if self._over:
                return
            self.sent += 1

    def close(self) -> None:
        """End the peer."""
        self._over = True
        self._thread.join()
        os.close(self.ours)
        os.close(self._theirs)


@contextmanager
def line(peer: Peer) -> Iterator[Line]:
    opened = Line(peer)
    try:
        yield opened
    finally:
        opened.close()


def flood(file: int) -> Iterator[bytes]:
    for _ in range(MOST):
        yield bytes([END]) * 8192


def ends(file: int) -> Iterator[bytes]:
    for _ in range(MOST):
        yield bytes([END])
        time.sleep(0.3 * TIMEOUT)


def a_slow_frame(file: int) -> Iterator[bytes]:
    for place in range(MOST):
        yield b"\x55" if place else bytes([END])
        time.sleep(0.9 * TIMEOUT)


def busy(file: int) -> Iterator[bytes]:
    """Refuse each request, as a core does that is still dropping a frame."""
    for _ in range(MOST):
        asked = b""
        while len(asked) < 2 or asked[-1] != END:
            if not select.select([file], [], [], 10 * TIMEOUT)[0]:
                return
            asked += os.read(file, 4096)
        time.sleep(0.5 * TIMEOUT)
        yield frame(bytes([3]))


def silence(file: int) -> Iterator[bytes]:
    return iter(())


@pytest.mark.parametrize("peer", [flood, ends, a_slow_frame, busy])
def test_a_hostile_peer_is_given_up(peer: Peer) -> None:
    """Each of its bytes comes in time, but an answer has a limit, too."""
    with line(peer) as opened, AddressTransport(f"tty:{opened.path}") as transport:
        transport._device.line.timeout_ms = int(1000 * TIMEOUT)
        with pytest.raises(ToolError):
            Device(transport)
        assert opened.sent < MOST / 2


def test_a_peer_that_takes_nothing_is_given_up() -> None:
    _, lib = library()
    data = bytes(1 << 20)
    with line(silence) as opened, AddressTransport(f"tty:{opened.path}") as transport:
        transport._device.line.timeout_ms = int(1000 * TIMEOUT)
        codes: list[int] = []

        def write() -> None:
            lib.totient_tty_start_timer(transport._device.serial.line)
            codes.append(lib.totient_tty_write(transport._device.serial.line, data, len(data)))

        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        thread.join(9)  # without a limit, each write has 10 seconds
        assert codes == [lib.TOTIENT_TIMEOUT]


def test_the_timer_is_of_one_request() -> None:
    """Not of the time since the last one."""
    _, lib = library()
    with line(silence) as opened, AddressTransport(f"tty:{opened.path}") as transport:
        transport._device.line.timeout_ms = 10_000
        lib.totient_tty_start_timer(transport._device.serial.line)
        transport._device.line.started -= 20_000
        assert lib.totient_tty_write(transport._device.serial.line, b"1", 1) == lib.TOTIENT_TIMEOUT
        lib.totient_tty_start_timer(transport._device.serial.line)
        assert lib.totient_tty_write(transport._device.serial.line, b"1", 1) == lib.TOTIENT_OK


INTERRUPTED = """
import signal, sys
from totient.device import open_device

signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    open_device(f"tty:{sys.argv[1]}?timeout=600")
except KeyboardInterrupt:
    print("interrupted")
"""


def endless_drops(file: int) -> Iterator[bytes]:
    for _ in count():
        yield bytes([END])
        time.sleep(0.05)


@pytest.mark.parametrize("peer", [silence, endless_drops])
def test_an_interrupt_ends_the_wait(peer: Peer) -> None:
    asked = threading.Event()

    def after_a_request(file: int) -> Iterator[bytes]:
        select.select([file], [], [], 60)
        asked.set()
        yield from peer(file)

    with (
        line(after_a_request) as opened,
        subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, opened.path], stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdout is not None
        try:
            assert asked.wait(60)
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()
        assert process.stdout.read() == "interrupted\n"


def test_a_line_is_interrupted_also_while_bytes_come() -> None:
    ffi, lib = library()
    byte, calls = ffi.new("uint8_t *"), []

    def refuse(user: object) -> bool:
        calls.append(user)
        return False

    waiting = ffi.callback("bool(void *)", refuse)
    with line(flood) as opened, AddressTransport(f"tty:{opened.path}") as transport:
        assert lib.totient_tty_read(transport._device.serial.line, byte) == lib.TOTIENT_OK
        transport._device.line.waiting, transport._device.line.asked = waiting, 0
        assert lib.totient_tty_read(transport._device.serial.line, byte) == lib.TOTIENT_TIMEOUT
        transport._device.line.asked += 60_000  # just now
        assert lib.totient_tty_read(transport._device.serial.line, byte) == lib.TOTIENT_OK
        assert len(calls) == 1


@contextmanager
def alarms(seconds: float, handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call a handler at this interval."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def served(design: str) -> Iterator[Device]:
    """A simulated core at the end of a pseudo-terminal that a thread serves."""
    model = build_model(select_design(design, width=WIDTH).top(Face.SERIAL))
    over = threading.Event()
    with Terminal(model) as terminal:

        def serve() -> None:
            while not over.is_set():
                terminal.serve(0.05)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            with open_device(f"tty:{terminal.path}") as device:
                yield device
        finally:
            over.set()
            thread.join()


def check_works(device: Device) -> None:
    device.load_key(MODULUS, EXPONENT)
    assert device.exponentiate(1234).result == pow(1234, EXPONENT, MODULUS)


def test_other_signals_end_nothing() -> None:
    come: list[int] = []
    with (
        served("binary") as device,
        alarms(0.002, lambda number, frame: come.append(number)),
    ):
        while len(come) < 100:
            check_works(device)


def test_an_interrupted_operation_leaves_the_device_usable() -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with served("repeated") as device:
        device.load_key((1 << WIDTH) - 3, (1 << WIDTH) - 1)  # 400 million cycles
        with pytest.raises(KeyboardInterrupt), alarms(0.3, interrupt):
            device.exponentiate(2)
        check_works(device)


def test_a_closed_line_is_freed() -> None:
    """The function that C calls keeps nothing alive."""
    with line(silence) as opened:
        AddressTransport(f"tty:{opened.path}")  # no reference remains
        AddressTransport(f"tty:{opened.path}").close()
