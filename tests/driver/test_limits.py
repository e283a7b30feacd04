"""Every wait has a limit, also where the caller sets none."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.programs import INCLUDE, gcc

from totient.device.library import library

SECONDS = 30
"""Far beyond each of these limits on any machine; nothing else ends a wait without one."""

FAKE = """
#include <totient/model.h>
struct totient_model { uint64_t cycles; };
static struct totient_model model;
struct totient_model *totient_model_open(void) { model.cycles = 0; return &model; }
void totient_model_close(struct totient_model *m) { (void)m; }
void totient_model_reset(struct totient_model *m) { (void)m; }
uint64_t totient_model_cycles(struct totient_model *m) { return m->cycles; }
const char *totient_model_reason(struct totient_model *m) { (void)m; return ""; }
void totient_model_send(struct totient_model *m, const uint32_t *w, size_t n, bool last)
{
    (void)m, (void)w, (void)n, (void)last;
}
int totient_model_run(struct totient_model *m, uint64_t cycles)
{
    m->cycles += cycles;
    return TOTIENT_MODEL_WAITS;
}
size_t totient_model_response_words(struct totient_model *m) { (void)m; return 0; }
void totient_model_take(struct totient_model *m, uint32_t *w, size_t n)
{
    (void)m, (void)w, (void)n;
}
"""
"""A model whose core never answers, and whose clock costs no time."""


def test_registers_that_never_change() -> None:
    """In a structure that sets no limit, the core is always at its clearing."""
    ffi, lib = library()
    memory = ffi.new("uint32_t[1024]")
    memory[0], memory[3] = 0x544F5449, 0x10
    functions = {"read": lib.totient_mapped_read, "write": lib.totient_mapped_write, "bus": memory}
    registers = ffi.new("struct totient_registers *", functions)
    begin = time.monotonic()
    code = lib.totient_open(
        ffi.new("struct totient *"), ffi.addressof(lib.totient_over_registers), registers
    )
    assert code == lib.TOTIENT_TIMEOUT
    assert time.monotonic() - begin < SECONDS


def test_a_simulated_core_that_never_answers(tmp_path: Path) -> None:
    (tmp_path / "model.c").write_text(FAKE)
    model = tmp_path / "model.so"
    gcc("-std=c99", "-shared", "-fPIC", "-O1", INCLUDE, tmp_path / "model.c", "-o", model)
    ffi, lib = library()
    device = ffi.new("struct totient_device *")
    assert lib.totient_open_address(device, b"sim:" + bytes(model)) == lib.TOTIENT_TIMEOUT
    reason = ffi.string(lib.totient_device_reason(device, lib.TOTIENT_TIMEOUT)).decode()
    assert reason == f"sim:{model}: the core did not answer in time"


@contextmanager
def something(way: str, folder: Path) -> Iterator[str]:
    """A path to connect to."""
    path = folder / "device"
    if way == "uio":
        path.write_bytes(bytes(4096))
        yield str(path)
    elif way == "unix":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            yield str(path)
    else:
        ours, theirs = os.openpty()
        yield os.ttyname(theirs)
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("way", ["tty", "uio", "unix"])
def test_the_limit_of_an_address(way: str, tmp_path: Path) -> None:
    """60 seconds by default, or as stated."""
    ffi, lib = library()
    with something(way, tmp_path) as path:
        for query, limit in (("", 60_000), ("?timeout=7", 7000)):
            device = ffi.new("struct totient_device *")
            code = lib.totient_connect_address(device, f"{way}:{path}{query}".encode())
            assert code == lib.TOTIENT_OK
            assert (device.uio if way == "uio" else device.line).timeout_ms == limit
            if way == "uio":
                assert device.registers.wait == ffi.addressof(lib, "totient_uio_wait")
            else:
                assert device.serial.start_timer == ffi.addressof(lib, "totient_tty_start_timer")
            lib.totient_close_device(device)
