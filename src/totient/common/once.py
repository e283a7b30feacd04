"""Results that are computed once."""

import threading
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class _Once(Protocol[_P, _T]):
    """A function that is computed once, and beside it the function itself."""

    __wrapped__: Callable[_P, _T]

    def __call__(self, *arguments: _P.args, **named: _P.kwargs) -> _T: ...


def once(function: Callable[_P, _T]) -> _Once[_P, _T]:
    """Compute a function once for each of its arguments, which are positional.

    As `functools.cache`, but two threads that call it at once get the same object, too.
    """
    results: dict[tuple[Hashable, ...], _T] = {}
    lock = threading.RLock()

    @wraps(function)
    def get(*arguments: _P.args, **named: _P.kwargs) -> _T:
        assert not named
        # A forked process must not wait for a lock that a thread of its parent held.
        if arguments not in results:
            with lock:
                if arguments not in results:
                    results[arguments] = function(*arguments, **named)
        return results[arguments]

    return get
