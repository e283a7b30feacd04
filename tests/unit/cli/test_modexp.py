"""The command modexp."""

from pathlib import Path

import pytest

from tests.unit.conftest import Run
from tests.unit.rsa.double import Workshop
from totient.rsa.pem import read_private

DEVICE = ("--device", "tty:montgomery?width=16")


@pytest.mark.parametrize(
    ("modulus", "exponent", "base", "result"),
    [
        ("3859", "11", "500", str(pow(500, 11, 3859))),
        ("0xf13", "0xB", "500", f"{pow(500, 11, 3859):#x}"),
        ("0XF13", "11", "0x1F4", f"{pow(500, 11, 3859):#x}"),
        ("3859", "0", "500", "1"),
        ("3859", "0", "0", "1"),
        ("3859", "5", "0", "0"),
        ("3", "1", "2", "2"),
    ],
)
def test_results(run: Run, modulus: str, exponent: str, base: str, result: str) -> None:
    words = ("--modulus", modulus, "--exponent", exponent, "--base", base)
    outcome = run("modexp", *words, *DEVICE)
    assert (outcome.status, outcome.out.decode()) == (0, f"{result}\n")


@pytest.mark.parametrize("bits", [64, 512])
def test_a_key_in_a_file(run: Run, workshop: Workshop, tmp_path: Path, bits: int) -> None:
    """Textbook RSA there and back, also with a toy key."""
    path, public = tmp_path / "key.pem", tmp_path / "public.pem"
    words = ("--bits", bits, "--insecure-toy", "--public-exponent", 17)
    run("keygen", *words, "--out", path, "--public", public)
    key = read_private(path, toy=True)
    device = ("--device", f"tty:montgomery?width={bits}")
    for each in (path, public):
        there = run("modexp", "--key", each, "--base", "0x2A", *device)
        assert there.out.decode() == f"{pow(42, 17, key.modulus):#x}\n"
        assert workshop.device.loads[-1] == (key.modulus, 17, 5)
    cipher = there.out.decode().strip()
    back = run("modexp", "--key", path, "--private", "--base", int(cipher, 16), *device)
    assert (back.status, back.out.decode()) == (0, "42\n")
    modulus, _, length = workshop.device.loads[-1]
    # The stated length is that of the modulus. A real key's operation is by CRT.
    assert (modulus, length) == ((key.modulus, 64) if bits == 64 else (key.crt.q, 256))
    refused = run("modexp", "--key", public, "--private", "--base", 1, *device)
    assert refused.err == f"totient: {public}: holds a public key, this needs the private one\n"
    refused = run("modexp", "--key", path, "--base", key.modulus, *device)
    assert refused.status == 2
    assert refused.err.endswith("is not below the key's modulus\n")


def test_what_was_done_is_said(run: Run, workshop: Workshop) -> None:
    words = ("--modulus", "3859", "--exponent", "11", "--base", "500", "--exponent-bits", "6")
    outcome = run("modexp", *words, *DEVICE)
    assert outcome.err == (
        "computed on tty:montgomery?width=16\n"
        "  exponentiation: 12-bit modulus, 6-bit exponent, "
        "set-up 12 cycles, exponentiation 12 cycles\n"
        "  24 cycles; no Record has a clock of this core, --clock MHZ states one\n"
    )
    assert workshop.device.loads == [(3859, 11, 6)]
    summary = run("modexp", *words, *DEVICE, "--json").json
    assert summary["result"] == str(pow(500, 11, 3859))
    assert summary["total_cycles"] == 24


def test_the_width_follows_modulus_and_exponent(run: Run, workshop: Workshop) -> None:
    device = ("--device", "sim:T3")
    run("modexp", "--modulus", "3859", "--exponent", "3", "--base", "2", *device)
    words = (*device, "--modulus", "3", "--exponent", "1", "--base", "2", "--exponent-bits")
    run("modexp", *words, "1")
    run("modexp", *words, "33")
    widths = [address.rpartition("=")[2] for address, _ in workshop.opened]
    assert widths == ["32", "32", "64"]


