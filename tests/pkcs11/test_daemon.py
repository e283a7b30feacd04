"""The daemon: its clients, and what becomes of keys when it or they are killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RLIMIT_MEMLOCK, getrlimit, setrlimit
from tempfile import TemporaryDirectory

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.pkcs11.packages import PROXY
from tests.pkcs11.place import PIN, SO_PIN, Place, served
from tests.system.command import TOTIENT

OTHER = 65534
"""A user's number, and a group's: those of nobody."""

SIGNER = """
import sys, pkcs11
library = pkcs11.lib(sys.argv[1])
token = next(library.get_tokens(token_label="totient"))
session = token.open(user_pin=sys.argv[2], rw=True)
key = next(session.get_objects({pkcs11.Attribute.LABEL: "born", pkcs11.Attribute.CLASS:
                                pkcs11.ObjectClass.PRIVATE_KEY}))
print("ready", flush=True)
while True:
    key.sign(b"data", mechanism=pkcs11.Mechanism.SHA256_RSA_PKCS)
    print("signed", flush=True)
"""

MAKER = """
import sys, pkcs11
library = pkcs11.lib(sys.argv[1])
token = next(library.get_tokens(token_label="totient"))
session = token.open(user_pin=sys.argv[2], rw=True)
for number in range(1000):
    session.create_object({pkcs11.Attribute.CLASS: pkcs11.ObjectClass.DATA,
                           pkcs11.Attribute.TOKEN: True, pkcs11.Attribute.PRIVATE: True,
                           pkcs11.Attribute.LABEL: str(number),
                           pkcs11.Attribute.VALUE: b"x" * 3000})
    print(number, flush=True)
"""

COUNTER = """
import sys, pkcs11
library = pkcs11.lib(sys.argv[1])
token = next(library.get_tokens(token_label="totient"))
with token.open(user_pin=sys.argv[2]) as session:
    for each in session.get_objects({pkcs11.Attribute.CLASS: pkcs11.ObjectClass.DATA}):
        assert each[pkcs11.Attribute.VALUE] == b"x" * 3000
        print(each[pkcs11.Attribute.LABEL])
"""


def start(place: Place, script: str, pin: str = PIN) -> "subprocess.Popen[str]":
    """A client in Python."""
    return subprocess.Popen(
        [sys.executable, "-c", script, str(place.module), pin],
        env={**os.environ, **place.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(process: "subprocess.Popen[str]", count: int) -> list[str]:
    """The next lines of a client."""
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(count)]


def test_clients_sign_at_once_and_one_is_killed(
    daemon: tuple[Place, "subprocess.Popen[bytes]"],
) -> None:
    place, _ = daemon
    clients = [start(place, SIGNER) for _ in range(3)]
    for each in clients:
        assert lines(each, 3) == ["ready", "signed", "signed"]
    clients[0].kill()
    clients[0].communicate()
    for each in clients[1:]:
        assert lines(each, 2) == ["signed", "signed"]
        each.kill()
        each.communicate()


def test_a_login_is_that_of_one_client(daemon: tuple[Place, "subprocess.Popen[bytes]"]) -> None:
    place, _ = daemon
    client = start(place, SIGNER)
    assert lines(client, 2) == ["ready", "signed"]
    tool = ("pkcs11-tool", "--module", place.module, "-O")
    assert "Private Key" not in place.run(*tool).text
    assert "Private Key" in place.run(*tool, "--login", "--pin", PIN).text
    client.kill()
    client.communicate()


HOLDER = """
import sys, pkcs11
library = pkcs11.lib(sys.argv[1])
token = next(library.get_tokens())
session = token.open(user_pin=sys.argv[2], rw=True)
print("ready", flush=True)
for line in sys.stdin:
    session.generate_key(pkcs11.KeyType.AES, 256, store=True) if line == "make\\n" else None
    print(len(list(session.get_objects({pkcs11.Attribute.PRIVATE: True}))), flush=True)
