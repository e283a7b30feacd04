"""The cache and what is loaded: nobody else's, and by no symbolic link.

As another user than root, `conftest.py` plays files of others: their status says so.
"""

import grp
import hashlib
import json
import os
import pwd
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.programs import gcc
from tests.unit.common.conftest import OTHER, Give
from totient.common import trust
from totient.common.cache import cache_folder, produce
from totient.common.errors import ToolError
from totient.device import library as driver
from totient.device.transports import SimulationTransport
from totient.sim import Model
from totient.sim import library as models

ELSEWHERE = "point TOTIENT_CACHE at a folder of your own"
LEVELS = ("", "models", "models/name", "locks", "locks/models-name")
"""What `produce` uses, in the cache."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TOTIENT_CACHE", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _forget_groups() -> Iterator[None]:
    trust._is_own.cache_clear()
    yield
    trust._is_own.cache_clear()


def build(folder: Path) -> None:
    (folder / "code.so").write_bytes(b"0123456789")


def get(name: str = "name") -> Path:
    return produce("models", name, build, ["code.so"])


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(ToolError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    return message


def prepared(cache: Path, level: str) -> Path:
    """A cache with an entry, which is taken out again if only a build uses the level."""
    get()
    path = cache / level
    if "locks" in level:
        (cache / "models" / "name" / "code.so").unlink()
    return path


def remedy(level: str) -> str:
    return "remove it" if level == LEVELS[-1] else ELSEWHERE


@pytest.mark.parametrize("level", LEVELS)
def test_a_cache_of_another_user_is_refused(cache: Path, give_away: Give, level: str) -> None:
    path = prepared(cache, level)
    get("second")
    give_away(path)
    user = os.geteuid()
    allowed = f"are {pwd.getpwuid(user).pw_name} ({user}) and root" if user else "is root"
    assert refusal(get) == f"{path} belongs to user {OTHER}, allowed {allowed}: {remedy(level)}"


@pytest.mark.parametrize("level", LEVELS)
def test_a_cache_that_everybody_can_write_is_refused(cache: Path, level: str) -> None:
    path = prepared(cache, level)
    path.chmod(path.stat().st_mode | 0o002)
    assert refusal(get) == (
        f"{path} can be written by everybody, allowed is its owner alone (chmod go-w): "
        f"{remedy(level)}"
    )


@pytest.mark.parametrize("level", LEVELS)
def test_a_cache_that_a_group_can_write_is_refused(
    cache: Path, open_to_group: Give, level: str
) -> None:
    path = prepared(cache, level)
    open_to_group(path)
    assert refusal(get) == (
        f"{path} can be written by group {path.stat().st_gid}, allowed is its owner alone "
        f"(chmod go-w): {remedy(level)}"
    )


@pytest.mark.parametrize("level", LEVELS)
def test_the_user_s_own_group_may_write(
    cache: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """As with umask 002, where each user has a group."""
    monkeypatch.setattr(trust, "_is_own", lambda group: group == cache.stat().st_gid)
    path = prepared(cache, level)
    path.chmod(path.stat().st_mode | 0o020)
    assert (get() / "code.so").read_bytes() == b"0123456789"


def test_an_access_control_list_lets_others_write(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bits of the group are then those of the list: they let named users write."""
    monkeypatch.setattr(trust, "_is_own", lambda group: True)
    monkeypatch.setattr(os, "listxattr", lambda path: ["system.posix_acl_access"])
    get()
    cache.chmod(0o770)
    assert "can be written by group" in refusal(get)
    cache.chmod(0o700)
    get()


USER = SimpleNamespace(pw_name="ann", pw_uid=OTHER, pw_gid=OTHER)
ROOT = SimpleNamespace(pw_name="root", pw_uid=0, pw_gid=0)


@pytest.mark.parametrize(
    ("name", "members", "accounts", "own"),
    [
        ("ann", [], [ROOT, USER], True),
        ("ann", ["ann", "root"], [ROOT, USER], True),
        ("ann", ["bob"], [ROOT, USER], False),
        ("users", [], [ROOT, USER], False),
        ("users", ["ann"], [ROOT, USER], False),
        ("root", [], [ROOT, USER], False),
        ("ann", [], [ROOT, USER, SimpleNamespace(pw_name="bob", pw_gid=OTHER)], False),
        ("ann", [], [ROOT, USER, SimpleNamespace(pw_name="bob", pw_gid=1)], True),
        (None, [], [ROOT, USER], False),
    ],
)
def test_which_group_is_the_user_s_own(
    monkeypatch: pytest.MonkeyPatch, name: str | None, members: list[str], accounts: Any, own: bool
) -> None:
    def group(number: int) -> Any:
        if name is None:
            raise KeyError(number)
        return SimpleNamespace(gr_name=name, gr_mem=members)

    monkeypatch.setattr(os, "geteuid", lambda: OTHER)
    monkeypatch.setattr(pwd, "getpwuid", lambda user: USER)
    monkeypatch.setattr(pwd, "getpwall", lambda: accounts)
    monkeypatch.setattr(grp, "getgrgid", group)
    if name == "root":  # which has another member, if it is the group of an account
        accounts = [*accounts, SimpleNamespace(pw_name="operator", pw_gid=OTHER)]
    assert trust._is_own(OTHER) == own


