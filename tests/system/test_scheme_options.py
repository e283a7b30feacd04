"""Salts, masks, hashes, labels and key types on a simulated core, judged by OpenSSL."""

import io
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.command import openssl, openssl_verifies, totient
from totient.device import RsaKey
from totient.rsa import schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import HashName, KeyFormat, SaltLength, SignatureScheme
from totient.rsa.pem import private_pem, read_private

MESSAGE = b"The quick brown fox\0jumps over the lazy dog.\n" * 1000
VALID = (0, b"signature is valid\n")
INVALID = (1, b"signature is NOT valid\n")
PSS = ("-sigopt", "rsa_padding_mode:pss")
# One core for all keys, so that one model is built.
CORE = "sim:T3?fixed_time=1&width=1045"
DEVICE = ("--device", CORE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a message, keys (.pem) and their public halves (.pub)."""
    place = tmp_path_factory.mktemp("options")
    (place / "message").write_bytes(MESSAGE)
    limits = ["md:sha256", "mgf1_md:sha1", "saltlen:20"]
    made = {
        "plain": ["genrsa", "1024"],
        "three": ["genrsa", "-primes", "3", "1024"],
        "pss": ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"],
    }
    made["limited"] = [*made["pss"]]
    for limit in limits:
        made["limited"] += ["-pkeyopt", f"rsa_pss_keygen_{limit}"]
    for name, words in made.items():
        (place / f"{name}.pem").write_bytes(openssl(*words))
        openssl("pkey", "-in", place / f"{name}.pem", "-pubout", "-out", place / f"{name}.pub")
    return place


@pytest.fixture(scope="module")
def accelerator() -> Iterator[Accelerator]:
    """The core, opened once."""
    with Accelerator(CORE) as opened:
        yield opened


def sign(folder: Path, key: str, *options: str) -> Path:
    """Sign the message with the command."""
    signature = folder / "signature"
    words = ("sign", "--key", folder / f"{key}.pem", "--in", folder / "message", *options, *DEVICE)
    signed = totient(*words, "--out", signature)
    assert (signed.status, signed.out) == (0, b""), signed.err
    return signature


def verify(folder: Path, key: str, signature: Path, *options: str) -> tuple[int, bytes]:
    """Verify a signature of the message with the command."""
    files = ("--in", folder / "message", "--signature", signature)
    outcome = totient("verify", "--key", folder / f"{key}.pub", *files, *options, *DEVICE)
    return outcome.status, outcome.out


def theirs(folder: Path, key: str, *options: str, hash_name: str = "sha256") -> Path:
    """Sign the message with OpenSSL."""
    signature = folder / "theirs"
    files = ("-sign", folder / f"{key}.pem", "-out", signature, folder / "message")
    openssl("dgst", f"-{hash_name}", *options, *files)
    return signature


def openssl_refuses(folder: Path, key: str, signature: Path, *options: str) -> None:
    files = ("-verify", folder / f"{key}.pub", "-signature", signature, folder / "message")
    done = subprocess.run(["openssl", "dgst", "-sha256", *options, *files], capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"Verification failure\n")


@pytest.mark.parametrize("scheme", list(SignatureScheme))
@pytest.mark.parametrize("hash_name", [name for name in HashName if not name.is_shake])
def test_every_hash(
    folder: Path, accelerator: Accelerator, scheme: SignatureScheme, hash_name: HashName
) -> None:
    key, message = read_private(folder / "plain.pem"), folder / "message"
    sigopts = PSS if scheme is SignatureScheme.PSS else ()
    signature = folder / "signature"
    signature.write_bytes(schemes.sign(accelerator, key, io.BytesIO(MESSAGE), scheme, hash_name))
    openssl_verifies(folder / "plain.pub", signature, message, *sigopts, hash_name=hash_name)
    made = theirs(folder, "plain", *sigopts, hash_name=hash_name).read_bytes()
    public = key.public
    assert schemes.verify(accelerator, public, io.BytesIO(MESSAGE), made, scheme, hash_name)


@pytest.mark.parametrize("salt", [*list(SaltLength)[:3], 0, 20, 94])
def test_salts(folder: Path, accelerator: Accelerator, salt: int | SaltLength) -> None:
    """A choice of ours makes the salt that OpenSSL's of the same name makes, and accepts it."""
    key, scheme = read_private(folder / "plain.pem"), SignatureScheme.PSS
    lengths: dict[int | SaltLength, int] = {
        SaltLength.DIGEST: 32,
        SaltLength.MAX: 94,
        SaltLength.AUTO: 94,
    }
    length = lengths.get(salt, salt)
    named, exact, other = (
        (*PSS, "-sigopt", f"rsa_pss_saltlen:{each}") for each in (salt, length, 33)
    )
    signature, message = folder / "signature", folder / "message"
    text = io.BytesIO(MESSAGE)
    signature.write_bytes(schemes.sign(accelerator, key, text, scheme, salt_length=salt))
    for options in (named, exact):
        openssl_verifies(folder / "plain.pub", signature, message, *options)
    openssl_refuses(folder, "plain", signature, *other)
    made = theirs(folder, "plain", *named).read_bytes()
    for accepted, valid in ((salt, True), (None, True), (length, True), (33, False)):
        text = io.BytesIO(MESSAGE)
        answer = schemes.verify(accelerator, key.public, text, made, scheme, salt_length=accepted)
        assert answer == valid


def test_another_hash_for_the_mask(folder: Path) -> None:
    options, message = ("--mgf-hash", "sha384"), folder / "message"
    sigopts = (*PSS, "-sigopt", "rsa_mgf1_md:sha384")
    signature = sign(folder, "plain", *options)
    openssl_verifies(folder / "plain.pub", signature, message, *sigopts)
    openssl_refuses(folder, "plain", signature, *PSS)
    signature = theirs(folder, "plain", *sigopts)
    assert verify(folder, "plain", signature, *options) == VALID
    assert verify(folder, "plain", signature) == INVALID


@pytest.mark.parametrize("mask", ["sha1", "sha512-256"])
def test_labels(folder: Path, mask: str) -> None:
    options = ("--label", "00ff6c", "--mgf-hash", mask, "--hash", "sha224")
    pkeyopts = shlex.split(
        "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha224 "
        f"-pkeyopt rsa_mgf1_md:{mask} -pkeyopt rsa_oaep_label:00ff6c"
    )
    key, public, secret = folder / "plain.pem", folder / "plain.pub", b"0123456789\0\xff"
    cipher = totient("encrypt", "--key", public, *options, *DEVICE, stdin=secret)
    assert cipher.status == 0, cipher.err
    decrypting = ("pkeyutl", "-decrypt", "-inkey", key, *pkeyopts)
    assert openssl(*decrypting, stdin=cipher.out) == secret
    made = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, *pkeyopts, stdin=secret)
    plain = totient("decrypt", "--key", key, *options, *DEVICE, stdin=made)
    assert (plain.status, plain.out) == (0, secret), plain.err


