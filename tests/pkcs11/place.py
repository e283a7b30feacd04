"""A token in a folder, and programs that use it."""

import os
import socket as sockets
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.outcome import Outcome
from tests.pkcs11.packages import CLIENT
from tests.system.command import TOTIENT, totient

PIN, SO_PIN = "123456", "87654321"
ENGINE = "sim:engine-62?key_slots=3"

Both = pytest.mark.parametrize("way", ["module", "daemon"])
"""A test of the fixture `user`, for each way to the token."""


@dataclass(frozen=True)
class Place:
    """A token's folder with files around it.

    Attributes:
        folder: the token's.
        work: a folder with `pin`, and `key.pem` of the imported key.
        module: that programs load.
        environment: of programs.
    """

    folder: Path
    work: Path
    module: Path
    environment: dict[str, str]

    def run(
        self, *words: object, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> Outcome:
        """Run a program on the token, with changes to the environment."""
        done = subprocess.run(
            [*map(str, words)],
            input=stdin,
            cwd=self.work,
            env={**os.environ, **self.environment, **(env or {})},
            capture_output=True,
            check=False,
            timeout=300,
        )
        return Outcome(done.returncode, done.stdout, done.stderr.decode(errors="replace"))

    def tool(self, *words: object, pin: str = PIN) -> Outcome:
        """Run OpenSC's tool, logged in."""
        return self.run("pkcs11-tool", "--module", self.module, "--login", "--pin", pin, *words)

    def totient(self, *words: object) -> Outcome:
        """Run a command of `totient token`."""
        return totient("token", *words, "--folder", self.folder, "--pin-file", self.work / "pin")


def make(work: Path, device: str = ENGINE) -> Place:
    """Make a token by the command."""
    (work / "pin").write_text(f"{PIN}\n")
    (work / "so-pin").write_text(f"{SO_PIN}\n")
    folder = work / "token"
    done = totient(
        *("token", "init", "--folder", folder, "--device", device),
        *("--pin-file", work / "pin", "--so-pin-file", work / "so-pin"),
    )
    module = Path(done.text.strip())
    return Place(folder, work, module, {"TOTIENT_TOKEN": str(folder)})


def copy_of(place: Place, work: Path) -> Place:
    """A copy of a token, which a test may damage."""
    folder = work / "token"
    subprocess.run(["cp", "-rp", place.folder, folder], check=True)
    for name in ("pin", "so-pin", "key.pem"):
        subprocess.run(["cp", "-p", place.work / name, work / name], check=True)
    return Place(folder, work, folder / place.module.name, {"TOTIENT_TOKEN": str(folder)})


@contextmanager
def served(
    place: Place, socket: Path | None = None, mode: str = "600"
) -> Iterator[tuple[Place, subprocess.Popen[bytes]]]:
    """The daemon on a token, and a place whose module is p11-kit's client of it."""
    command = [str(TOTIENT), "token", "serve", "--folder", str(place.folder), "--mode", mode]
    command += ["--socket", str(socket)] if socket is not None else []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode().strip()
            assert line == f"remote: unix:path={socket or place.folder / 'socket'}"
            assert b"serves" in process.stdout.readline()
            environment = {"P11_KIT_SERVER_ADDRESS": line.removeprefix("remote: ")}
            yield Place(place.folder, place.work, CLIENT, environment), process
        finally:
            process.terminate()


@contextmanager
def started(
    place: Place,
    printed: Path,
    *words: object,
    ready: Callable[[], bool] = lambda: True,
    env: Mapping[str, str] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A server on the token, while the block runs.

    Args:
        place: of the token.
        printed: a file to which all that it prints is added.
        words: its command.
        ready: whether it serves. The block runs then; it fails if the server ends before.
        env: changes to the environment.
    """
    with printed.open("ab") as output:
        process = subprocess.Popen(
            [*map(str, words)],
            cwd=place.work,
            env={**os.environ, **place.environment, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        assert until(lambda: ready() or process.poll() is not None)
        assert process.poll() is None, printed.read_text()
        yield process
    finally:
        process.terminate()
        process.wait(60)


def until(holds: Callable[[], bool]) -> bool:
    """Whether something holds within half a minute."""
    for _ in range(600):
        if holds():
            return True
        time.sleep(0.05)
    return False


def free_port() -> int:
    """A port of 127.0.0.1 that nobody has."""
    with sockets.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])
