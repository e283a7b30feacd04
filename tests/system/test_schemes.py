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

from tests.system.command import openssl, openssl_verifies, totient
from totient.catalog import RsaLengths, rsa_cycles, select
from totient.device import RsaKey
from totient.rsa import schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, KeyFormat, SignatureScheme
from totient.rsa.keys import generate
from totient.rsa.pem import private_pem, read_private

# OpenSSL's keys and ours; each core is as wide as the operation needs.
KEYS = ("ours512", "theirs512", "theirs1024", "ours2048")
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
    """A folder with a message and the keys, private (.pem) and public (.pub)."""
    place = tmp_path_factory.mktemp("schemes")
    (place / "message").write_bytes(MESSAGE)
    for name in (*KEYS, "theirs3072", "theirs4096"):
        path, bits = place / f"{name}.pem", name.removeprefix("ours").removeprefix("theirs")
        if name.startswith("theirs"):
            openssl("genrsa", "-out", path, bits)
        else:
            made = totient("keygen", "--bits", bits, "--out", path)
            assert made.status == 0, made.err
        openssl("pkey", "-in", path, "-pubout", "-out", path.with_suffix(".pub"))
    return place


@pytest.fixture(scope="module")
def accelerator() -> Iterator[Accelerator]:
    """One simulated core for the tests in this process."""
    with Accelerator("sim:T3?fixed_time=1&width=1045") as opened:
        yield opened


def sign_options(scheme: str) -> list[str]:
    return ["-sigopt", "rsa_padding_mode:pss"] if scheme == "pss" else []


def encrypt_options(scheme: str, hash_name: str) -> list[str]:
    if scheme == "pkcs1v15":
        return ["-pkeyopt", "rsa_padding_mode:pkcs1"]
    return ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", f"rsa_oaep_md:{hash_name}"]


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("scheme", ["pss", "pkcs1v15"])
def test_signatures(folder: Path, tmp_path: Path, name: str, scheme: str) -> None:
    """OpenSSL verifies what the core signed, and the core what OpenSSL signed."""
    key, public, signature = folder / f"{name}.pem", folder / f"{name}.pub", tmp_path / "signature"
    files = ("--in", folder / "message", "--scheme", scheme)
    signed = totient("sign", "--key", key, *files, "--out", signature)
    assert (signed.status, signed.out) == (0, b""), signed.err
    openssl_verifies(public, signature, folder / "message", *sign_options(scheme))

    make = ("dgst", "-sha256", *sign_options(scheme), "-sign", key, "-out", signature)
    openssl(*make, folder / "message")
    valid = totient("verify", "--key", public, *files, "--signature", signature)
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err


@pytest.mark.parametrize("scheme", ["pss", "pkcs1v15"])
def test_a_signature_of_something_else(folder: Path, tmp_path: Path, scheme: str) -> None:
    key, signature = folder / "theirs512.pem", tmp_path / "signature"
    make = ("dgst", "-sha256", *sign_options(scheme), "-sign", key, "-out", signature)
    openssl(*make, folder / "message")
    words = ("verify", "--key", key, "--signature", signature, "--scheme", scheme)
    wrong = totient(*words, stdin=MESSAGE + b".")
    assert (wrong.status, wrong.out) == (1, b"signature is NOT valid\n"), wrong.err


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("scheme", ["oaep", "pkcs1v15"])
def test_ciphertexts(folder: Path, name: str, scheme: str) -> None:
    """OpenSSL decrypts what the core encrypted, and the core what OpenSSL encrypted."""
    key, public = folder / f"{name}.pem", folder / f"{name}.pub"
    # With SHA-256, OAEP needs 521 bits.
    hash_name = "sha1" if name.endswith("512") else "sha256"
    options = ("--scheme", scheme, *(("--hash", hash_name) if scheme == "oaep" else ()))
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
    """Each hash once with OpenSSL; in one direction with a salt as long as fits."""
    key, signature = folder / "theirs1024.pem", tmp_path / "signature"
    files = ("--in", folder / "message", "--hash", hash_name)
    signed = totient("sign", "--key", key, *files, "--out", signature)
    assert signed.status == 0, signed.err
    public = folder / "theirs1024.pub"
    pss = sign_options("pss")
    openssl_verifies(public, signature, folder / "message", *pss, hash_name=hash_name)
    longest = (*pss, "-sigopt", "rsa_pss_saltlen:max")
    make = ("dgst", f"-{hash_name}", *longest, "-sign", key, "-out", signature)
    openssl(*make, folder / "message")
    valid = totient("verify", "--key", public, *files, "--signature", signature)
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err


def test_keys_of_3072_bits(folder: Path, tmp_path: Path) -> None:
    """By CRT, a core of half the key's length is enough to sign; not to verify."""
    key, signature = folder / "theirs3072.pem", tmp_path / "signature"
    device = ("--in", folder / "message", "--device", "sim:T3?width=2048")
    signed = totient("sign", "--key", key, *device, "--out", signature)
    assert signed.status == 0, signed.err
    public = folder / "theirs3072.pub"
    openssl_verifies(public, signature, folder / "message", *sign_options("pss"))
    refused = totient("verify", "--key", public, *device, "--signature", signature)
    assert refused.refused == (
        "the operation needs a core of 3072 bits, sim:T3?width=2048 has 2048"
    )


