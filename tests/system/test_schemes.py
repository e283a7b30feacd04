"""Keys, signatures and ciphertexts on a simulated core, to and from OpenSSL and `cryptography`."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.system.command import openssl, totient
from totient.rsa import schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, KeyFormat, SignatureScheme
from totient.rsa.keys import PrivateKey, generate
from totient.rsa.pem import private_pem, read_private

# One core for all keys of up to 2048 bits, and for the halves of those of up to 4096.
DEVICE = "sim:T3?fixed_time=1&width=2048"
SIZES = (512, 1024, 2048)
MESSAGE = b"The quick brown fox\0jumps over the lazy dog.\n" * 1000
SECRET = b"0123456789\0\xff"

HASHES: dict[HashName, hashes.HashAlgorithm] = {
    HashName.SHA1: hashes.SHA1(),
    HashName.SHA256: hashes.SHA256(),
    HashName.SHA384: hashes.SHA384(),
    HashName.SHA512: hashes.SHA512(),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a message, and for each size a key of OpenSSL's and one of ours."""
    place = tmp_path_factory.mktemp("schemes")
    (place / "message").write_bytes(MESSAGE)
    for bits in (*SIZES, 3072, 4096):
        openssl("genrsa", "-out", place / f"theirs{bits}.pem", bits)
    for bits in SIZES:
        made = totient("keygen", "--bits", bits, "--out", place / f"ours{bits}.pem")
        assert made.status == 0, made.err
    for path in place.glob("*.pem"):
        openssl("pkey", "-in", path, "-pubout", "-out", path.with_suffix(".pub"))
    return place


@pytest.fixture(scope="module")
def accelerator() -> Iterator[Accelerator]:
    """One simulated core for the tests in this process."""
    with Accelerator(DEVICE) as opened:
        yield opened


def sign_options(scheme: str) -> list[str]:
    return ["-sigopt", "rsa_padding_mode:pss"] if scheme == "pss" else []


def encrypt_options(scheme: str, hash_name: str) -> list[str]:
    if scheme == "pkcs1v15":
        return ["-pkeyopt", "rsa_padding_mode:pkcs1"]
    return ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", f"rsa_oaep_md:{hash_name}"]


@pytest.mark.parametrize("maker", ["ours", "theirs"])
@pytest.mark.parametrize("bits", SIZES)
@pytest.mark.parametrize("scheme", ["pss", "pkcs1v15"])
def test_signatures(folder: Path, tmp_path: Path, maker: str, bits: int, scheme: str) -> None:
    """OpenSSL verifies what the core signed, and the core what OpenSSL signed."""
    key, public = folder / f"{maker}{bits}.pem", folder / f"{maker}{bits}.pub"
    message, signature = folder / "message", tmp_path / "signature"
    options = ("--scheme", scheme, "--device", DEVICE)
    signed = totient("sign", "--key", key, "--in", message, "--out", signature, *options)
    assert (signed.status, signed.out) == (0, b""), signed.err
    check = ("dgst", "-sha256", *sign_options(scheme), "-verify", public, "-signature", signature)
    assert openssl(*check, message) == b"Verified OK\n"

    openssl("dgst", "-sha256", *sign_options(scheme), "-sign", key, "-out", signature, message)
    verify = ("verify", "--key", public, "--signature", signature, *options)
    valid = totient(*verify, "--in", message)
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err
    wrong = totient(*verify, stdin=MESSAGE + b".")
    assert (wrong.status, wrong.out) == (1, b"signature is NOT valid\n"), wrong.err


@pytest.mark.parametrize("maker", ["ours", "theirs"])
@pytest.mark.parametrize("bits", SIZES)
@pytest.mark.parametrize("scheme", ["oaep", "pkcs1v15"])
def test_ciphertexts(folder: Path, maker: str, bits: int, scheme: str) -> None:
    """OpenSSL decrypts what the core encrypted, and the core what OpenSSL encrypted."""
    key, public = folder / f"{maker}{bits}.pem", folder / f"{maker}{bits}.pub"
    # With SHA-256, OAEP needs 521 bits.
    hash_name = "sha1" if bits == 512 else "sha256"
    options = ("--scheme", scheme, "--hash", hash_name, "--device", DEVICE)
    theirs = encrypt_options(scheme, hash_name)
    encrypted = totient("encrypt", "--key", public, *options, stdin=SECRET)
    assert encrypted.status == 0, encrypted.err
    decrypted = openssl("pkeyutl", "-decrypt", "-inkey", key, *theirs, stdin=encrypted.out)
    assert decrypted == SECRET

    cipher = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, *theirs, stdin=SECRET)
    plain = totient("decrypt", "--key", key, *options, stdin=cipher)
    assert (plain.status, plain.out) == (0, SECRET), plain.err


