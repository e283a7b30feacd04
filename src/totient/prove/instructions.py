"""Where an instruction is in the program, and which scalars outlast a packet."""

from __future__ import annotations

from totient.engine.assembler import Program
from totient.engine.instruction_set import UnitOp
from totient.engine.instructions import Instruction, Product, Scalar, Unit, Words

_BOOTED = "begin.given_up"  # before it are the program's constants


def place(program: Program, at: int) -> str:
    """Where an instruction is: its number, the label before it, and what it is."""
    before = [(where, name) for name, where in program.labels.items() if where <= at]
    where, name = max(before, default=(0, "start"))
    return f"instruction {at} ({name} + {at - where}) {shown(program.instructions[at])}"


def shown(op: Instruction) -> str:
    """An instruction in short."""
    match op:
        case Product():
            return f"product to block {op.d}"
        case Words():
            return f"{op.action.name.lower()} to block {op.d}"
        case Unit():
            return f"{op.does.name.lower()}"
        case Scalar():
            return f"{op.d} = {op.a}, {op.b}, {op.add}"


def kept_scalars(program: Program) -> set[str]:
    """Scalars written at the start of the program, and just before it waits for a packet."""
    ready, instructions = program.labels["ready"], program.instructions
    waits = next(
        at
        for at in range(ready, len(instructions))
        if isinstance(op := instructions[at], Unit) and op.does == UnitOp.GET
    )
    parts = instructions[: program.labels[_BOOTED]] + instructions[ready:waits]
    return {"zero", *(op.d for op in parts if isinstance(op, Scalar | Unit))}
