"""Cycles against the formula, and what is simulated; the core here is the catalog's own formula."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from totient.catalog import Configuration, SourceList, select
from totient.catalog.model import Operation
from totient.common.errors import InputError, ToolError
from totient.flow import Rtl
from totient.measure import OperationFigures, cycles
from totient.measure.kinds import requests
from totient.measure.rtl import ip_rtl

BINARY = select("binary", width=40)
LANES = select("digit_serial", width=40, slots=3, lanes=3)


class FormulaDevice:
    """A core that computes with `pow` and counts by the formula, with faults to order."""

    opened = 0
    extra_setup = 0
    extra_cycles = 0
    wrong = False

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.operation = Operation(3, 1, 1, 0)

    def __enter__(self) -> "FormulaDevice":
        type(self).opened += 1
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def load_key(self, modulus: int, exponent: int, exponent_bits: int) -> int:
        """Cycles of the set-up."""
        self.operation = Operation(modulus, exponent, exponent_bits, 0)
        return self.configuration.setup_cycles(modulus, exponent_bits) + self.extra_setup

    def exponentiate_all(self, bases: Sequence[int]) -> tuple[tuple[int, ...], int]:
        """Results and cycles."""
        key = self.operation
        operation = Operation(key.modulus, key.exponent, key.exponent_bits, bases[0], len(bases))
        taken = self.configuration.operation_cycles(operation) + self.extra_cycles
        results = tuple(pow(base, key.exponent, key.modulus) ^ self.wrong for base in bases)
        return results, taken


@pytest.fixture(autouse=True)
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[FormulaDevice]:
    class Device(FormulaDevice):
        pass

    def open_device(address: str) -> FormulaDevice:
        return Device({f"sim:{each.label}": each for each in (BINARY, LANES)}[address])

    monkeypatch.setattr(cycles, "open_device", open_device)
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path))
    return Device


def count(kind: str) -> OperationFigures:
    return cycles.count_cycles(BINARY, kind, ip_rtl(BINARY))


def by_formula(kind: str) -> list[int]:
    return [sum(map(BINARY.operation_cycles, request)) for request in requests(kind, BINARY.width)]


def test_a_spread_over_random_keys() -> None:
    figures, expected = count("random"), by_formula("random")
    assert (figures.operations, figures.simulated) == (40, 40)
    assert (figures.cycles.minimum, figures.cycles.maximum) == (min(expected), max(expected))
    assert abs(figures.cycles.mean - sum(expected) / 40) <= 0.5
    assert figures.cycles.minimum < figures.cycles.maximum
    assert figures.exponent_bits == figures.modulus_bits == 40


def test_crt_is_two_key_loads_and_two_exponentiations() -> None:
    figures = count("private-crt")
    ((first, second),) = requests("private-crt", 40)
    setup = sum(BINARY.setup_cycles(each.modulus, 1) for each in (first, second))
    assert figures.setup_cycles.mean == setup
    assert figures.cycles.mean == sum(by_formula("private-crt"))
    assert (figures.modulus_bits, figures.exponent_bits) == (40, 20)


def test_an_operation_fills_all_lanes() -> None:
    figures = cycles.count_cycles(LANES, "private", ip_rtl(LANES))
    ((operation,),) = requests("private", 40, 3)
    assert (operation.bases, figures.bases, figures.simulated) == (3, 3, 1)
    one = LANES.operation_cycles(replace(operation, bases=1))
    assert one < figures.cycles.mean == LANES.operation_cycles(operation) < 1.2 * one


def test_cycles_are_simulated_once(device: type[FormulaDevice]) -> None:
    assert count("ones") == count("ones")
    assert device.opened == 1


def test_what_is_too_long_is_the_formulas(
    device: type[FormulaDevice], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = by_formula("random")
    setup = BINARY.setup_cycles(0, 1)
    limit = (sum(expected[:7]) + 7 * setup) * BINARY.width
    monkeypatch.setattr(cycles, "SIMULATION_LIMIT", limit)
    figures = count("random")
    assert (figures.operations, figures.simulated) == (40, 7)
    assert figures.cycles.maximum == max(expected)
    monkeypatch.setattr(cycles, "SIMULATION_LIMIT", 0)
    device.opened = 0
    assert count("ones").simulated == 0
    assert device.opened == 0


@pytest.mark.parametrize("fault", ["extra_setup", "extra_cycles"])
def test_other_cycles_than_the_formulas_are_an_error(
    device: type[FormulaDevice], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(device, fault, 1)
    with pytest.raises(
        ToolError, match=r"binary\?width=40, public: the RTL took \d+ \+ \d+ cycles"
    ):
        count("public")


def test_a_wrong_result_is_an_error(
    device: type[FormulaDevice], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "wrong", True)
    with pytest.raises(ToolError, match="wrong result"):
        count("public")


def test_rtl_that_changes_under_the_simulation_is_an_error(
    tmp_path: Path, device: type[FormulaDevice], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "changing.sv"
    file.write_text("module changing; endmodule\n")
    ip = Rtl(SourceList((file,), ()), "changing", {})
    assert ip.digest

    def edit(core: FormulaDevice, *_: object) -> None:
        file.write_text("module changing; wire w; endmodule\n")

    monkeypatch.setattr(device, "__exit__", edit)
    with pytest.raises(ToolError, match="RTL of changing was changed during the measurement"):
        cycles.count_cycles(BINARY, "ones", ip)
    assert not list((tmp_path / "cycles").iterdir())


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="unknown operation kind"):
        count("secret")
