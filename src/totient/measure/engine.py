"""Operation kinds of an engine: whole RSA operations, and the exponentiations of a pair."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

from totient.catalog import Configuration, RsaLengths, pair_cycles, rsa_cycles
from totient.common.errors import InputError, ToolError
from totient.device import Device, Exponentiation, RsaKey, key_of_primes, open_device
from totient.measure.kept import simulated
from totient.measure.record import OperationFigures, Spread
from totient.measure.rtl import ip_rtl

CRT, PRIVATE, PUBLIC, PAIR = "rsa-crt", "rsa-private", "rsa-public", "pair"
"""Kinds without their length: a private operation with the primes, one with the private exponent,
each blinded and checked by the engine; a public operation; two exponentiations at once."""

LENGTHS = (512, 1024, 2048, 3072, 4096)
"""Bits of n; of a pair's moduli together."""

SIMULATION_LIMIT = 5 * 10**7
"""Limit of simulation work for a kind, key and operation: clock cycles x (elements + 8), about
two seconds."""

_EXPONENT = 65537

# The two largest primes of half a length whose predecessors are coprime to the exponent are a power
# of two minus these numbers.
_BELOW = {
    256: (189, 357),
    512: (569, 629),
    1024: (105, 179),
    1536: (3453, 4977),
    2048: (1557, 2543),
}


def engine_kinds(configuration: Configuration) -> tuple[str, ...]:
    """All kinds of an engine, `rsa-crt-512` and so on, up to its width."""
    lengths = [bits for bits in LENGTHS if bits <= configuration.width]
    return tuple(f"{what}-{bits}" for what in (CRT, PRIVATE, PUBLIC, PAIR) for bits in lengths)


def check_engine_kind(kind: str, configuration: Configuration) -> None:
    """Check that an engine supports a kind.

    Raises:
        InputError: an unknown kind, or one that is longer than the engine.
    """
    if kind not in engine_kinds(configuration):
        lengths = ", ".join(str(bits) for bits in LENGTHS if bits <= configuration.width)
        raise InputError(
            f"unknown operation kind {kind!r} of {configuration.label}, known are {CRT}, "
            f"{PRIVATE}, {PUBLIC} and {PAIR}, each with a length such as "
            f"{CRT}-512: {lengths}"
        )


def rsa_key(bits: int) -> tuple[RsaKey, int]:
    """The key behind the figures of a length, with its primes, and its private exponent."""
    p, q = ((1 << bits // 2) - below for below in _BELOW[bits // 2])
    return key_of_primes(p, q, _EXPONENT)


def figures_by_formula(configuration: Configuration, kind: str) -> OperationFigures:
    """Figures of an operation kind with the catalog's exact cycles, without simulation.

    The set-up is that of a key with primes; for `rsa-private`, with the private exponent.

    Args:
        configuration: of an engine.
        kind: accepted by `check_engine_kind`.
    """
    what, bits = _parsed(kind)
    half = bits // 2
    if what == PAIR:
        setup, cycles = pair_cycles(configuration.parameters, [(1 << half) - 1] * 2, half)
    else:
        primes = None if what == PRIVATE else (half, half)
        lengths = RsaLengths(bits, _EXPONENT, primes)
        setup, private, public = rsa_cycles(configuration.parameters, lengths)
        cycles = public if what == PUBLIC else private
    return OperationFigures(
        operations=1,
        simulated=0,
        bases=1,
        modulus_bits=bits,
        exponent_bits={PUBLIC: _EXPONENT.bit_length(), PRIVATE: bits}.get(what, half),
        setup_cycles=Spread.of([setup]),
        cycles=Spread.of([cycles]),
    )


def count_engine_cycles(configuration: Configuration, kind: str) -> OperationFigures:
    """Figures of an operation kind, simulated up to `SIMULATION_LIMIT`.

    The simulated form has multipliers and memories of no device family, with the same timing.

    Args:
        configuration: of an engine.
        kind: accepted by `check_engine_kind`.

    Raises:
        ToolError: the RTL returned a wrong result, or its cycles differ from the formula.
    """
    figures = figures_by_formula(configuration, kind)
    stated = figures.setup_cycles.mean, figures.cycles.mean
    if sum(stated) * (configuration.parameters["elements"] + 8) > SIMULATION_LIMIT:
        return figures
    plain = configuration.design.configure({**configuration.parameters, "form": 0})
    measured = _simulated(plain, kind)
    if measured != stated:
        raise ToolError(
            f"{plain.label}, {kind}: the RTL took {measured[0]} + {measured[1]} cycles (set-up + "
            f"operation), the catalog's formula says {stated[0]} + {stated[1]}"
        )
    return replace(figures, simulated=1)


def _simulated(configuration: Configuration, kind: str) -> tuple[int, int]:
    """Cycles of set-up and operation on the RTL, from the cache or new."""
    what, bits = _parsed(kind)

    def run() -> tuple[int, int]:
        with open_device(f"sim:{configuration.label}") as device:
            return run_engine_operation(device, what, bits)

    operands = (kind, json.dumps(_BELOW[bits // 2]))
    setup, cycles = simulated(ip_rtl(configuration), operands, run)
    return setup, cycles


def run_engine_operation(
    device: Device, what: str, bits: int, operates: Callable[[bool], None] = lambda now: None
) -> tuple[int, int]:
    """Set-up and operation cycles of one operation, with its results checked.

    Args:
        device: an engine.
        what: `CRT`, `PRIVATE`, `PUBLIC` or `PAIR`.
        bits: of the key, one of `LENGTHS`.
        operates: called with true after the set-up, and with false after the operation.

    Raises:
        ToolError: a wrong result.
    """
    key, d = rsa_key(bits)
    n, primes = key.modulus, key.primes
    assert primes is not None
    value = Random(f"totient {what} {bits}").randrange(n)
    if what == PAIR:
        moduli, exponents = (primes.p, primes.q), (primes.d_p, primes.d_q)
        setup = device.load_pair(moduli, exponents, bits // 2)
        bases = value % primes.p, value % primes.q
        operates(True)
        results, cycles = device.exponentiate_pair(bases)
        operates(False)
        _expect(results, tuple(map(pow, bases, exponents, moduli)))
        return setup, cycles
    if what == PRIVATE:
        key = RsaKey(n, _EXPONENT, d)
    setup = device.load_rsa_key(key)
    operates(True)
    done: Exponentiation = device.public(value) if what == PUBLIC else device.private(value)
    operates(False)
    _expect(done.result, pow(value, _EXPONENT if what == PUBLIC else d, n))
    return setup, done.cycles


def _expect(got: object, expected: object) -> None:
    if got != expected:
        raise ToolError("the RTL gave a wrong result for an operand of the measurement")


def _parsed(kind: str) -> tuple[str, int]:
    what, _, bits = kind.rpartition("-")
    return what, int(bits)
