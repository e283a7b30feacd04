"""Closed streams, signals, outputs in the way: what surrounds a command."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .command import TOTIENT, openssl, totient

DEVICE = ("--device", "sim:T3?width=512")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key of 512 bits and a message."""
    made = tmp_path_factory.mktemp("streams")
    openssl("genrsa", "-out", made / "key.pem", "512")
    (made / "message").write_text("A message.\n")
    return made


def run(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell, in which `totient` is ours."""
    path = f"{TOTIENT.parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        check=False,
        timeout=600,
    )


def test_without_an_error_stream_the_output_is_the_output(folder: Path) -> None:
    line = "totient sign --key key.pem --hash sha1 --device 'sim:T3?width=512' --in message"
    done = run(f"{line} 2>&-", folder)
    assert done.returncode == 0
    assert len(done.stdout) == 64


def test_without_an_input_stream(folder: Path) -> None:
    done = run("totient sign --key key.pem --hash sha1 --device 'sim:T3?width=512' <&-", folder)
    assert done.returncode == 2
    assert done.stderr == b"totient: cannot read the standard input: it is closed\n"


@pytest.mark.parametrize(
    "line", ["list", "show T2", "modexp --modulus 15 --exponent 3 --base 2 --device sim:T1?width=8"]
)
def test_without_an_output_stream(folder: Path, line: str) -> None:
    done = run(f"totient {line} >&-", folder)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert lines[-1] == b"totient: cannot write the standard output: it is closed"


def test_an_interrupt_while_the_command_line_is_loaded(folder: Path) -> None:
    """By a module that stands in for the command line and is interrupted as that loads."""
    code = (
        "import sys; from importlib.abc import MetaPathFinder\n"
        "class Interrupt(MetaPathFinder):\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'totient.cli': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from totient.__main__ import main\n"
        "sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"totient: interrupted\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("verify --key key.pem --signature /dev/zero --in message", "the signature /dev/zero has"),
        ("encrypt --key key.pem --in /dev/zero", "the message to encrypt /dev/zero has"),
        ("decrypt --key key.pem --in /dev/zero", "the ciphertext /dev/zero has"),
    ],
)
def test_what_is_short_is_not_read_without_end(folder: Path, words: str, message: str) -> None:
    done = run(f"totient {words}", folder)
    assert done.returncode == 2
    assert done.stderr.decode() == f"totient: {message} more than 65,536 bytes\n"


def test_the_key_is_not_overwritten(folder: Path) -> None:
    key = (folder / "key.pem").read_bytes()
    (folder / "link.pem").symlink_to("key.pem")
    for out in ("key.pem", "./key.pem", "link.pem"):
        for words in (("sign", "--hash", "sha1"), ("decrypt",), ("encrypt", "--hash", "sha1")):
            outcome = totient(
                *words, "--key", "key.pem", "--in", "message", "--out", out, folder=folder
            )
            assert outcome.status == 2
            assert "is also an input: it would be overwritten" in outcome.err
    assert (folder / "key.pem").read_bytes() == key


def test_an_output_is_looked_at_before_the_work(folder: Path) -> None:
    cache = folder / "untouched"
    words = ("sign", "--key", "key.pem", "--in", "message", "--out", "none/signature")
    outcome = totient(*words, folder=folder, TOTIENT_CACHE=str(cache))
    assert outcome.refused == "cannot write none/signature: No such file or directory"
    assert not cache.exists()


def test_a_key_pair_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    words = ("keygen", "--bits", 512, "--out", "key.pem", "--public", "none/public.pem")
    outcome = totient(*words, folder=tmp_path)
    assert outcome.status == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_nothing_half_built(folder: Path, number: signal.Signals) -> None:
    cache = folder / f"cache {number.name}"
    process = subprocess.Popen(
        [TOTIENT, "sign", "--key", "key.pem", "--in", "message", "--out", "result", *DEVICE],
        cwd=folder,
        env={**os.environ, "TOTIENT_CACHE": str(cache)},
        stderr=subprocess.PIPE,
        # Under nohup the tests, too, are started with a signal that is ignored.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    models = cache / "models"  # Verilator's run-time library is compiled first, in its own folder
    while not [path for path in models.rglob("*") if path.suffix in (".cpp", ".o")]:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert f"totient: stopped by {number.name}" in err.decode()
    assert not list(models.iterdir())
    assert not list(cache.glob("*/.*"))  # what is being built has such a name
    assert not (folder / "result").exists()


def test_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "totient", "--version"], capture_output=True, check=True
    )
    assert done.stdout == totient("--version").out
