"""Checks that rows of several papers share: golden models, and Records of the present RTL."""

from collections.abc import Mapping
from typing import Any

from totient.catalog import Configuration, Operation, Subject, select
from totient.flow import find_target
from totient.golden.digit_serial import BitSerialMultiplier, DigitSerialMultiplier
from totient.golden.exponentiation import (
    Multiplier,
    binary_products,
    montgomery_power,
    repeated_products,
)
from totient.golden.interleaved import InterleavedMultiplier
from totient.golden.montgomery import MontgomeryMultiplier
from totient.measure import Record, lookup, requests
from totient.measure.cycles import cycles_by_formula
from totient.reproduce.results import UTILISED
from totient.reproduce.rows import Trial


def record_of(
    trial: Trial, subject: Subject, target: str = UTILISED, dsp: bool = True
) -> Record | None:
    """The committed Record of the present RTL. That there is none is a fault; nothing is measured.

    Args:
        trial: the check.
        subject: a design, an IP or a system.
        target: name of the device.
        dsp: whether multiplier blocks may be used.
    """
    record = lookup(subject, find_target(target), dsp)
    trial.expect(f"a Record of {subject.label} on {target} of this RTL", record is not None)
    return record


def cycles_of(trial: Trial, record: Record | None, kind: str) -> int | None:
    """Cycles of an operation kind in a Record, mean; a kind that was not simulated is a fault."""
    if record is None:
        return None
    figures = record.operations.get(kind)
    trial.expect(f"{kind} in the Record of {record.label}", figures is not None)
    if figures is None:
        return None
    trial.expect(f"simulated operations of {kind}", figures.simulated, figures.operations)
    return figures.cycles.mean


def exponentiates(
    trial: Trial, row: str, width: int, *kinds: str, target: str = UTILISED, **given: int
) -> Mapping[str, int]:
    """Check a design on the operands of its Record: golden model, simulated cycles, formula.

    Args:
        trial: the check.
        row: a paper's row, or a design.
        width: of the core, in bits.
        kinds: operation kinds (`totient.measure.KINDS`).
        target: of its Record.
        given: further parameters.

    Returns:
        The simulated cycles by kind, the mean of its operations.
    """
    configuration = select(row, width=width, **given)
    record, found = record_of(trial, configuration, target), {}
    for kind in kinds:
        for (operation,) in requests(kind, width):
            expected = pow(operation.base, operation.exponent, operation.modulus)
            what = f"golden model of {configuration.label}, {kind}"
            trial.expect(what, golden_power(configuration, operation), expected)
        cycles = cycles_of(trial, record, kind)
        if cycles is not None:
            stated = cycles_by_formula(configuration, kind).cycles.mean
            trial.expect(f"cycles of {configuration.label}, {kind}", cycles, stated)
            found[kind] = cycles
    return found


def golden_power(configuration: Configuration, operation: Operation) -> int:
    """An exponentiation by the golden model of one of the papers' designs, step by step.

    Args:
        configuration: of `repeated`, `binary`, `montgomery` or `digit_serial`.
        operation: the operands.
    """
    given, name = configuration.parameters, configuration.name
    base, exponent, bits = operation.base, operation.exponent, operation.exponent_bits
    if name in ("repeated", "binary"):
        return _interleaved(given, name, operation)
    multiplier: Multiplier
    if name == "montgomery":
        multiplier = MontgomeryMultiplier.for_width(given["width"], given["word_bits"])
    elif given["separated"]:
        multiplier = DigitSerialMultiplier(given["width"], given["digit_bits"])
    else:
        multiplier = BitSerialMultiplier(given["width"])
    return montgomery_power(base, exponent, bits, operation.modulus, multiplier)


def _interleaved(given: Mapping[str, Any], name: str, operation: Operation) -> int:
    """By the products of `repeated` or `binary`, each bit by bit, without `fixed_time`."""
    base, exponent, n = operation.base, operation.exponent, operation.modulus
    if exponent == 0:
        return 1 % n
    if name == "repeated":
        products = repeated_products(base, exponent, n)
    else:
        products = binary_products(base, exponent, operation.exponent_bits, n, False)
    multiplier = InterleavedMultiplier(given["width"], given["bits_per_cycle"])
    power = base
    for product in products:  # a square scans the power, any other product the base
        power = multiplier.product(product.scanned, power, n)
    return power
