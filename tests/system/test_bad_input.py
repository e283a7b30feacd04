"""Bad input on the command line: one line that says what and why, status 2, nothing written."""

import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.outcome import Outcome
from tests.system.command import TOTIENT, openssl, totient
from tests.unit.rsa.any_key import integers, pkcs1
from totient.common.errors import TotientError
from totient.device import RsaKey
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import KeyFormat
from totient.rsa.keys import generate
from totient.rsa.pem import private_pem, public_pem
from totient.rsa.rejection import synthetic_message

# The example of the textbooks, with p = 17 and q = 227.
SMALL = "sim:T3?width=32"
MODULUS, EXPONENT, MESSAGE = 3859, 11, 5000


@pytest.mark.parametrize("bits", [1, 4, 32])
def test_an_exponent_of_value_0_gives_1(bits: int) -> None:
    numbers = ("--modulus", MODULUS, "--exponent", 0, "--exponent-bits", bits, "--base", 500)
    outcome = totient("modexp", *numbers, "--device", SMALL)
    assert (outcome.status, outcome.out) == (0, b"1\n"), outcome.err


@pytest.fixture(scope="module")
def key() -> RsaKey:
    return generate(512)


@pytest.fixture
def folder(tmp_path: Path, key: RsaKey) -> Iterator[Path]:
    """A folder with a key and a message; whatever is refused must not write into it."""
    (tmp_path / "key.pem").write_bytes(private_pem(key, KeyFormat.PKCS8))
    (tmp_path / "pub.pem").write_bytes(public_pem(key.public, KeyFormat.PKCS8))
    (tmp_path / "message").write_bytes(b"text")
    yield tmp_path
    assert not (tmp_path / "result").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def with_key(folder: Path, content: bytes, command: str = "sign", *more: object) -> Outcome:
    """A command with a key file of this content."""
    (folder / "bad.pem").write_bytes(content)
    words: tuple[str, ...] = ("--key", "bad.pem", "--in", "message")
    words += ("--signature", "message") if command == "verify" else ("--out", "result")
    return totient(command, *words, *more, folder=folder)


@pytest.mark.parametrize("command", ["sign", "decrypt"])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"e": 0}, "the public exponent is 0, allowed are odd numbers from 3"),
        ({"e": 65536}, "the public exponent is 65536, allowed are odd numbers from 3"),
        ({"d": 0}, "the private exponent is 0"),
        ({"d": 3}, "the private exponent does not belong to the public exponent"),
        ({"n": 3859}, "the modulus has 12 bits, allowed are 512 to 8192"),
        ({"n": (1 << 512) - 2}, "the modulus is even, an RSA modulus is odd"),
        ({"p": 17, "q": 227}, "the product of the primes is not the modulus"),
        ({"dq": 5}, "the CRT values do not belong to the private exponent and the primes"),
    ],
)
def test_private_keys_with_bad_values(
    folder: Path, key: RsaKey, command: str, changes: dict[str, int], message: str
) -> None:
    values = dict(zip(("version", *"nedpq", "dp", "dq", "inverse"), integers(key), strict=True))
    outcome = with_key(folder, pkcs1([*(values | changes).values()]), command)
    assert outcome.refused == f"bad.pem: {message}"


@pytest.mark.parametrize("command", ["verify", "encrypt"])
@pytest.mark.parametrize(
    ("modulus", "exponent", "message"),
    [
        (0, 65537, "the modulus has 0 bits, allowed are 512 to 8192"),
        (1, 65537, "the modulus has 1 bits, allowed are 512 to 8192"),
        ((1 << 512) - 2, 65537, "the modulus is even, an RSA modulus is odd"),
        ((1 << 511) - 1, 65537, "the modulus has 511 bits, allowed are 512 to 8192"),
        ((1 << 8193) - 1, 65537, "the modulus has 8193 bits, allowed are 512 to 8192"),
        ((1 << 512) - 1, 0, "the public exponent is 0, allowed are odd numbers from 3"),
        ((1 << 512) - 1, 2, "the public exponent is 2, allowed are odd numbers from 3"),
    ],
)
def test_public_keys_with_bad_values(
    folder: Path, command: str, modulus: int, exponent: int, message: str
) -> None:
    outcome = with_key(folder, pkcs1((modulus, exponent), "PUBLIC"), command)
    assert outcome.refused == f"bad.pem: {message}"


