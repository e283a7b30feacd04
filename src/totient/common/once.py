"""Results that are computed once."""

import threading
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


def once(function: Callable[_P, _T]) -> Callable[_P, _T]:
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
