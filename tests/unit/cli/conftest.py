"""Running commands in this process, on doubles instead of devices."""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

from tests.unit.rsa.double import Workshop
from totient.cli import main
from totient.device import RsaKey
from totient.rsa.choices import KeyFormat
from totient.rsa.pem import private_pem, public_pem


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of a command."""

    status: int
    out: bytes
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on the standard output."""
        return cast("dict[str, Any]", json.loads(self.out))


class Run(Protocol):
    """Runs a command with what it reads from its standard input."""

    def __call__(self, *words: object, stdin: bytes = b"") -> Outcome:
        """Run `totient` with these words."""


@pytest.fixture
def run(
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """Run a command in this process."""

    def call(*words: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        status = main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return Outcome(status, out, err.decode())

    return call


@pytest.fixture
def folder(tmp_path: Path, key: RsaKey, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with key.pem, pub.pem and message."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.pem").write_bytes(private_pem(key, KeyFormat.PKCS8))
    (tmp_path / "pub.pem").write_bytes(public_pem(key.public, KeyFormat.PKCS8))
    (tmp_path / "message").write_bytes(b"attack at dawn")
    return tmp_path
