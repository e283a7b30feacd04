"""Frames of the serial face (docs/contracts.md)."""

import zlib

from totient.common.contract import FrameByte

END, ESCAPE = FrameByte.END, FrameByte.ESCAPE
ESCAPED_END, ESCAPED_ESCAPE = FrameByte.ESCAPED_END, FrameByte.ESCAPED_ESCAPE
_ESCAPES: dict[int, bytes] = {
    END: bytes([ESCAPE, ESCAPED_END]),
    ESCAPE: bytes([ESCAPE, ESCAPED_ESCAPE]),
}
_CHECKSUM_BYTES = 4


def begun(data: bytes) -> bytes:
    """Bytes on the line for a frame that has begun with these bytes."""
    return bytes([END]) + b"".join(_ESCAPES.get(byte, bytes([byte])) for byte in data)


def frame(payload: bytes) -> bytes:
    """Bytes on the line for these bytes."""
    return begun(payload + zlib.crc32(payload).to_bytes(_CHECKSUM_BYTES, "little")) + bytes([END])


def opened(data: bytes) -> bytes:
    """Payload of what came between two ENDs, its checksum found right."""
    for byte, escape in _ESCAPES.items():
        data = data.replace(escape, bytes([byte]))
    payload, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    assert zlib.crc32(payload).to_bytes(_CHECKSUM_BYTES, "little") == checksum, data
    return payload


def payload_of(packet: list[int]) -> bytes:
    """Bytes of a packet's words."""
    return b"".join(word.to_bytes(4, "little") for word in packet)


def packet_of(payload: bytes) -> list[int]:
    """Words of a packet's bytes."""
    return [int.from_bytes(payload[at : at + 4], "little") for at in range(0, len(payload), 4)]
