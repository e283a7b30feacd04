"""Commands of the PKCS#11 token, `totient token`: its keys, its daemon, OpenSSL's use of it."""

import getpass
import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import read_input, write_text
from totient.cli.options import JsonOption, file_option
from totient.cli.report import print_json, say
from totient.common.errors import InputError
from totient.token import folder as folders

if TYPE_CHECKING:
    from totient.token.cryptoki import Token
    from totient.token.keys import LoggedIn

token = typer.Typer(
    help="Keys for other programs: a PKCS#11 token on a core.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_Folder = Annotated[
    Path | None,
    file_option(
        "--folder",
        "The token's folder. Default: TOTIENT_TOKEN, else ~/.local/share/totient/token.",
        "FOLDER",
    ),
]
_PinFile = Annotated[
    Path | None,
    file_option("--pin-file", "File whose first line is the user PIN. Default: asked for."),
]
_Label = Annotated[str, typer.Option("--label", metavar="TEXT", help="Name of the key.")]
_Id = Annotated[
    str,
    typer.Option(
        "--id", metavar="HEX", help="ID of the key. Default: the first free one, from 01."
    ),
]
_Extractable = Annotated[
    bool,
    typer.Option("--extractable", help="The key may leave the token, encrypted by another key."),
]
_Register = Annotated[
    bool,
    typer.Option(
        "--register",
        help="Write p11-kit's file for the token, for this user, as root for all users: programs "
        "then find it.",
    ),
]


