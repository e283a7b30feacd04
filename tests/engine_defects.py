"""Defects of the engine that several campaigns must find."""

from pathlib import Path

from tests.defects import Change
from totient.catalog import Configuration
from totient.engine.instruction_set import Cond
from totient.engine.instructions import Scalar
from totient.engine.program import engine_program


def unchecked(engine: Configuration, folder: Path) -> Path:
    """A probed model whose final check takes none of its decisions."""
    program = engine_program()
    first, last = program.labels["private.check"], program.labels["fault"]
    (below,) = (
        at
        for at, each in enumerate(program.instructions[first:last], first)
        if isinstance(each, Scalar) and each.when is Cond.SIGN_0 and each.target != "fault"
    )
    check = f"place_q >= {first} && place_q < {last}"
    jumps = "scalar && group_q[immediate.condition[3:2]]"
    passed = f"({check} && immediate.condition == CondEqual) || place_q == {below}"
    decided = f"({passed}) || ({jumps} && !({check} && immediate.condition == CondSign0))"
    change = Change("engine_control", f"jumps_q <= {jumps};", f"jumps_q <= {decided};")
    return change.build(engine.top(), folder, probed=True)
