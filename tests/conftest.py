"""Common setup of all tests."""

import signal
import zlib

import pytest
from hypothesis import settings

# How long an example takes is the machine's matter: a busy one is no fault.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

# Ctrl-C is ignored in what a shell starts in the background, and in its children. The tests of
# interrupts send it: here and in the programs that they start it counts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--part K`: run one test in K, the same ones each time."""
    parser.addoption("--part", type=int, default=1, metavar="K", help="run one test in K")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what `--part` leaves out."""
    part = config.getoption("--part")
    kept = [item for item in items if zlib.crc32(item.nodeid.encode()) % part == 0]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept
