"""The commands sign, verify, encrypt and decrypt."""

import base64
import stat
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from tests.unit.rsa.double import Workshop
from totient.common.contract import TimingClass

DEVICE = ("--device", "tty:montgomery")


@pytest.mark.parametrize("scheme", ["pss", "pkcs1v15"])
@pytest.mark.parametrize("hash_name", ["sha1", "sha256", "sha384", "sha512"])
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
        "sim:engine-64?width=1024",
        "sim:T3?width=600",
    ]


def test_json(run: Run, folder: Path) -> None:
    outcome = run("sign", "--key", "key.pem", "--out", "signature", *DEVICE, "--json")
    step = {"modulus_bits": 512, "exponent_bits": 512, "setup_cycles": 512, "cycles": 1024}
    assert outcome.json == {
        "key_bits": 1024,
        "scheme": "pss",
        "hash": "sha256",
        "device": "tty:montgomery",
        "steps": [
            {"name": "private, modulo p", **step},
            {"name": "private, modulo q", **step},
        ],
        "total_cycles": 3072,
        "clock_mhz": None,
        "seconds_at_clock": None,
        "out": "signature",
    }
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
