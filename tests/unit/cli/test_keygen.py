"""The command keygen."""

import os
import signal
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.unit.conftest import Run
from totient.cli import keys
from totient.device import RsaKey
from totient.rsa.keys import generate
from totient.rsa.pem import parse, read_private, read_public

SMALL = ("keygen", "--bits", "512")


@contextmanager
def deadline() -> Iterator[None]:
    """End a write to a pipe that nobody reads."""

    def expire(*_: object) -> None:
        raise TimeoutError("it waits for a reader")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(20)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_files(run: Run, tmp_path: Path) -> None:
    out, public = tmp_path / "key.pem", tmp_path / "pub.pem"
    outcome = run(*SMALL, "--out", out, "--public", public)
    assert (outcome.status, outcome.out) == (0, b"")
    assert outcome.err == f"wrote the 512-bit private key {out}\nwrote its public key {public}\n"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert stat.S_IMODE(public.stat().st_mode) == 0o644
    assert read_private(out).public == read_public(public)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key.pem", "pub.pem"]


@pytest.mark.parametrize(
    ("form", "labels"),
    [("pkcs1", ("RSA PRIVATE KEY", "RSA PUBLIC KEY")), ("pkcs8", ("PRIVATE KEY", "PUBLIC KEY"))],
)
def test_formats(run: Run, tmp_path: Path, form: str, labels: tuple[str, str]) -> None:
    out, public = tmp_path / "key.pem", tmp_path / "pub.pem"
    assert run(*SMALL, "--out", out, "--public", public, "--format", form).status == 0
    for path, label in zip((out, public), labels, strict=True):
        assert path.read_text().startswith(f"-----BEGIN {label}-----\n")


def test_a_toy_key_is_made_with_a_warning(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "toy.pem"
    outcome = run("keygen", "--bits", "64", "--insecure-toy", "--format", "pkcs1", "--out", out)
    assert outcome.err == (
        "warning: a 64-bit key protects nothing, anybody can factor its modulus\n"
        f"wrote the 64-bit private key {out}\n"
    )
    assert read_private(out, toy=True).bits == 64
    # What protects something does not take it.
    for command in ("sign", "decrypt", "encrypt"):
        refused = run(command, "--key", out, stdin=b"x")
        assert refused.status == 2
        assert refused.err.endswith("the modulus has 64 bits, allowed are 512 to 8192\n")
    whole = run(*SMALL, "--insecure-toy", "--out", tmp_path / "key.pem")
    assert "warning" not in whole.err


def test_standard_output(run: Run) -> None:
    outcome = run("keygen", "--bits", "777", "--public-exponent", "17")
    key = parse(outcome.out)
    assert key.is_private
    assert (key.bits, key.exponent) == (777, 17)
    assert outcome.err == ""


def test_json(run: Run, tmp_path: Path) -> None:
    out, public = tmp_path / "key.pem", tmp_path / "pub.pem"
    summary = run(*SMALL, "--out", out, "--public", public, "--json").json
    assert summary == {
        "bits": 512,
        "public_exponent": 65537,
        "modulus": f"{read_private(out).public.modulus:#x}",
        "format": "pkcs8",
        "out": str(out),
        "public": str(public),
    }
    summary = run(*SMALL, "--json").json
    key = parse(summary["output"].encode())
    assert key.is_private
    assert summary["modulus"] == f"{key.modulus:#x}"
    assert summary["public"] is None


def test_a_key_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    out, public = tmp_path / "key.pem", tmp_path / "pub.pem"
    run(*SMALL, "--out", out)
    before = out.read_bytes()
    outcome = run(*SMALL, "--out", out)
    assert outcome.refused == f"{out} exists, --force overwrites it"
    assert run(*SMALL, "--out", tmp_path / "new.pem", "--public", out).status == 2
    assert not (tmp_path / "new.pem").exists()
    assert out.read_bytes() == before
    os.chmod(out, 0o644)  # noqa: PTH101
    assert run(*SMALL, "--out", out, "--public", public, "--force").status == 0
    assert out.read_bytes() != before
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_one_file_for_both_is_refused(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "key.pem"
    outcome = run(*SMALL, "--out", out, "--public", out)
    assert outcome.refused == f"--out and --public are both {out}"
    assert not out.exists()


PLACES = "allowed for a private key is a regular file, a new path, or - for the standard output"


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "force"])
@pytest.mark.parametrize("target", ["target.pem", "none"])
def test_a_private_key_is_not_written_through_a_link(
    run: Run, tmp_path: Path, target: str, force: tuple[str, ...]
) -> None:
    link, file = tmp_path / "link.pem", tmp_path / "target.pem"
    file.write_text("before")
    link.symlink_to(tmp_path / target)
    outcome = run(*SMALL, "--out", link, *force)
    assert outcome.refused == f"{link} is a symbolic link, {PLACES}"
    assert link.is_symlink()
    assert file.read_text() == "before"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "force"])
def test_a_private_key_is_not_given_to_a_reader(
    run: Run, tmp_path: Path, force: tuple[str, ...]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    # Without this end, opening the other one to write would wait.
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for place, kind in (
        (pipe, "a pipe"),
        (tmp_path / "socket", "a socket"),
        (Path("/dev/null"), "a device"),
        (Path("/dev/full"), "a device"),
    ):
        outcome = run(*SMALL, "--out", place, "--public", tmp_path / "public.pem", *force)
        assert outcome.refused == f"{place} is {kind}, {PLACES}"
    assert os.read(reader, 1) == b""
    os.close(reader)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "socket"]


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_comes_while_a_key_is_generated_is_not_written_to(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The new file takes its place."""
    out, target = tmp_path / "key.pem", tmp_path / "target"

    def disturbed(*arguments: Any, **options: Any) -> RsaKey:
        if kind == "link":
            out.symlink_to(target)
        else:
            os.mkfifo(out)
        return generate(*arguments, **options)

    monkeypatch.setattr(keys, "generate", disturbed)
    with deadline():
        assert run(*SMALL, "--out", out).status == 0
    assert stat.S_IFMT(out.lstat().st_mode) == stat.S_IFREG
    assert stat.S_IMODE(out.lstat().st_mode) == 0o600
    assert read_private(out).is_private
    assert not target.exists()


def test_a_public_key_is_written_in_place(run: Run, tmp_path: Path) -> None:
    """A device, or the file that a link leads to."""
    target, link = tmp_path / "target.pem", tmp_path / "link.pem"
    link.symlink_to(target)
    assert run(*SMALL, "--out", tmp_path / "1.pem", "--public", link).status == 0
    assert link.is_symlink()
    assert not read_public(target).is_private
    assert run(*SMALL, "--out", tmp_path / "2.pem", "--public", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()
    outcome = run(*SMALL, "--out", tmp_path / "3.pem", "--public", "/dev/full")
    assert outcome.refused == "cannot write /dev/full: No space left on device"


def test_where_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    for out, reason in (
        (tmp_path / "none" / "key.pem", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (Path("/dev/null/key.pem"), "Not a directory"),
    ):
        outcome = run(*SMALL, "--out", out)
        assert outcome.refused == f"cannot write {out}: {reason}"
    assert not list(tmp_path.iterdir())


def test_an_interrupted_write_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    assert run(*SMALL, "--out", tmp_path / "key.pem").status == 130
    assert not list(tmp_path.iterdir())
