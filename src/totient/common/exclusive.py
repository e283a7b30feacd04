"""Objects for several threads of one process: one operation at a time."""

import os
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ClassVar, Concatenate, ParamSpec, TypeVar

from totient.common.closing import Closing
from totient.common.errors import ToolError

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="Exclusive")


class Exclusive(Closing):
    """Serialises the operations that `exclusive` decorates, and `close`.

    An operation cannot begin within another one, for instance in a signal handler or a progress
    function: it would change what the other one works on. Nor can a forked child process begin one:
    it has a copy of the object, but shares the device.

    Attributes:
        noun: what it is, for messages.
    """

    noun: ClassVar[str]

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._busy = False
        self._process = os.getpid()

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Only this thread's operations run in the block: between them, no other thread has one.

        Raises:
            ToolError: it belongs to another process.
        """
        self._check_process()
        with self._lock:
            yield

    def close(self) -> None:
        """Close it, after the operation of another thread. Closing twice has no effect.

        In a forked child process, close its copy only.

        Raises:
            ToolError: an operation of this thread is running.
        """
        if self._is_own:
            with self._alone():
                self._close()
        else:
            # Another thread may have held the lock when the process was forked.
            self._close_copy()

    @abstractmethod
    def _close(self) -> None:
        """Close it, while no operation runs."""

    @abstractmethod
    def _close_copy(self) -> None:
        """Close a child process' copy: nothing may reach the device."""

    @property
    def _is_own(self) -> bool:
        return self._process == os.getpid()

    def _check_process(self) -> None:
        if not self._is_own:
            raise ToolError(f"the {self.noun} belongs to another process: open one in this process")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nothing else runs in the block."""
        with self.reserved():
            if self._busy:
                raise ToolError(
                    f"the {self.noun} is busy: an operation cannot begin within another one"
                )
            self._busy = True
            try:
                yield
            finally:
                self._busy = False


def exclusive(
    operation: Callable[Concatenate[_Self, _P], _T],
) -> Callable[Concatenate[_Self, _P], _T]:
    """A method that runs while no other operation of its object does."""

    @wraps(operation)
    def alone(self: _Self, /, *arguments: _P.args, **named: _P.kwargs) -> _T:
        with self._alone():
            return operation(self, *arguments, **named)

    return alone
