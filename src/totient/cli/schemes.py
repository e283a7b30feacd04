"""The commands that sign, verify, encrypt and decrypt."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import (
    STANDARD,
    check_output,
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
    LabelOption,
    MgfHashOption,
    NoCrtOption,
    OutputOption,
    file_option,
    read_label,
    read_salt,
    salt_option,
)
from totient.cli.report import Summary, finish, print_json, say, work
from totient.common.errors import InputError
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.fit import DEFAULT_DEVICE

if TYPE_CHECKING:
    from totient.device import RsaKey
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.parameters import Hashes

PrivateKeyOption = Annotated[Path, file_option("--key", "Private key (PEM, PKCS#1 or PKCS#8).")]
PublicKeyOption = Annotated[Path, file_option("--key", "Public or private key (PEM).")]
SignatureSchemeOption = Annotated[SignatureScheme, typer.Option("--scheme", help="Padding.")]
UnsafePaddingErrorOption = Annotated[
    bool,
    typer.Option(
        "--unsafe-padding-error",
        help="Report bad padding of pkcs1v15 as an error. Whoever can submit ciphertexts and see "
        "the error can decrypt others.",
    ),
]
EncryptionSchemeOption = Annotated[EncryptionScheme, typer.Option("--scheme", help="Padding.")]
SignSaltOption = Annotated[
    str | None,
    salt_option(
        "an RSASSA-PSS key's own, else auto-digestmax: that of the digest, or shorter if the key "
        "requires it. auto: as max."
    ),
]
VerifySaltOption = Annotated[
    str | None,
    salt_option("auto-digestmax, here the same as auto: any length that the key allows is valid."),
]


def sign(
    key: PrivateKeyOption,
    source: InputOption = STANDARD,
    out: OutputOption = STANDARD,
    scheme: SignatureSchemeOption = SignatureScheme.PSS,
    hash_name: HashOption = None,
    mgf_hash: MgfHashOption = None,
    salt_length: SignSaltOption = None,
    device: DeviceOption = DEFAULT_DEVICE,
    no_crt: NoCrtOption = False,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sign with a private key.

    The signature is raw bytes, compatible with OpenSSL. A key of the type RSASSA-PSS signs within
    its limits.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.parameters import choose, salt_to_sign
    from totient.rsa.pem import read_private

    check_output(out, key, source)
    salt = read_salt(salt_length)
    private = read_private(key)
    with Accelerator(device) as accelerator:
        with open_input(source) as message:
            signature = schemes.sign(
                accelerator,
                private,
                message,
                scheme,
                hash_name,
                mgf_hash=mgf_hash,
                salt_length=salt,
                crt=not no_crt,
            )
        chosen = choose(private, scheme, hash_name, mgf_hash)
        summary = _work("signed", private, scheme, chosen, accelerator, clock)
    if scheme is SignatureScheme.PSS:
        summary["salt_length"] = salt_to_sign(private, chosen.message, salt)
    finish(out, signature, 0o644, summary if as_json else None)


def verify(
    key: PublicKeyOption,
    signature: Annotated[Path, file_option("--signature", "Signature, raw bytes.")],
    source: InputOption = STANDARD,
    scheme: SignatureSchemeOption = SignatureScheme.PSS,
    hash_name: HashOption = None,
    mgf_hash: MgfHashOption = None,
    salt_length: VerifySaltOption = None,
    device: DeviceOption = DEFAULT_DEVICE,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verify a signature. Exit status 0 if it is valid, 1 if not.

    A key of the type RSASSA-PSS verifies within its limits.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.parameters import choose
    from totient.rsa.pem import read_public

    if source == signature == STANDARD:
        raise InputError("--in and --signature cannot both be the standard input")
    salt = read_salt(salt_length)
    public = read_public(key)
    claimed = read_input(signature, "signature")
    with Accelerator(device) as accelerator, open_input(source) as message:
        valid = schemes.verify(
            accelerator,
            public,
            message,
            claimed,
            scheme,
            hash_name,
            mgf_hash=mgf_hash,
            salt_length=salt,
        )
        chosen = choose(public, scheme, hash_name, mgf_hash)
        done = _work("checked", public, scheme, chosen, accelerator, clock)
    expected = -(-public.bits // 8)
    if len(claimed) != expected:
        say(f"the signature has {len(claimed)} bytes, this key requires {expected}")
    if as_json:
        print_json({"valid": valid, **done})
    else:
        write_text("signature is valid" if valid else "signature is NOT valid")
    if not valid:
        raise typer.Exit(1)


def encrypt(
    key: PublicKeyOption,
    source: InputOption = STANDARD,
    out: OutputOption = STANDARD,
    scheme: EncryptionSchemeOption = EncryptionScheme.OAEP,
    hash_name: HashOption = None,
    mgf_hash: MgfHashOption = None,
    label: LabelOption = "",
    device: DeviceOption = DEFAULT_DEVICE,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Encrypt a short message with a public key.

    The scheme pkcs1v15 uses no hash and no label.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.parameters import choose
    from totient.rsa.pem import read_public

    check_output(out, key, source)
    _refuse_hash(scheme, hash_name)
    named = read_label(label)
    public = read_public(key)
    message = read_input(source, "message to encrypt")
    with Accelerator(device) as accelerator:
        ciphertext = schemes.encrypt(
            accelerator, public, message, scheme, hash_name, mgf_hash=mgf_hash, label=named
        )
        chosen = choose(public, scheme, hash_name, mgf_hash)
        summary = _work("encrypted", public, scheme, chosen, accelerator, clock)
    finish(out, ciphertext, 0o644, summary if as_json else None)


def decrypt(
    key: PrivateKeyOption,
    source: InputOption = STANDARD,
    out: OutputOption = STANDARD,
    scheme: EncryptionSchemeOption = EncryptionScheme.OAEP,
    hash_name: HashOption = None,
    mgf_hash: MgfHashOption = None,
    label: LabelOption = "",
    device: DeviceOption = DEFAULT_DEVICE,
    no_crt: NoCrtOption = False,
    unsafe_padding_error: UnsafePaddingErrorOption = False,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decrypt with a private key.

    Writes the output file readable by its owner only. With the scheme pkcs1v15, a ciphertext with
    bad padding, or of another key, also gives a message: a random one, always the same. An error
    would help an attacker to decrypt. OAEP does not have this problem.
    """
    from totient.rsa import schemes
    from totient.rsa.accelerator import Accelerator
    from totient.rsa.parameters import choose
    from totient.rsa.pem import read_private

    check_output(out, key, source)
    _refuse_hash(scheme, hash_name)
    named = read_label(label)
    private = read_private(key)
    ciphertext = read_input(source, "ciphertext")
    with Accelerator(device) as accelerator:
        message = schemes.decrypt(
            accelerator,
            private,
            ciphertext,
            scheme,
            hash_name,
            mgf_hash=mgf_hash,
            label=named,
            crt=not no_crt,
            unsafe_padding_error=unsafe_padding_error,
        )
        chosen = choose(private, scheme, hash_name, mgf_hash)
        summary = _work("decrypted", private, scheme, chosen, accelerator, clock)
    finish(out, message, 0o600, summary if as_json else None)


