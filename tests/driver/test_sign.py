"""The example program signs on simulated cores, and OpenSSL accepts."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.programs import DRIVER, INCLUDE, SANITIZERS, WARNINGS, gcc
from tests.system.command import openssl, openssl_verifies, public_pem, serving, totient

from totient.device.transports import TtyTransport


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, under sanitizers."""
    path = tmp_path_factory.mktemp("program") / "sign"
    sources = sorted([*(DRIVER / "src").glob("*.c"), *(DRIVER / "examples").glob("*.c")])
    options = ("-std=c99", "-O1", "-g", *WARNINGS, *SANITIZERS, INCLUDE)
    gcc(*options, *sources, "-o", path, "-ldl")
    return path


class Signer:
    """A key with a message, and the example to sign it."""

    def __init__(self, program: Path, folder: Path, bits: int) -> None:
        self.program, self.folder = program, folder
        self.message = folder / "message"
        self.message.write_bytes(os.urandom(1000))
        private = rsa.generate_private_key(65537, bits)
        numbers = private.private_numbers()
        (folder / "public.pem").write_bytes(public_pem(private))
        lines = (numbers.public_numbers.n, numbers.d, numbers.public_numbers.e)
        (folder / "key").write_text("".join(f"{value:x}\n" for value in lines))

    def run(
        self, way: str, path: object, redirection: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the example on a digest of the message, its output where the shell puts it."""
        digest = openssl("dgst", "-sha256", "-binary", self.message)
        return subprocess.run(
            [
                *("sh", "-c", f'exec "$@" {redirection}', "sh"),
                *(self.program, way, str(path), self.folder / "key"),
            ],
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
        openssl_verifies(self.folder / "public.pem", signature, self.message)


@pytest.mark.parametrize("bits", [1024, 2048])
def test_in_process(program: Path, tmp_path: Path, bits: int) -> None:
    built = totient("model", "T3", "--width", bits)
    Signer(program, tmp_path, bits).signs("model", built.out.decode().strip())


def test_output_that_cannot_be_written(program: Path, tmp_path: Path) -> None:
    built = totient("model", "T3", "--width", 1024).out.decode().strip()
    signer = Signer(program, tmp_path, 1024)
    for redirection, reason in (
        (">/dev/full", "No space left on device"),
        (">&-", "Bad file descriptor"),
    ):
        done = signer.run("model", built, redirection)
        assert done.returncode == 2, redirection
        assert done.stderr.decode() == f"sign: signature: not written: {reason}\n"


@pytest.fixture(
    params=[
        (1024, ()),
        (2048, ()),
        # A board's top module between its pins, its serial port at its rate.
        (1024, ("--board", "ulx3s")),
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
        (
            "model",
            built,
            "a number is longer than the core or the modulus allows, or has bits above its length",
        ),
        ("model", nothing, "there is no Totient core"),
        ("uio", nothing, "there is no Totient core"),
        ("uio", tmp_path / "none", "No such file or directory"),
        ("tty", tmp_path / "none", "No such file or directory"),
        ("tty", nothing, "Inappropriate ioctl for device"),
    ):
        done = signer.run(way, path)
        assert (done.returncode, done.stdout) == (2, b""), (way, path)
        assert done.stderr.decode() == f"sign: {path}: {reason}\n"
    done = signer.run("bus", nothing)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "sign: way is 'bus', allowed are model, tty, uio\n"


def test_a_line_that_is_in_use(program: Path, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    try:
        line = os.ttyname(theirs)
        with closing(TtyTransport(line, 115200)):
            done = Signer(program, tmp_path, 1024).run("tty", line)
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"sign: {line}: Device or resource busy\n"


def test_keys_that_are_none(program: Path, tmp_path: Path) -> None:
    signer = Signer(program, tmp_path, 1024)
    key = tmp_path / "key"
    n, d, _ = key.read_text().split()
    for lines, reason in (
        ((n, d), "is no key: modulus, private and public exponent in hex"),
        ((n, d, "0"), "is no key: its public exponent is 0"),
        (None, "No such file or directory"),
    ):
        if lines is None:
            key.unlink()
        else:
            key.write_text("".join(f"{line}\n" for line in lines))
        done = signer.run("model", "none")
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode() == f"sign: {key}: {reason}\n"