def test_keys_of_4096_bits(folder: Path) -> None:
    """On the default core, which is as wide as the key."""
    encrypted = totient("encrypt", "--key", folder / "theirs4096.pub", stdin=SECRET)
    assert "sim:engine-62?width=4096" in encrypted.err
    key, theirs = folder / "theirs4096.pem", encrypt_options("oaep", "sha256")
    decrypted = openssl("pkeyutl", "-decrypt", "-inkey", key, *theirs, stdin=encrypted.out)
    assert decrypted == SECRET
    plain = totient("decrypt", "--key", key, stdin=encrypted.out)
    assert (plain.status, plain.out) == (0, SECRET), plain.err
    assert "sim:engine-62?width=4096" in plain.err


def test_the_device_in_the_summary(folder: Path, tmp_path: Path) -> None:
    """The default core is as wide as the operation needs."""
    key, signature = folder / "ours512.pem", tmp_path / "signature"
    signed = totient("sign", "--key", key, "--out", signature, "--json", stdin=b"text")
    summary = json.loads(signed.out)
    assert summary["device"] == "sim:engine-62?width=1024"
    (step,) = summary["steps"]
    lengths = RsaLengths(512, prime_bits=(256, 256))
    setup, private, public = rsa_cycles(select("engine-62", width=1024).parameters, lengths)
    assert (step["setup_cycles"], step["cycles"]) == (setup, private)
    valid = totient("verify", "--key", key, "--signature", signature, "--json", stdin=b"text")
    summary = json.loads(valid.out)
    assert summary["device"] == "sim:engine-62?width=1024"
    assert summary["steps"][0]["cycles"] == public


@pytest.mark.parametrize("design", ["T2?width=512", "T2?width=512&bits_per_cycle=2&fixed_time=1"])
def test_other_cores_sign_too(folder: Path, tmp_path: Path, design: str) -> None:
    key, public, message = folder / "ours512.pem", folder / "ours512.pub", folder / "message"
    signature = tmp_path / "signature"
    for more in ((), ("--no-crt",)):
        options = ("--out", signature, "--device", f"sim:{design}", *more)
        signed = totient("sign", "--key", key, "--in", message, *options)
        assert signed.status == 0, signed.err
        assert ("warning: the time of this core" in signed.err) == ("fixed_time" not in design)
        openssl_verifies(public, signature, message, *sign_options("pss"))


def test_repeated_multiplication_verifies_and_does_not_sign(folder: Path, tmp_path: Path) -> None:
    """T1 makes 257 products for this public exponent; for a private one it would never end."""
    key, signature = tmp_path / "key.pem", tmp_path / "signature"
    made = totient("keygen", "--bits", "512", "--public-exponent", "257", "--out", key)
    assert made.status == 0, made.err
    openssl("dgst", "-sha256", "-sign", key, "-out", signature, folder / "message")
    device = ("--device", "sim:T1?width=512", "--scheme", "pkcs1v15", "--in", folder / "message")
    valid = totient("verify", "--key", key, "--signature", signature, *device)
    assert (valid.status, valid.out) == (0, b"signature is valid\n"), valid.err
    refused = totient("sign", "--key", key, "--out", tmp_path / "none", *device)
    assert refused.refused == (
        "design repeated makes one product for each unit of the exponent, "
        "up to 2^256 here, allowed are 2^20: take T2 or T3"
    )
    assert not (tmp_path / "none").exists()


def test_the_time_of_a_private_operation_tells_nothing() -> None:
    """The same cycles for every exponentiation with keys of one length, on a fixed-time core."""
    cycles = set()
    with Accelerator("sim:T3?fixed_time=1&width=512") as accelerator:
        for key in (generate(512) for _ in range(4)):
            for crt in (True, False):
                before = len(accelerator.steps)
                accelerator.private(key, 2, crt=crt)
                cycles |= {(crt, step.cycles) for step in accelerator.steps[before:]}
    assert len(cycles) == 2


@pytest.mark.parametrize("form", ["pkcs1", "pkcs8"])
@pytest.mark.parametrize("bits", [512, 1031])
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


def peer_of(key: RsaKey) -> rsa.RSAPrivateKey:
    """The same key for `cryptography`."""
    text = private_pem(key, KeyFormat.PKCS8)
    return cast("rsa.RSAPrivateKey", load_pem_private_key(text, password=None))


@pytest.mark.parametrize(
    ("bits", "hash_name"),
    [
        (512, HashName.SHA1),
        (528, HashName.SHA256),
        (797, HashName.SHA384),
        (1024, HashName.SHA256),
        (1045, HashName.SHA512),
    ],
)
def test_cryptography_as_peer(accelerator: Accelerator, bits: int, hash_name: HashName) -> None:
    """Every scheme and hash, both ways, with and without CRT; odd lengths, too."""
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
    for signature_scheme, theirs in signing.items():
        for crt in (True, False):
            message = io.BytesIO(MESSAGE)
            ours = schemes.sign(accelerator, key, message, signature_scheme, hash_name, crt=crt)
            peer.public_key().verify(ours, MESSAGE, theirs, hashed)
        signature = peer.sign(MESSAGE, making[signature_scheme], hashed)
        message = io.BytesIO(MESSAGE)
        assert schemes.verify(
            accelerator, key.public, message, signature, signature_scheme, hash_name
        )
    for encryption_scheme, theirs in encrypting.items():
        secret = SECRET[: schemes.max_message(key.public, encryption_scheme, hash_name)]
        cipher = schemes.encrypt(accelerator, key.public, secret, encryption_scheme, hash_name)
        assert peer.decrypt(cipher, theirs) == secret
        cipher = peer.public_key().encrypt(secret, theirs)
        for crt in (True, False):
            plain = schemes.decrypt(accelerator, key, cipher, encryption_scheme, hash_name, crt=crt)
            assert plain == secret
