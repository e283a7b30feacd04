"""The contract's numbers by judges that are not the project's own."""

import struct

import pytest
from cocotbext.axi.constants import AxiResp

from totient.common.codes import Part
from totient.common.contract import (
    BusResponse,
    ErrorCode,
    FrameByte,
    PrivateOption,
    Request,
    Response,
)


def test_a_request_is_a_byte_a_part() -> None:
    """The same word as four bytes, the least significant one first."""
    for command, option, slot in ((1, 2, 3), (255, 255, 255), (128, 0, 129), (0, 128, 0)):
        parts = Request.COMMAND.put(command), Request.OPTION.put(option), Request.SLOT.put(slot)
        word = sum(parts)
        assert struct.pack("<I", word) == bytes((command, option, slot, 0))
        read = Request.COMMAND.of(word), Request.OPTION.of(word), Request.SLOT.of(word)
        assert read == (command, option, slot)


def test_a_response_is_two_bytes_and_a_count() -> None:
    for command, error, words in ((1, 2, 3), (255, 255, 65535), (0, 128, 32768)):
        word = struct.unpack("<I", struct.pack("<BBH", command, error, words))[0]
        read = Response.COMMAND.of(word), Response.ERROR.of(word), Response.WORDS.of(word)
        assert read == (command, error, words)


@pytest.mark.parametrize("value", [-1, 256, 1 << 16])
def test_what_has_no_room(value: int) -> None:
    with pytest.raises(ValueError, match="has no room in bits 15 to 8"):
        Part(15, 8).put(value)


def test_bus_responses_are_those_of_axi() -> None:
    """Of an AXI library of others."""
    assert BusResponse.OKAY == AxiResp.OKAY
    assert BusResponse.SLAVE_ERROR == AxiResp.SLVERR
    assert BusResponse.DECODE_ERROR == AxiResp.DECERR


def test_frames_are_marked_as_slip_marks_them() -> None:
    """RFC 1055 lists its four characters in octal."""
    marks = FrameByte.END, FrameByte.ESCAPE, FrameByte.ESCAPED_END, FrameByte.ESCAPED_ESCAPE
    assert marks == (0o300, 0o333, 0o334, 0o335)


def test_options_are_bits_that_can_be_added() -> None:
    assert [value.bit_count() for value in PrivateOption] == [1] * len(set(PrivateOption))
    assert sum(PrivateOption) < 1 << Request.OPTION.high - Request.OPTION.low + 1


def test_a_code_is_its_number_and_has_words() -> None:
    number = int(ErrorCode.FAULT)
    assert ErrorCode(number) is ErrorCode.FAULT
    assert ErrorCode.FAULT.words == "a check in the core failed, and it released nothing"
    unknown = max(ErrorCode) + 1
    with pytest.raises(ValueError, match=f"{unknown} is not a valid ErrorCode"):
        ErrorCode(unknown)
