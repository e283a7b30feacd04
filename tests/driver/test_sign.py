"""The example program signs on simulated cores, and OpenSSL accepts."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.driver.signing import FORMATS, Signer
from tests.programs import DRIVER, INCLUDE, SANITIZERS, WARNINGS, gcc
from tests.system.command import openssl, serving, serving_socket, totient

from totient.device.transports import AddressTransport


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, under sanitizers."""
    path = tmp_path_factory.mktemp("program") / "sign"
    sources = sorted([*(DRIVER / "src").glob("*.c"), *(DRIVER / "examples").glob("*.c")])
    options = ("-std=c99", "-O1", "-g", *WARNINGS, *SANITIZERS, INCLUDE)
    gcc(*options, *sources, "-o", path, "-ldl")
    return path


@pytest.mark.parametrize(("bits", "form"), [(1024, "PKCS #1"), (2048, "PKCS #8")])
def test_in_process(program: Path, tmp_path: Path, bits: int, form: str) -> None:
    """By the address, and by the path that the command prints."""
    address = f"sim:T3?width={bits}"
    built = totient("model", address).out.decode().strip()
    signer = Signer(program, tmp_path, bits, form=form)
    signer.signs(address)
    signer.signs(f"sim:{built}")


@pytest.mark.parametrize("form", FORMATS)
def test_on_an_engine(program: Path, tmp_path: Path, form: str) -> None:
    """It gets the primes."""
    totient("model", "engine-8", "--width", 1024)
    Signer(program, tmp_path, 1024, form=form).signs("sim:engine-8?width=1024")


@pytest.mark.parametrize("way", ["sim-registers", "sim-serial"])
def test_behind_other_faces(program: Path, tmp_path: Path, way: str) -> None:
    address = f"{way}:T3?width=1024"
    totient("model", address)
    Signer(program, tmp_path, 1024).signs(address)


def test_output_that_cannot_be_written(program: Path, tmp_path: Path) -> None:
    totient("model", "sim:T3?width=1024")
    signer = Signer(program, tmp_path, 1024)
    for redirection, reason in (
        (">/dev/full", "No space left on device"),
        (">&-", "Bad file descriptor"),
    ):
        done = signer.run("sim:T3?width=1024", redirection)
        assert done.returncode == 2, redirection
        assert done.stderr.decode() == f"sign: signature: not written: {reason}\n"