def _refuse_hash(scheme: EncryptionScheme, hash_name: HashName | None) -> None:
    """Raise `InputError` for a hash function of a scheme that has none."""
    if scheme is EncryptionScheme.PKCS1V15 and hash_name is not None:
        raise InputError(f"the hash is {hash_name}, pkcs1v15 has none to encrypt and decrypt")


def _work(
    what: str,
    key: "RsaKey",
    scheme: SignatureScheme | EncryptionScheme,
    chosen: "Hashes",
    accelerator: "Accelerator",
    clock_mhz: float | None,
) -> Summary:
    """Report an operation, and return it for `--json`.

    Warns if a core's run time reveals a private key.
    """
    from totient.common.contract import TimingClass
    from totient.rsa.parameters import is_pkcs1v15

    used = None if scheme is EncryptionScheme.PKCS1V15 else chosen.message
    words = f"{scheme} ({used})" if used else str(scheme)
    if chosen.mask is not chosen.message:
        words = f"{scheme} ({used}, mask {chosen.mask})"
    done = work(f"{what} with {words}, RSA-{key.bits},", accelerator, clock_mhz)
    if key.is_private and accelerator.timing is not TimingClass.EXPONENT_LENGTH:
        say(f"  warning: the time of this core {accelerator.timing.words}")
    mask = None if is_pkcs1v15(scheme) else chosen.mask
    return {"key_bits": key.bits, "scheme": scheme, "hash": used, "mgf_hash": mask, **done}
