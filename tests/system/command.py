"""Running the installed command, and OpenSSL's, as a user does."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TOTIENT = Path(sys.executable).with_name("totient")


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of a command."""

    status: int
    out: bytes
    err: str


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


def openssl(*words: object, stdin: bytes = b"") -> bytes:
    """Run `openssl`, which must succeed, and return what it printed."""
    done = subprocess.run(
        ["openssl", *map(str, words)], input=stdin, capture_output=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