# Modulus, exponent and base with further options, and what is said.
REFUSED = [
    ("3859 11 5000", "the base 5000 is not below the modulus 3859"),
    ("3859 11 3859", "the base 3859 is not below the modulus 3859"),
    ("0 11 0", "the modulus is 0, allowed are odd numbers from 3"),
    ("1 11 0", "the modulus is 1, allowed are odd numbers from 3"),
    ("3860 11 5", "the modulus 3860 is even, allowed are odd numbers from 3"),
    ("3859 11 5 --exponent-bits 0", "the exponent's length is 0 bits, allowed is 1 or more"),
    ("3859 0 5 --exponent-bits 0", "the exponent's length is 0 bits, allowed is 1 or more"),
    ("3859 11 5 --exponent-bits 3", "the exponent has 4 bits, --exponent-bits is 3"),
    ("65537 11 5", "the operation needs a core of 17 bits, tty:montgomery?width=16 has 16"),
    (
        "3859 11 5 --exponent-bits 17",
        "the operation needs a core of 17 bits, tty:montgomery?width=16 has 16",
    ),
    ("3859 11 -5", "the base is '-5', allowed are decimal and 0x hexadecimal numbers from 0"),
    (
        "3859 eleven 5",
        "the exponent is 'eleven', allowed are decimal and 0x hexadecimal numbers from 0",
    ),
    ("0x 11 5", "the modulus is '0x', allowed are decimal and 0x hexadecimal numbers from 0"),
    ("3859 11 ", "the base is '', allowed are decimal and 0x hexadecimal numbers from 0"),
    (
        "1_000_001 11 5",
        "the modulus is '1_000_001', allowed are decimal and 0x hexadecimal numbers from 0",
    ),
    (f"3859 11 {'9' * 5000}", "the base has 5000 digits, more than any core accepts"),
    (f"{'1' * 60} 11 {'9' * 60}", f"the base {'9' * 40}... is not below the modulus {'1' * 40}..."),
    (
        "3859 11 5 --exponent-bits 2 --device sim:T3?width=32",
        "the exponent has 4 bits, --exponent-bits is 2",
    ),
    (
        "3859 11 5 --exponent-bits 33 --device sim:T3?width=32",
        "the operation needs a core of 33 bits, sim:T3?width=32 has 32",
    ),
    (
        f"{2**33 + 1} 11 5 --device sim:T3?width=32",
        "the operation needs a core of 34 bits, sim:T3?width=32 has 32",
    ),
    (
        "3859 e 5 --device sim:T3?width=32",
        "the exponent is 'e', allowed are decimal and 0x hexadecimal numbers from 0",
    ),
    ("3859 11 5 --device sim:T99", "unknown design 'T99'; `totient list` names them"),
    ("3859 11 5 --device sim:T3?width=7", "width is 7, allowed is 8 to 4096"),
    ("3859 11 5 --device sim:T3?width=4097", "width is 4097, allowed is 8 to 4096"),
    (
        f"{2**4096 + 1} 11 5 --device sim:T3",
        "the operation needs a core of 4097 bits, the widest has 4096",
    ),
    (
        "3859 11 5 --device sim:T3?depth=8",
        "design T3 has no parameter 'depth', it has width, word_bits, fixed_time, multiplier",
    ),
    ("3859 11 5 --device sim:T3?width=wide", "width is 'wide', allowed is a whole number"),
    (
        "3859 11 5 --device usb:T3",
        "unknown transport 'usb' of device 'usb:T3', known are sim, sim-registers, sim-serial, "
        "sim-rtl, uio, tty, unix",
    ),
    (
        "3859 11 5 --device T3",
        "device 'T3' has no transport, allowed is sim:DESIGN, sim-registers:DESIGN, "
        "sim-serial:DESIGN, sim-rtl:DESIGN, uio:PATH, tty:PATH, unix:PATH",
    ),
    (
        "2147483647 2147483645 5 --device sim:T1?width=32",
        "design repeated makes one product for each unit of the exponent, up to 2^31 here, "
        "allowed are 2^20: take T2 or T3",
    ),
    (
        "0xfffffff1 0xfffffff0 3 --device sim:T1",
        "design repeated makes one product for each unit of the exponent, up to 2^32 here, "
        "allowed are 2^20: take T2 or T3",
    ),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_refusals(run: Run, words: str, message: str) -> None:
    modulus, exponent, base, *more = words.split(" ")
    numbers = (f"--modulus={modulus}", f"--exponent={exponent}", f"--base={base}")
    device = () if "--device" in more else DEVICE
    assert run("modexp", *numbers, *more, *device).refused == message