def test_damaged_keys(folder: Path, key: RsaKey) -> None:
    text = private_pem(key, KeyFormat.PKCS8)
    lines = text.splitlines(keepends=True)
    for content, message in (
        (b"", "holds no PEM key (a line -----BEGIN ... KEY-----)"),
        (os.urandom(1000), "holds no PEM key (a line -----BEGIN ... KEY-----)"),
        (text[:200], "the PEM is damaged: no line -----END PRIVATE KEY-----"),
        (text.replace(b"M", b"?", 1), "the PEM is damaged: its content is not base64"),
        (
            b"".join(lines[:2] + lines[3:]),
            "the PEM is damaged: its content is no PRIVATE KEY",
        ),
    ):
        assert with_key(folder, content).refused == f"bad.pem: {message}"


@pytest.mark.parametrize("form", [("pkey", "-aes256"), ("rsa", "-traditional", "-aes256")])
def test_encrypted_keys(folder: Path, form: tuple[str, ...]) -> None:
    words = ("-in", folder / "key.pem", "-passout", "pass:secret")
    assert with_key(folder, openssl(*form, *words)).refused == (
        "bad.pem: the key is encrypted, decrypt it first: "
        "openssl pkey -in ENCRYPTED.pem -out KEY.pem"
    )


def test_keys_that_are_not_rsa(folder: Path) -> None:
    curve = ("-pkeyopt", "ec_paramgen_curve:P-256")
    for words, message in (
        (("EC", *curve), "not an RSA key (algorithm 1.2.840.10045.2.1)"),
        (("ED25519",), "not an RSA key (algorithm 1.3.101.112)"),
    ):
        key = openssl("genpkey", "-quiet", "-algorithm", *words)
        assert with_key(folder, key).refused == f"bad.pem: {message}"
    assert with_key(folder, openssl("ecparam", "-name", "prime256v1", "-genkey")).refused == (
        "bad.pem: holds a PEM block 'EC PRIVATE KEY': a key on an elliptic curve, allowed are RSA "
        "keys"
    )


def test_a_key_for_signatures_only(folder: Path) -> None:
    key = openssl("genpkey", "-quiet", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024")
    for command in ("encrypt", "decrypt"):
        assert with_key(folder, key, command).refused == (
            "the scheme is oaep, an RSASSA-PSS key allows pss only"
        )


@pytest.mark.parametrize("command", ["sign", "decrypt"])
def test_a_public_key_where_the_private_one_is_needed(folder: Path, command: str) -> None:
    content = (folder / "pub.pem").read_bytes()
    message = "bad.pem: holds a public key, this needs the private one"
    assert with_key(folder, content, command).refused == message


def test_files_that_are_not_there(folder: Path) -> None:
    for command in ("sign", "decrypt", "encrypt"):
        words = (command, "--key", "none.pem", "--in", "message", "--out", "result")
        message = "cannot read the key none.pem: No such file or directory"
        assert totient(*words, folder=folder).refused == message
        words = (command, "--key", "key.pem", "--in", "none", "--out", "result")
        message = "cannot read none: No such file or directory"
        assert totient(*words, folder=folder).refused == message
    words = ("verify", "--key", "key.pem", "--in", "message", "--signature", "none")
    assert totient(*words, folder=folder).refused == "cannot read none: No such file or directory"


def test_output_that_cannot_be_written(folder: Path) -> None:
    words = ("encrypt", "--key", "key.pem", "--in", "message", "--scheme", "pkcs1v15")
    device = ("--device", "sim:T3?width=512")
    for out, reason in (("none/result", "No such file or directory"), (".", "Is a directory")):
        outcome = totient(*words, *device, "--out", out, folder=folder)
        assert outcome.refused == f"cannot write {out}: {reason}"
        assert "Traceback" not in outcome.err
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [TOTIENT, *words, *device],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.endswith(
        b"\ntotient: cannot write the standard output: No space left on device\n"
    )


def test_a_key_file_is_not_overwritten(folder: Path) -> None:
    before = (folder / "key.pem").read_bytes()
    outcome = totient("keygen", "--bits", "512", "--out", "key.pem", folder=folder)
    assert outcome.refused == "key.pem exists, --force overwrites it"
    assert (folder / "key.pem").read_bytes() == before


def test_a_key_larger_than_the_core(folder: Path) -> None:
    words = ("--key", "key.pem", "--in", "message", "--device", SMALL)
    for command in ("sign", "encrypt"):
        scheme = () if command == "sign" else ("--scheme", "pkcs1v15")
        outcome = totient(command, *words, *scheme, "--out", "result", folder=folder)
        bits = 256 if command == "sign" else 512
        assert (
            outcome.refused == f"the operation needs a core of {bits} bits, sim:T3?width=32 has 32"
        )


def test_a_private_key_on_repeated_multiplication(folder: Path) -> None:
    for more, power in (((), 256), (("--no-crt",), 512)):
        words = ("--key", "key.pem", "--in", "message", "--out", "result", "--device", "sim:T1")
        assert totient("sign", *words, *more, folder=folder).refused == (
            "design repeated makes one product for each unit of the exponent, "
            f"up to 2^{power} here, allowed are 2^20: take T2 or T3"
        )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "encrypt --key pub.pem --scheme pkcs1v15",
            "the message has 54 bytes, a 512-bit key takes at most 53 with pkcs1v15",
        ),
        (
            "encrypt --key pub.pem --hash sha1",
            "the message has 54 bytes, a 512-bit key takes at most 22 with oaep and sha1",
        ),
        ("encrypt --key pub.pem", "the key has 512 bits, oaep and sha256 needs at least 521"),
        (
            "sign --key key.pem --hash sha512",
            "the key has 512 bits, pss and sha512 needs at least 522",
        ),
    ],
)
def test_messages_that_are_too_long(folder: Path, words: str, message: str) -> None:
    assert totient(*words.split(), stdin=bytes(54), folder=folder).refused == message


