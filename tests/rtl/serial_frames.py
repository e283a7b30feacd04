"""Frames of the serial face (docs/contracts.md)."""

import zlib

END, ESCAPE, ESCAPED_END, ESCAPED_ESCAPE = 0xC0, 0xDB, 0xDC, 0xDD
ESCAPED = {END: bytes([ESCAPE, ESCAPED_END]), ESCAPE: bytes([ESCAPE, ESCAPED_ESCAPE])}


def frame(payload: bytes) -> bytes:
    """What goes over the line for these bytes."""
    whole = payload + zlib.crc32(payload).to_bytes(4, "little")
    return bytes([END]) + b"".join(ESCAPED.get(b, bytes([b])) for b in whole) + bytes([END])


def payload_of(packet: list[int]) -> bytes:
    """Bytes of a packet's words."""
    return b"".join(word.to_bytes(4, "little") for word in packet)
