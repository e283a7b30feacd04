"""The link to a served core's terminal, and how serving ends."""

import signal
import subprocess
from pathlib import Path

from tests.system.command import TOTIENT, totient

_SERVE = ("serve", "T2", "--width", "32", "--link")


def start(link: Path, *through: str) -> subprocess.Popen[bytes]:
    """A server whose link is there, started through a program's command line."""
    command = [*through, str(TOTIENT), *_SERVE, str(link)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    path = process.stdout.readline().decode().strip()
    assert link.readlink() == Path(path)
    return process


def end(process: subprocess.Popen[bytes], number: int) -> int:
    """Exit status of a server that gets a signal."""
    process.send_signal(number)
    process.communicate(timeout=60)
    return process.returncode


def test_an_interrupt_is_the_usual_end(tmp_path: Path) -> None:
    link = tmp_path / "line"
    assert end(start(link), signal.SIGINT) == 0
    assert not link.is_symlink()
    assert end(start(link), signal.SIGTERM) == 128 + signal.SIGTERM
    assert not link.is_symlink()


def test_a_job_in_the_background_ends_with_an_interrupt(tmp_path: Path) -> None:
    """A script's shell lets its background jobs ignore SIGINT."""
    link = tmp_path / "line"
    assert end(start(link, "sh", "-c", "trap '' INT; exec \"$@\"", "sh"), signal.SIGINT) == 0
    assert not link.is_symlink()


def test_a_killed_server_does_not_block_the_next(tmp_path: Path) -> None:
    link = tmp_path / "line"
    assert end(start(link), signal.SIGKILL) == -signal.SIGKILL
    assert link.is_symlink()
    assert end(start(link), signal.SIGINT) == 0


def test_what_is_not_its_own_stays(tmp_path: Path) -> None:
    link = tmp_path / "line"
    process = start(link)
    link.unlink()
    link.write_text("keep")
    assert end(process, signal.SIGINT) == 0
    assert link.read_text() == "keep"
    refused = totient(*_SERVE, link)
    assert refused.refused == f"{link} is there already"
    link.unlink()
    link.symlink_to(tmp_path / "gone")
    assert totient(*_SERVE, link).status == 2


def test_a_socket_goes_with_the_server(tmp_path: Path) -> None:
    path = tmp_path / "core"
    command = [str(TOTIENT), "serve", "T2", "--width", "32", "--socket", str(path)]
    for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM)):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline().decode().strip() == str(path)
        assert path.is_socket()
        assert end(process, number) == status
        assert not path.exists()


def test_sockets_that_cannot_be_made(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("keep")
    words = ("serve", "T2", "--width", "32", "--socket")
    assert totient(*words, there).refused == f"{there} is there already"
    assert there.read_text() == "keep"
    both = totient(*words, tmp_path / "s", "--link", tmp_path / "l")
    assert both.refused == "--link is given, allowed without --socket only"
    long = tmp_path / ("x" * 120)
    assert totient(*words, long).refused == f"cannot make the socket {long}: AF_UNIX path too long"
    assert totient(*words, tmp_path / "no" / "s").status == 2
