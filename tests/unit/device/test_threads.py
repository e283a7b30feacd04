"""Devices that threads share, and copies of devices in forked processes."""

import inspect
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from totient.common.errors import InputError, ToolError
from totient.device import Device, open_device
from totient.device.transports import AddressTransport
from totient.rsa.accelerator import Accelerator

from .packet_transport import PacketTransport, Words

MODULUS, EXPONENT, BASE = 17 * 227, 5, 1234
RESULT = pow(BASE, EXPONENT, MODULUS)
SOON = 0.3
"""Seconds in which another thread does what nothing keeps it from."""
IN_TIME = 60.0
BUSY = "the device is busy: an operation cannot begin within another one"
BELONGS = "the device belongs to another process: open one in this process"


class Core:
    """A core of 32 bits that answers with the base, in as many cycles.

    Attributes:
        requests: commands so far.
        hold: called with each request after the first one.
    """

    def __init__(self) -> None:
        self.requests: list[int] = []
        self.hold: Callable[[], None] = lambda: None

    def __call__(self, packet: Words) -> Words:
        """The answer."""
        if packet[0] == 1:
            return [1 | 8 << 16, 0x78, 0, 0, 0, 0x100, 32, 0, 1]
        self.requests.append(packet[0])
        self.hold()
        if packet[0] == 3:
            return [3 | 3 << 16, packet[2], 0, packet[2]]
        return [packet[0] | 2 << 16, 0, 0] if packet[0] == 2 else [packet[0]]


def held(core: Core) -> tuple[threading.Event, threading.Event]:
    """A core that holds its answer: set when it has the request; to be set to let it go on."""
    running, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        running.set()
        assert go_on.wait(IN_TIME)

    core.hold = hold
    return running, go_on


