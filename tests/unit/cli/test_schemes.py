"""The commands sign, verify, encrypt and decrypt."""

import base64
import stat
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from tests.unit.rsa.double import Workshop
from tests.unit.rsa.vectors import data
from totient.common.contract import TimingClass
from totient.rsa.choices import HashName

DEVICE = ("--device", "tty:montgomery")


@pytest.mark.parametrize("scheme", ["pss", "pkcs1v15"])
@pytest.mark.parametrize("hash_name", [name for name in HashName if not name.is_shake])
def test_sign_and_verify(run: Run, folder: Path, scheme: str, hash_name: str) -> None:
    options = ("--scheme", scheme, "--hash", hash_name, *DEVICE)
    signed = run("sign", "--key", "key.pem", "--in", "message", "--out", "signature", *options)
    assert (signed.status, signed.out) == (0, b"")
    for key in ("pub.pem", "key.pem"):
        verify = ("verify", "--key", key, "--signature", "signature", *options)
        valid = run(*verify, "--in", "message")
        assert (valid.status, valid.out) == (0, b"signature is valid\n")
        wrong = run(*verify, stdin=b"attack at noon")
        assert (wrong.status, wrong.out) == (1, b"signature is NOT valid\n")
        assert "Traceback" not in wrong.err


@pytest.mark.parametrize(
    ("signing", "verifying", "valid"),
    [
        ((), (), True),
        (("--salt-length", "max"), (), True),
        (("--salt-length", "max"), ("--salt-length", "auto"), True),
        (("--salt-length", "auto"), ("--salt-length", "max"), True),
        (("--salt-length", "max"), ("--salt-length", "digest"), False),
        ((), ("--salt-length", "digest"), True),
        ((), ("--salt-length", "32"), True),
        ((), ("--salt-length", "31"), False),
        (("--salt-length", "0"), ("--salt-length", "0"), True),
        (("--mgf-hash", "sha1"), ("--mgf-hash", "sha1"), True),
        (("--mgf-hash", "sha1"), (), False),
        (("--hash", "shake128"), ("--hash", "shake128"), True),
        (("--hash", "shake128"), ("--hash", "shake256"), False),
    ],
)
def test_salts_and_masks(
    run: Run, folder: Path, signing: tuple[str, ...], verifying: tuple[str, ...], valid: bool
) -> None:
    signed = run("sign", "--key", "key.pem", "--in", "message", "--out", "s", *signing, *DEVICE)
    assert signed.status == 0, signed.err
    words = ("verify", "--key", "pub.pem", "--signature", "s", "--in", "message", *verifying)
    answer = run(*words, *DEVICE)
    assert answer.status == (0 if valid else 1), answer.err
    assert ("mask sha1" in answer.err) == ("--mgf-hash" in verifying)


def test_options_of_other_schemes(run: Run, folder: Path) -> None:
    options = ("--key", "key.pem", "--scheme", "pkcs1v15", *DEVICE)
    for command in (("sign",), ("verify", "--signature", "message")):
        salt = run(*command, *options, "--salt-length", "auto")
        assert salt.refused == "the salt length is auto, allowed with pss only"
    for command in (("sign",), ("verify", "--signature", "message"), ("encrypt",), ("decrypt",)):
        mask = run(*command, *options, "--mgf-hash", "sha1")
        assert mask.refused == "the hash of the mask is sha1, pkcs1v15 has no mask"
    for command in (("encrypt",), ("decrypt",)):
        label = run(*command, *options, "--label", "aB01")
        assert label.refused == "the label has 2 bytes, allowed with oaep only"
        hashed = run(*command, *options, "--hash", "sha1")
        assert hashed.refused == "the hash is sha1, pkcs1v15 has none to encrypt and decrypt"


def test_labels(run: Run, folder: Path) -> None:
    named = ("--label", "00aBff", "--mgf-hash", "sha1", *DEVICE)
    cipher = run("encrypt", "--key", "pub.pem", *named, stdin=b"secret").out
    assert run("decrypt", "--key", "key.pem", *named, stdin=cipher).out == b"secret"
    other = run("decrypt", "--key", "key.pem", "--mgf-hash", "sha1", *DEVICE, stdin=cipher)
    assert (other.status, other.out) == (2, b"")
    assert other.err == (
        "totient: decryption failed: wrong key, scheme, hash or label, or a damaged ciphertext\n"
    )


