"""Parts of a packet's first word: their bits as docs/contracts.md numbers them."""

import struct

import pytest

from totient.common.contract import Part, Request, Response


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
