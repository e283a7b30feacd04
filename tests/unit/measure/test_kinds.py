"""The operands behind the figures."""

import pytest

from totient.common.errors import InputError
from totient.measure import KINDS, check_kind, requests
from totient.measure.kinds import SHORT_KINDS


@pytest.mark.parametrize("width", [17, 33, 1024, 4096])
@pytest.mark.parametrize("kind", KINDS)
def test_operands_meet_the_contract(kind: str, width: int) -> None:
    for request in requests(kind, width):
        for operation in request:
            assert operation.modulus % 2 == 1
            assert operation.modulus >= 3
            assert 0 <= operation.base < operation.modulus
            assert 0 <= operation.exponent < 1 << operation.exponent_bits
            assert 1 <= operation.exponent_bits <= width
        whole = sum(operation.modulus.bit_length() for operation in request)
        assert whole == width, "the moduli of an operation have the core's width together"


def test_each_kind_is_what_its_name_says() -> None:
    ((public,),) = requests("public", 64)
    assert (public.exponent, public.exponent_bits) == (65537, 17)
    ((private,),) = requests("private", 64)
    assert private.exponent.bit_length() == private.exponent_bits == 64
    ((first, second),) = requests("private-crt", 65)
    assert (first.modulus.bit_length(), second.modulus.bit_length()) == (33, 32)
    assert (first.exponent_bits, second.exponent_bits) == (33, 32)
    assert first.exponent.bit_length() == 33
    ((zeros,),) = requests("zeros", 64)
    assert (zeros.exponent, zeros.exponent_bits) == (0, 64)
    ((ones,),) = requests("ones", 64)
    assert (ones.exponent, ones.exponent_bits) == (2**64 - 1, 64)
    keys = [operation for (operation,) in requests("random", 64)]
    assert len({key.modulus for key in keys}) == len({key.exponent for key in keys}) == 40
    assert {key.exponent_bits for key in keys} == {64}
    # Not all of them begin with a 1: they are keys as they come.
    assert len({key.exponent.bit_length() for key in keys}) > 1


def test_short_kinds_are_as_long_as_65537() -> None:
    exponents = {kind: [op.exponent for (op,) in requests(kind, 64)] for kind in SHORT_KINDS}
    assert exponents["short-zeros"] == [0]
    assert exponents["short-ones"] == [2**17 - 1]
    assert len(set(exponents["short-random"])) == 40
    for kind in SHORT_KINDS:
        assert {operation.exponent_bits for (operation,) in requests(kind, 64)} == {17}


def test_operands_are_the_same_every_time() -> None:
    assert requests("random", 40) == requests("random", 40)
    # A pinned one: a change of the operands has to raise the Record's schema version.
    ((operation,),) = requests("private", 32)
    assert (operation.modulus, operation.exponent, operation.base) == (
        2971262943,
        2420510507,
        1917503272,
    )


@pytest.mark.parametrize("width", [8, 9])
def test_the_smallest_cores(width: int) -> None:
    with pytest.raises(InputError, match=r"public \(exponents of 17 bits\) is 17 up"):
        check_kind("public", width)
    for kind in set(KINDS) - {"public", *SHORT_KINDS}:
        assert requests(kind, width)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(InputError, match="unknown operation kind 'secret', known are public, "):
        check_kind("secret", 64)