@pytest.mark.parametrize("mode", [0o777, 0o775])
@pytest.mark.parametrize("sticky", [False, True])
def test_folders_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, sticky: bool
) -> None:
    """Others can replace the cache if they can write to one, but for a sticky one, as /tmp is."""
    monkeypatch.setattr(trust, "_is_own", lambda group: False)
    above = tmp_path / "above"
    cache = above / "between" / "cache"
    cache.mkdir(parents=True)
    monkeypatch.setenv("TOTIENT_CACHE", str(cache))
    above.chmod(mode | (stat.S_ISVTX if sticky else 0))
    if sticky:
        get()
        return
    writers = "everybody" if mode == 0o777 else f"group {above.stat().st_gid}"
    assert refusal(get) == (
        f"{cache} can be replaced: {above} can be written by {writers}, allowed is its owner "
        f"alone, or a sticky folder (chmod +t): {ELSEWHERE}"
    )


def test_a_sticky_folder_is_no_cache(cache: Path) -> None:
    """As `TOTIENT_CACHE=/tmp`: anybody could make its folders first."""
    cache.mkdir()
    cache.chmod(0o1777)
    assert refusal(get).startswith(f"{cache} can be written by everybody")


def test_a_folder_above_that_is_another_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, give_away: Give
) -> None:
    """Its owner can put another cache there. Who can replace the tool does not need that."""
    above = tmp_path / "home"
    above.mkdir()
    give_away(above)
    monkeypatch.setenv("TOTIENT_CACHE", str(above / "cache"))
    message = refusal(get)
    assert message.startswith(
        f"{above / 'cache'} can be replaced: {above} belongs to user {OTHER}, allowed "
    )
    assert message.endswith(f": {ELSEWHERE}")
    # As in a container, where root runs the tool from a user's folder.
    monkeypatch.setattr(trust, "_hosts", lambda: frozenset({0, OTHER}))
    assert get().is_dir()


def test_who_can_replace_the_tool() -> None:
    above = [folder.stat().st_uid for folder in Path(trust.__file__).resolve().parents]
    assert trust._hosts() == {0, *above}


@pytest.mark.parametrize("place", ["last", "folder", "chain"])
@pytest.mark.parametrize("how", ["owner", "replaceable", "good"])
def test_links_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, give_away: Give, place: str, how: str
) -> None:
    """Those of the user or root are followed to the root, where others cannot change them."""
    monkeypatch.setattr(trust, "_is_own", lambda group: False)
    real, shared = tmp_path / "real", tmp_path / "shared"
    (real / "cache").mkdir(parents=True, mode=0o700)
    shared.mkdir()
    shared.chmod(0o777 if how == "replaceable" else 0o1777)
    link = shared / "link"
    link.symlink_to(real if place == "folder" else real / "cache")
    named = link / "cache" if place == "folder" else link
    if place == "chain":
        (tmp_path / "first").symlink_to("shared/../shared/link")
        named = tmp_path / "first"
    if how == "owner":
        give_away(link)
    monkeypatch.setenv("TOTIENT_CACHE", str(named))
    if how == "good":
        assert get() == real / "cache" / "models" / "name"
        return
    words = (
        f"{link} belongs to user {OTHER}"
        if how == "owner"
        else f"{link} can be replaced: {shared} can be written by everybody"
    )
    assert refusal(get).startswith(words)


