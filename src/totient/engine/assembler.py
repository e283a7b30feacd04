"""An assembler for the engine's program: instructions in order, labels, names of scalars, bits."""

from collections.abc import Mapping, Sequence

from totient.engine.instruction_set import (
    COUNTS,
    IMMEDIATE,
    INDEX_BITS,
    INSTRUCTION,
    Cond,
    Kind,
    Sum,
    UnitOp,
)
from totient.engine.instructions import FIRST_SLOT_SCALAR, Instruction, Product, Scalar, Unit, Words


class Program:
    """Instructions in order, with labels.

    Attributes:
        slot_scalars: names of scalars that exist once per key slot; all others exist once.
    """

    def __init__(self, slot_scalars: Sequence[str] = ()) -> None:
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}
        self.slot_scalars = tuple(slot_scalars)
        self._places = 0

    def label(self, name: str) -> None:
        """Name the next instruction."""
        assert name not in self.labels, name
        self.labels[name] = len(self.instructions)

    def place(self, name: str) -> str:
        """A unique label, for a part that is used several times."""
        self._places += 1
        return f"{name}.{self._places}"

    def do(self, instruction: Instruction) -> None:
        """Add the next instruction."""
        self.instructions.append(instruction)

    def let(
        self,
        d: str,
        a: str,
        b: str = "zero",
        add: int = 0,
        how: Sum = Sum.PLUS,
        when: Cond = Cond.NEVER,
        target: str = "",
    ) -> None:
        """`d = a + b + add`, or according to `how`; then an optional jump."""
        self.do(Scalar(d, a, b, add, how, when, target))

    def down(self, counter: str, target: str) -> None:
        """Count down, and jump to the target unless the result is 0."""
        self.let(counter, counter, add=-1, when=Cond.NOT_ZERO, target=target)

    def jump(self, when: Cond, target: str) -> None:
        """Jump."""
        self.let("none", "zero", when=when, target=target)

    def scalars(self) -> dict[str, int]:
        """Numbers of the scalars, by name, in order of their first use."""
        shared: dict[str, int] = {}
        slot = {name: FIRST_SLOT_SCALAR + i for i, name in enumerate(self.slot_scalars)}
        for instruction in self.instructions:
            for name in instruction.scalars:
                if name not in slot:
                    shared.setdefault(name, len(shared))
        assert len(shared) <= FIRST_SLOT_SCALAR, len(shared)
        assert len(slot) <= FIRST_SLOT_SCALAR, len(slot)
        return shared | slot

    def encode(self) -> list[int]:
        """The bits of each instruction (engine_instruction_pkg::instruction_t)."""
        scalars = self.scalars()
        return [self._encoded(instruction, scalars) for instruction in self.instructions]

    def _encoded(self, instruction: Instruction, scalars: Mapping[str, int]) -> int:
        match instruction:
            case Product():
                return _product(instruction, scalars)
            case Words():
                return _words(instruction, scalars)
            case Scalar():
                target = self.labels[instruction.target] if instruction.target else 0
                return _scalar(instruction, scalars, target)
            case Unit():
                return _unit(instruction, scalars)


def _product(op: Product, scalars: Mapping[str, int]) -> int:
    return _packed(
        _FIELDS,
        kind=Kind.PRODUCT,
        pair=op.pair,
        common=op.common,
        sync=op.sync,
        window=op.window,
        table_write=bool(op.table_write),
        add=op.t is not None,
        reduce=op.x is not None,
        d=op.d,
        a=op.a,
        b=op.b,
        t=op.t or 0,
        x=op.x or 0,
        more=_joined([scalars[name] for name in op.scalars]),
    )


def _words(op: Words, scalars: Mapping[str, int]) -> int:
    return _packed(
        _FIELDS,
        kind=Kind.WORDS,
        pair=op.pair,
        window=op.exponent,
        action=op.action,
        d=op.d,
        a=op.v,
        b=op.u,
        more=_joined([scalars[name] for name in op.scalars]),
    )


def _scalar(op: Scalar, scalars: Mapping[str, int], target: int) -> int:
    more = _packed(
        IMMEDIATE,
        sum=op.how,
        condition=op.when,
        target=target,
        add=op.add % (1 << IMMEDIATE["add"]),
    )
    return _packed(
        _FIELDS, kind=Kind.SCALAR, d=scalars[op.d], a=scalars[op.a], b=scalars[op.b], more=more
    )


def _unit(op: Unit, scalars: Mapping[str, int]) -> int:
    return _packed(
        _FIELDS,
        kind=Kind.UNIT,
        pair=op.pair,
        d=scalars[op.d],
        a=op.built if op.does == UnitOp.VALUE else scalars[op.first],
        b=scalars[op.second],
        t=op.block,
        more=int(op.does),
    )


_FIELDS = {**INSTRUCTION, "more": COUNTS * INDEX_BITS}
INSTRUCTION_BITS = sum(_FIELDS.values())
"""Of an instruction."""


def _packed(fields: Mapping[str, int], **given: int) -> int:
    value = 0
    for name, bits in fields.items():
        field = int(given.pop(name, 0))
        assert 0 <= field < 1 << bits, (name, field)
        value = value << bits | field
    assert not given, given
    return value


def _joined(indices: Sequence[int]) -> int:
    value = 0
    for index in indices:
        value = value << INDEX_BITS | index
    return value
