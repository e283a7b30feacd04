"""The device of a token: lost lines, children, a killed daemon, the real code under sanitizers."""

import socket
import subprocess
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.pkcs11.packages import CLIENT
from tests.pkcs11.parts import HERE, LIBRARIES, MODULE, compiled, headers, module_files
from tests.pkcs11.place import Place, make
from tests.pkcs11.test_checks import check
from tests.pkcs11.test_daemon import ask, lines, start
from tests.programs import INCLUDE, WARNINGS, gcc
from tests.system.command import TOTIENT, serving, serving_socket

BOARD = ("engine-8", "--width", 1024)

SIGNER = """
import sys, pkcs11
token = next(pkcs11.lib(sys.argv[1]).get_tokens())
session = token.open(user_pin=sys.argv[2])
key = next(session.get_objects({pkcs11.Attribute.CLASS: pkcs11.ObjectClass.PRIVATE_KEY}))
for line in sys.stdin:
    try:
        key.sign(b"data", mechanism=pkcs11.Mechanism.SHA256_RSA_PKCS)
        print("signed", flush=True)
    except pkcs11.exceptions.PKCS11Error as error:
        print(type(error).__name__, flush=True)
"""


def build(path: Path, *options: str) -> Path:
    """The checks with the module's device and libtotient."""
    ours = [each for each in sorted(HERE.glob("*.c")) if each.name != "quick_device.c"]
    return compiled(path, ours, *options, device=True)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("device") / "checks", "-O2")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A token on a simulated core, with a key of 1024 bits."""
    made = make(tmp_path_factory.mktemp("simulated"))
    assert made.totient("generate", "--bits", 1024).good
    return made


@pytest.fixture
def board(tmp_path: Path) -> tuple[Place, Path]:
    """A token with a key, and the path of the socket of its device, which the test serves."""
    path = tmp_path / "core"
    with serving_socket(path, *BOARD):
        made = make(tmp_path, f"unix:{path}")
        assert made.totient("generate", "--bits", 1024).good
    return made, path


def test_a_line_that_was_lost_is_opened_again(board: tuple[Place, Path]) -> None:
    """The board is switched off and on while somebody is logged in."""
    place, path = board
    with serving_socket(path, *BOARD):
        client = start(place, SIGNER)

        def sign() -> str:
            return ask(client, "")

        assert [sign(), sign()] == ["signed", "signed"]
    with client:
        assert [sign(), sign()] == ["DeviceError", "DeviceError"]
        with serving_socket(path, *BOARD):
            assert [sign(), sign()] == ["signed", "signed"]
        with serving_socket(path, *BOARD):
            assert [sign(), sign()] == ["DeviceError", "signed"]


def test_a_child_opens_the_device_of_a_parent_that_is_gone(tmp_path: Path, program: Path) -> None:
    """On a terminal, which one process at a time can have."""
    with serving(tmp_path / "line", *BOARD) as line:
        place = make(tmp_path, f"tty:{line}")
        assert place.totient("generate", "--bits", 1024).good
        assert check(program, place, "inherited") == "signed\n"


def test_the_device_ends_for_all_threads(shared: Place, program: Path) -> None:
    """Those that wait for it when the daemon ends do not open it again."""
    check(program, shared, "ended")


def test_the_daemon_opens_its_device_at_the_start(tmp_path: Path) -> None:
    """A core may hold the keys of a killed daemon: it is told to wipe itself, before any client."""
    place = make(tmp_path)
    path = tmp_path / "core"
    (place.folder / "config").write_text(f"device = unix:{path}?timeout=1\n")
    serve = ("timeout", "20", TOTIENT, "token", "serve", "--folder", place.folder)
    refused = "totientd: the device cannot be opened: "
    absent = place.run(*serve)
    assert absent.status == 2
    assert (
        absent.err == f"{refused}cannot connect to the socket {path}: No such file or directory\n"
    )
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(str(path))
        listening.listen()
        silent = place.run(*serve)
        with closing(listening.accept()[0]) as line:
            clear = line.recv(100)
    assert silent.status == 2
    assert silent.err.startswith(f"{refused}unix:{path}: the core did not answer in 1 s")
    assert b"\x04" in clear


KINDS = pytest.mark.parametrize("kind", ["address,undefined", "thread"])
"""A test for each build with sanitizers."""


def sanitizers(kind: str) -> tuple[str, ...]:
    """Options of the compiler."""
    return ("-O1", f"-fsanitize={kind}", "-fno-sanitize-recover=all")


@KINDS
def test_threads_under_sanitizers(tmp_path: Path, shared: Place, kind: str) -> None:
    """The device's own code, with a simulated core. Verilator's library keeps a few bytes."""
    (tmp_path / "kept").write_text("leak:Verilated\n")
    options = {"LSAN_OPTIONS": f"suppressions={tmp_path / 'kept'}"}
    place = replace(shared, environment={**shared.environment, **options})
    check(build(tmp_path / "checks", *sanitizers(kind)), place, "threads", 1)


@KINDS
def test_the_daemon_under_sanitizers(tmp_path: Path, shared: Place, kind: str) -> None:
    """Clients sign at once, one is killed, one has a wrong PIN. The daemon ends while they work."""
    program, path = tmp_path / "totientd", shared.folder / "socket"
    sources = [MODULE / "totientd.c", *module_files(device=True)]
    common = ("-std=c99", "-g", *WARNINGS, INCLUDE, *headers(), "-DMOST_MEMORY=RLIM_INFINITY")
    gcc(*common, *sanitizers(kind), *sources, "-o", program, *LIBRARIES, "-lp11-kit")
    environment = {"P11_KIT_SERVER_ADDRESS": f"unix:path={path}"}
    place = replace(shared, module=CLIENT, environment=environment)
    words = [str(program), str(shared.folder), str(path), "600"]
    daemon = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    clients: list[subprocess.Popen[str]] = []
    try:
        assert daemon.stdout is not None
        assert b"serves" in daemon.stdout.readline()
        clients = [start(place, SIGNER) for _ in range(4)]
        for each in clients:
            assert ask(each, "") == "signed"
        clients[0].kill()
        assert "CKR_PIN_INCORRECT" in place.tool("-O", pin="000000").err
        for each in clients[1:]:
            assert each.stdin is not None
            print("\n" * 40, file=each.stdin, flush=True)
        for each in clients[1:]:
            assert lines(each, 10) == ["signed"] * 10
        daemon.terminate()
        assert daemon.communicate(timeout=60)[1] == b""
        assert daemon.returncode == 0
    finally:
        daemon.kill()
        daemon.communicate()
        for each in clients:
            each.kill()
            each.communicate()