@contextmanager
def beside(call: Callable[[], object]) -> Iterator[threading.Thread]:
    """Another thread runs a call during the block, and ends without an error."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(IN_TIME)
    assert not thread.is_alive()
    assert not errors, errors


def forked(call: Callable[[], object]) -> str:
    """What a call in a forked process raises or returns, in words."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(int(IN_TIME))  # a lock of another thread would hold it
        try:
            said = str(call())
        except ToolError as error:
            said = str(error)
        except BaseException:
            said = traceback.format_exc()
        os.write(theirs, said.encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        text = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    return text


@pytest.fixture
def core() -> Core:
    return Core()


@pytest.fixture
def device(core: Core) -> Device:
    opened = Device(PacketTransport(core))
    opened.load_key(MODULUS, EXPONENT)
    return opened


OPERATIONS: list[Callable[[Device], object]] = [
    lambda device: device.load_key(MODULUS, EXPONENT),
    lambda device: device.exponentiate(5),
    lambda device: device.exponentiate_all((5,)),
    Device.clear,
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_waits_for_that_of_another_thread(
    core: Core, device: Device, operation: Callable[[Device], object]
) -> None:
    running, go_on = held(core)
    with beside(lambda: device.exponentiate(7)):
        assert running.wait(IN_TIME)
        before = len(core.requests)
        with beside(lambda: operation(device)) as other:
            other.join(SOON)
            waited = other.is_alive() and len(core.requests) == before
            go_on.set()
    assert waited


def test_each_method_is_such_an_operation() -> None:
    methods = {
        name
        for kind in (Device, Accelerator)
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and not hasattr(method, "__wrapped__")
    }
    assert methods == {"close"}


def test_a_close_waits_for_the_operation_of_another_thread(core: Core, device: Device) -> None:
    running, go_on = held(core)
    with beside(lambda: device.exponentiate(7)):
        assert running.wait(IN_TIME)
        with beside(device.close) as other:
            other.join(SOON)
            waited = other.is_alive()
            go_on.set()
    assert waited
    with pytest.raises(ToolError, match="closed"):
        device.exponentiate(7)


class Pausing(Device):
    """A device whose operations pause when the core has answered.

    Attributes:
        pause: called then.
    """

    pause: Callable[[], None] = staticmethod(lambda: None)

    def _check(self, *arguments: object, **named: object) -> None:
        super()._check(*arguments, **named)  # type: ignore[arg-type]
        self.pause()


def test_cycles_are_those_of_the_own_operation(core: Core) -> None:
    """The core's count is read when other threads could already have the next operation."""
    device = Pausing(PacketTransport(core))
    device.load_key(MODULUS, EXPONENT)
    threads: list[threading.Thread] = []

    def pause() -> None:
        device.pause = lambda: None
        threads.append(threading.Thread(target=device.exponentiate, args=(9,)))
        threads[0].start()
        threads[0].join(SOON)

    device.pause = pause
    assert device.exponentiate(7) == (7, 7)
    threads[0].join(IN_TIME)


def test_a_block_of_operations(core: Core, device: Device) -> None:
    with device.reserved():
        device.load_key(MODULUS, EXPONENT)
        with beside(lambda: device.load_key(MODULUS, 7)) as other:
            other.join(SOON)
            assert other.is_alive()
            device.exponentiate(5)
            assert core.requests == [2, 2, 3]
            with device.reserved():
                device.exponentiate(5)
            assert core.requests == [2, 2, 3, 3]
            # The other thread's turn comes with the end of this block.
            device._lock.release()
            other.join(IN_TIME)
            device._lock.acquire()
    assert core.requests == [2, 2, 3, 3, 2]


@pytest.mark.parametrize("operation", [*OPERATIONS, Device.close])
def test_an_operation_cannot_begin_within_another_one(
    operation: Callable[[Device], object],
) -> None:
    """In a progress function; a signal handler runs at the same place."""
    with open_device("sim:repeated?width=24") as device:
        device.load_key((1 << 24) - 3, (1 << 24) - 1)
        with pytest.raises(ToolError) as error:
            device.exponentiate(2, lambda cycles: operation(device))  # type: ignore[arg-type]
        assert str(error.value) == BUSY
        device.load_key(MODULUS, EXPONENT)
        assert device.exponentiate(BASE).result == RESULT


def test_threads_on_one_simulated_core() -> None:
    wrong: list[object] = []
    with open_device("sim:binary?width=24") as device:

        def work(exponent: int) -> None:
            for base in range(100, 200):
                with device.reserved():
                    device.load_key(MODULUS, exponent)
                    result = device.exponentiate(base).result
                if result != pow(base, exponent, MODULUS):
                    wrong.append((exponent, base))

        with beside(lambda: work(3)), beside(lambda: work(5)), beside(lambda: work(7)):
            pass
    assert not wrong


@pytest.mark.parametrize("operation", [*OPERATIONS, lambda device: device.reserved().__enter__()])
def test_a_forked_process_does_not_use_the_device(
    core: Core, device: Device, operation: Callable[[Device], object]
) -> None:
    def call() -> object:
        before = len(core.requests)
        try:
            return operation(device)
        finally:
            assert len(core.requests) == before

    assert forked(call) == BELONGS
    assert device.exponentiate(7).result == 7


def test_a_forked_process_does_not_wait_for_threads(core: Core, device: Device) -> None:
    """Of its parent: their locks are never released in the child."""
    running, go_on = held(core)
    with beside(lambda: device.exponentiate(7)):
        assert running.wait(IN_TIME)
        try:
            assert forked(lambda: device.exponentiate(7)) == BELONGS
            assert forked(device.close) == "None"
        finally:
            go_on.set()


def test_a_forked_process_has_no_copy_of_a_line(line: str) -> None:
    with AddressTransport(f"tty:{line}") as transport:
        assert forked(lambda: transport._device.line.file) == "-1"
        # It is still open and locked here.
        with pytest.raises(InputError, match="in use"):
            AddressTransport(f"tty:{line}")


def test_a_line_is_free_while_a_forked_process_lives(line: str) -> None:
    transport = AddressTransport(f"tty:{line}")
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, b"1")
        signal.pause()
    try:
        assert os.read(ours, 1)
        transport.close()
        AddressTransport(f"tty:{line}").close()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ours)
        os.close(theirs)


def test_a_forked_process_has_no_copy_of_registers(tmp_path: Path) -> None:
    zeros = tmp_path / "zeros"
    zeros.write_bytes(bytes(4096))
    with AddressTransport(f"uio:{zeros}") as transport:
        assert forked(lambda: transport._finish.alive) == "False"  # type: ignore[attr-defined]
        with pytest.raises(InputError, match="in use"):
            AddressTransport(f"uio:{zeros}")


def test_a_forked_process_opens_its_own() -> None:
    def compute() -> int:
        with open_device("sim:binary?width=24") as own:
            own.load_key(MODULUS, EXPONENT)
            return own.exponentiate(BASE).result

    with open_device("sim:binary?width=24") as device:
        assert forked(compute) == str(RESULT)
        assert forked(lambda: device.load_key(MODULUS, EXPONENT)) == BELONGS
        device.load_key(MODULUS, EXPONENT)
        assert device.exponentiate(BASE).result == RESULT