@pytest.fixture(
    params=[
        (1024, ()),
        (2048, ()),
        # A board's top module between its pins, its serial port at its rate.
        (1024, ("--board", "ulx3s")),
    ],
    ids=["1024", "2048", "board"],
)
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A simulated core at the end of a pseudo-terminal, with its bits."""
    bits, words = request.param
    with serving(tmp_path / "line", "T3", "--width", bits, *words) as link:
        yield bits, link


def test_over_a_serial_line(program: Path, tmp_path: Path, terminal: tuple[int, Path]) -> None:
    bits, path = terminal
    signer = Signer(program, tmp_path, bits)
    for _ in range(2):  # a second program may come after the first
        signer.signs(f"tty:{path}")
    numbers = ("--modulus", 3859, "--exponent", 17, "--base", 1141)
    asked = totient("modexp", *numbers, "--device", f"tty:{path}")
    assert asked.out.decode() == f"{pow(1141, 17, 3859)}\n", asked.err


def test_over_a_socket(program: Path, tmp_path: Path) -> None:
    """Programs one after another; a second one beside the first is sent away."""
    numbers = ("--modulus", 3859, "--exponent", 17, "--base", 1141)
    with serving_socket(tmp_path / "s", "T3", "--width", 1024) as path:
        assert path.stat().st_mode & 0o777 == 0o600
        signer = Signer(program, tmp_path, 1024)
        for _ in range(2):
            signer.signs(f"unix:{path}")
        asked = totient("modexp", *numbers, "--device", f"unix:{path}")
        assert asked.out.decode() == f"{pow(1141, 17, 3859)}\n", asked.err
        with socket.socket(socket.AF_UNIX) as first:
            first.connect(str(path))
            done = signer.run(f"unix:{path}")
        assert (done.returncode, done.stdout) == (2, b"")
        told = f"sign: unix:{path}: unix:{path}: the transport to the core failed\n"
        assert done.stderr.decode() == told
        signer.signs(f"unix:{path}")


def test_refusals(program: Path, tmp_path: Path) -> None:
    signer = Signer(program, tmp_path, 1024)
    built = totient("model", "T3", "--width", 512).out.decode().strip()
    nothing = tmp_path / "nothing"
    nothing.write_bytes(bytes(4096))
    too_long = (
        "a number is longer than the core or the modulus allows, or has bits above its length"
    )
    libc = next(Path("/").glob("lib/*/libc.so.6")).resolve()
    for address, reason in (
        (f"sim:{built}", f"sim:{built}: {too_long}"),
        (f"sim:{nothing}", f"cannot load the model: {nothing}: invalid ELF header"),
        (f"sim:{libc}", f"{libc} is no model of a core: it has no function totient_model_open"),
        (f"sim:{tmp_path}/none", f"the model {tmp_path}/none: No such file or directory"),
        (f"sim:{tmp_path}", f"{tmp_path} is no regular file: it is not loaded"),
        (f"sim-registers:{built}", "the simulated core stopped: the model has no registers"),
        (f"sim-serial:{built}", "the simulated core stopped: the model has no serial line"),
        (f"sim:{built}?width=8", "a model by its path takes no parameters, given is 'width'"),
        ("sim:T3?width=99", "addresses: totient model 'sim:T3?width=99' builds it"),
        (f"uio:{nothing}", f"uio:{nothing}: there is no Totient core"),
        (f"uio:{tmp_path}/none", f"the registers of {tmp_path}/none: No such file or directory"),
        (f"uio:{nothing}?baud=9600", "has no parameter 'baud', it has timeout"),
        (f"tty:{tmp_path}/none", f"the serial line {tmp_path}/none: No such file or directory"),
        (f"tty:{nothing}", f"the serial line {nothing}: Inappropriate ioctl for device"),
        (f"unix:{nothing}", f"cannot connect to the socket {nothing}: Connection refused"),
        ("bus:/x", "known are sim, sim-registers, sim-serial, sim-rtl, uio, tty, unix"),
    ):
        done = signer.run(address)
        assert (done.returncode, done.stdout) == (2, b""), address
        told = done.stderr.decode()
        assert told.startswith(f"sign: {address}: "), told
        assert told.endswith(f"{reason}\n"), told


def test_models_that_others_can_write(program: Path, tmp_path: Path) -> None:
    """A library, or a folder above it: whoever can write there chooses what runs."""
    built = Path(totient("model", "T3", "--width", 1024).out.decode().strip())
    folder = tmp_path / "open"
    folder.mkdir()
    copy = folder / "model.so"
    copy.write_bytes(built.read_bytes())
    copy.chmod(0o644)
    signer = Signer(program, tmp_path, 1024)
    signer.signs(f"sim:{copy}")
    for path, mode in ((copy, 0o666), (copy, 0o664), (folder, 0o777), (folder, 0o775)):
        before = path.stat().st_mode
        path.chmod(mode)
        done = signer.run(f"sim:{copy}")
        path.chmod(before)
        assert done.returncode == 2
        told = f"{path} can be written by others (chmod go-w): nothing is loaded from it\n"
        assert done.stderr.decode().endswith(told)
    folder.chmod(0o1777)  # sticky, as /tmp
    signer.signs(f"sim:{copy}")
    os.chown(copy, 12345, 12345)
    done = signer.run(f"sim:{copy}")
    assert done.stderr.decode().endswith(" belongs to another user: it is not loaded\n")
    os.chown(copy, 0, 0)
    os.chown(folder, 12345, 12345)
    done = signer.run(f"sim:{copy}")
    told = f"{folder} belongs to another user: nothing is loaded from it\n"
    assert done.stderr.decode().endswith(told)


def test_links_to_models(program: Path, tmp_path: Path) -> None:
    """They are followed if they are the user's or root's, where others cannot change them."""
    built = Path(totient("model", "T3", "--width", 1024).out.decode().strip())
    signer = Signer(program, tmp_path, 1024)
    real, folder = tmp_path / "real", tmp_path / "shared"
    real.mkdir()
    folder.mkdir()
    folder.chmod(0o1777)
    (real / "model.so").write_bytes(built.read_bytes())
    (real / "model.so").chmod(0o644)
    links: dict[Path, Path | str] = {
        folder / "absolute": real / "model.so",
        folder / "relative": "../real/model.so",
        folder / "folder": "../shared/.././real//",
        folder / "chain": "relative",
        tmp_path / "outer": folder / "chain",
    }
    for link, target in links.items():
        link.symlink_to(target)
    signer.signs(f"sim:{folder}/folder/../real/./model.so")
    for link in links:
        named = link / "model.so" if link.name == "folder" else link
        signer.signs(f"sim:{named}")
        followed = folder / "relative" if link.name in ("chain", "outer") else link
        os.chown(followed, 12345, 12345, follow_symlinks=False)
        done = signer.run(f"sim:{named}")
        told = f"{followed} belongs to another user: the link is not followed\n"
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode().endswith(told)
        os.chown(followed, 0, 0, follow_symlinks=False)
    folder.chmod(0o777)
    done = signer.run(f"sim:{tmp_path / 'outer'}")
    told = f"{folder} can be written by others (chmod go-w): nothing is loaded from it\n"
    assert done.stderr.decode().endswith(told)
    folder.chmod(0o755)
    (folder / "ring").symlink_to("ring")
    long = "x" * 300
    for name, reason in (
        ("ring", "Too many levels of symbolic links"),
        ("none/model.so", "No such file or directory"),
        (f"{long}/model.so", "File name too long"),
    ):
        done = signer.run(f"sim:{folder}/{name}")
        assert done.stderr.decode().endswith(f": {reason}\n")


def test_a_link_to_a_cache(program: Path, tmp_path: Path) -> None:
    """Its owner could lead to another cache of the user's."""
    built = totient("model", "T3", "--width", 1024).out.decode().strip()
    name = "sim:T3?width=1024"
    signer = Signer(program, tmp_path, 1024)
    (tmp_path / "cache" / "addresses").mkdir(parents=True)
    (tmp_path / "cache" / "addresses" / name).symlink_to(built)
    (tmp_path / "link").symlink_to("cache")
    signer.environment = {"PATH": os.environ["PATH"], "TOTIENT_CACHE": str(tmp_path / "link")}
    signer.signs(name)
    for link in (tmp_path / "link", tmp_path / "cache" / "addresses" / name):
        os.chown(link, 12345, 12345, follow_symlinks=False)
        told = f"{link} belongs to another user: the link is not followed\n"
        assert signer.run(name).stderr.decode().endswith(told)
        os.chown(link, 0, 0, follow_symlinks=False)
    signer.signs(name)


