"""Clock cycles of an operation on every configuration of a space, as the catalog has them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from totient.catalog import Configuration
from totient.catalog.engine import words_around
from totient.catalog.model import Operation
from totient.common.errors import InputError
from totient.common.formula import Formula
from totient.common.formula_arrays import Array, values
from totient.explore.space import Integers, Space
from totient.measure.engine_table import cycles
from totient.measure.kinds import requests

MOST = 2**60
"""Stands for every number of cycles that is larger."""


class Work(NamedTuple):
    """The operation that is asked for.

    Attributes:
        private: whether it is the private one; else the public one, with the exponent 65537.
        bits: of the modulus.
        crt: whether the private one is done with the primes.
    """

    private: bool
    bits: int
    crt: bool

    @property
    def kind(self) -> str:
        """One of `engine_table.KINDS`."""
        return "public" if not self.private else "crt" if self.crt else "private"

    @property
    def width(self) -> int:
        """Bits that a core's moduli have in it; an engine's have all bits of the modulus."""
        return (self.bits + 1) // 2 if self.crt else self.bits


class Cycles(NamedTuple):
    """Cycles of each configuration.

    Attributes:
        whole: from the request to the answer, key loads included where the operation needs them
            each time.
        bases: results in that time.
    """

    whole: Integers
    bases: Integers


def cycles_of(space: Space, work: Work) -> Cycles:
    """The cycles of an operation on each configuration.

    A core computes the two halves of CRT one after the other, each with its key load. The
    host recombines them, which takes no cycle of the core. An engine does all of it.

    Args:
        space: configurations of one design, each wide enough.
        work: the operation.
    """
    if space.design.is_whole:
        return Cycles(_engine(space, work), np.ones(len(space), np.int64))
    lanes = space.parameters.get("lanes", np.ones(len(space), np.int64))
    whole = np.zeros(len(space), np.int64)
    for operation in _operations(work):
        if work.crt:
            whole = whole + _setup(space, operation)
        whole = np.minimum(whole + _operation(space, operation, lanes), MOST)
    return Cycles(whole, lanes)


def _engine(space: Space, work: Work) -> Integers:
    """Cycles as a user of an engine sees them, for each configuration.

    From the handshake of the request's first word to that of the answer's last one.
    """
    elements, digits = space.parameters["elements"], space.parameters["digit_bits"]
    found = np.empty(len(space), np.int64)
    for pair in {*zip(elements.tolist(), digits.tolist(), strict=True)}:
        where = (elements == pair[0]) & (digits == pair[1])
        found[where] = cycles(work.bits, work.kind, *pair)
    return found + words_around(work.bits, public=not work.private)


def _operations(work: Work) -> Sequence[Operation]:
    """Those behind a Record's figures for the same kind."""
    (request,) = requests("private-crt" if work.crt else work.kind, work.bits)
    return request


def _setup(space: Space, operation: Operation) -> Integers:
    assert isinstance(space.design.setup, Formula)
    length = {"L": operation.modulus.bit_length(), "k": operation.exponent_bits}
    return _within(values(space.design.setup, {**space.parameters, **length}))


def _operation(space: Space, operation: Operation, lanes: Integers) -> Integers:
    formula = space.design.operation
    assert isinstance(formula, Formula)
    scanning = space.parameters.get("early_end", np.zeros(len(space), np.int64)) == 1
    given = {
        "L": operation.modulus.bit_length(),
        "k": operation.exponent_bits,
        "e": operation.exponent,
        "scanned": 0,
    }
    found = np.empty(len(space), np.int64)
    plain = space.where(~scanning)
    found[~scanning] = _within(
        values(formula, {**plain.parameters, **given, "bases": lanes[~scanning]})
    )
    found[scanning] = [*_one_by_one(space.where(scanning), operation)]
    return found


def _one_by_one(space: Space, operation: Operation) -> Iterator[int]:
    """Cycles that depend on the operands' values."""
    for place in range(len(space)):
        configuration: Configuration = space.at(place)
        try:
            yield min(configuration.operation_cycles(operation), MOST)
        except InputError:  # too many products to step through
            yield MOST


def _within(counts: Array) -> Integers:
    found: Integers = np.minimum(counts, MOST).astype(np.int64)
    return found
