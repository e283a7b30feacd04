"""Formulas: evaluated exactly, printed as people write them, and nothing else."""

import ast
import gc
import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from totient.common.formula import Formula, parsed, printed


@pytest.mark.parametrize(
    ("expression", "value", "text"),
    [
        ("(2 * s + 2) * (k + 1)", 90, "(2 s + 2) (k + 1)"),
        ("k - (s - 1) - 2", 3, "k - (s - 1) - 2"),
        ("k - (s + 1)", 3, "k - (s + 1)"),
        ("-s * k", -32, "-s k"),
        ("ceil(k / 3)", 3, "ceil(k/3)"),
        ("floor(k / 3)", 2, "floor(k/3)"),
        ("ceil((k + 1) * s / (s - 1))", 12, "ceil((k + 1) s/(s - 1))"),
        ("ceil(-k / 3)", -2, "ceil(-k/3)"),
        ("bits(k) + ones(k) + bits(0)", 5, "bits(k) + ones(k) + bits(0)"),
        ("max(s, k) - min(s, k)", 4, "max(s, k) - min(s, k)"),
        ("1 if k == 8 else 2", 1, "1 if k = 8, else 2"),
        ("(1 if s >= k else 2) * k", 16, "(1 if s >= k, else 2) k"),
        ("s + sum(a * a for a in many)", 18, "s + sum over a in many of (a a)"),
        ("max(r - s for r in range(k))", 3, "max over r from 0 to k - 1 of (r - s)"),
    ],
)
def test_values_and_texts(expression: str, value: int, text: str) -> None:
    formula = Formula(expression)
    assert formula.value({"s": 4, "k": 8, "many": (1, 2, 3)}) == value
    assert formula.text == printed(expression) == text


def test_quotients_are_exact() -> None:
    draw = random.Random(1)
    formula = Formula("ceil(a / b) + 2 * floor(a / b)")
    for _ in range(200):
        a, b = draw.getrandbits(4096), draw.getrandbits(draw.randint(1, 300)) + 1
        rest = a % b
        assert formula.value({"a": a, "b": b}) == (a - rest) // b * 3 + bool(rest)


def test_terms_stand_for_parts() -> None:
    formula = Formula("s * k", {"w": "max(v, 2)", "s": "ceil(n / w)", "t": "k + 1"})
    assert formula.value({"v": 3, "n": 10, "k": 5}) == 20
    assert formula.term_values({"v": 3, "n": 10}) == {"w": 3, "s": 4}
    assert formula.term_texts == ["w = max(v, 2)", "s = ceil(n/w)", "t = k + 1"]
    assert formula.names == {"v", "n", "k"}
    assert Formula("sum(a for a in many)").names == {"many"}
    with pytest.raises(NameError):
        formula.value({"v": 3, "n": 10})


@pytest.mark.parametrize(
    "wrong",
    [
        "a / b",
        "ceil(a)",
        "floor(a, b)",
        "a ** b",
        "a // b",
        "a.b",
        "open('f')",
        "(lambda: 1)()",
        "[a]",
        "a and b",
        "max(a, key=b)",
        "'text'.join(a)",
    ],
)
def test_what_is_no_formula(wrong: str) -> None:
    with pytest.raises((ValueError, SyntaxError)):
        Formula(wrong)
    with pytest.raises((ValueError, SyntaxError)):
        Formula("t", {"t": wrong})


def test_names_are_given_and_no_builtins() -> None:
    with pytest.raises(NameError):
        Formula("abs + 1").value({})


def test_threads_parse_at_the_same_time() -> None:
    """Python 3.11's parser fails where another thread runs in the middle: at a collection."""
    expression = f"max({'a, ' * 1000}3)"

    def yield_to_others(_phase: str, _info: dict[str, int]) -> None:
        time.sleep(1e-5)

    before = gc.get_threshold()
    gc.callbacks.append(yield_to_others)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(4) as pool:
            trees = [*pool.map(parsed, [expression] * 40)]
    finally:
        gc.callbacks.remove(yield_to_others)
        gc.set_threshold(*before)
    assert {ast.unparse(tree) for tree in trees} == {expression}
