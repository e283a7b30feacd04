"""PEM files: against other libraries, and damaged in each way."""

import base64
import dataclasses
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
from Crypto.PublicKey import RSA
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from tests.unit.rsa.any_key import integers, pkcs1
from tests.unit.rsa.vectors import data
from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa.choices import KeyFormat
from totient.rsa.keys import generate
from totient.rsa.pem import parse, private_pem, public_pem, read_private, read_public


def refusal(text: bytes) -> str:
    """Why a PEM text is refused."""
    with pytest.raises(InputError) as caught:
        parse(text)
    return str(caught.value)


@pytest.mark.parametrize("form", list(KeyFormat))
@pytest.mark.parametrize("bits", [512, 1024, 2048])
def test_other_libraries_read_what_we_write(bits: int, form: KeyFormat) -> None:
    key = generate(bits)
    text = private_pem(key, form)
    loaded = cast("rsa.RSAPrivateKey", load_pem_private_key(text, password=None))
    assert loaded.private_numbers().d == key.d
    assert loaded.private_numbers().public_numbers.n == key.modulus
    assert RSA.import_key(text).p == (key.crt.p, key.crt.q)[0]
    public = public_pem(key.public, form)
    numbers = cast("rsa.RSAPublicKey", load_pem_public_key(public)).public_numbers()
    assert (numbers.n, numbers.e) == (key.modulus, key.exponent)
    assert parse(text) == key
    assert parse(public) == key.public


def test_labels_say_the_format(key: RsaKey) -> None:
    assert private_pem(key, KeyFormat.PKCS1).startswith(b"-----BEGIN RSA PRIVATE KEY-----\n")
    assert private_pem(key, KeyFormat.PKCS8).startswith(b"-----BEGIN PRIVATE KEY-----\n")
    assert public_pem(key.public, KeyFormat.PKCS1).startswith(b"-----BEGIN RSA PUBLIC KEY-----\n")
    assert public_pem(key.public, KeyFormat.PKCS8).startswith(b"-----BEGIN PUBLIC KEY-----\n")
    assert private_pem(key, KeyFormat.PKCS8).endswith(b"-----END PRIVATE KEY-----\n")


@pytest.mark.parametrize("container", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8])
def test_we_read_what_another_library_writes(container: PrivateFormat) -> None:
    theirs = rsa.generate_private_key(65537, 1024)
    text = theirs.private_bytes(Encoding.PEM, container, NoEncryption())
    key = parse(text)
    assert key.is_private
    assert key.d == theirs.private_numbers().d
    for shape in (PublicFormat.PKCS1, PublicFormat.SubjectPublicKeyInfo):
        assert parse(theirs.public_key().public_bytes(Encoding.PEM, shape)) == key.public


def test_text_around_the_block_and_other_line_ends_are_allowed(key: RsaKey) -> None:
    text = private_pem(key, KeyFormat.PKCS8)
    assert parse(b"Private-Key: (1024 bit)\n" + text + b"after it") == key
    assert parse(text.replace(b"\n", b"\r\n")) == key


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "PKCS8/enc-rsa-pkcs8.pem",
            "the key is encrypted, decrypt it first: openssl pkey -in ENCRYPTED.pem -out KEY.pem",
        ),
        (
            "Traditional_OpenSSL_Serialization/key1.pem",
            "the key is encrypted, decrypt it first: openssl pkey -in ENCRYPTED.pem -out KEY.pem",
        ),
        ("PKCS8/unenc-dsa-pkcs8.pem", "not an RSA key (algorithm 1.2.840.10040.4.1)"),
        ("PKCS8/ec_private_key.pem", "not an RSA key (algorithm 1.2.840.10045.2.1)"),
        (
            "PEM_Serialization/ec_private_key.pem",
            "holds a PEM block 'EC PRIVATE KEY': a key on an elliptic curve, allowed are RSA keys",
        ),
        ("PEM_Serialization/ec_public_key.pem", "not an RSA key (algorithm 1.2.840.10045.2.1)"),
        (
            "PEM_Serialization/rsa_wrong_delimiter_public_key.pem",
            "the PEM is damaged: its content is no RSA PUBLIC KEY",
        ),
        ("PEM_Serialization/rsa-bad-1025-q-is-2.pem", "the modulus is even, an RSA modulus is odd"),
        ("PEM_Serialization/README.txt", "holds no PEM key (a line -----BEGIN ... KEY-----)"),
    ],
)
def test_published_files_that_are_refused(name: str, message: str) -> None:
    assert refusal(data(name)) == message


def test_published_files_that_are_read() -> None:
    assert parse(data("PKCS8/unenc-rsa-pkcs8.pem")).is_private
    private = parse(data("Traditional_OpenSSL_Serialization/testrsa.pem"))
    assert private.is_private
    assert private.bits == 2048


def test_keys_of_openssh_are_told_how_to_become_pem() -> None:
    made = rsa.generate_private_key(65537, 1024)
    private = made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    public = made.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    with pytest.raises(
        InputError, match=r"PEM: cp KEY KEY\.pem; ssh-keygen -p -m PEM -f KEY\.pem$"
    ):
        parse(private)
    with pytest.raises(InputError, match=r"PEM: ssh-keygen -e -m PKCS8 -f KEY\.pub > KEY\.pem$"):
        parse(public + b" name\n")


