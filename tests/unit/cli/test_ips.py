"""show and check of the IPs: their formulas, in words and in figures."""

import math
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from totient.device.rsa_keygen import RsaKeygen
from totient.device.rsa_stream import RsaStream
from totient.sim import Model


def shown(run: Run, *words: str) -> dict[str, dict[str, int]]:
    """Cycles of the examples, for programs."""
    entry = run("show", *words, "--json").good.json
    assert set(entry["formulas"]) == set(next(iter(entry["cycles"].values())))
    cycles: dict[str, dict[str, int]] = entry["cycles"]
    return cycles


def set_up(width: int, word_bits: int, modulus_bits: int) -> tuple[int, int]:
    """The first terms of the formulas with Montgomery multipliers, as they are printed; and s."""
    s = math.ceil((width + 2) / word_bits)
    doubling = (s * word_bits - modulus_bits + 2) * (s + 1) + 3
    products = (2 * s + 2) * ((s * word_bits).bit_length() + 1)
    return max(word_bits, doubling) + products + 4 * s, s


@pytest.mark.parametrize("bits", [16, 32, 1024])
def test_the_words_of_e3_are_its_cycles(bits: int, run: Run) -> None:
    """The formulas that `show` prints, worked out a second time."""
    encrypt, decrypt = shown(run, "E3", "--set", f"prime_bits={bits}").values()
    first, s = set_up(2 * bits, 16, 2 * bits)
    words, prime_words = math.ceil(2 * bits / 32), math.ceil(bits / 32)
    key = prime_words**2 + 5 * prime_words + math.ceil((2 * bits + 17) / 32) + 2 * bits + 17 + 18
    assert encrypt["key"] == key + 2 * bits + 2 * 17 + 7
    assert encrypt["load"] == first + 2 * words + 17
    for example, k in ((encrypt, 17), (decrypt, 2 * bits)):
        assert example["message"] == (2 * s + 2) * (k + 1) + 3 * s + 16
        assert example["packet"] == example["message"] + 4 * words - 1


def test_the_words_of_e2_are_its_cycles(run: Run) -> None:
    given = ("width=64", "modulus=6103297", "exponent=2416153", "word_bits=8")
    (example,) = shown(run, "E2", *(word for each in given for word in ("--set", each))).values()
    first, s = set_up(64, 8, 23)
    assert example["start"] == first + s + 2 * 2 + 14
    assert example["message"] == (2 * s + 2) * (22 + 1) + 3 * s + 15
    assert example["packet"] == example["message"] + 4 * 2 - 3


def test_the_words_of_b1_are_its_cycles(run: Run) -> None:
    encrypt, decrypt = shown(run, "B1").values()
    tried = sum(64 + 2 * length + 7 for length in (2, 3, 3))
    assert encrypt["key"] == 1 + 1 + 1 + 1 + 3 + 64 + 3 + 19 + tried
    assert encrypt["message"] == 66 * (3 - 1) + 32
    assert decrypt["message"] == 66 * (64 - 1) + 32
    assert encrypt["all"] == encrypt["key"] + encrypt["message"] + 11


@pytest.mark.parametrize(("width", "steps"), [(64, 1), (64, 2), (33, 2)])
def test_the_words_of_d6_are_its_cycles(width: int, steps: int, run: Run) -> None:
    given = ("--width", str(width), "--set", f"bits_per_cycle={steps}")
    assert [each["product"] for each in shown(run, "D6", *given).values()] == [
        math.ceil(bits / steps) + 6 for bits in (1, width // 2, width)
    ]
    assert "time    depends on the operands: on the length of the modulus" in run("show", "D6").text


def test_formulas_and_ranges_are_shown(run: Run) -> None:
    text = run("show", "E2").text
    assert "from reset to the first message:" in text
    assert "3 to 2^4096 - 1" in text
    assert max(map(len, text.splitlines())) < 300


def test_a_check_names_its_parameters(run: Run) -> None:
    text = run("check", "E3?prime_bits=16", "--count", "2").text
    assert text.startswith("rsa_stream?prime_bits=16: 2 cases")
    assert text.endswith("every result is right, every cycle count is the formula's\n")


@pytest.mark.parametrize(
    ("words", "name", "faces"),
    [
        (("B1", "--face", "registers"), "rsa_keygen", ["registers"]),
        (("E3", "--set", "prime_bits=16"), "rsa_stream", ["registers", "stream"]),
    ],
)
def test_models_for_c(words: tuple[str, ...], name: str, faces: list[str], run: Run) -> None:
    printed = run("model", *words, "--json").good.json
    assert (printed["ip"], printed["faces"]) == (name, faces)
    with Model(Path(printed["library"])) as model:
        key = RsaKeygen(model) if name == "rsa_keygen" else RsaStream(model)
        assert key.registers.identification > 0