def test_a_pss_key_chooses_its_hashes(run: Run, folder: Path) -> None:
    (folder / "pss.pem").write_bytes(data("PKCS8/rsa_pss_2048_hash_mask_diff.pem"))
    signed = run("sign", "--key", "pss.pem", "--in", "message", "--out", "s", *DEVICE, "--json")
    assert signed.json["hash"] == "sha256"
    words = ("verify", "--key", "pss.pem", "--signature", "s", "--in", "message", *DEVICE)
    valid = run(*words)
    assert (valid.status, valid.out) == (0, b"signature is valid\n")
    assert valid.err.startswith("checked with pss (sha256, mask sha512), RSA-2048,")
    assert run(*words, "--salt-length", "20").status == 0
    assert run(*words, "--hash", "sha512").refused == (
        "the hash is sha512, the key allows sha256 only"
    )
    for command in ("encrypt", "decrypt"):
        assert run(command, "--key", "pss.pem").refused == (
            "the scheme is oaep, an RSASSA-PSS key allows pss only"
        )
    for more in ((), ("--private",)):
        plain = run("modexp", "--key", "pss.pem", "--base", "2", *more)
        assert plain.refused == "pss.pem: an RSASSA-PSS key, for PSS signatures only"


@pytest.mark.parametrize("scheme", ["oaep", "pkcs1v15"])
def test_encrypt_and_decrypt(run: Run, folder: Path, scheme: str) -> None:
    options = ("--scheme", scheme, *DEVICE)
    encrypted = run("encrypt", "--key", "pub.pem", *options, stdin=b"secret\0\xff")
    assert encrypted.status == 0
    assert len(encrypted.out) == 128
    decrypted = run("decrypt", "--key", "key.pem", *options, stdin=encrypted.out)
    assert (decrypted.status, decrypted.out) == (0, b"secret\0\xff")
    run("decrypt", "--key", "key.pem", "--out", "plain", *options, stdin=encrypted.out)
    assert (folder / "plain").read_bytes() == b"secret\0\xff"
    assert stat.S_IMODE((folder / "plain").stat().st_mode) == 0o600


def test_what_was_done_is_said(run: Run, folder: Path, workshop: Workshop) -> None:
    signed = run("sign", "--key", "key.pem", *DEVICE, "--clock", "12.5")
    assert signed.err == (
        "signed with pss (sha256), RSA-1024, on tty:montgomery\n"
        "  private, modulo p: 512-bit modulus, 512-bit exponent, "
        "set-up 512 cycles, exponentiation 1,024 cycles\n"
        "  private, modulo q: 512-bit modulus, 512-bit exponent, "
        "set-up 512 cycles, exponentiation 1,024 cycles\n"
        "  3,072 cycles are 245.8 µs at 12.5 MHz\n"
    )
    whole = run("sign", "--key", "key.pem", *DEVICE, "--no-crt")
    assert whole.err == (
        "signed with pss (sha256), RSA-1024, on tty:montgomery\n"
        "  private: 1024-bit modulus, 1024-bit exponent, "
        "set-up 1,024 cycles, exponentiation 2,048 cycles\n"
        "  3,072 cycles; no Record has a clock of this core, --clock MHZ states one\n"
    )
    encrypted = run("encrypt", "--key", "key.pem", *DEVICE)
    assert encrypted.err == (
        "encrypted with oaep (sha256), RSA-1024, on tty:montgomery\n"
        "  public: 1024-bit modulus, 17-bit exponent, "
        "set-up 1,024 cycles, exponentiation 34 cycles\n"
        "  1,058 cycles; no Record has a clock of this core, --clock MHZ states one\n"
    )


@pytest.mark.parametrize(
    ("timing", "words"),
    [
        (TimingClass.EXPONENT_VALUE, "depends on the exponent's value"),
        (TimingClass.OPERANDS, "depends on the exponent and on the operands"),
    ],
)
def test_a_core_that_tells_of_the_key_is_named(
    run: Run, folder: Path, workshop: Workshop, timing: TimingClass, words: str
) -> None:
    workshop.timing = timing
    warning = f"\n  warning: the time of this core {words}\n"
    cipher = run("encrypt", "--key", "key.pem", *DEVICE)
    assert "warning" not in cipher.err
    assert run("sign", "--key", "key.pem", *DEVICE).err.endswith(warning)
    assert run("decrypt", "--key", "key.pem", *DEVICE, stdin=cipher.out).err.endswith(warning)


def test_the_device_is_chosen_by_its_address(run: Run, folder: Path, workshop: Workshop) -> None:
    assert run("sign", "--key", "key.pem").status == 0
    assert run("sign", "--key", "key.pem", "--device", "sim:T3?width=600").status == 0
    assert [address for address, _ in workshop.opened] == [
        "sim:engine-62?width=1024",
        "sim:T3?width=600",
    ]