"""


def ask(process: "subprocess.Popen[str]", line: str) -> str:
    """What a client answers to a line."""
    assert process.stdin is not None
    print(line, file=process.stdin, flush=True)
    return lines(process, 1)[0]


def test_a_login_is_that_of_one_initialisation(
    own: Place, daemon: tuple[Place, "subprocess.Popen[bytes]"]
) -> None:
    """A client stays connected while another process initialises the token again."""
    place, _ = daemon
    first = start(place, HOLDER)
    assert lines(first, 1) == ["ready"]
    assert ask(first, "count") == "2"
    by_daemon = place.run(*_initialise(place))
    assert "CKR_SESSION_EXISTS" in by_daemon.err
    assert own.run(*_initialise(own)).good
    officer = ("pkcs11-tool", "--module", own.module, "--init-pin", "--so-pin", SO_PIN)
    assert own.run(*officer, "--pin", "newpin").good
    second = start(place, HOLDER, "newpin")
    assert lines(second, 1) == ["ready"]
    assert ask(second, "make") == "1"
    assert ask(first, "count") == "0"
    assert "UserNotLoggedIn" in first.communicate("make\n")[1]
    assert ask(second, "count") == "1"
    second.communicate()


def _initialise(place: Place) -> tuple[object, ...]:
    tool = ("pkcs11-tool", "--module", place.module)
    return (*tool, "--init-token", "--label", "again", "--so-pin", SO_PIN)


FORKER = """
import os, sys, time, pkcs11
library = pkcs11.lib(sys.argv[1])
session = next(library.get_tokens(token_label="totient")).open(user_pin=sys.argv[2])
child = os.fork()
if child == 0:
    time.sleep(600)
    os._exit(0)