def test_bad_padding_looks_like_good_padding(folder: Path, key: RsaKey) -> None:
    """On the core: status and reports are the same. Lengths are public."""

    def of(block: bytes) -> bytes:
        value = pow(int.from_bytes(block, "big"), key.exponent, key.modulus)
        return value.to_bytes(64, "big")

    device = ("--device", "sim:T3?width=512")
    words = ("decrypt", "--key", "key.pem", "--scheme", "pkcs1v15", *device)
    failed = "decryption failed: wrong key, scheme, hash or label, or a damaged ciphertext"
    for cipher in (b"", bytes(63), bytes(65), b"\xff" * 64):
        assert totient(*words, "--out", "result", stdin=cipher, folder=folder).refused == failed
    assert not (folder / "result").exists()
    good = of(b"\0\2" + b"\xff" * 30 + b"\0" + b"x" * 31)
    bad = (
        of(b"\0\1" + b"\xff" * 30 + b"\0" + b"x" * 31),
        of(b"\0\2" + b"\xff" * 7 + b"\0" + b"x" * 54),
        of(b"\0\2" + b"\xff" * 62),
    )
    reports = set()
    for cipher in (good, *bad):
        outcome = totient(*words, "--out", "plain", stdin=cipher, folder=folder)
        assert (outcome.status, outcome.out) == (0, b"")
        message = (folder / "plain").read_bytes()
        assert message == (synthetic_message(key, cipher) if cipher != good else b"x" * 31)
        assert stat.S_IMODE((folder / "plain").stat().st_mode) == 0o600
        reports.add(outcome.err)
    assert len(reports) == 1
    unsafe = (*words, "--unsafe-padding-error")
    for cipher in bad:
        assert totient(*unsafe, stdin=cipher, folder=folder).refused == failed
    assert totient(*unsafe, stdin=good, folder=folder).out == b"x" * 31


def test_what_is_no_signature(folder: Path, key: RsaKey) -> None:
    words = ("verify", "--key", "pub.pem", "--in", "message", "--signature", "bad")
    for claimed in (b"", bytes(63), bytes(64), key.modulus.to_bytes(64, "big")):
        (folder / "bad").write_bytes(claimed)
        outcome = totient(*words, "--device", "sim:T3?width=512", folder=folder)
        assert (outcome.status, outcome.out) == (1, b"signature is NOT valid\n"), outcome.err