def test_json(run: Run, folder: Path) -> None:
    outcome = run("sign", "--key", "key.pem", "--out", "signature", *DEVICE, "--json")
    step = {"modulus_bits": 512, "exponent_bits": 512, "setup_cycles": 512, "cycles": 1024}
    assert outcome.json == {
        "key_bits": 1024,
        "scheme": "pss",
        "hash": "sha256",
        "mgf_hash": "sha256",
        "device": "tty:montgomery",
        "steps": [
            {"name": "private, modulo p", **step},
            {"name": "private, modulo q", **step},
        ],
        "total_cycles": 3072,
        "clock_mhz": None,
        "seconds_at_clock": None,
        "salt_length": 32,
        "out": "signature",
    }
    longest = run("sign", "--key", "key.pem", *DEVICE, "--json", "--salt-length", "max").json
    assert longest["salt_length"] == 1024 // 8 - 32 - 2
    assert (
        "salt_length"
        not in run(*("sign", "--key", "key.pem", *DEVICE, "--json", "--scheme", "pkcs1v15")).json
    )
    clocked = run("sign", "--key", "key.pem", *DEVICE, "--json", "--clock", "100").json
    assert (clocked["clock_mhz"], clocked["seconds_at_clock"]) == (100, pytest.approx(3.072e-5))
    verify = ("verify", "--key", "pub.pem", "--signature", "signature", *DEVICE, "--json")
    valid, wrong = run(*verify), run(*verify, stdin=b"other")
    assert (valid.status, valid.json["valid"]) == (0, True)
    assert (wrong.status, wrong.json["valid"]) == (1, False)
    assert valid.json["steps"][0]["name"] == "public"


def test_json_carries_an_output_that_has_no_file(run: Run, folder: Path) -> None:
    for scheme in ("oaep", "pkcs1v15"):
        options = ("--scheme", scheme, *DEVICE)
        encrypted = run("encrypt", "--key", "pub.pem", *options, "--json", stdin=b"secret")
        assert encrypted.json["hash"] == ("sha256" if scheme == "oaep" else None)
        assert encrypted.json["mgf_hash"] == encrypted.json["hash"]
        cipher = base64.b64decode(encrypted.json["output"])
        decrypted = run("decrypt", "--key", "key.pem", *options, "--json", stdin=cipher)
        assert base64.b64decode(decrypted.json["output"]) == b"secret"


def test_a_signature_of_the_wrong_length_needs_no_device(
    run: Run, folder: Path, workshop: Workshop
) -> None:
    outcome = run("verify", "--key", "pub.pem", "--signature", "message", "--in", "message")
    assert (outcome.status, outcome.out) == (1, b"signature is NOT valid\n")
    assert not workshop.opened


def test_one_standard_input_for_two_is_refused(run: Run, folder: Path) -> None:
    outcome = run("verify", "--key", "pub.pem", "--signature", "-")
    assert outcome.refused == "--in and --signature cannot both be the standard input"


@pytest.mark.parametrize("command", ["sign", "encrypt", "decrypt"])
def test_files_that_cannot_be_read(run: Run, folder: Path, command: str) -> None:
    for name, reason in (("none", "No such file or directory"), (".", "Is a directory")):
        outcome = run(command, "--key", "key.pem", "--in", name, "--out", "result", *DEVICE)
        assert outcome.refused == f"cannot read {name}: {reason}"
        assert not (folder / "result").exists()


def test_a_full_disk_leaves_the_old_file(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (folder / "signature").write_bytes(b"old")
    before = sorted(folder.iterdir())
    monkeypatch.setattr("os.fsync", full)
    outcome = run("sign", "--key", "key.pem", "--out", "signature", *DEVICE)
    assert outcome.status == 2
    assert outcome.err.endswith("\ntotient: cannot write signature: No space left on device\n")
    assert (folder / "signature").read_bytes() == b"old"
    assert sorted(folder.iterdir()) == before


def test_a_fault_writes_nothing(run: Run, folder: Path, workshop: Workshop) -> None:
    workshop.spoil = lambda result: result ^ 1
    outcome = run("sign", "--key", "key.pem", "--out", "signature", *DEVICE)
    assert outcome.refused == (
        "the device tty:montgomery returned a wrong result: nothing was released"
    )
    assert not (folder / "signature").exists()
    assert workshop.device.closed == 1


def test_an_input_that_fails_while_it_is_read(run: Run, folder: Path) -> None:
    outcome = run("sign", "--key", "key.pem", "--in", "/proc/self/mem", "--out", "s", *DEVICE)
    assert outcome.refused == "input or output: Input/output error"
    assert not (folder / "s").exists()
