"""Random requests in a row to an engine's RTL: those that judge changed programs on integers."""

import pytest

from tests.unit.prove.sessions import BUILDS, SLOTS, Session
from totient.catalog import select
from totient.prove.operations import Build
from totient.sim import Model, build_model


@pytest.mark.parametrize("build", BUILDS[:2], ids=str)
def test_the_rtl_answers_as_expected(build: Build) -> None:
    chosen = select(
        "engine",
        width=build.max_bits,
        elements=build.elements,
        digit_bits=build.digit_bits,
        key_slots=SLOTS,
    )
    library = build_model(chosen.top(), checked=True)
    for seed in range(2):
        with Model(library) as model:
            Session(model.exchange, build, seed).run()
