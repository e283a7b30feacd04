"""Running the installed command, and OpenSSL's, as a user does."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.outcome import Outcome

TOTIENT = Path(sys.executable).with_name("totient")


def totient(
    *words: object, stdin: bytes = b"", folder: Path | None = None, **environment: str
) -> Outcome:
    """Run `totient` in a folder, with changes to the environment."""
    done = subprocess.run(
        [TOTIENT, *map(str, words)],
        input=stdin,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=600,
    )
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


@contextmanager
def serving(link: Path, *words: object) -> Iterator[Path]:
    """Run `totient serve` while the block runs; the link to its terminal goes with it."""
    command = [str(TOTIENT), "serve", *map(str, words), "--link", str(link)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            path = process.stdout.readline().decode().strip()
            assert link.readlink() == Path(path)
            yield link
        finally:
            process.terminate()
    assert process.returncode == 128 + 15
    assert not link.is_symlink()


@contextmanager
def serving_socket(path: Path, *words: object) -> Iterator[Path]:
    """Run `totient serve --socket` while the block runs; the socket goes with it."""
    command = [str(TOTIENT), "serve", *map(str, words), "--socket", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().decode().strip() == str(path)
            assert path.is_socket()
            yield path
        finally:
            process.terminate()
    assert process.returncode == 128 + 15
    assert not path.exists()


def openssl(*words: object, stdin: bytes = b"") -> bytes:
    """Run `openssl`, which must succeed, and return what it printed."""
    done = subprocess.run(
        ["openssl", *map(str, words)], input=stdin, capture_output=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def openssl_verifies(
    public: Path, signature: Path, message: Path, *options: str, hash_name: str = "sha256"
) -> None:
    """OpenSSL accepts a signature; without options one by PKCS #1 v1.5."""
    words = ("dgst", f"-{hash_name}", *options, "-verify", public, "-signature", signature)
    assert openssl(*words, message) == b"Verified OK\n"


def public_pem(private: rsa.RSAPrivateKey) -> bytes:
    """The public key of a private one, as OpenSSL reads it."""
    return private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def private_pem(private: rsa.RSAPrivateKey) -> bytes:
    """A private key as PKCS#8, as OpenSSL writes it."""
    return private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
