"""The example program signs on simulated cores, and OpenSSL accepts."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.driver.test_libtotient import DRIVER, SANITIZERS, WARNINGS
from tests.system.command import openssl, serving, totient


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, under sanitizers."""
    path = tmp_path_factory.mktemp("program") / "sign"
    sources = sorted([*(DRIVER / "src").glob("*.c"), *(DRIVER / "examples").glob("*.c")])
    command = ["gcc", "-std=c99", "-O1", "-g", *WARNINGS, *SANITIZERS]
    command += [f"-I{DRIVER / 'include'}", *map(str, sources), "-o", str(path), "-ldl"]
    subprocess.run(command, check=True)
    return path


class Signer:
    """A key with a message, and the example to sign it."""

    def __init__(self, program: Path, folder: Path, bits: int) -> None:
        self.program, self.folder = program, folder
        self.message = folder / "message"
        self.message.write_bytes(os.urandom(1000))
        private = rsa.generate_private_key(65537, bits)
        numbers = private.private_numbers()
        public = private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        (folder / "public.pem").write_bytes(public)
        lines = (numbers.public_numbers.n, numbers.d, numbers.public_numbers.e)
        (folder / "key").write_text("".join(f"{value:x}\n" for value in lines))

    def run(self, way: str, path: object) -> subprocess.CompletedProcess[bytes]:
        """Run the example on a digest of the message."""
        digest = openssl("dgst", "-sha256", "-binary", self.message)
        return subprocess.run(
            [self.program, way, str(path), self.folder / "key"],
            input=digest,
            capture_output=True,
            check=False,
            timeout=300,
        )

    def signs(self, way: str, path: object) -> None:
        """OpenSSL accepts what the example signs."""
        done = self.run(way, path)
        assert done.returncode == 0, done.stderr
        signature = self.folder / "signature"
        signature.write_bytes(done.stdout)
        key = self.folder / "public.pem"
        out = openssl("dgst", "-sha256", "-verify", key, "-signature", signature, self.message)
        assert out == b"Verified OK\n"


@pytest.mark.parametrize("bits", [1024, 2048])
def test_in_process(program: Path, tmp_path: Path, bits: int) -> None:
    built = totient("model", "T3", "--width", bits)
    Signer(program, tmp_path, bits).signs("model", built.out.decode().strip())


@pytest.fixture(
    params=[
        (1024, ()),
        (2048, ()),
        # A board's top module between its pins, its serial port at its rate.
        (1024, ("--board", "ulx3s", "--clock", "10")),
    ],
    ids=["1024", "2048", "board"],
)
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A simulated core at the end of a pseudo-terminal, with its bits."""
    bits, words = request.param
    with serving(tmp_path / "line", "T3", "--width", bits, *words) as link:
        yield bits, link


def test_over_a_serial_line(program: Path, tmp_path: Path, terminal: tuple[int, Path]) -> None:
    bits, path = terminal
    signer = Signer(program, tmp_path, bits)
    for _ in range(2):  # a second program may come after the first
        signer.signs("tty", path)
    numbers = ("--modulus", 3859, "--exponent", 17, "--base", 1141)
    asked = totient("modexp", *numbers, "--device", f"tty:{path}")
    assert asked.out.decode() == f"{pow(1141, 17, 3859)}\n", asked.err


def test_refusals(program: Path, tmp_path: Path) -> None:
    signer = Signer(program, tmp_path, 1024)
    built = totient("model", "T3", "--width", 512).out.decode().strip()
    nothing = tmp_path / "nothing"
    nothing.write_bytes(bytes(4096))
    for way, path, reason in (
        ("model", built, "a number is longer than the core or the modulus allows"),
        ("model", nothing, "there is no Totient core"),
        ("uio", nothing, "there is no Totient core"),
        ("uio", tmp_path / "none", "the way to the core failed"),
        ("tty", nothing, "the way to the core failed"),
        ("bus", nothing, "a null pointer, or a length out of range"),
    ):
        done = signer.run(way, path)
        assert (done.returncode, done.stdout) == (2, b""), (way, path)
        assert done.stderr.decode() == f"sign: {path}: {reason}\n"