def test_the_key_of_a_certificate_is_taken_out_as_the_message_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make = "openssl req -x509 -newkey rsa:1024 -nodes -keyout k -out CERTIFICATE.pem -subj /CN=a"
    subprocess.run(make.split(), check=True, capture_output=True)
    with pytest.raises(InputError) as refused:
        read_public(Path("CERTIFICATE.pem"))
    subprocess.run(["sh", "-c", str(refused.value).partition("out: ")[2]], check=True)
    assert read_public(Path("KEY.pem")) == read_private(Path("k")).public


def test_damage(key: RsaKey) -> None:
    text = private_pem(key, KeyFormat.PKCS1)
    lines = text.splitlines(keepends=True)
    assert refusal(b"") == "holds no PEM key (a line -----BEGIN ... KEY-----)"
    der = base64.b64decode(b"".join(lines[1:-1]))
    assert refusal(der).startswith("holds a binary (DER) key, make it PEM: openssl pkey")
    assert refusal(b"\x00\xff" * 50) == "holds no PEM key (a line -----BEGIN ... KEY-----)"
    assert refusal(b"".join(lines[:-1])) == (
        "the PEM is damaged: no line -----END RSA PRIVATE KEY-----"
    )
    assert refusal(text.replace(b"END RSA PRIVATE", b"END PRIVATE")) == (
        "the PEM is damaged: no line -----END RSA PRIVATE KEY-----"
    )
    assert refusal(lines[0] + b"*" + b"".join(lines[1:])) == (
        "the PEM is damaged: its content is not base64"
    )
    content_damaged = "the PEM is damaged: its content is no RSA PRIVATE KEY"
    # A line lost, and a line twice.
    assert refusal(b"".join(lines[:3] + lines[4:])) == content_damaged
    assert refusal(b"".join([*lines[:3], *lines[2:]])) == content_damaged
    assert refusal(lines[0] + lines[-1]) == content_damaged
    assert refusal(text.replace(b"RSA PRIVATE", b"PRIVATE")) == (
        "the PEM is damaged: its content is no PRIVATE KEY"
    )


def test_no_single_wrong_character_changes_the_key(key: RsaKey) -> None:
    """Every value is held in two ways, so that a changed key is never used."""
    text = private_pem(key, KeyFormat.PKCS1)
    start = text.index(b"\n") + 1
    end = text.index(b"\n-----END")
    last = len(text[:end].rstrip(b"=")) - 1
    for position in (*range(start, last, 5), last):
        if text[position : position + 1] == b"\n":
            continue
        other = b"A" if text[position : position + 1] != b"A" else b"B"
        changed = text[:position] + other + text[position + 1 :]
        # Before padding, the last character has bits that stand for nothing.
        if position == last and text[end - 1 : end] == b"=":
            with suppress(InputError):
                assert parse(changed) == key
        else:
            assert "\n" not in refusal(changed)


def test_inconsistent_values(key: RsaKey) -> None:
    values = integers(key)

    def changed(index: int, value: int) -> bytes:
        return pkcs1([*values[:index], value, *values[index + 1 :]])

    assert refusal(changed(0, 1)) == "the PEM is damaged: its content is no RSA PRIVATE KEY"
    assert refusal(changed(0, 2)) == "the PEM is damaged: its content is no RSA PRIVATE KEY"
    assert refusal(changed(2, 0)) == "the public exponent is 0, allowed are odd numbers from 3"
    assert refusal(changed(3, 0)) == "the private exponent is 0"
    assert refusal(changed(4, values[5])) == "the product of the primes is not the modulus"
    for index in (6, 7, 8):
        assert refusal(changed(index, values[index] + 2)) == (
            "the CRT values do not belong to the private exponent and the primes"
        )
    assert refusal(pkcs1(values[:8])) == "the PEM is damaged: its content is no RSA PRIVATE KEY"
    assert refusal(changed(3, -3)) == "the PEM is damaged: its content is no RSA PRIVATE KEY"


def test_a_key_without_primes_is_read_and_not_written(key: RsaKey) -> None:
    without = parse(pkcs1([*integers(key)[:4], 0, 0, 0, 0, 0]))
    assert without == dataclasses.replace(key, primes=None)
    assert without.is_private
    with pytest.raises(InputError, match="a key without its primes cannot be written"):
        private_pem(without, KeyFormat.PKCS1)


def test_files(tmp_path: Path, key: RsaKey) -> None:
    private, public, none = tmp_path / "key.pem", tmp_path / "pub.pem", tmp_path / "none.pem"
    private.write_bytes(private_pem(key, KeyFormat.PKCS1))
    public.write_bytes(public_pem(key.public, KeyFormat.PKCS1))
    assert read_private(private) == key
    assert read_public(private) == read_public(public) == key.public
    for path, message in (
        (public, f"{public}: holds a public key, this needs the private one"),
        (none, f"cannot read the key {none}: No such file or directory"),
        (tmp_path, f"cannot read the key {tmp_path}: Is a directory"),
    ):
        with pytest.raises(InputError) as caught:
            read_private(path)
        assert str(caught.value) == message


def test_an_endless_file_ends() -> None:
    with pytest.raises(InputError, match="holds no PEM key"):
        read_public(Path("/dev/zero"))
