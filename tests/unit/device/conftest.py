"""A serial line for tests of devices."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture
def line() -> Iterator[str]:
    """A serial line at whose end nobody answers."""
    ours, theirs = os.openpty()
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)
