"""Work in parallel processes of this machine."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_AHEAD = 4
"""Items given to each process before the first result is needed: some take longer than others."""


def processes(jobs: int, begin: Callable[[], object] | None = None) -> Pool:
    """Start worker processes. They leave Ctrl-C to this one, which ends them.

    Args:
        jobs: processes, 1 or more.
        begin: a function that each process calls first; it can be pickled.
    """
    return get_context("spawn").Pool(jobs, _begin, (begin,))


def _begin(begin: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin:
        begin()


def in_order(
    work: Callable[[_Item], _Result],
    items: Iterable[_Item],
    jobs: int,
    begin: Callable[[], object] | None = None,
) -> Iterator[_Result]:
    """Do the same with each item, in several processes.

    Args:
        work: what is done; with more than one process it can be pickled.
        items: in order, perhaps without end. A few more are taken than results are needed.
        jobs: processes; with 1 all is done here.
        begin: called first, in each process.

    Returns:
        The results in the order of the items. What `work` raises is raised here.
    """
    if jobs == 1:
        if begin:
            begin()
        yield from map(work, items)
        return
    with processes(jobs, begin) as pool:
        waiting: deque[AsyncResult[_Result]] = deque()
        for item in items:
            waiting.append(pool.apply_async(work, (item,)))
            if len(waiting) > jobs * _AHEAD:
                yield waiting.popleft().get()
        for result in waiting:
            yield result.get()