@pytest.mark.parametrize("hash_name", ["sha1", "sha384", "sha512"])
def test_other_hashes(folder: Path, tmp_path: Path, hash_name: str) -> None:
    """Each hash once with OpenSSL; PSS there with a salt as long as the digest, too."""
    key, public, message = folder / "theirs2048.pem", folder / "theirs2048.pub", folder / "message"
    signature = tmp_path / "signature"
    options = ("--hash", hash_name, "--device", DEVICE)
    sigopt = (*sign_options("pss"), "-sigopt", "rsa_pss_saltlen:digest")
    signed = totient("sign", "--key", key, "--in", message, "--out", signature, *options)
    assert signed.status == 0, signed.err
    check = ("dgst", f"-{hash_name}", *sigopt, "-verify", public, "-signature", signature)
    assert openssl(*check, message) == b"Verified OK\n"
    openssl("dgst", f"-{hash_name}", *sigopt, "-sign", key, "-out", signature, message)
    valid = totient("verify", "--key", public, "--signature", signature, "--in", message, *options)
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err


@pytest.mark.parametrize("bits", [3072, 4096])
def test_long_keys(folder: Path, tmp_path: Path, bits: int) -> None:
    """By CRT, a core of half the key's length is enough for the private operations."""
    key, public, message = (
        folder / name for name in (f"theirs{bits}.pem", f"theirs{bits}.pub", "message")
    )
    signature = tmp_path / "signature"
    signed = totient("sign", "--key", key, "--in", message, "--out", signature, "--device", DEVICE)
    assert signed.status == 0, signed.err
    check = ("dgst", "-sha256", *sign_options("pss"), "-verify", public, "-signature", signature)
    assert openssl(*check, message) == b"Verified OK\n"
    theirs = encrypt_options("oaep", "sha256")
    cipher = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, *theirs, stdin=SECRET)
    plain = totient("decrypt", "--key", key, "--device", DEVICE, stdin=cipher)
    assert (plain.status, plain.out) == (0, SECRET), plain.err
    # The public operation needs the whole length.
    refused = totient(
        "verify", "--key", public, "--signature", signature, "--in", message, "--device", DEVICE
    )
    assert (refused.status, refused.out) == (2, b"")
    assert refused.err == (
        f"totient: the operands have {bits} bits, the core {DEVICE} takes 2048\n"
    )


def test_the_longest_key_both_ways(folder: Path, tmp_path: Path) -> None:
    """RSA-4096 with the public operation on the core."""
    public, message = folder / "theirs4096.pub", folder / "message"
    signature = tmp_path / "signature"
    openssl("dgst", "-sha256", "-sign", folder / "theirs4096.pem", "-out", signature, message)
    valid = totient(
        "verify",
        "--key",
        public,
        "--signature",
        signature,
        "--in",
        message,
        "--scheme",
        "pkcs1v15",
    )
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err


def test_the_default_device_is_as_wide_as_the_operation(folder: Path, tmp_path: Path) -> None:
    key, public, signature = (
        folder / "ours512.pem",
        folder / "ours512.pub",
        tmp_path / "signature",
    )
    signed = totient("sign", "--key", key, "--out", signature, "--json", stdin=b"text")
    summary = json.loads(signed.out)
    assert summary["device"] == "sim:T3?fixed_time=1&width=256"
    assert [step["modulus_bits"] for step in summary["steps"]] == [256, 256]
    valid = totient("verify", "--key", public, "--signature", signature, "--json", stdin=b"text")
    assert json.loads(valid.out)["device"] == "sim:T3?fixed_time=1&width=512"


@pytest.mark.parametrize("design", ["T2?width=512", "T2?width=512&bits_per_cycle=2&fixed_time=1"])
def test_other_cores_sign_too(folder: Path, tmp_path: Path, design: str) -> None:
    key, public, message = folder / "ours512.pem", folder / "ours512.pub", folder / "message"
    signature = tmp_path / "signature"
    for more in ((), ("--no-crt",)):
        options = ("--out", signature, "--device", f"sim:{design}", *more)
        signed = totient("sign", "--key", key, "--in", message, *options)
        assert signed.status == 0, signed.err
        assert ("warning: the time of this core" in signed.err) == ("fixed_time" not in design)
        pss = sign_options("pss")
        check = ("dgst", "-sha256", *pss, "-verify", public, "-signature", signature)
        assert openssl(*check, message) == b"Verified OK\n"


def test_repeated_multiplication_verifies_and_does_not_sign(folder: Path, tmp_path: Path) -> None:
    """T1 makes 65537 products for a public exponent; for a private one it would never end."""
    key, signature = folder / "ours512.pem", tmp_path / "signature"
    openssl("dgst", "-sha256", "-sign", key, "-out", signature, folder / "message")
    device = ("--device", "sim:T1?width=512", "--scheme", "pkcs1v15", "--in", folder / "message")
    valid = totient("verify", "--key", key, "--signature", signature, *device)
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err
    refused = totient("sign", "--key", key, "--out", tmp_path / "none", *device)
    assert refused.status == 2
    assert refused.err == (
        "totient: design repeated makes one product for each unit of the exponent, "
        "up to 2^256 here, allowed are 2^20: take T2 or T3\n"
    )
    assert not (tmp_path / "none").exists()


