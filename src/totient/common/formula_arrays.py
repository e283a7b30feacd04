"""Formulas on arrays: the values of one formula for many sets of parameters at once.

They equal those of `Formula.value`, set by set. Numbers are 64-bit integers as long as no product
can exceed them, and Python's own from there on.
"""

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from totient.common.formula import Formula, parsed

Array = NDArray[Any]
Given = Mapping[str, Any]

_LARGEST = 2**62
"""No sum of two numbers up to it exceeds 64 bits."""


def values(formula: Formula, given: Given) -> Array:
    """The values of a formula for many sets of given values.

    Args:
        formula: without a sum over a sequence, such as that of scanned operands.
        given: for each name of the formula a whole number, or an array with one for each set.

    Returns:
        An array of integers, of the given arrays' shape.

    Raises:
        NameError: a name is not given.
        ValueError: the formula needs a sequence.
        ZeroDivisionError: by zero in a set that needs the quotient.
    """
    shape = np.broadcast_shapes(*(np.shape(value) for value in given.values()))
    known = {
        name: array if not array.shape else np.broadcast_to(array, shape).ravel()
        for name, array in ((name, _integers(value)) for name, value in given.items())
    }
    count = int(np.prod(shape))
    for name, text in formula.terms.items():
        known[name] = _Sets(known, count).value(parsed(text).body)
    found = _Sets(known, count).value(parsed(formula.expression).body)
    return np.broadcast_to(found, count).reshape(shape)


def _integers(value: Any) -> Array:
    """An array of 64-bit integers, or of Python's."""
    if isinstance(value, int):
        return np.array(value, np.int64 if abs(value) <= _LARGEST else object)
    array = np.asarray(value)
    return array if array.dtype == object else array.astype(np.int64)


def _most(array: Array) -> int:
    return max(abs(int(array.max())), abs(int(array.min()))) if array.size else 0


def _fitting(a: Array, b: Array, most: int) -> tuple[Array, Array]:
    """Both as Python's integers if a result can be as large as `most`, and that is too large."""
    if most <= _LARGEST and a.dtype != object and b.dtype != object:
        return a, b
    return a.astype(object), b.astype(object)


_LENGTH = np.frompyfunc(int.bit_length, 1, 1)
_COUNT = np.frompyfunc(int.bit_count, 1, 1)


def _bits(numbers: Array) -> Array:
    if numbers.dtype == object:
        return np.asarray(_LENGTH(numbers)).astype(np.int64)
    rest, length = np.abs(numbers), np.zeros_like(numbers)
    for step in (32, 16, 8, 4, 2, 1):
        long = rest >> step > 0
        length += step * long
        rest = np.where(long, rest >> step, rest)
    return length + (rest > 0)


def _ones(numbers: Array) -> Array:
    if numbers.dtype == object:
        return np.asarray(_COUNT(numbers)).astype(np.int64)
    return np.bitwise_count(np.abs(numbers)).astype(np.int64)


_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Array, Array], Any]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
}


class _Sets:
    """Values of expressions for sets of known values.

    Attributes:
        known: arrays by name, of `count` numbers each, or of one without a dimension.
        count: number of sets.
    """

    def __init__(self, known: Mapping[str, Array], count: int) -> None:
        self.known = known
        self.count = count

    def value(self, node: ast.expr) -> Array:
        """The values of an expression: `count` of them, or one without a dimension."""
        match node:
            case ast.Constant(value=int() as value):
                return _integers(value)
            case ast.Name(id=name):
                if name not in self.known:
                    raise NameError(f"name {name!r} is not given")
                return self.known[name]
            case ast.UnaryOp(operand=operand):
                return _integers(-self.value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return _combined(op, self.value(left), self.value(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._chosen(self._holds(test), body, orelse)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._called(name, args)
        raise ValueError(f"not for arrays: {ast.unparse(node)}")

    def _where(self, chosen: Array, *nodes: ast.expr) -> "_Sets":
        """Only the chosen sets, with the values that the expressions use."""
        used = {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
        known = {
            name: array[chosen] if array.shape else array
            for name, array in self.known.items()
            if name in used
        }
        return _Sets(known, int(chosen.sum()))

    def _holds(self, test: ast.expr) -> Array:
        match test:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                compare = _COMPARISONS[type(op)]
                return np.asarray(compare(self.value(left), self.value(right)), bool)
        raise ValueError(f"not for arrays: {ast.unparse(test)}")

    def _chosen(self, holds: Array, body: ast.expr, orelse: ast.expr) -> Array:
        """One expression where a condition holds, another elsewhere; each only where needed."""
        if holds.all():
            return self.value(body)
        if not holds.any():
            return self.value(orelse)
        one, other = self._where(holds, body).value(body), self._where(~holds, orelse).value(orelse)
        found = np.empty(self.count, np.result_type(one, other))
        found[holds], found[~holds] = one, other
        return found

    def _called(self, name: str, args: list[ast.expr]) -> Array:
        match name, args:
            case (("max" | "min" | "sum"), [ast.GeneratorExp() as many]):
                return self._over(name, many)
            case (("ceil" | "floor"), [ast.BinOp(left=left, right=right)]):
                a, b = self.value(left), self.value(right)
                if not b.all():
                    raise ZeroDivisionError(ast.unparse(args[0]))
                return _integers(-(-a // b) if name == "ceil" else a // b)
            case "bits", [number]:
                return _bits(self.value(number))
            case "ones", [number]:
                return _ones(self.value(number))
            case (("max" | "min"), [first, *others]):
                found = self.value(first)
                for other in others:
                    found = (np.maximum if name == "max" else np.minimum)(found, self.value(other))
                return _integers(found)
        raise ValueError(f"not for arrays: {name}")

    def _over(self, name: str, many: ast.GeneratorExp) -> Array:
        """A sum, or the largest or smallest value, over a range from 0."""
        (loop,) = many.generators
        match loop:
            case ast.comprehension(
                target=ast.Name(id=index), iter=ast.Call(func=ast.Name(id="range"), args=[end])
            ):
                ends = self.value(end)
            case _:
                raise ValueError(f"not for arrays: {ast.unparse(many)}")
        if name != "sum" and not (ends > 0).all():
            raise ValueError(f"{name} of nothing: {ast.unparse(many)}")
        found = np.zeros(self.count, np.int64)
        for number in range(_most(ends)):
            inside = np.broadcast_to(ends > number, self.count)
            some = self._where(inside, many.elt)
            each = _Sets({**some.known, index: np.array(number)}, some.count)
            value = each.value(many.elt)
            if name == "sum" or number == 0:
                found[inside] = found[inside] + value
            else:
                found[inside] = (np.maximum if name == "max" else np.minimum)(found[inside], value)
        return found


def _combined(op: ast.operator, a: Array, b: Array) -> Array:
    match op:
        case ast.Mult():
            a, b = _fitting(a, b, _most(a) * _most(b))
            return _integers(a * b)
        case ast.Add():
            a, b = _fitting(a, b, _most(a) + _most(b))
            return _integers(a + b)
        case ast.Sub():
            a, b = _fitting(a, b, _most(a) + _most(b))
            return _integers(a - b)
    raise ValueError("not for arrays: division without rounding")
