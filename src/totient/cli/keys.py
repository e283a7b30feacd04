"""The command that generates keys."""

from pathlib import Path
from typing import Annotated

import typer

from totient.cli.files import (
    STANDARD,
    check_output,
    check_private_output,
    write_output,
    write_private,
)
from totient.cli.options import JsonOption, OutputOption, file_option
from totient.cli.report import print_json, say
from totient.common.contract import MAX_RSA_BITS, MIN_RSA_BITS
from totient.common.errors import InputError
from totient.common.progress import bar
from totient.rsa.choices import KeyFormat
from totient.rsa.keys import DEFAULT_EXPONENT, MIN_TOY_BITS, generate


def keygen(
    out: OutputOption = STANDARD,
    public: Annotated[Path | None, file_option("--public", "Also write the public key.")] = None,
    bits: Annotated[
        int, typer.Option("--bits", help=f"Of the modulus: {MIN_RSA_BITS} to {MAX_RSA_BITS}.")
    ] = 2048,
    exponent: Annotated[
        int, typer.Option("--public-exponent", help="An odd number from 3 to 2^32 - 1.")
    ] = DEFAULT_EXPONENT,
    form: Annotated[
        KeyFormat,
        typer.Option(
            "--format",
            help="pkcs1: RSAPrivateKey, RSAPublicKey; pkcs8: PrivateKeyInfo, SubjectPublicKeyInfo.",
        ),
    ] = KeyFormat.PKCS8,
    toy: Annotated[
        bool,
        typer.Option(
            "--insecure-toy",
            help=f"Allow {MIN_TOY_BITS} bits and more, for experiments. Such a key protects "
            "nothing.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite key files.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Generate an RSA key.

    Writes the key as unencrypted PEM to a regular file, readable by its owner only.
    """
    _check(out, public, bits, toy, force)
    from totient.rsa.pem import private_pem, public_pem

    with bar(f"generating a {bits}-bit key"):
        key = generate(bits, exponent, toy=toy)
    if key.bits < MIN_RSA_BITS:
        say(f"warning: a {key.bits}-bit key protects nothing, anybody can factor its modulus")
    private_text = private_pem(key, form)
    # The public key first: if writing it fails, no private key is left behind.
    if public is not None:
        write_output(public, public_pem(key, form))
    if out != STANDARD:
        write_private(out, private_text)
        say(f"wrote the {bits}-bit private key {out}")
    if public is not None:
        place = "on the standard output" if public == STANDARD else public
        say(f"wrote its public key {place}")
    if as_json:
        summary = {
            "bits": key.bits,
            "public_exponent": key.exponent,
            "modulus": f"{key.modulus:#x}",
            "format": form,
            "out": str(out),
            "public": None if public is None else str(public),
        }
        print_json(summary if out != STANDARD else {**summary, "output": private_text.decode()})
    elif out == STANDARD:
        write_output(STANDARD, private_text)


def _check(out: Path, public: Path | None, bits: int, toy: bool, force: bool) -> None:
    """Raise `InputError` for files that cannot be written, or a toy key without its option."""
    if public is not None and public == out:
        raise InputError(f"--out and --public are both {out}")
    if not toy and MIN_TOY_BITS <= bits < MIN_RSA_BITS:
        raise InputError(
            f"key size is {bits} bits, allowed are {MIN_RSA_BITS} to {MAX_RSA_BITS}, "
            f"with --insecure-toy from {MIN_TOY_BITS}"
        )
    for path in (out, public):
        check_output(path)
    check_private_output(out)
    for path in (out, public):
        # A device or a pipe loses nothing by being written.
        if path is not None and path != STANDARD and path.is_file() and not force:
            raise InputError(f"{path} exists, --force overwrites it")
