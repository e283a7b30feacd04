"""The frame of the command line: help, errors, interruption, start-up time."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

import totient
from tests.unit.conftest import Run
from totient import cli

COMMANDS = ("keygen", "sign", "verify", "encrypt", "decrypt", "modexp")


def test_without_a_command_it_helps(run: Run) -> None:
    asked, unasked = run("--help"), run()
    assert asked.status == unasked.status == 0
    assert asked.out == unasked.out
    for command in COMMANDS:
        assert f"\n  {command} ".encode() in asked.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    outcome = run(command, "-h")
    assert outcome.status == 0
    assert outcome.out.startswith(f"Usage: totient {command}".encode())
    assert b"--json" in outcome.out


def test_version(run: Run) -> None:
    assert run("--version").out.decode() == f"totient {totient.__version__}\n"


def test_interruption(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(bits: int, exponent: int, *, toy: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("totient.cli.keys.generate", interrupt)
    outcome = run("keygen")
    assert (outcome.status, outcome.out) == (130, b"")
    assert outcome.err == "totient: interrupted\n"


def test_a_failing_disk_is_one_line(run: Run) -> None:
    outcome = run("encrypt", "--key", "/proc/self/mem")
    assert outcome.refused == "cannot read the key /proc/self/mem: Input/output error"


def test_the_help_text_comes_fast() -> None:
    """Nothing slow is imported for it."""
    script = (
        "import sys, totient.cli; "
        "slow = {'Crypto', 'cryptography', 'fusesoc', 'matplotlib', 'pyosys'} & set(sys.modules); "
        "assert not slow, slow"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    # Time of the processor, not of the clock: the machine may be busy.
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-c", "import sys, totient.cli; sys.exit(totient.cli.main(['-h']))"],
            check=True,
            capture_output=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(times) < 0.5


def test_a_signature_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    """Where no terminal shows a bar: neither that, nor the flows of devices, nor other ciphers."""
    key, message, signature = (tmp_path / name for name in ("key.pem", "message", "signature"))
    message.write_bytes(b"a message")
    script = (
        "import sys, totient.cli; "
        f"assert not totient.cli.main(['keygen', '--bits', '512', '--out', {str(key)!r}]); "
        f"signing = ['sign', '--key', {str(key)!r}, '--device', 'sim:binary', '--scheme', "
        f"'pkcs1v15', '--hash', 'sha1', '--in', {str(message)!r}, '--out', {str(signature)!r}]; "
        "assert not totient.cli.main(signing); "
        "slow = {'rich', 'pydantic', 'matplotlib', 'pyosys', 'fusesoc', 'Crypto.Cipher.PKCS1_OAEP',"
        " 'totient.flow.bitstream', 'totient.flow.ecp5.extraction',"
        " 'totient.flow.routing', 'totient.engine.program',"
        " 'totient.measure.measurement'} & set(sys.modules); "
        "assert not slow, slow"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert not done.returncode, done.stderr


def test_the_installed_command_is_main(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import entry_points

    (command,) = entry_points(group="console_scripts", name="totient")
    monkeypatch.setattr(cli, "main", lambda: 7)
    assert command.load()() == 7
