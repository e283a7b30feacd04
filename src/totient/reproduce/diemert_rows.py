"""Rows of the Montgomery product from C to assembly to hardware."""

from collections.abc import Sequence
from functools import partial

from totient.catalog import select_ip
from totient.common.papers import published
from totient.golden.montgomery_radix2 import montgomery_product
from totient.measure.examples import LEAST, MOST
from totient.reproduce.diemert_counts import DiemertCounts
from totient.reproduce.diemert_host import power, product
from totient.reproduce.diemert_powers import SIZES, stock
from totient.reproduce.diemert_programs import expected, kept_counts, moduli, source_digest
from totient.reproduce.row_checks import cycles_of, record_of
from totient.reproduce.rows import Row, Trial
from totient.reproduce.stock_rsa import make_keys, power_in_full

_NAME = "diemert"
_ARM = "arm926"
_DRAWN = 20  # random operands of the C that runs on this machine, besides corners


def _stock(trial: Trial) -> None:
    public, private = make_keys(11, 13)
    for message in (0, 1, 9, 142):
        cipher = power_in_full(message, public)
        trial.expect("cipher", cipher, pow(message, *public))
        trial.expect("decrypted", power_in_full(cipher, private), message)
    for bits in SIZES:
        trial.expect(f"whole powers, a modulus of {bits} bits", stock(bits).right)


def _counts(trial: Trial) -> DiemertCounts | None:
    """Kept counts of programs, whose every result was compared with Python's integers."""
    counts = kept_counts()
    current = counts is not None and counts.sources == source_digest()
    trial.expect("kept counts of the present programs", current)
    return counts if current else None


def _powers(forms: Sequence[str], trial: Trial) -> DiemertCounts | None:
    if counts := _counts(trial):
        for form in forms:
            found = [each for each in counts.powers if each.form.removeprefix("power-") == form]
            trial.expect(f"counts of exponentiations, {form}", bool(found))
    return counts


def _powers_in_c(forms: Sequence[str], trial: Trial) -> DiemertCounts | None:
    """The C of the forms, run on this machine, beside Python's integers; and their counts."""
    for form in forms:
        for base, exponent, n in moduli(32 if form == "remainder-short" else 64, _DRAWN):
            found = power(form, base, exponent, n)
            trial.expect(f"{base}^{exponent} mod {n}, {form}", found, pow(base, exponent, n))
    return _powers(forms, trial)


def _c(trial: Trial) -> None:
    forms = ("plain", "optimised")
    for form in forms:
        for a, b, n in moduli(64, _DRAWN):
            what = f"Montgomery product of {a} and {b} mod {n}, {form}"
            trial.expect(what, product(form, a, b, n), expected(form, a, b, n))
    if counts := _powers_in_c(forms, trial):
        for form in forms:
            ours = counts.product(_ARM, "-O0", form).static
            trial.beside(f"instructions of {form} C, -O0:", ours, published(_NAME)["static"][form])


def _assembly(trial: Trial) -> None:
    if counts := _powers(["assembly"], trial):
        ours, paper = counts.product(_ARM, "-O2", "assembly"), published(_NAME)
        trial.beside("instructions:", ours.static, paper["static"]["assembly"])
        trial.beside("executed, 64 bits:", ours.worst_64, paper["executed"]["assembly"])


def _hardware(trial: Trial) -> None:
    for a, b, n in moduli(64)[:20]:
        found = montgomery_product(a, b, n)
        trial.expect("golden model of a product", found, expected("plain", a, b, n))
    record = record_of(trial, select_ip("D6"))
    cycles_of(trial, record, LEAST)
    paper = published(_NAME)["hardware"]
    trial.beside("cycles, 64 bits:", cycles_of(trial, record, MOST), paper["most_cycles"])


def _command(table: str) -> str:
    return f"totient reproduce diemert --table {table}"


ROWS_OF_PAPER = (
    Row("D1", "stock RSA in Python", _command("stock"), _stock),
    Row(
        "D2",
        "look-up table in C",
        _command("powers"),
        partial(_powers_in_c, ["table", "table-raise"]),
    ),
    Row(
        "D3",
        "modular exponentiation in C",
        _command("powers"),
        partial(_powers_in_c, ["remainder", "remainder-short"]),
    ),
    Row("D4", "Montgomery in C, plain and optimised", _command("products"), _c),
    Row("D5", "Montgomery in ARM assembly", _command("products"), _assembly),
    Row("D6", "64-bit Montgomery multiplier", "totient check D6 --count 20", _hardware),
)
