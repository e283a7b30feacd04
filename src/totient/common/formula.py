"""Formulas as data: one expression to evaluate and to print.

An expression has Python's syntax, for whole numbers: `+`, `-`, `*`, comparisons,
`x if condition else y`, `max`, `min`, and

- `ceil(a / b)`, `floor(a / b)`: a quotient, rounded up or down, exactly,
- `bits(x)`, `ones(x)`: a number's length in bits, and the number of its bits that are 1,
- `sum(... for a in many)`, `max(... for r in range(n))`.

Printed products have no dot: `(2 s + 2) (k + 1)`.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from types import CodeType
from typing import Any

_SYNTAX = Lock()
"""Held while Python makes a syntax tree or compiles one.

Python before 3.12 counts the depth of all threads' trees together (its issue 106905), and then
finds its count wrong: SystemError.
"""

_ROUNDED = ("ceil", "floor")
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "ceil": lambda a, b: -(-a // b),
    "floor": lambda a, b: a // b,
    "bits": int.bit_length,
    "ones": int.bit_count,
    "max": max,
    "min": min,
    "sum": sum,
    "range": range,
}
_SUM, _PRODUCT, _ATOM = 1, 2, 3
"""Binding strength of printed parts."""
_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "/=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.LtE: "<=",
}


@dataclass(frozen=True)
class Formula:
    """An expression, with terms for parts of it.

    Attributes:
        expression: of the terms and the given values.
        terms: further expressions by name. Each may use the terms before it.
    """

    expression: str
    terms: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reject text that is not a formula.

        Raises:
            ValueError: with the offending part.
        """
        assert self._code

    def value(self, given: Mapping[str, Any]) -> int:
        """The value, for values of all of `names`."""
        known = {"__builtins__": {}, **_FUNCTIONS, **given}
        for name, code in self._code.items():
            known[name] = eval(code, known)  # limited by _compiled
        return int(known[""])

    def term_values(self, given: Mapping[str, Any]) -> dict[str, int]:
        """Values of those terms that the given values determine."""
        known = {"__builtins__": {}, **_FUNCTIONS, **given}
        values = {}
        for name in self.terms:
            try:
                values[name] = known[name] = eval(self._code[name], known)
            except NameError:
                continue
        return values

    @cached_property
    def _code(self) -> dict[str, CodeType]:
        return {name: _compiled(text) for name, text in {**self.terms, "": self.expression}.items()}

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the values that must be given."""
        used = {
            node.id
            for text in (*self.terms.values(), self.expression)
            for node in ast.walk(parsed(text))
            if isinstance(node, ast.Name)
        }
        bound = {
            node.target.id
            for text in (*self.terms.values(), self.expression)
            for node in ast.walk(parsed(text))
            if isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name)
        }
        return frozenset(used - bound - set(self.terms) - set(_FUNCTIONS))

    @property
    def text(self) -> str:
        """The expression as people write it."""
        return printed(self.expression)

    @property
    def term_texts(self) -> list[str]:
        """The terms as people write them: `s = ceil((width + 2)/w)`."""
        return [f"{name} = {printed(expression)}" for name, expression in self.terms.items()]


class _Rounding(ast.NodeTransformer):
    """Turns `ceil(a / b)` into the call `ceil(a, b)`, and rejects text that is not a formula."""

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, _ALLOWED):
            raise ValueError(f"{type(node).__name__} in a formula")
        return super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS or node.keywords:
            raise ValueError(f"unknown function in {ast.unparse(node)}")
        if node.func.id in _ROUNDED:
            quotient = node.args[0]
            if len(node.args) != 1 or not _is_quotient(quotient):
                raise ValueError(f"no quotient in {ast.unparse(node)}")
            assert isinstance(quotient, ast.BinOp)
            node.args = [quotient.left, quotient.right]
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.op, ast.Div):
            raise ValueError(f"a quotient that is not rounded: {ast.unparse(node)}")
        return self.generic_visit(node)


_ALLOWED = (
    *(ast.Expression, ast.BinOp, ast.UnaryOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub),
    *(ast.Call, ast.Name, ast.Load, ast.Store, ast.Constant, ast.IfExp),
    *(ast.Compare, ast.cmpop, ast.GeneratorExp, ast.comprehension),
)


def _is_quotient(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def parsed(expression: str) -> ast.Expression:
    """The syntax tree of an expression; a new one, which may be changed."""
    with _SYNTAX:
        return ast.parse(expression, mode="eval")


def _compiled(expression: str) -> CodeType:
    tree: ast.Expression = _Rounding().visit(parsed(expression))
    with _SYNTAX:
        return compile(ast.fix_missing_locations(tree), "<formula>", "eval")


def printed(expression: str) -> str:
    """An expression as people write it."""
    return _printed(parsed(expression).body)[0]


def _printed(node: ast.expr) -> tuple[str, int]:
    """Text, and its binding strength."""
    match node:
        case ast.Constant(value=value):
            return str(value), _ATOM
        case ast.Name(id=name):
            return name, _ATOM
        case ast.UnaryOp(operand=operand):
            return f"-{_within(operand, _PRODUCT)}", _PRODUCT
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign, tight = ("+", _SUM) if isinstance(op, ast.Add) else ("-", _PRODUCT)
            return f"{_within(left, _SUM)} {sign} {_within(right, tight)}", _SUM
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return f"{_within(left, _PRODUCT)} {_within(right, _PRODUCT)}", _PRODUCT
        case ast.BinOp(left=left, right=right):
            return f"{_within(left, _PRODUCT)}/{_within(right, _ATOM)}", _PRODUCT
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            text = f"{_printed(left)[0]} {_COMPARED[type(op)]} {_printed(right)[0]}"
            return text, 0
        case ast.IfExp(test=test, body=body, orelse=orelse):
            text = f"{_printed(body)[0]} if {_printed(test)[0]}, else {_printed(orelse)[0]}"
            return text, 0
        case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as many]):
            (loop,) = many.generators
            each, among = _printed(loop.target)[0], _among(loop.iter)
            return f"{name} over {each} {among} of ({_printed(many.elt)[0]})", _ATOM
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{name}({', '.join(_printed(each)[0] for each in args)})", _ATOM
    raise ValueError(f"cannot print {ast.unparse(node)}")


def _among(many: ast.expr) -> str:
    """The range of a sum."""
    match many:
        case ast.Call(func=ast.Name(id="range"), args=[end]):
            return f"from 0 to {_printed(ast.BinOp(end, ast.Sub(), ast.Constant(1)))[0]}"
        case _:
            return f"in {_printed(many)[0]}"


def _within(node: ast.expr, tight: int) -> str:
    text, holds = _printed(node)
    return text if holds >= tight else f"({text})"
