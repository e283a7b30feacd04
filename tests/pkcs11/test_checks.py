"""The module under sanitizers: wrong arguments, forks, threads, leaks, random calls."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.pkcs11.parts import HERE, compiled, headers
from tests.pkcs11.place import Place
from tests.programs import DRIVER, SANITIZERS, WARNINGS, gcc


def build(path: Path, *options: str) -> Path:
    """The checks, with the module's files in the program. The device is quick_device.c."""
    return compiled(path, sorted(HERE.glob("*.c")), *options)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checks under sanitizers of addresses and of undefined behaviour."""
    return build(tmp_path_factory.mktemp("checks") / "checks", "-O1", *SANITIZERS)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as programs run it."""
    return build(tmp_path_factory.mktemp("checks") / "checks", "-O2")


def check(program: Path, place: Place, *words: object) -> str:
    """Run a check on a token."""
    done = subprocess.run(
        [str(program), *map(str, words)],
        env=place.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_nothing_and_lengths_that_cannot_be(checked: Path, own: Place) -> None:
    check(checked, own, "null")


def test_a_forked_child_has_nothing_of_its_parent(plain: Path, own: Place) -> None:
    """Three threads are at work when the process forks.

    Not under sanitizers: the locks of their allocator are not free in a child (GCC 12).
    """
    check(plain, own, "fork", 20)


def test_a_thousand_sessions(checked: Path, own: Place) -> None:
    check(checked, own, "threads")


def test_sessions_leak_nothing(plain: Path, own: Place) -> None:
    check(plain, own, "sessions", 100_000)


def test_random_calls(checked: Path, own: Place) -> None:
    check(checked, own, "fuzz", 200_000, 1)


def test_a_fork_while_the_folder_is_locked(plain: Path, own: Place) -> None:
    """The lock ends with the parent's login. The child closes its copy, and no other file."""
    check(plain, own, "lock")


def test_changes_of_two_processes(plain: Path, own: Place) -> None:
    """An attribute that another process has set stays; what it has destroyed stays away."""
    check(plain, own, "changes")


def test_a_login_ends_with_the_token(plain: Path, own: Place) -> None:
    """Another process initialises the token again while its officer or its user is logged in."""
    check(plain, own, "initialised")


def test_threads_of_a_child_initialise_the_module(plain: Path, own: Place) -> None:
    check(plain, own, "starts")


@pytest.mark.parametrize("build_name", ["checked", "plain"])
def test_calls_that_end_too_late(
    build_name: str, own: Place, request: pytest.FixtureRequest
) -> None:
    """A login without a session, and objects of a closed session, are none."""
    check(request.getfixturevalue(build_name), own, "races")


def test_limits(tmp_path: Path, own: Place) -> None:
    """A key's list of mechanisms, the number of attributes, and a lack of memory."""
    ours = [HERE / name for name in ("limits/limits.c", "setup.c", "quick_device.c")]
    wrapped = ("-Wl,--wrap=secure_new", "-Wl,--wrap=realloc")
    check(compiled(tmp_path / "limits", ours, "-O1", *SANITIZERS, *wrapped), own)


@pytest.mark.slow
def test_a_million_sessions_leak_nothing(plain: Path, own: Place) -> None:
    check(plain, own, "sessions", 1_000_000)


@pytest.mark.slow
def test_many_random_calls(checked: Path, own: Place) -> None:
    for seed in range(2, 12):
        check(checked, own, "fuzz", 1_000_000, seed)


@pytest.mark.slow
def test_threads_race_for_nothing(tmp_path: Path, own: Place) -> None:
    check(build(tmp_path / "checks", "-O1", "-fsanitize=thread"), own, "threads")


def leaking(program: Path, *words: str) -> set[str]:
    """Functions of ours in which a branch or an address depends on a secret, by Valgrind."""
    done = subprocess.run(
        ["valgrind", "--error-limit=no", str(program), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "ERROR SUMMARY" in done.stderr, done.stderr
    blocks = re.split(r"==\d+== \n", done.stderr)
    reports = [each for each in blocks if re.search(r"uninitialised.*\n.* at 0x", each)]
    return {re.findall(r"(?:at|by) 0x\w+: (\w+) \(", each)[0] for each in reports}


def test_paddings_are_removed_in_constant_time(tmp_path: Path) -> None:
    """Valgrind follows the bits of a block: one branch depends on them, that on OAEP's answer."""
    program = tmp_path / "secrets"
    compiled(program, [HERE / "secrets" / "secrets.c", HERE / "quick_device.c"], "-O2")
    assert leaking(program) == {"unpad_oaep"}
    assert leaking(program, "leak") == {"main", "unpad_oaep"}


def test_a_premaster_secret_is_chosen_in_constant_time(tmp_path: Path) -> None:
    """The provider's, in TLS with RSA key exchange."""
    program, folder = tmp_path / "premaster", DRIVER / "provider"
    sources = (HERE / "secrets" / "premaster.c", folder / "padding.c")
    options = ("-std=c99", "-g", "-O2", *WARNINGS, f"-I{folder}", *headers())
    gcc(*options, *sources, "-o", program, "-lcrypto")
    assert leaking(program) == set()
    assert leaking(program, "leak") == {"main"}
