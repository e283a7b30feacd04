"""Cycles of an operation kind: from RTL simulation, and from the catalog's formula."""

import json
from collections.abc import Mapping, Sequence

from totient.catalog import Configuration, IpConfiguration, Subject, System
from totient.catalog.model import Operation
from totient.common.errors import InputError, ToolError
from totient.device import Device, open_device
from totient.flow import Rtl
from totient.measure.engine import count_engine_cycles, figures_by_formula
from totient.measure.examples import example_figures, published_example
from totient.measure.kept import simulated
from totient.measure.kinds import Request, bases, requests
from totient.measure.record import OperationFigures, Spread

SIMULATION_LIMIT = 10**11
"""Limit of simulation work for a kind: clock cycles x bits of the core, about a minute."""

_Cycles = tuple[int, int]  # of set-up, of the operation


def count_cycles(subject: Subject, kind: str, ip: Rtl) -> OperationFigures:
    """Figures of one operation kind.

    A design's operations are simulated in order, up to `SIMULATION_LIMIT`. The remaining ones have
    the formula's cycles. The same holds for an engine. An IP runs its paper's example.

    Args:
        subject: to measure.
        kind: accepted by `check_kind`.
        ip: the RTL to simulate.

    Raises:
        InputError: the kind is not for this subject.
        ToolError: the RTL returned a wrong result, or its cycles differ from the formula.
    """
    if isinstance(subject, IpConfiguration):
        return _of_example(subject, ip)[kind]
    if isinstance(subject, System):
        raise InputError(f"{subject.name} has no operation kinds")
    if subject.key_slots:
        return count_engine_cycles(subject, kind)
    return _of_design(subject, kind, ip)


def _of_example(configuration: IpConfiguration, ip: Rtl) -> Mapping[str, OperationFigures]:
    """Figures of an IP, from the cache or new."""

    def run() -> dict[str, object]:
        figures = example_figures(configuration)
        return {kind: each.to_json() for kind, each in figures.items()}

    operands = ("figures", json.dumps(published_example(configuration)))
    texts = simulated(ip, operands, run)
    return {kind: OperationFigures.from_json(each) for kind, each in texts.items()}


def _of_design(configuration: Configuration, kind: str, ip: Rtl) -> OperationFigures:
    asked = requests(kind, configuration.width, configuration.lanes)
    formula = [_by_formula(configuration, request) for request in asked]
    affordable, work = 0, 0
    for setup, cycles in formula:
        work += (setup + cycles) * configuration.width
        if work > SIMULATION_LIMIT:
            break
        affordable += 1
    measured_cycles = _simulated(configuration, asked[:affordable], ip) if affordable else []
    for measured, stated in zip(measured_cycles, formula, strict=False):
        if measured != stated:
            raise ToolError(
                f"{configuration.label}, {kind}: the RTL took {measured[0]} + {measured[1]} cycles "
                f"(set-up + operation), the catalog's formula says {stated[0]} + {stated[1]}"
            )
    return _figures(configuration, asked, formula, affordable)


def cycles_by_formula(configuration: Configuration, kind: str) -> OperationFigures:
    """Figures of an operation kind with the catalog's exact cycles, without simulation.

    Args:
        configuration: of a design.
        kind: accepted by `check_subject_kind`.
    """
    if configuration.key_slots:
        return figures_by_formula(configuration, kind)
    asked = requests(kind, configuration.width, configuration.lanes)
    formula = [_by_formula(configuration, request) for request in asked]
    return _figures(configuration, asked, formula, 0)


def _figures(
    configuration: Configuration,
    asked: Sequence[Request],
    cycles: Sequence[_Cycles],
    counted: int,
) -> OperationFigures:
    setup_cycles, cycles_each = zip(*cycles, strict=True)
    return OperationFigures(
        operations=len(asked),
        simulated=counted,
        bases=configuration.lanes,
        modulus_bits=configuration.width,
        exponent_bits=max(operation.exponent_bits for operation in asked[0]),
        setup_cycles=Spread.of(setup_cycles),
        cycles=Spread.of(cycles_each),
    )


def _by_formula(configuration: Configuration, request: Request) -> _Cycles:
    return (
        sum(configuration.setup_cycles(op.modulus, op.exponent_bits) for op in request),
        sum(configuration.operation_cycles(operation) for operation in request),
    )


def _simulated(configuration: Configuration, asked: tuple[Request, ...], ip: Rtl) -> list[_Cycles]:
    """Cycles of each request on the RTL, from the cache or new."""
    operands = json.dumps([[vars(operation) for operation in request] for request in asked])

    def run() -> list[list[int]]:
        with open_device(f"sim:{configuration.label}") as device:
            return [
                [sum(part) for part in zip(*(_run(device, op) for op in request), strict=True)]
                for request in asked
            ]

    return [(setup, cycles) for setup, cycles in simulated(ip, (operands,), run)]


def _run(device: Device, operation: Operation) -> _Cycles:
    """Set-up and operation cycles of one operation, with its results checked."""
    setup = device.load_key(operation.modulus, operation.exponent, operation.exponent_bits)
    given = bases(operation)
    results, cycles = device.exponentiate_all(given)
    if results != tuple(pow(base, operation.exponent, operation.modulus) for base in given):
        raise ToolError("the RTL gave a wrong result for an operand of the measurement")
    return setup, cycles
