"""Cores to check libtotient with."""

from collections.abc import Iterator

import pytest
from tests.driver.bench import lib
from tests.driver.core import Bench, answered, of_rtl


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A core by its name: `rtl`, or `engine` or `core`, and its face."""
    kind, _, face = request.param.partition("-")
    if kind != "rtl":
        yield answered(engine=kind == "engine", serial=face == "serial")
        return
    made = of_rtl(face)
    yield made
    lib.totient_simulation_close(made.simulation)