def test_the_same_core_goes_on_after_refusals(key: RsaKey) -> None:
    """In one process, on one opened core."""
    with Accelerator("sim:T3?width=256") as accelerator:
        good = accelerator.private(key, 12345)
        requests: list[Callable[[], int]] = [
            lambda: accelerator.public(key.public, 5),
            lambda: accelerator.exponentiate(MODULUS, EXPONENT, 257, 5),
            lambda: accelerator.exponentiate((1 << 300) + 1, EXPONENT, 4, 5),
            lambda: accelerator.exponentiate(MODULUS - 1, EXPONENT, 4, 5),
            lambda: accelerator.exponentiate(1, EXPONENT, 4, 0),
            lambda: accelerator.exponentiate(MODULUS, EXPONENT, 0, 5),
            lambda: accelerator.exponentiate(MODULUS, EXPONENT, 4, MESSAGE),
        ]
        for request in requests:
            with pytest.raises(TotientError):
                request()
            assert accelerator.exponentiate(MODULUS, EXPONENT, 4, 500) == pow(500, 11, 3859)
        assert accelerator.private(key, 12345) == good


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C, as a terminal sends it to a command and all that it started; nothing is printed."""
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - start < 10
    assert (process.returncode, out, err) == (130, b"", b"totient: interrupted\n")


def start(*words: object, **environment: str) -> subprocess.Popen[bytes]:
    """Start `totient` as the leader of a process group."""
    return subprocess.Popen(
        [TOTIENT, *map(str, words)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def test_interruption_while_the_core_computes() -> None:
    """A million products, some hundred million clock cycles."""
    device = ("--device", "sim:T1?width=512")
    short = ("modexp", "--modulus=3859", "--exponent=2", "--base=3", *device)
    assert totient(*short).status == 0
    process = start("modexp", "--modulus=3859", "--exponent=0xfffff", "--base=3", *device)
    time.sleep(4)
    assert process.poll() is None, "it was to run for longer"
    interrupt(process)
    outcome = totient(*short)
    assert (outcome.status, outcome.out) == (0, b"9\n"), outcome.err


def test_interruption_while_the_core_is_built(folder: Path) -> None:
    """Nothing half built stays, and the next run builds it."""
    cache = folder / "cache"
    words = ("sign", "--key", folder / "key.pem", "--in", folder / "message")
    core = ("--device", "sim:T3?width=512")
    process = start(*words, *core, "--out", folder / "result", TOTIENT_CACHE=str(cache))
    while not [path for path in cache.rglob("*") if path.suffix in (".cpp", ".o")]:
        assert process.poll() is None
        time.sleep(0.05)
    interrupt(process)
    left = {path.name for path in cache.glob("*/*") if not path.name.endswith(".lock")}
    assert not {name for name in left if name.startswith(".")}
    assert not list((cache / "models").glob("[!.]*"))
    assert not (folder / "result").exists()
    done = totient(*words, *core, "--out", folder / "signature", TOTIENT_CACHE=str(cache))
    assert done.status == 0, done.err


def test_tools_that_are_missing(folder: Path) -> None:
    cache = folder / "cache"
    words = ("encrypt", "--key", folder / "pub.pem", "--hash", "sha1", "--out", folder / "result")
    assert (
        totient(*words, CXX="no-such-compiler", TOTIENT_CACHE=str(cache)).refused
        == "the C++ compiler no-such-compiler is missing: apt-get install g++, or set CXX"
    )
    file = folder / "file"
    file.write_text("in the way")
    assert (
        totient(*words, TOTIENT_CACHE=str(file)).refused
        == f"{file} is a regular file, allowed is a folder: point TOTIENT_CACHE at a folder of "
        "your own"
    )


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-2", "utf-8"])
def test_no_encoding_ends_a_command(encoding: str) -> None:
    words = ("reproduce", "thesis", "--table", "summary")
    outcome = totient(*words, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert outcome.status == 0
    unit = "\N{MICRO SIGN}s" if encoding == "utf-8" else "us"
    assert f"258.2 {unit}" in outcome.out.decode(encoding)
    assert "Traceback" not in outcome.err


def test_a_reader_that_has_gone_is_no_error() -> None:
    for words in ("reproduce thesis", "list", "show T3"):
        line = f"{TOTIENT} {words} | true; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, check=False, timeout=600)
        assert done.returncode in (0, 141), words
        assert done.stderr == b""


def test_a_signature_of_the_wrong_length(folder: Path) -> None:
    outcome = totient(
        *("verify", "--key", "key.pem", "--signature", "message", "--in", "message"), folder=folder
    )
    assert outcome.status == 1
    assert outcome.out == b"signature is NOT valid\n"
    assert "bytes, this key requires 64" in outcome.err
