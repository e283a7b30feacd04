"""The catalog's cycle formulas beside models of the same, written apart from them."""

import random

import pytest

from totient.catalog import (
    SYMBOLS,
    Configuration,
    Operation,
    Work,
    cycle_formulas,
    designs,
    ip_cycles,
    ips,
    select,
    select_ip,
)
from totient.common.errors import InputError
from totient.golden.digit_serial import ArraySchedule, DigitSerialMultiplier
from totient.golden.exponentiation import binary_products, repeated_products
from totient.golden.interleaved import InterleavedMultiplier
from totient.golden.montgomery import MontgomeryMultiplier


def drawn(draw: random.Random, name: str, **given: int) -> Configuration:
    """A design with random parameters that go together."""
    (design,) = (each for each in designs() if each.name == name)
    while True:
        values = {
            p.name: draw.choice(p.choices) if p.choices else draw.randint(p.low, min(p.high, 300))
            for p in design.parameters
        }
        if name == "digit_serial":
            values["slots"] = draw.randint(1, 3 * values["digit_bits"])
            values["links"] = draw.choice((0, 0, 1, 2, 3))
            values["lanes"], values["separated"] = 1, 1
        try:
            return design.configure({**values, **given})
        except InputError:
            continue


def test_the_array_of_digit_serial_designs() -> None:
    draw = random.Random(1)
    filled = 0
    for _ in range(500):
        chosen = drawn(draw, "digit_serial")
        terms = chosen.design.operation.term_values(chosen.parameters)
        multiplier = DigitSerialMultiplier(chosen.width, chosen.parameters["digit_bits"])
        schedule = ArraySchedule(multiplier, chosen.parameters["slots"], chosen.parameters["links"])
        assert (terms["D"], terms["B"]) == (multiplier.digits, schedule.parallel_digits)
        assert (terms["F"], terms["O"]) == (schedule.fill, schedule.product_cycles)
        assert terms["G"] == schedule.result_lag
        filled += schedule.fill > 0
    assert filled > 20


def test_products_of_the_systolic_multiplier() -> None:
    draw = random.Random(2)
    for _ in range(200):
        chosen = drawn(draw, "montgomery")
        bits = chosen.parameters["word_bits"]
        model = MontgomeryMultiplier.for_width(chosen.width, bits)
        assert chosen.design.operation.term_values(chosen.parameters)["s"] == model.words
        longer, shorter = (chosen.operation_cycles(Operation(5, 1 << k - 1, k, 1)) for k in (9, 8))
        assert longer - shorter == model.product_cycles


@pytest.mark.parametrize("early_end", [0, 1])
@pytest.mark.parametrize("name", ["repeated", "binary"])
def test_products_of_interleaved_multipliers(name: str, early_end: int) -> None:
    """Every product by the multiplier's own cycles, one after the other."""
    draw = random.Random(3)
    for _ in range(100):
        fixed = {} if name == "repeated" else {"fixed_time": 0}
        chosen = drawn(draw, name, early_end=early_end, **fixed)
        modulus = draw.getrandbits(chosen.width) | 3
        exponent, base = draw.getrandbits(draw.randint(1, 8)), draw.randrange(modulus)
        bits = max(exponent.bit_length(), 1) + draw.randint(0, 3)
        model = InterleavedMultiplier(
            chosen.width, chosen.parameters["bits_per_cycle"], bool(early_end)
        )
        if name == "repeated":
            products, idle = repeated_products(base, exponent, modulus), 0
        else:
            products = binary_products(base, exponent, bits, modulus, fixed_time=False)
            idle = bits - max(exponent.bit_length(), 1)
        steps = sum(model.cycles(product.scanned) for product in products)
        cycles = chosen.operation_cycles(Operation(modulus, exponent, bits, base))
        assert cycles == -(-chosen.width // 32) + 9 + idle + steps


def test_too_many_products_to_go_through() -> None:
    chosen = select("T1", width=64, early_end=1)
    with pytest.raises(InputError, match="the exponent has 25 bits: the cycles of repeated mult"):
        chosen.operation_cycles(Operation(7, 1 << 24, 25, 3))
    assert chosen.operation_cycles(Operation(7, 1, 25, 3)) == 11


def test_messages_of_ips_are_those_of_their_cores() -> None:
    """The logic around a core takes a fixed number of cycles."""
    draw = random.Random(4)
    for _ in range(200):
        length, k = draw.randint(30, 60), draw.randint(1, 60)
        modulus = 1 << length - 1
        operation = Operation(modulus, 1, k, 0)
        core = select("binary", width=64, bits_per_cycle=2, fixed_time=1)
        keygen = select_ip("B1")
        part = cycle_formulas(keygen.ip)["message"]
        whole = core.setup_cycles(modulus, k) + core.operation_cycles(operation)
        assert part.cycles(keygen, Work(modulus, k, tried=(3,))) == whole + 11
        assert part.cycles(keygen, Work(modulus, k)) == whole + 6
        width, word_bits = draw.randint(60, 600), draw.choice((8, 16, 32))
        fixed = select_ip("E2", width=width, word_bits=word_bits)
        core = select("montgomery", width=width, word_bits=word_bits)
        parts = cycle_formulas(fixed.ip)
        message = core.operation_cycles(operation) + 4
        assert parts["message"].cycles(fixed, Work(modulus, k)) == message
        words, wipe = -(-width // 32), max(2, -(-(width + 2) // word_bits))
        start = core.setup_cycles(modulus, k) + 2 * words + wipe + 2
        assert parts["start"].cycles(fixed, Work(modulus, k)) == start
        packet = Work(modulus, k, messages=3, new_key=True)
        assert parts["packet"].cycles(fixed, packet) == 3 * (message + 4 * words - 3) + start


def test_everything_that_a_formula_names_is_told() -> None:
    for design in designs():
        known = {p.name for p in design.parameters} | set(SYMBOLS)
        assert design.setup.names | design.operation.names <= known
    symbols = {name for names in ip_cycles.SYMBOLS for name in names.split(", ")}
    for ip in ips():
        known = {p.name for p in ip.parameters} | symbols | {"width"}
        for formula in cycle_formulas(ip).values():
            assert formula.formula.names <= known