def test_the_time_of_a_private_operation_tells_nothing(accelerator: Accelerator) -> None:
    """The same cycles for every exponentiation with keys of one length, on a fixed-time core."""
    cycles = set()
    for _ in range(6):
        key = generate(512)
        for crt in (True, False):
            before = len(accelerator.steps)
            accelerator.private(key, 2, crt=crt)
            cycles |= {(crt, step.cycles) for step in accelerator.steps[before:]}
    assert len(cycles) == 2


@pytest.mark.parametrize("form", ["pkcs1", "pkcs8"])
@pytest.mark.parametrize("bits", [512, 1024, 1031, 2048])
def test_openssl_reads_and_checks_our_keys(tmp_path: Path, bits: int, form: str) -> None:
    key, public = tmp_path / "key.pem", tmp_path / "pub.pem"
    files = ("--out", key, "--public", public, "--format", form)
    made = totient("keygen", "--bits", bits, *files)
    assert made.status == 0, made.err
    assert openssl("pkey", "-in", key, "-check", "-noout") == b"Key is valid\n"
    reading = "-RSAPublicKey_in" if form == "pkcs1" else "-pubin"
    theirs = openssl("rsa", "-in", public, reading, "-modulus", "-noout")
    assert theirs == openssl("rsa", "-in", key, "-modulus", "-noout")
    assert theirs == f"Modulus={read_private(key).public.modulus:X}\n".encode()


def test_we_read_every_form_of_openssl_s_keys(folder: Path, tmp_path: Path) -> None:
    source = folder / "theirs1024.pem"
    key = read_private(source)
    for words in (
        ("rsa", "-traditional"),
        ("pkey",),
        ("rsa", "-text"),
    ):
        other = tmp_path / "other.pem"
        openssl(*words, "-in", source, "-out", other)
        assert read_private(other) == key
    for form in KeyFormat:
        assert openssl("pkey", "-in", "/dev/stdin", stdin=private_pem(key, form)) == openssl(
            "pkey", "-in", source
        )


def peer_of(key: PrivateKey) -> rsa.RSAPrivateKey:
    """The same key for `cryptography`."""
    text = private_pem(key, KeyFormat.PKCS8)
    return cast("rsa.RSAPrivateKey", load_pem_private_key(text, password=None))


@pytest.mark.parametrize("hash_name", list(HashName))
@pytest.mark.parametrize("bits", [512, 1024, 1031, 2048])
def test_cryptography_as_peer(accelerator: Accelerator, bits: int, hash_name: HashName) -> None:
    """Every scheme and hash that the key has room for, both ways, with and without CRT."""
    key = generate(bits)
    peer, hashed = peer_of(key), HASHES[hash_name]
    signing: dict[SignatureScheme, padding.AsymmetricPadding] = {
        SignatureScheme.PSS: padding.PSS(padding.MGF1(hashed), padding.PSS.AUTO),
        SignatureScheme.PKCS1V15: padding.PKCS1v15(),
    }
    making: dict[SignatureScheme, padding.AsymmetricPadding] = {
        SignatureScheme.PSS: padding.PSS(padding.MGF1(hashed), padding.PSS.MAX_LENGTH),
        SignatureScheme.PKCS1V15: padding.PKCS1v15(),
    }
    encrypting: dict[EncryptionScheme, padding.AsymmetricPadding] = {
        EncryptionScheme.OAEP: padding.OAEP(padding.MGF1(hashed), hashed, None),
        EncryptionScheme.PKCS1V15: padding.PKCS1v15(),
    }
    done = 0
    for signature_scheme, theirs in signing.items():
        if bits == 512 and hash_name in (HashName.SHA384, HashName.SHA512):
            continue
        for crt in (True, False):
            message = io.BytesIO(MESSAGE)
            ours = schemes.sign(accelerator, key, message, signature_scheme, hash_name, crt=crt)
            peer.public_key().verify(ours, MESSAGE, theirs, hashed)
        signature = peer.sign(MESSAGE, making[signature_scheme], hashed)
        message = io.BytesIO(MESSAGE)
        assert schemes.verify(
            accelerator, key.public, message, signature, signature_scheme, hash_name
        )
        done += 1
    for encryption_scheme, theirs in encrypting.items():
        if encryption_scheme is EncryptionScheme.OAEP and (
            8 * hashed.digest_size * 2 + 16 + 8 * len(SECRET) > bits
        ):
            continue
        cipher = schemes.encrypt(accelerator, key.public, SECRET, encryption_scheme, hash_name)
        assert peer.decrypt(cipher, theirs) == SECRET
        cipher = peer.public_key().encrypt(SECRET, theirs)
        for crt in (True, False):
            plain = schemes.decrypt(accelerator, key, cipher, encryption_scheme, hash_name, crt=crt)
            assert plain == SECRET
        done += 1
    assert done >= 1