print(child, flush=True)
time.sleep(600)
"""


def test_a_forked_child_has_no_key(own: Place, private: rsa.RSAPrivateKey) -> None:
    prime = private.private_numbers().p.to_bytes(128)
    parent = start(own, FORKER)
    child = int(lines(parent, 1)[0])
    try:
        assert _in_memory(parent.pid, prime)
        assert not _in_memory(child, prime)
    finally:
        os.kill(child, signal.SIGKILL)
        parent.kill()
        parent.communicate()


def test_keys_are_in_memory_only_while_somebody_is_logged_in(
    daemon: tuple[Place, "subprocess.Popen[bytes]"], private: rsa.RSAPrivateKey
) -> None:
    place, process = daemon
    prime = private.private_numbers().p.to_bytes(128)
    assert not _in_memory(process.pid, prime)
    client = start(place, SIGNER)
    assert lines(client, 2) == ["ready", "signed"]
    assert _in_memory(process.pid, prime)
    client.kill()
    client.communicate()
    for _ in range(100):
        if not _in_memory(process.pid, prime):
            break
        time.sleep(0.05)
    assert not _in_memory(process.pid, prime)


def _in_memory(process: int, secret: bytes) -> bool:
    """Whether a process has some bytes in its memory, in either order."""
    maps = Path(f"/proc/{process}/maps").read_text().splitlines()
    with Path(f"/proc/{process}/mem").open("rb", 0) as memory:
        for line in maps:
            place, access = line.split()[:2]
            if "r" not in access or "[v" in line:
                continue
            first, last = (int(part, 16) for part in place.split("-"))
            try:
                memory.seek(first)
                data = memory.read(last - first)
            except (OSError, ValueError, OverflowError):
                continue
            if data and (secret in data or secret[::-1] in data):
                return True
    return False


@pytest.mark.parametrize("victim", ["client", "daemon"])
def test_no_stored_object_is_lost_by_a_kill(own: Place, victim: str) -> None:
    """What a client was told to be stored is there, whole, after `kill -9` at any moment."""
    stored: list[str] = []
    for moment in (3, 11, 20):
        with served(own) as (place, process):
            client = start(place, MAKER)
            stored += lines(client, moment)
            (client if victim == "client" else process).send_signal(signal.SIGKILL)
            assert client.stdout is not None
            stored += client.stdout.read().split()
            client.communicate()
    found = own.run(sys.executable, "-c", COUNTER, own.module, PIN).text.split()
    # Each round counts from 0. One more object may be stored than its client was told of.
    assert len(stored) <= len(found) <= len(stored) + 3
    for number in set(stored):
        assert found.count(number) >= stored.count(number)
    assert not list(own.folder.rglob("*.new"))


def test_a_second_daemon_is_refused(daemon: tuple[Place, "subprocess.Popen[bytes]"]) -> None:
    place, _ = daemon
    done = place.run(TOTIENT, "token", "serve", "--folder", place.folder)
    assert done.status == 2
    assert done.err == f"totientd: {place.folder}: is no token's folder, or is served already\n"


def test_the_daemon_ends_by_a_signal_and_takes_its_socket(own: Place) -> None:
    with served(own) as (place, process):
        path = place.folder / "socket"
        assert path.is_socket()
        assert path.stat().st_mode & 0o777 == 0o600
        process.terminate()
        assert process.wait(20) == 0
        assert not path.exists()


def test_nonsense_ends_a_connection_only(daemon: tuple[Place, "subprocess.Popen[bytes]"]) -> None:
    place, process = daemon
    for data in (b"", b"\0", os.urandom(5000), b"\0" + b"\xff" * 40, b"\0\0\0\0\0\0\0\x08\0" * 100):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(place.folder / "socket"))
            line.sendall(data)
    assert process.poll() is None
    assert "imported" in place.run("pkcs11-tool", "--module", place.module, "-O").text


def test_a_message_of_4_gib_is_not_waited_for(
    daemon: tuple[Place, "subprocess.Popen[bytes]"],
) -> None:
    """p11-kit takes memory for as many bytes as a client announces. The daemon has a limit."""
    place, process = daemon
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(str(place.folder / "socket"))
        number, options, message = 0, 0, 0xFFFFFFF0
        line.sendall(b"\0" + b"".join(n.to_bytes(4, "big") for n in (number, options, message)))
        assert line.recv(1) in (b"\0", b"")
        assert line.recv(1) == b""
    assert process.poll() is None
    assert "imported" in place.run("pkcs11-tool", "--module", place.module, "-O").text


def test_the_daemon_may_lock_as_much_memory_as_it_can(own: Place) -> None:
    before = getrlimit(RLIMIT_MEMLOCK)
    setrlimit(RLIMIT_MEMLOCK, (65536, before[1]))
    try:
        with served(own) as (_, process):
            limits = Path(f"/proc/{process.pid}/limits").read_text()
    finally:
        setrlimit(RLIMIT_MEMLOCK, before)
    line = next(line for line in limits.splitlines() if line.startswith("Max locked memory"))
    soft, hard = line.removeprefix("Max locked memory").split()[:2]
    assert soft == hard


def test_a_socket_that_nobody_else_can_reach(own: Place, capfd: pytest.CaptureFixture[str]) -> None:
    """The default one is in the token's folder, which is its owner's alone."""
    with served(own, mode="660"):
        pass
    warning = f"warning: --mode is 660, but {_closed(own.folder)} is closed to others"
    assert capfd.readouterr().err.startswith(f"{warning}: use another --socket\n")
    with served(own):
        pass
    assert "warning" not in capfd.readouterr().err


def _closed(folder: Path) -> Path:
    """The first folder of a path that its group and others may not search."""
    return next(p for p in reversed([folder, *folder.parents]) if not p.stat().st_mode & 0o011)


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that all users may read, as /run/totient is."""
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs of another user")
def test_a_program_of_another_user(
    own: Place, reachable: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It finds the token by p11-kit's file, signs, and cannot read the token's folder."""
    socket_path, modules = reachable / "socket", reachable / "pkcs11" / "modules"
    modules.mkdir(parents=True)
    data = reachable / "data"
    data.write_bytes(b"data")
    signature = reachable / "signature"
    signature.touch()
    os.chown(signature, OTHER, OTHER)

    def as_other(*words: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(word) for word in words],
            env={
                "PATH": "/usr/bin:/bin",
                "XDG_CONFIG_HOME": str(reachable),
                "HOME": str(reachable),
            },
            user=OTHER,
            group=OTHER,
            extra_groups=[],
            cwd=reachable,
            capture_output=True,
            text=True,
            check=False,
        )

    with served(own, socket_path, "666"):
        (modules / "totient.module").write_text(f"remote: unix:path={socket_path}\n")
        assert "token: totient" in as_other("p11-kit", "list-modules").stdout
        sign = ("--sign", "-m", "SHA256-RSA-PKCS", "--id", "01", "--input-file", data)
        tool = (
            "pkcs11-tool",
            "--module",
            PROXY,
            "--token-label",
            "totient",
            "--login",
            "--pin",
            PIN,
        )
        done = as_other(*tool, *sign, "--output-file", signature)
        assert done.returncode == 0, done.stderr
        assert as_other("ls", own.folder).returncode != 0
    assert len(signature.read_bytes()) == 256
    with served(own, socket_path, "660"):
        assert "token: totient" not in as_other("p11-kit", "list-modules").stdout
    assert "warning" not in capfd.readouterr().err
