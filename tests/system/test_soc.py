"""Scripted sessions on the soft-CPU system: LiteX, VexRiscv, our IPs, the terminal program in C."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.system.command import openssl_verifies, public_pem
from totient.litex.dialogue import converse
from totient.litex.firmware import compile_program
from totient.litex.system import generate, open_system, simulate
from totient.sim import Model
from totient.sim.build import SERIAL_BIT_CYCLES

BITS = 2048  # of the core
MODE, MESSAGE = b"mode? ", b"message? "


class Terminal:
    """Who sits before the system."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.until(MODE)

    def until(self, text: bytes) -> str:
        """Output up to a text."""
        got = b""
        while not got.endswith(text):
            some = self.model.receive_bytes(100_000_000)
            assert some, f"nothing more after {got!r}"
            got += some
        return got.decode().replace("\r\n", "\n")

    def answer(self, *lines: object, until: bytes = MODE) -> str:
        """Type lines; what comes up to the next question of that kind."""
        shown = ""
        for number, line in enumerate(lines):
            self.model.send_bytes(f"{line}\r".encode())
            shown += self.until(until if number == len(lines) - 1 else b"? ")
        return shown


@pytest.fixture(scope="module")
def terminal() -> Iterator[Terminal]:
    """One system for all sessions."""

    def program(header: str) -> bytes:
        return compile_program("terminal", header)

    with open_system(program, "montgomery", width=BITS) as model:
        yield Terminal(model)


BOARD_HZ = 27_000_000
"""A board's clock."""


def at_a_boards_clock(program: str) -> Model:
    """A system without a core, as row B3 has it."""

    def compiled(header: str) -> bytes:
        return compile_program(program, header)

    return simulate(generate(compiled, None, {}, BOARD_HZ // SERIAL_BIT_CYCLES, BOARD_HZ))


def test_the_dialogue_at_a_boards_clock() -> None:
    """The program of the bitstream. Its times are those of this clock."""
    shown: list[bytes] = []
    with at_a_boards_clock("dialogue") as model:
        converse(model, [b"1 4782969! 800143763! 457173463!"], shown.append)
    said = b"".join(shown).decode()
    assert "-> Output message: 9\n" in said
    (microseconds,) = re.findall(r"took: (\d+\.\d+) us", said)
    assert round(float(microseconds) * BOARD_HZ / 1e6) == 1888


def test_the_system_without_a_core() -> None:
    """The first example at a board's clock, and no signing."""
    with at_a_boards_clock("terminal") as model:
        terminal = Terminal(model)
        shown = terminal.answer(1, 9973, 80231, 9)
        assert values(shown)["result"] == 4782969
        times = re.findall(r": (\d+) cycles, (\d+) ns", shown)
        assert len(times) == 3
        assert all(int(ns) == int(cycles) * 10**9 // BOARD_HZ for cycles, ns in times)
        assert "4 sign" not in shown
        assert "That is no whole number from 0 to 3." in terminal.answer(4)


def values(shown: str) -> dict[str, int]:
    """Results by name."""
    return {name: int(value) for name, value in re.findall(r"^(\w+) = (\d+)$", shown, re.MULTILINE)}


def test_the_papers_examples(terminal: Terminal) -> None:
    for p, q, n, d, cipher, cycles in (
        (9973, 80231, 800143763, 457173463, 4782969, (501, 244, 2324)),
        (11, 13, 143, 103, pow(9, 7, 143), (341, 244, 564)),
    ):
        shown = terminal.answer(1, p, q, 9)
        assert values(shown) == {"n": n, "e": 7, "d": d, "result": cipher}
        keys, message, whole = map(int, re.findall(r": (\d+) cycles, ", shown))
        assert keys <= cycles[0]
        assert message <= cycles[1]
        assert keys + message < whole < keys + message + 30
        assert f"{10 * whole} ns" in shown
        shown = terminal.answer(2, p, q, cipher)
        assert values(shown)["result"] == 9
        assert int(re.findall(r"message: (\d+) cycles", shown)[0]) <= cycles[2]
        shown = terminal.answer(3, hex(n), 7, 9)
        assert values(shown) == {"result": cipher}


def test_nonsense_is_refused(terminal: Terminal) -> None:
    for line in ("", "x", "-1", "5", "1.5", "0x", "99999999999999999999999", "1" * 50, "0x1g"):
        assert "That is no whole number from 0 to 4." in terminal.answer(line), line
    assert "There is no mode 0." in terminal.answer(0)
    shown = terminal.answer(1, 4294967296, "4294967295x", 9973, 18446744073709551616, 80231, "", 9)
    assert shown.count("That is no whole number") == 4
    assert values(shown)["result"] == 4782969
    # Backspace takes a digit back.
    assert values(terminal.answer(3, 3859, 17, "11419\b"))["result"] == pow(1141, 17, 3859)


def test_what_the_ip_refuses(terminal: Terminal) -> None:
    primes = "a prime is even or below 3, both are the same, or they are not of the modulus"
    for lines, reason in (
        ((1, 12, 13, 9), primes),
        ((1, 0, 13, 9), primes),
        ((1, 11, 13, 143), "the message is not below the modulus"),
        ((3, 3859, 17, 5000), "the message is not below the modulus"),
        ((3, 3858, 17, 9), "the modulus is even"),
        ((3, 1, 17, 0), "the modulus is 0 or 1"),
        ((3, 3859, 0, 9), "the exponent has no bits"),
    ):
        assert f"Refused: {reason}." in terminal.answer(*lines), lines
    assert values(terminal.answer(3, 3859, 17, 1141))["result"] == pow(1141, 17, 3859)


@pytest.mark.parametrize("bits", [1024, 2048])
def test_a_signature(terminal: Terminal, bits: int, tmp_path: Path) -> None:
    """The driver's example in C signs on the core of the catalog, and OpenSSL accepts."""
    private = rsa.generate_private_key(65537, bits)
    numbers = private.private_numbers()
    message = os.urandom(100)
    digest = hashlib.sha256(message).hexdigest()
    n, d, e = numbers.public_numbers.n, numbers.d, numbers.public_numbers.e
    shown = terminal.answer(4, f"{n:x}", f"{d:x}", f"{e:x}", digest)
    found = re.search(r"signature = ([0-9a-f]+)", shown)
    assert found, shown
    signature = bytes.fromhex(found[1])
    assert len(signature) == bits // 8
    files = {
        "message": message,
        "signature": signature,
        "public.pem": public_pem(private),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    openssl_verifies(tmp_path / "public.pem", tmp_path / "signature", tmp_path / "message")


def test_a_signature_is_refused(terminal: Terminal) -> None:
    odd, digest = (1 << BITS) - 1, "5a" * 32
    for number in ("zz", "", "5g", "1" * 1025, "1" * 2000):
        shown = terminal.answer(4, number)
        assert "That is no hexadecimal number of up to 512 bytes." in shown, number
    assert "up to 4 bytes" in terminal.answer(4, f"{odd:x}", "3", "100000000")
    assert "That is no digest of 32 bytes." in terminal.answer(4, f"{odd:x}", "3", "3", digest[2:])
    assert "Refused: the modulus is even." in terminal.answer(4, f"{odd - 1:x}", "3", "3", digest)
    # No private exponent of this public one: the signature fails its check.
    assert "Refused: the result failed" in terminal.answer(4, f"{odd:x}", "3", "5", digest)
    long = f"{(1 << 2 * BITS) - 1:x}"
    assert "Refused: a number is longer" in terminal.answer(4, long, "3", "3", digest)
