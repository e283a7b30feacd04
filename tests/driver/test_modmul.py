"""The Montgomery multiplier by libtotient: the C test over its RTL."""

from pathlib import Path

import pytest
from tests.driver.test_libtotient import passes, program

from totient.catalog import select_ip
from totient.sim import build_model


@pytest.mark.parametrize("width", [64, 31])
def test_over_the_rtl(width: int, tmp_path: Path) -> None:
    model = build_model(select_ip("D6", width=width).top(), checked=True)
    passes(program("test_modmul", tmp_path), model, width)