def test_a_key_of_three_primes(folder: Path) -> None:
    """One exponentiation with d: a simulated engine and a core without slots."""
    signature, message = sign(folder, "three"), folder / "message"
    openssl_verifies(folder / "three.pub", signature, message, *PSS)
    assert verify(folder, "three", theirs(folder, "three", *PSS)) == VALID
    words = ("sign", "--key", folder / "three.pem", "--in", message, "--out", signature)
    on_engine = totient(*words)
    assert on_engine.status == 0, on_engine.err
    assert "  private: 1024-bit modulus, 1024-bit exponent," in on_engine.err
    openssl_verifies(folder / "three.pub", signature, message, *PSS)
    secret = b"secret"
    cipher = totient("encrypt", "--key", folder / "three.pub", *DEVICE, stdin=secret)
    plain = totient("decrypt", "--key", folder / "three.pem", *DEVICE, stdin=cipher.out)
    assert (plain.status, plain.out) == (0, secret), plain.err


def test_a_pss_key_without_limits(folder: Path) -> None:
    openssl_verifies(folder / "pss.pub", sign(folder, "pss"), folder / "message")
    assert verify(folder, "pss", theirs(folder, "pss")) == VALID


def test_a_pss_key_with_limits(folder: Path) -> None:
    """OpenSSL's default verifies our default, and ours its. Neither takes a shorter salt."""
    message = folder / "message"
    openssl_verifies(folder / "limited.pub", sign(folder, "limited"), message)
    assert verify(folder, "limited", theirs(folder, "limited")) == VALID
    longer = sign(folder, "limited", "--salt-length", "32")
    openssl_verifies(folder / "limited.pub", longer, message, "-sigopt", "rsa_pss_saltlen:32")
    assert verify(folder, "limited", longer) == VALID
    # The same values as a plain key, which signs with any salt.
    key = read_private(folder / "limited.pem")
    plain = RsaKey(key.modulus, key.exponent, key.private_exponent, key.primes)
    (folder / "unlimited.pem").write_bytes(private_pem(plain, KeyFormat.PKCS8))
    options = (*PSS, "-sigopt", "rsa_mgf1_md:sha1", "-sigopt", "rsa_pss_saltlen:19")
    short = theirs(folder, "unlimited", *options)
    openssl_refuses(folder, "limited", short)
    assert verify(folder, "limited", short) == INVALID
