"""Registers that are mapped from a file: it must be long enough."""

import errno
from pathlib import Path
from typing import Any

import pytest
from tests.programs import DRIVER, INCLUDE, gcc
from tests.system.command import totient

from totient.sim.library import interface

ZERO = Path("/dev/zero")
"""A character device that can be mapped. Linux states no size of it."""


@pytest.mark.parametrize("size", [0, 1, 4095])
def test_a_file_that_is_too_short_is_refused(tmp_path: Path, size: int) -> None:
    """A look beyond its end would end the program by SIGBUS."""
    short = tmp_path / "short"
    short.write_bytes(bytes(size))
    numbers = ("--modulus", 3859, "--exponent", 17, "--base", 1141)
    outcome = totient("modexp", *numbers, "--device", f"uio:{short}")
    assert outcome.refused == (f"cannot map the registers of {short}: it has less than 4096 bytes")


@pytest.mark.parametrize(
    ("stated", "opens"),
    [
        ("0x0000000000001000\n", True),
        ("0x10000\n", True),
        ("0x0000000000000fff\n", False),
        ("0x0\n", False),
        ("", True),
        ("none\n", True),
        (None, True),
    ],
)
def test_a_device_is_as_long_as_linux_states(
    tmp_path: Path, stated: str | None, opens: bool
) -> None:
    """With a folder in place of `/sys/dev/char`. Without a size, the kernel decides itself."""
    if stated is not None:
        number = ZERO.stat().st_rdev
        maps = tmp_path / f"{number >> 8}:{number & 0xFF}" / "maps" / "map0"
        maps.mkdir(parents=True)
        (maps / "size").write_text(stated)
    library = tmp_path / "posix.so"
    folder = f'-DTOTIENT_CHARACTER_DEVICES="{tmp_path}"'
    gcc("-shared", "-fPIC", "-std=gnu99", INCLUDE, folder, DRIVER / "src/uio.c", "-o", library)
    ffi: Any = interface(("contract", "totient", "posix"))
    lib: Any = ffi.dlopen(str(library))
    uio = ffi.new("struct totient_uio *")
    code = lib.totient_uio_open(uio, bytes(ZERO))
    assert (code == lib.TOTIENT_OK) == opens
    if opens:
        assert ffi.buffer(uio.registers, uio.size)[:] == bytes(4096)
    else:
        assert (code, ffi.errno) == (lib.TOTIENT_TRANSPORT, errno.ENXIO)
    lib.totient_uio_close(uio)
