"""Results that are computed once, also by threads."""

import importlib.util
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from totient.catalog import select
from totient.common.once import once
from totient.device import library as driver
from totient.sim import build_model
from totient.sim import library as models

SOON = 0.2


def late(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function during which another thread has time to begin it, too."""

    def wait(*arguments: Any) -> Any:
        time.sleep(SOON)
        return function(*arguments)

    return wait


def at_once(call: Callable[[], object]) -> set[int]:
    """Identities of what two threads get that call it at once."""
    begin, got = threading.Barrier(2), []

    def get() -> None:
        begin.wait(60)
        got.append(call())

    threads = [threading.Thread(target=get) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(got) == 2
    return {id(each) for each in got}


def again(module: ModuleType) -> Any:
    """The module, executed a second time: it has computed nothing."""
    spec = importlib.util.spec_from_file_location(module.__name__, str(module.__file__))
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_once_for_each_argument() -> None:
    calls: list[int] = []

    def compute(number: int) -> list[int]:
        calls.append(number)
        return [2 * number]

    double = once(late(compute))
    assert len(at_once(lambda: double(1))) == 1
    assert double(1) == [2]
    assert double(2) == [4]
    assert double(2) is double(2)
    assert calls == [1, 2]


def test_a_failure_is_not_kept() -> None:
    results = iter([0, 1])
    get = once(lambda: 1 // next(results))
    with pytest.raises(ZeroDivisionError):
        get()
    assert get() == 1
    assert get() == 1


def test_libraries_are_loaded_once() -> None:
    """Types of one load do not fit the functions of another one."""
    fresh = again(driver)
    fresh._build = late(fresh._build)
    assert len(at_once(fresh.library)) == 1
    fresh = again(models)
    fresh.produce = late(fresh.produce)
    assert len(at_once(lambda: fresh.interface(("model",)))) == 1
    path: Path = build_model(select("binary", width=24).top())
    fresh.interface = late(fresh.interface)
    assert len(at_once(lambda: fresh.load(path))) == 1
