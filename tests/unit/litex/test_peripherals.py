"""Our IPs as modules of any SoC: with and without a CPU, at addresses right and wrong."""

import logging
import re
from typing import Any

import pytest
from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain

from totient.common.errors import InputError
from totient.litex.peripherals import RsaCore

ORIGIN = 0x9000_0000


def system(cpu: str | None) -> Any:
    """A SoC with a core that is not attached yet."""
    platform = SimPlatform("SIM", [("clock", 0, Pins(1))])
    soc = SoCCore(platform, 100_000_000, cpu_type=cpu, with_uart=False, integrated_sram_size=4096)
    soc.clock_domains.cd_sys = ClockDomain("sys")
    soc.submodules.rsa = RsaCore(platform, "montgomery", width=256)
    return soc


@pytest.mark.parametrize("cpu", [None, "vexriscv"])
def test_the_interrupt_is_the_cpus(cpu: str | None) -> None:
    soc = system(cpu)
    soc.rsa.attach(soc, "rsa", ORIGIN)
    assert soc.bus.regions["rsa"].origin == ORIGIN
    assert ("rsa" in soc.irq.locs) == (cpu is not None)


@pytest.mark.parametrize(
    ("name", "origin", "text"),
    [
        ("rsa", 3, "the address is 0x3, allowed are multiples of 0x1000"),
        ("rsa", -1, "the address is -0x1, allowed are multiples of 0x1000"),
        ("rsa", "x", "the address is 'x', allowed are multiples of 0x1000"),
        ("rsa", 0, "the address is 0x0, allowed are those of 0x80000000 to 0xffffffff"),
        ("rsa", 1 << 32, "the address is 0x100000000, allowed are those of 0x8"),
        ("rsa", 0xF000_0000, "the address is 0xf0000000, where csr is from 0xf0000000 to 0xf000"),
        ("csr", ORIGIN, "the region's name 'csr' is taken"),
        (None, ORIGIN, "the region's name is None"),
    ],
)
def test_what_is_refused(
    caplog: pytest.LogCaptureFixture, name: Any, origin: Any, text: str
) -> None:
    soc = system("vexriscv")
    soc.bus.add_region("csr", SoCRegion(origin=0xF000_0000, size=0x1000, cached=False))
    with (
        caplog.at_level(logging.ERROR),
        pytest.raises(InputError, match=f"^{re.escape(text)}") as caught,
    ):
        soc.rsa.attach(soc, name, origin)
    assert "\n" not in str(caught.value)
    assert not caplog.records


def test_a_width_that_is_no_number() -> None:
    with pytest.raises(InputError, match=r"^width is 'x', allowed is 8 to 4096$"):
        RsaCore(SimPlatform("SIM", []), width="x")  # type: ignore[arg-type]