def test_links_in_a_ring(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    message = refusal(lambda: trust.check_code(tmp_path / "a"))
    assert message == f"{tmp_path / 'a'} has more than 40 symbolic links: it is not loaded"


@pytest.mark.parametrize("level", LEVELS[1:])
def test_no_link_is_followed(cache: Path, tmp_path: Path, level: str) -> None:
    """The truncation of a user's file was a link in the place of a lock."""
    path = prepared(cache, level)
    target = tmp_path / "target"
    path.rename(target)
    if target.is_file():
        target.write_text("precious")
    path.symlink_to(target)
    kind, what = ("regular file", "remove it") if target.is_file() else ("folder", ELSEWHERE)
    assert refusal(get) == f"{path} is a symbolic link, allowed is a {kind}: {what}"
    if target.is_file():
        assert target.read_text() == "precious"


def test_a_link_is_no_file_of_an_entry(cache: Path) -> None:
    """Not even one that is as long as the file, and leads to another one that is as long."""

    def fill(folder: Path) -> None:
        (folder / "data").write_text("good")

    entry = produce("models", "name", fill)
    (entry.parent / "x").write_text("evil")
    (entry / "data").unlink()
    (entry / "data").symlink_to("../x")
    assert (entry / "data").lstat().st_size == (entry / "data").stat().st_size == len("good")
    assert (produce("models", "name", fill) / "data").read_text() == "good"
    assert not (entry / "data").is_symlink()


@pytest.mark.parametrize("name", ["code.so", ".contents.json", ".sha256.json"])
def test_no_link_is_followed_in_an_entry(cache: Path, tmp_path: Path, name: str) -> None:
    """In the place of a file that is kept, there is a link to the same file elsewhere."""
    entry = get()
    (entry / name).rename(tmp_path / "moved")
    (entry / name).symlink_to(tmp_path / "moved")
    if name == "code.so":
        get()
        assert not (entry / name).is_symlink(), "built again"
    else:
        path = entry / name
        message = f"{path} is a symbolic link, allowed is a regular file: remove it"
        assert refusal(get) == message


def test_a_link_of_a_killed_build_is_not_followed(cache: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("precious")
    cache_folder("models")
    (cache / "models" / ".name.abcdefgh").symlink_to(kept)
    get()
    assert (kept / "file").read_text() == "precious"


@pytest.mark.parametrize("kind", ["a pipe", "a folder"])
def test_a_lock_that_is_no_file(cache: Path, kind: str) -> None:
    lock = cache_folder("locks") / "models-name"
    if kind == "a pipe":
        os.mkfifo(lock)
    else:
        lock.mkdir()
    assert refusal(get) == f"{lock} is {kind}, allowed is a regular file: remove it"


def test_a_lock_keeps_its_content(cache: Path) -> None:
    lock = cache_folder("locks") / "models-name"
    lock.write_text("content")
    get()
    assert lock.read_text() == "content"


def test_the_root_may_be_a_link(tmp_path: Path, cache: Path, give_away: Give) -> None:
    """Of the user's own: a large disk, for instance. It is followed once."""
    disk = tmp_path / "disk"
    cache.symlink_to(disk)
    message = f"{cache} is a symbolic link to nothing, allowed is a folder: {ELSEWHERE}"
    assert refusal(get) == message
    disk.mkdir()
    assert get() == disk / "models" / "name"
    give_away(cache)
    assert f"{cache} belongs to user {OTHER}" in refusal(get)


def test_a_file_is_no_cache(cache: Path) -> None:
    cache.write_text("")
    assert refusal(get) == f"{cache} is a regular file, allowed is a folder: {ELSEWHERE}"


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022, 0o077])
def test_modes_do_not_depend_on_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mask: int
) -> None:
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path / "new" / "cache"))
    before = os.umask(mask)
    try:
        entry = get()
        for folder in (entry, *entry.parents[:3], tmp_path / "new" / "cache" / "locks"):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
        assert entry.parents[2] == tmp_path / "new"
        lock = tmp_path / "new" / "cache" / "locks" / "models-name"
        assert stat.S_IMODE(lock.stat().st_mode) == 0o600
        assert (entry / "code.so").stat().st_mode & 0o022 == 0
        assert get() == entry
    finally:
        os.umask(before)


