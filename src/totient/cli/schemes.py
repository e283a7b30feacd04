"""The commands that sign, verify, encrypt and decrypt."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import (
    STANDARD,
    check_output,
    file_path,
    open_input,
    read_input,
    write_text,
)
from totient.cli.options import (
    ClockOption,
    DeviceOption,
    HashOption,
    InputOption,
    JsonOption,
    NoCrtOption,
    OutputOption,
)
from totient.cli.report import Summary, finish, print_json, say, say_timing, say_work, work
from totient.common.errors import InputError
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.fit import DEFAULT_DEVICE

if TYPE_CHECKING:
    from totient.device import RsaKey
    from totient.rsa.accelerator import Accelerator

PrivateKeyOption = Annotated[
    Path,
    typer.Option(
        "--key", metavar="FILE", parser=file_path, help="Private key (PEM, PKCS#1 or PKCS#8)."
    ),
]
PublicKeyOption = Annotated[
    Path,
    typer.Option("--key", metavar="FILE", parser=file_path, help="Public or private key (PEM)."),
]
SignatureSchemeOption = Annotated[SignatureScheme, typer.Option("--scheme", help="Padding.")]
EncryptionSchemeOption = Annotated[EncryptionScheme, typer.Option("--scheme", help="Padding.")]


def sign(
    key: PrivateKeyOption,
    source: InputOption = STANDARD,
    out: OutputOption = STANDARD,
    scheme: SignatureSchemeOption = SignatureScheme.PSS,
    hash_name: HashOption = HashName.SHA256,
    device: DeviceOption = DEFAULT_DEVICE,
    no_crt: NoCrtOption = False,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sign with a private key.

    The signature is raw bytes, compatible with OpenSSL. A PSS salt is as long as the hash, or
    shorter if a small key requires it.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.pem import read_private

    check_output(out, key, source)
    private = read_private(key)
    with Accelerator(device) as accelerator:
        with open_input(source) as message:
            signature = schemes.sign(
                accelerator, private, message, scheme, hash_name, crt=not no_crt
            )
        what = f"signed with {scheme} ({hash_name}), RSA-{private.bits},"
        say_work(what, accelerator, clock)
        say_timing(accelerator)
        summary = _summary(private, scheme, hash_name, accelerator, clock)
    finish(out, signature, 0o644, summary if as_json else None)


def verify(
    key: PublicKeyOption,
    signature: Annotated[
        Path,
        typer.Option("--signature", metavar="FILE", parser=file_path, help="Signature, raw bytes."),
    ],
    source: InputOption = STANDARD,
    scheme: SignatureSchemeOption = SignatureScheme.PSS,
    hash_name: HashOption = HashName.SHA256,
    device: DeviceOption = DEFAULT_DEVICE,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verify a signature. Exit status 0 if it is valid, 1 if not."""
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.pem import read_public

    if source == signature == STANDARD:
        raise InputError("--in and --signature cannot both be the standard input")
    public = read_public(key)
    claimed = read_input(signature, "signature")
    with Accelerator(device) as accelerator, open_input(source) as message:
        valid = schemes.verify(accelerator, public, message, claimed, scheme, hash_name)
        if accelerator.steps:
            say_work(f"checked with {scheme} ({hash_name}), RSA-{public.bits},", accelerator, clock)
        summary = {"valid": valid, **_summary(public, scheme, hash_name, accelerator, clock)}
    expected = -(-public.bits // 8)
    if len(claimed) != expected:
        say(f"the signature has {len(claimed)} bytes, this key requires {expected}")
    if as_json:
        print_json(summary)
    else:
        write_text("signature is valid" if valid else "signature is NOT valid")
    if not valid:
        raise typer.Exit(1)


def encrypt(
    key: PublicKeyOption,
    source: InputOption = STANDARD,
    out: OutputOption = STANDARD,
    scheme: EncryptionSchemeOption = EncryptionScheme.OAEP,
    hash_name: HashOption = HashName.SHA256,
    device: DeviceOption = DEFAULT_DEVICE,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Encrypt a short message with a public key.

    The scheme pkcs1v15 uses no hash.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.pem import read_public

    check_output(out, key, source)
    public = read_public(key)
    message = read_input(source, "message to encrypt")
    with Accelerator(device) as accelerator:
        ciphertext = schemes.encrypt(accelerator, public, message, scheme, hash_name)
        say_work(
            f"encrypted with {_named(scheme, hash_name)}, RSA-{public.bits},", accelerator, clock
        )
        summary = _summary(public, scheme, _hash_used(scheme, hash_name), accelerator, clock)
    finish(out, ciphertext, 0o644, summary if as_json else None)


def decrypt(
    key: PrivateKeyOption,
    source: InputOption = STANDARD,
    out: OutputOption = STANDARD,
    scheme: EncryptionSchemeOption = EncryptionScheme.OAEP,
    hash_name: HashOption = HashName.SHA256,
    device: DeviceOption = DEFAULT_DEVICE,
    no_crt: NoCrtOption = False,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decrypt with a private key.

    Writes the output file readable by its owner only.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.pem import read_private

    check_output(out, key, source)
    private = read_private(key)
    ciphertext = read_input(source, "ciphertext")
    with Accelerator(device) as accelerator:
        message = schemes.decrypt(
            accelerator, private, ciphertext, scheme, hash_name, crt=not no_crt
        )
        say_work(
            f"decrypted with {_named(scheme, hash_name)}, RSA-{private.bits},",
            accelerator,
            clock,
        )
        say_timing(accelerator)
        summary = _summary(private, scheme, _hash_used(scheme, hash_name), accelerator, clock)
    finish(out, message, 0o600, summary if as_json else None)


def _summary(
    key: "RsaKey",
    scheme: SignatureScheme | EncryptionScheme,
    hash_name: HashName | None,
    accelerator: "Accelerator",
    clock_mhz: float | None,
) -> Summary:
    """What an operation did, for `--json`."""
    used: Summary = {"key_bits": key.bits, "scheme": scheme, "hash": hash_name}
    return used | work(accelerator, clock_mhz)


def _hash_used(scheme: EncryptionScheme, hash_name: HashName) -> HashName | None:
    return hash_name if scheme is EncryptionScheme.OAEP else None


def _named(scheme: EncryptionScheme, hash_name: HashName) -> str:
    """A scheme, with its hash function if any."""
    used = _hash_used(scheme, hash_name)
    return f"{scheme} ({used})" if used else str(scheme)
