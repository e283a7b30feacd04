"""Defects of the engine that several campaigns must find."""

from pathlib import Path

from tests.defects import Change
from totient.catalog import Configuration
from totient.engine.program import engine_program


def unchecked(engine: Configuration, folder: Path) -> Path:
    """A probed model whose final check takes none of its decisions."""
    labels = engine_program().labels
    check = f"place_q >= {labels['private.check']} && place_q < {labels['fault']}"
    jumps = "scalar && group_q[immediate.condition[3:2]]"
    decided = f"({check} && immediate.condition == CondEqual) || ({jumps} && !({check}" + (
        " && immediate.condition == CondSign0))"
    )
    change = Change("engine_control", f"jumps_q <= {jumps};", f"jumps_q <= {decided};")
    return change.build(engine.top(), folder, probed=True)
