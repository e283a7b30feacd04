"""Packets against the contract's tables, word by word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from totient.check import packets
from totient.check.packets import Response
from totient.common.contract import Command, ErrorCode
from totient.common.errors import InputError, ToolError


def test_requests_word_by_word() -> None:
    assert packets.load_key_request(0x1_0000_0003, 5, 40) == [2, 33, 40, 3, 1, 5, 0]
    assert packets.load_key_request(7, 3, 2) == [2, 3, 2, 7, 3]
    assert packets.load_key_request(0, 0, 0) == [2, 0, 0]
    assert packets.exponentiate_request([0]) == [3, 0]
    assert packets.exponentiate_request([5]) == [3, 3, 5]
    assert packets.exponentiate_request([5], 33) == [3, 33, 5, 0]
    assert packets.exponentiate_request([1 << 32], 8) == [3, 33, 0, 1]
    assert packets.exponentiate_request([5, 1 << 32]) == [0x103, 33, 5, 0, 0, 1]


def test_requests_refuse_what_they_cannot_say() -> None:
    with pytest.raises(InputError, match="exponent_bits is 1, the exponent needs 2"):
        packets.load_key_request(7, 3, 1)
    with pytest.raises(InputError, match="modulus is negative"):
        packets.load_key_request(-7, 3, 2)
    with pytest.raises(InputError, match="exponent is negative"):
        packets.load_key_request(7, -3, 2)
    with pytest.raises(InputError, match="base is negative"):
        packets.exponentiate_request([-1])
    for count in (0, 257):
        with pytest.raises(InputError, match=f"{count} bases are given, allowed are 1 to 256"):
            packets.exponentiate_request([0] * count)


def test_responses_word_by_word() -> None:
    assert packets.parse([2 | 2 << 16, 9, 1], Command.LOAD_KEY) == Response(2, ErrorCode.OK, (9, 1))
    assert packets.parse([3 | 8 << 8], Command.EXPONENTIATE) == Response(
        3, ErrorCode.BASE_NOT_BELOW, ()
    )


UNKNOWN = max(ErrorCode) + 1


@pytest.mark.parametrize(
    ("packet", "text"),
    [
        ([], "empty"),
        ([2], "answered command 2"),
        ([3 | 1 << 16], "has 0 words, but states 1"),
        ([3, 0], "has 1 words, but states 0"),
        ([3 | UNKNOWN << 8], f"unknown error code {UNKNOWN}"),
    ],
)
def test_damaged_responses(packet: list[int], text: str) -> None:
    with pytest.raises(ToolError, match=text):
        packets.parse(packet, Command.EXPONENTIATE)


@given(st.integers(0, 1 << 200), st.integers(0, 100))
def test_numbers_come_back(value: int, more: int) -> None:
    bits = value.bit_length() + more
    _, stated, *words = packets.exponentiate_request([value], bits)
    assert stated == bits
    assert len(words) == -(-bits // 32)
    assert packets.parse_number(words) == value