def test_folders_of_models(program: Path, tmp_path: Path) -> None:
    """As the tool in Python finds its cache: TOTIENT_CACHE, XDG_CACHE_HOME, HOME."""
    built = totient("model", "T3", "--width", 1024).out.decode().strip()
    name = "sim:T3?width=1024"
    signer = Signer(program, tmp_path, 1024)
    for number, (variables, folder) in enumerate(
        (
            ({"TOTIENT_CACHE": "{}/own"}, "own"),
            ({"TOTIENT_CACHE": "~/own", "HOME": "{}"}, "own"),
            ({"XDG_CACHE_HOME": "{}/user"}, "user/totient"),
            ({"HOME": "{}"}, ".cache/totient"),
        )
    ):
        home = tmp_path / str(number)
        links = home / folder / "addresses"
        signer.environment = {
            "PATH": os.environ["PATH"],
            **{variable: value.format(home) for variable, value in variables.items()},
        }
        done = signer.run(name)
        assert done.stderr.decode().endswith(
            f"no model of {name} is in {links}: totient model '{name}' builds it\n"
        )
        links.mkdir(parents=True)
        (links / name).symlink_to(built)
        signer.signs(name)
        links.chmod(0o777)
        assert b"can be written by others" in signer.run(name).stderr
    signer.environment = {"PATH": os.environ["PATH"]}
    assert signer.run(name).stderr.endswith(b"set TOTIENT_CACHE or HOME\n")


def test_a_line_that_is_in_use(program: Path, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    try:
        line = os.ttyname(theirs)
        with closing(AddressTransport(f"tty:{line}")):
            done = Signer(program, tmp_path, 1024).run(f"tty:{line}")
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"sign: tty:{line}: tty:{line} is in use by another program\n"


def test_a_silent_line(program: Path, tmp_path: Path) -> None:
    """The limit of the address ends the wait; without one there is a limit, too."""
    ours, theirs = os.openpty()
    try:
        line = os.ttyname(theirs)
        done = Signer(program, tmp_path, 1024).run(f"tty:{line}?timeout=1")
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stderr.decode().endswith(
        "the core did not answer in 1 s, or its whole answer took more than 2 s. For longer limits "
        f"use tty:{line}?timeout=SECONDS, up to 86400\n"
    )


def test_keys_that_are_none(program: Path, tmp_path: Path) -> None:
    signer = Signer(program, tmp_path, 1024)
    public = openssl("pkey", "-pubin", "-in", tmp_path / "public.pem", "-outform", "DER")
    whole = signer.key.read_bytes()
    for content, reason in (
        (b"", "the bytes are no RSA key in DER"),
        (whole[:-1], "the bytes are no RSA key in DER"),
        (whole + bytes(8192), "the bytes are no RSA key in DER"),
        (public, "is a public key"),
        (None, "No such file or directory"),
    ):
        if content is None:
            signer.key.unlink()
        else:
            signer.key.write_bytes(content)
        done = signer.run("sim:none")
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode() == f"sign: {signer.key}: {reason}\n"
