"""Threads with devices of their own, and processes after a fork, in C (`threads.c`)."""

from pathlib import Path

import pytest
from docs.headers import functions
from tests.driver.test_libtotient import HERE, SOURCES
from tests.programs import INCLUDE, SANITIZERS, WARNINGS, gcc, output
from tests.system.command import totient

THREADS, FORK = ("any", "one"), ("any", "one", "close")
THREAD_SANITIZER = ("-fsanitize=thread",)


@pytest.mark.parametrize("sanitizer", [SANITIZERS, THREAD_SANITIZER], ids=["memory", "threads"])
def test_threads_and_processes(sanitizer: tuple[str, ...], tmp_path: Path) -> None:
    totient("model", "sim:T3?width=512")
    program = tmp_path / "threads"
    options = ("-std=gnu99", "-O1", "-g", "-pthread", *WARNINGS, *sanitizer, INCLUDE)
    gcc(*options, HERE / "threads.c", *SOURCES, "-o", program, "-ldl")
    registers = tmp_path / "registers"
    registers.write_bytes(bytes(4096))
    output([program, "sim:T3?width=512", HERE / "fuzz/der/pkcs8", registers])


def test_every_function_states_who_may_call_it() -> None:
    found = list(functions())
    assert len(found) > 50
    for each in found:
        (threads,), (fork,) = each.stated("threads"), each.stated("fork")
        assert threads in THREADS, each.name
        assert fork in FORK, each.name
        # What is for any thread has no object that processes could share.
        assert (threads == "any") == (fork == "any"), each.name
        assert (fork == "close") == ("close" in each.name), each.name
