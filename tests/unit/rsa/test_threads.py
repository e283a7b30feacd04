"""Accelerators that threads share, and their copies in forked processes."""

import threading
import time
from collections.abc import Callable

import pytest

from tests.unit.device.test_threads import IN_TIME, SOON, beside, forked
from totient.common.errors import ToolError
from totient.device import Address, RsaKey
from totient.rsa import accelerator as accelerators
from totient.rsa.accelerator import Accelerator

from .double import Double, Workshop

ADDRESS = "tty:montgomery"
BELONGS = "the accelerator belongs to another process: open one in this process"
MODULUS = 17 * 227

Operation = Callable[[Accelerator, RsaKey], object]
OPERATIONS: list[Operation] = [
    lambda accelerator, key: accelerator.public(key.public, 7),
    lambda accelerator, key: accelerator.private(key, 7),
    lambda accelerator, key: accelerator.exponentiate(MODULUS, 5, 3, 7),
]


@pytest.fixture
def accelerator(workshop: Workshop) -> Accelerator:
    """With a device that is open."""
    opened = Accelerator(ADDRESS)
    opened.exponentiate(MODULUS, 5, 3, 2)
    return opened


class Pause:
    """Starts another thread when the device has loaded the next key, and gives it time."""

    def __init__(self, device: Double, call: Callable[[], object]) -> None:
        self._load, self._call = device.load_key, call
        self._errors: list[BaseException] = []
        self._thread = threading.Thread(target=self._run)
        self.was_alone = False
        self._device = device
        device.load_key = self._pause  # type: ignore[method-assign, assignment]

    def _run(self) -> None:
        try:
            self._call()
        except BaseException as error:
            self._errors.append(error)

    def _pause(self, *key: int) -> int:
        cycles = self._load(*key)
        if threading.current_thread() is not self._thread and not self._thread.ident:
            loads = len(self._device.loads)
            self._thread.start()
            self._thread.join(SOON)
            self.was_alone = len(self._device.loads) == loads and not self._device.closed
        return cycles

    def end(self) -> None:
        """Wait for the other thread, which has found nothing wrong."""
        self._thread.join(IN_TIME)
        assert not self._thread.is_alive()
        assert not self._errors


@pytest.mark.parametrize("own", OPERATIONS)
@pytest.mark.parametrize("other", OPERATIONS)
def test_a_key_and_its_use_are_one_operation(
    workshop: Workshop, accelerator: Accelerator, key: RsaKey, own: Operation, other: Operation
) -> None:
    expected = own(accelerator, key), other(accelerator, key)
    got: list[object] = []
    pause = Pause(workshop.device, lambda: got.append(other(accelerator, key)))
    result = own(accelerator, key)
    pause.end()
    assert pause.was_alone
    assert (result, *got) == expected


def test_a_close_waits(workshop: Workshop, accelerator: Accelerator, key: RsaKey) -> None:
    pause = Pause(workshop.device, accelerator.close)
    result = accelerator.public(key.public, 7)
    pause.end()
    assert pause.was_alone
    assert result == pow(7, key.exponent, key.modulus)
    assert workshop.device.closed == 1


def test_a_wider_device_is_opened_once(
    workshop: Workshop, key: RsaKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By threads that both find that it is too narrow."""

    def open_slowly(address: Address) -> Double:
        time.sleep(SOON)
        return workshop.open(address)

    accelerator = Accelerator("sim:montgomery")
    accelerator.exponentiate(MODULUS, 5, 3, 2)
    monkeypatch.setattr(accelerators, "open_core", open_slowly)
    with (
        beside(lambda: accelerator.public(key.public, 7)),
        beside(lambda: accelerator.public(key.public, 7)),
    ):
        pass
    assert len(workshop.opened) == 2


def test_an_operation_cannot_begin_within_another_one(
    workshop: Workshop, accelerator: Accelerator, key: RsaKey
) -> None:
    """As a signal handler would begin one."""

    def spoil(result: int) -> int:
        return accelerator.exponentiate(MODULUS, 5, 3, 2) + result

    workshop.device.spoil = spoil
    with pytest.raises(ToolError) as error:
        accelerator.public(key.public, 7)
    assert str(error.value) == (
        "the accelerator is busy: an operation cannot begin within another one"
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_forked_process_does_not_use_it(
    workshop: Workshop, accelerator: Accelerator, key: RsaKey, operation: Operation
) -> None:
    def call() -> object:
        before = len(workshop.device.loads)
        try:
            return operation(accelerator, key)
        finally:
            assert len(workshop.device.loads) == before

    assert forked(call) == BELONGS
    operation(accelerator, key)


def test_the_close_of_a_copy_wipes_nothing(workshop: Workshop, key: RsaKey) -> None:
    """A key that the parent process has in an engine stays."""

    def close() -> tuple[int, int]:
        accelerator.close()
        return device.cleared, device.closed

    with Accelerator(ADDRESS) as accelerator:
        accelerator.public(key.public, 7)
        device, accelerator._secret = workshop.device, True
        assert forked(close) == "(0, 1)"
    assert (device.cleared, device.closed) == (1, 1)