@pytest.mark.parametrize("change", ["content", "no hash", "other hash", "damaged", "another file"])
def test_code_of_the_same_size_is_built_again(cache: Path, change: str) -> None:
    """And of no other: a file of data is looked at by its size."""
    built: list[Path] = []

    def fill(folder: Path) -> None:
        build(folder)
        (folder / "data").write_text("data")
        built.append(folder)

    def again() -> Path:
        return produce("models", "name", fill, ["code.so", "part-*"])

    entry = again()
    assert len(built) == 1
    (entry / "data").write_text("atad")
    again()
    assert len(built) == 1
    hashes = entry / ".sha256.json"
    match change:
        case "content":
            (entry / "code.so").write_bytes(b"012345678X")
        case "no hash":
            hashes.unlink()
        case "other hash":
            hashes.write_text(re.sub("[0-9a-f]{64}", "0" * 64, hashes.read_text()))
        case "damaged":
            hashes.write_text("[]")
        case "another file":
            (entry / "part-1").write_text("planted")
    assert again() == entry
    assert len(built) == 2
    assert (entry / "code.so").read_bytes() == b"0123456789"
    assert not (entry / "part-1").exists()


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Path, Path]:
    """A library that makes a file when it is loaded, and this file."""
    mark, source, path = tmp_path / "mark", tmp_path / "planted.c", tmp_path / "planted.so"
    source.write_text(
        "#include <stdio.h>\n"
        "__attribute__((constructor)) static void run(void)\n"
        f'{{ FILE *file = fopen("{mark}", "w"); if (file != NULL) fclose(file); }}\n'
    )
    gcc("-shared", "-fPIC", source, "-o", path)
    path.chmod(0o755)
    return path, mark


LOADS: dict[str, Callable[[Path], object]] = {
    "load": models.load.__wrapped__,
    "Model": Model,
    "SimulationTransport": SimulationTransport,
}


@pytest.mark.parametrize("loads", LOADS)
@pytest.mark.parametrize("how", ["owner", "everybody", "group", "above", "link", "their link"])
def test_a_library_that_others_can_have_written_is_not_loaded(
    planted: tuple[Path, Path],
    tmp_path: Path,
    give_away: Give,
    open_to_group: Give,
    loads: str,
    how: str,
) -> None:
    path, mark = planted
    named = path
    match how:
        case "owner" | "link":
            give_away(path)
            words = f"{path} belongs to user {OTHER}"
        case "everybody":
            path.chmod(0o757)
            words = f"{path} can be written by everybody"
        case "group":
            open_to_group(path)
            words = f"{path} can be written by group"
        case "their link":
            words = f"{tmp_path / 'link.so'} belongs to user {OTHER}"
        case _:
            above = tmp_path / "above"
            above.mkdir()
            above.chmod(0o777)
            named = path.rename(above / "planted.so")
            words = f"{named} can be replaced: {above} can be written by everybody"
    if "link" in how:
        named = tmp_path / "link.so"
        named.symlink_to(path)
    if how == "their link":
        give_away(named)
    message = refusal(lambda: LOADS[loads](named))
    assert message.startswith(words)
    assert message.endswith(": it is not loaded")
    assert not mark.exists()


def test_the_planted_library_would_run(planted: tuple[Path, Path]) -> None:
    """The test above sees it."""
    path, mark = planted
    with pytest.raises((ToolError, AttributeError)):
        SimulationTransport(path)
    assert mark.exists()


def test_a_driver_that_was_planted_is_not_loaded(
    planted: tuple[Path, Path], cache: Path, give_away: Give
) -> None:
    """A review's attack: another library of the same size, in the place of the driver."""
    path, mark = planted
    built = driver._build()
    good = built.read_bytes()
    bad = path.read_bytes().ljust(len(good), b"\0")
    assert len(bad) == len(good)
    built.write_bytes(bad)
    assert driver.library.__wrapped__()
    assert not mark.exists()
    assert built.read_bytes() == good, "it was built again"
    # Its folder is the user's, but the file is not.
    give_away(built)
    assert refusal(driver.library.__wrapped__).startswith(f"{built} belongs to user {OTHER}")
    # With its hash, which whoever can write to the folder can state, in a folder of the attacker's.
    hashes = built.parent / ".sha256.json"
    built.unlink()
    built.write_bytes(bad)
    hashes.write_text(json.dumps({built.name: hashlib.sha256(bad).hexdigest()}))
    give_away(built.parent)
    message = refusal(driver.library.__wrapped__)
    assert message.startswith(f"{built.parent} belongs to user {OTHER}")
    assert not mark.exists()


def test_a_parsed_interface_leaves_no_compiled_code(cache: Path) -> None:
    """Python would run that in its place."""
    for _ in range(2):
        assert models.interface.__wrapped__(("model",)).sizeof("size_t") > 0
    (entry,) = (cache / "interfaces").iterdir()
    assert sorted(path.name for path in entry.iterdir()) == [
        ".contents.json",
        ".sha256.json",
        "interface.py",
    ]
    parsed = entry / "interface.py"
    parsed.write_text(parsed.read_text().replace("_version", "_VERSION"))
    assert models.interface.__wrapped__(("model",)).sizeof("size_t") > 0, "it was parsed again"
