"""The Montgomery multiplier by libtotient over its RTL: products, refusals, a bus that fails."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.driver.bench import (
    SETTINGS,
    Bus,
    by_registers,
    call,
    lib,
    new,
    refuses_nulls,
    simulated,
)
from tests.driver.models import WIDTHS

POLLS, CASES, EXTRA_CYCLES = 1000, 200, 6


class Multiplier:
    """A handle and the bus behind it.

    Attributes:
        handle: `struct totient_modmul *`.
    """

    def __init__(self, bus: Bus, width: int) -> None:
        self.bus, self.width, self.handle = bus, width, new("struct totient_modmul *")
        assert self.call("open", bus.way) == "OK"
        assert self.handle.bits == width
        assert self.handle.version

    def call(self, name: str, *arguments: Any) -> str:
        """Call a function by its name without the prefix."""
        return call(getattr(lib, f"totient_modmul_{name}"), self.handle, *arguments)

    def load(self, n: int) -> str:
        """Load a modulus."""
        return self.call("load", n)

    def product(self, a: int, b: int) -> tuple[str, int]:
        """Form a product."""
        product = new("uint64_t *")
        return self.call("multiply", a, b, product), product[0]


@pytest.fixture(params=WIDTHS)
def multiplier(request: pytest.FixtureRequest) -> Iterator[Multiplier]:
    """A multiplier of so many bits."""
    simulation = simulated(SETTINGS["models"][f"modmul-{request.param}"])
    way = by_registers(simulation, POLLS)
    yield Multiplier(Bus.over(way), request.param)
    lib.totient_simulation_close(simulation)


def expected(a: int, b: int, n: int) -> int:
    """A b / 2^L mod n."""
    return a * b * pow(2, -n.bit_length(), n) % n


def test_products(multiplier: Multiplier) -> None:
    draw, width, cycles = Random(1), multiplier.width, new("uint32_t *")
    for place in range(CASES):
        length = draw.randrange(width) + 1 if place % 3 else width
        n = draw.getrandbits(length) | 1 << length - 1 | 1
        a = draw.randrange(n) if place % 5 else n - 1
        b = draw.randrange(n) if place % 7 else n - 1
        assert multiplier.load(n) == "OK"
        assert multiplier.handle.modulus_bits == length
        assert multiplier.product(a, b) == ("OK", expected(a, b, n))
        assert multiplier.call("cycles", cycles) == "OK"
        assert cycles[0] == length + EXTRA_CYCLES
        # The modulus stays.
        assert multiplier.product(b, b) == ("OK", expected(b, b, n))


def test_operands_that_are_refused(multiplier: Multiplier) -> None:
    assert multiplier.call("clear") == "OK"
    assert multiplier.product(1, 1) == ("NO_KEY", 0)
    for modulus, result in ((142, "MODULUS_EVEN"), (0, "MODULUS_EVEN")):
        assert multiplier.load(143) == "OK"
        assert multiplier.load(modulus) == result
        assert multiplier.product(1, 1) == ("NO_KEY", 0)
    if multiplier.width < 64:
        assert multiplier.load((1 << multiplier.width) + 1) == "LENGTH"
    assert multiplier.product(1, 1) == ("NO_KEY", 0)
    assert multiplier.load(143) == "OK"
    for large in (143, 200, (1 << 64) - 1):
        assert multiplier.product(large, 9) == multiplier.product(9, large) == ("BASE_NOT_BELOW", 0)
    assert multiplier.product(9, 142) == ("OK", expected(9, 142, 143))


def test_null_pointers(multiplier: Multiplier) -> None:
    handle, product, cycles = multiplier.handle, new("uint64_t *"), new("uint32_t *")
    refuses_nulls(lib.totient_modmul_load, handle, 3)
    refuses_nulls(lib.totient_modmul_clear, handle)
    refuses_nulls(lib.totient_modmul_cycles, handle, cycles)
    refuses_nulls(lib.totient_modmul_multiply, handle, 9, 9, product)
    assert product[0] == 0
    refuses_nulls(lib.totient_modmul_open, handle, multiplier.bus.way)
    assert multiplier.product(9, 9) == ("ARGUMENT", 0)


def test_a_bus_that_fails(multiplier: Multiplier) -> None:
    """Any access fails: an error, never a hang, and after a load the next product is right."""
    bus = multiplier.bus
    for after in range(1, 12):
        assert multiplier.load(143) == "OK"
        bus.fail_after = after
        outcome = multiplier.product(9, 100)
        if bus.fail_after == 0:
            assert outcome == ("TRANSPORT", 0)
            assert multiplier.product(9, 100) == ("NO_KEY", 0)
        bus.fail_after = 0
    bus.way.polls = 1
    assert multiplier.load(143) == "OK"
    assert multiplier.product(9, 9) == ("TIMEOUT", 0)
    bus.way.polls = POLLS
    assert multiplier.load(143) == "OK"
    assert multiplier.product(9, 142) == ("OK", expected(9, 142, 143))
    bus.stranger = True
    assert multiplier.call("open", bus.way) == "NO_CORE"
    bus.stranger = False
    assert multiplier.product(9, 9) == ("ARGUMENT", 0)
    bus.fail_after = 1
    assert multiplier.call("open", bus.way) == "TRANSPORT"
