"""A folder for commands that read keys and messages."""

from pathlib import Path

import pytest

from totient.device import RsaKey
from totient.rsa.choices import KeyFormat
from totient.rsa.pem import private_pem, public_pem


@pytest.fixture
def folder(tmp_path: Path, key: RsaKey, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with key.pem, pub.pem and message."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.pem").write_bytes(private_pem(key, KeyFormat.PKCS8))
    (tmp_path / "pub.pem").write_bytes(public_pem(key.public, KeyFormat.PKCS8))
    (tmp_path / "message").write_bytes(b"attack at dawn")
    return tmp_path