@token.command()
def init(
    folder: _Folder = None,
    device: Annotated[
        str,
        typer.Option(
            "--device",
            metavar="ADDRESS",
            help="Core of the token: sim:DESIGN, sim-rtl:DESIGN, tty:PATH, uio:PATH or unix:PATH.",
        ),
    ] = folders.DEFAULT_DEVICE,
    label: Annotated[
        str, typer.Option("--label", metavar="TEXT", help="Name of the token, at most 32 bytes.")
    ] = "totient",
    pin_file: _PinFile = None,
    so_pin_file: Annotated[
        Path | None,
        file_option("--so-pin-file", "The same for the security officer's PIN, which sets others."),
    ] = None,
    generate: Annotated[
        str | None,
        typer.Option(
            "--generate",
            metavar="TEXT",
            help="Also generate a 2048-bit RSA key of this name, as `totient token generate` does.",
        ),
    ] = None,
    register: _Register = False,
    force: Annotated[
        bool, typer.Option("--force", help="Initialise a token again: all its keys are lost.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a token, and print the path of its PKCS#11 module."""
    from totient.token import keys
    from totient.token.cryptoki import open_token

    where = folders.choose(folder)
    if len(label.encode()) > 32:
        raise InputError(f"--label is {label!r}, allowed are 32 bytes")
    if folders.is_token(where) and not force:
        raise InputError(f"{where} has a token, --force initialises it again and loses its keys")
    pin = _pin(pin_file, "--pin-file", "User PIN", new=True)
    so_pin = _pin(so_pin_file, "--so-pin-file", "Security officer's PIN", new=True)
    folders.prepare(where, device)
    module = folders.install_module(where)
    with open_token(module) as opened:
        opened.initialise(label, so_pin, pin)
    if generate is not None:
        with keys.logged_in(module, pin) as opened:
            _generate(opened, 2048, generate, b"", extractable=False)
    registered = folders.register(f"module: {module}") if register else None
    if registered is not None:
        say(f"p11-kit finds the token by {registered}")
        if os.geteuid() == 0:
            say("warning: that file is for all users, but the token is root's: totient token serve")
    if as_json:
        print_json({"folder": str(where), "module": str(module)})
    else:
        write_text(str(module))


@token.command("import")
def import_key(
    key: Annotated[Path, file_option("--key", "PEM file with the private key.")],
    folder: _Folder = None,
    label: _Label = "imported",
    key_id: _Id = "",
    pin_file: _PinFile = None,
    extractable: _Extractable = False,
) -> None:
    """Store an RSA key in the token. The PEM file stays: delete it when it is not needed."""
    from totient.rsa.pem import read_private
    from totient.rsa.pss_key import PssKey
    from totient.token import keys

    found = read_private(key)
    if isinstance(found, PssKey):
        raise InputError(
            f"{key}: an RSASSA-PSS key, which signs by PSS only. A key of the token also signs by "
            "PKCS #1 v1.5"
        )
    with _logged_in(folder, pin_file) as opened:
        used = keys.import_key(opened, found, label, _read_id(key_id), extractable=extractable)
    say(f"stored the {found.bits}-bit key {label} with the ID {used.hex()}")


@token.command("generate")
def generate_key(
    folder: _Folder = None,
    label: _Label = "generated",
    key_id: _Id = "",
    bits: Annotated[
        int, typer.Option("--bits", help="Length of the modulus, 1024 to 4096, a multiple of 16.")
    ] = 2048,
    pin_file: _PinFile = None,
    extractable: _Extractable = False,
) -> None:
    """Generate an RSA key in the token: its device tests the primes."""
    if not 1024 <= bits <= 4096 or bits % 16:
        raise InputError(f"--bits is {bits}, allowed are 1024 to 4096, a multiple of 16")
    chosen = _read_id(key_id)
    with _logged_in(folder, pin_file) as opened:
        _generate(opened, bits, label, chosen, extractable=extractable)


@token.command("list")
def list_keys(
    folder: _Folder = None, pin_file: _PinFile = None, as_json: JsonOption = False
) -> None:
    """List the token's keys, with the URI that other programs name each by."""
    from totient.report.terminal import show_table
    from totient.token import keys

    with _logged_in(folder, pin_file) as opened:
        found = keys.listing(opened)
    if as_json:
        print_json({"keys": [vars(each) for each in found]})
        return
    show_table(
        ["label", "ID", "bits", "origin", "may leave", "URI"],
        [
            [each.label, each.id, str(each.bits), each.origin, each.may_leave, each.uri]
            for each in found
        ],
        "Private keys",
        texts=[True, True, False, True, True, True],
    )


@token.command()
def serve(
    folder: _Folder = None,
    socket: Annotated[
        Path | None, file_option("--socket", "Socket. Default: `socket` in the token's folder.")
    ] = None,
    mode: Annotated[
        str,
        typer.Option("--mode", metavar="OCTAL", help="Permissions of the socket: who may connect."),
    ] = "600",
    register: _Register = False,
) -> None:
    """Serve the token to other programs with the daemon totientd, until Ctrl-C or SIGTERM.

    Programs that use p11-kit find the token by the line that this prints, in a file such as
    /etc/pkcs11/modules/totient.module. The token's folder is its owner's alone: programs of other
    users need a socket elsewhere, such as --socket /run/totient/socket --mode 660.
    """
    from totient.token import build

    where = folders.existing(folder)
    if not re.fullmatch("[0-7]{3}", mode):
        raise InputError(f"--mode is {mode!r}, allowed are three octal digits, such as 660")
    path = (socket or where / "socket").absolute()
    if len(os.fsencode(path)) > 107:
        raise InputError(f"--socket is {path}, allowed are 107 bytes")
    line = f"remote: unix:path={path}"
    daemon = build.daemon()
    closed = folders.closed_above(path, int(mode, 8))
    if closed is not None:
        say(f"warning: --mode is {mode}, but {closed} is closed to others: use another --socket")
    if register:
        say(f"p11-kit finds the token by {folders.register(line)}")
        if os.geteuid() == 0 and not int(mode, 8) & 0o077:
            say(f"warning: that file is for all users, but --mode {mode} lets root alone connect")
    write_text(line)
    sys.stdout.flush()
    os.execv(daemon, ["totientd", str(where), str(path), mode])


@token.command()
def openssl(
    folder: _Folder = None,
    module: Annotated[
        Path | None,
        file_option(
            "--module",
            "PKCS#11 module that OpenSSL uses, such as p11-kit-client.so for the daemon. Default: "
            "the token's.",
        ),
    ] = None,
    pin_file: Annotated[
        Path | None,
        file_option(
            "--pin-file",
            "File whose first line is the user PIN: it stays there, OpenSSL's configuration names "
            "it. Default: programs ask for the PIN.",
        ),
    ] = None,
) -> None:
    """Make the token's keys known to OpenSSL, and print the setting of OPENSSL_CONF for it.

    OpenSSL, and programs that use it, take the URI of a key then (`totient token list`), or a PEM
    file with the URI: openssl pkey -in URI -out FILE.
    """
    from totient.token.openssl import configure

    where = folders.existing(folder)
    if module is not None and not module.is_file():
        raise InputError(f"--module is {module}, there is no such file")
    if pin_file is not None:
        _pin(pin_file, "--pin-file", "User PIN", new=False)
    used = folders.install_module(where) if module is None else module.absolute()
    write_text(f"export OPENSSL_CONF={shlex.quote(str(configure(where, used, pin_file)))}")


def _logged_in(folder: Path | None, pin_file: Path | None) -> "LoggedIn":
    from totient.token import keys

    where = folders.existing(folder)
    return keys.logged_in(
        folders.install_module(where), _pin(pin_file, "--pin-file", "User PIN", new=False)
    )


def _generate(opened: "Token", bits: int, label: str, key_id: bytes, *, extractable: bool) -> None:
    from totient.common.progress import bar
    from totient.token import keys

    with bar(f"generating a {bits}-bit key"):
        used = keys.generate(opened, bits, label, key_id, extractable=extractable)
    say(f"generated the {bits}-bit key {label} with the ID {used.hex()}")


def _read_id(text: str) -> bytes:
    if not re.fullmatch("([0-9a-fA-F]{2}){0,64}", text):
        raise InputError(f"--id is {text!r}, allowed are up to 64 bytes in hexadecimal")
    return bytes.fromhex(text)


def _pin(path: Path | None, option: str, what: str, *, new: bool) -> bytes:
    """A PIN, from a file or from the terminal."""
    if path is not None:
        pin = read_input(path, what).split(b"\n")[0].rstrip(b"\r")
    elif not sys.stdin.isatty():
        raise InputError(f"no {what} is given, and there is no terminal to ask for it: {option}")
    else:
        pin = getpass.getpass(f"{what}: ").encode()
        if new and getpass.getpass(f"{what} again: ").encode() != pin:
            raise InputError(f"the two entries of the {what} differ")
    if not 4 <= len(pin) <= 255:
        raise InputError(f"the {what} has {len(pin)} bytes, allowed are 4 to 255")
    return pin
