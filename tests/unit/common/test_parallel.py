"""Work in parallel processes: order, endless items, what a process calls first, errors."""

import os
import time
from collections.abc import Iterator
from itertools import count, islice

import pytest

from totient.common.parallel import in_order

_BEGUN: list[int] = []


def begin() -> None:
    """What each process calls first."""
    _BEGUN.append(1)


def square(number: int) -> tuple[int, int, int]:
    """A square, how often `begin` was called, and the process. The first one takes longest."""
    if number == 0:
        time.sleep(0.5)
    if number == 7:
        raise ValueError("seven")
    return number**2, len(_BEGUN), os.getpid()


def test_results_come_in_order_from_processes_that_have_begun() -> None:
    done = [*in_order(square, range(6), 2, begin)]
    assert [value for value, *_ in done] == [0, 1, 4, 9, 16, 25]
    assert {begun for _, begun, _ in done} == {1}
    workers = {worker for *_, worker in done}
    assert os.getpid() not in workers
    assert len(workers) == 2


def test_of_endless_items_a_few_more_are_taken() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in count(10):
            taken.append(number)
            yield number

    assert [value for value, *_ in islice(in_order(square, numbers(), 2), 3)] == [100, 121, 144]
    assert len(taken) <= 3 + 2 * 4


def test_one_process_is_this_one_and_takes_nothing_ahead() -> None:
    _BEGUN.clear()
    items = iter(range(1, 5))
    results = in_order(square, items, 1, begin)
    assert next(results) == (1, 1, os.getpid())
    assert next(items) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_are_raised_here(jobs: int) -> None:
    results = in_order(square, [6, 7, 8], jobs)
    assert next(results)[0] == 36
    with pytest.raises(ValueError, match="seven"):
        next(results)
