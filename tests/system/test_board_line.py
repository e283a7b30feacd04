"""A board's serial port, simulated from pin to pin, and a client that has nothing of ours.

The client knows what docs/contracts.md says, pyserial and the CRC-32 of the standard library.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tests.system.command import serving

N, E, BITS = 0xC0DBDCDD4F5AE36D, 65537, 64
DAMAGED, NO_KEY = 1, 9


class Client:
    """Packets over a serial port, in frames."""

    def __init__(self, port: serial.Serial) -> None:
        self.port = port

    def send(self, *words: int, damage: int = 0) -> None:
        """Send a packet's words; bits of the first byte may be damaged on the way."""
        data = struct.pack(f"<{len(words)}I", *words)
        data += struct.pack("<I", zlib.crc32(data))
        data = bytes([data[0] ^ damage]) + data[1:]
        escaped = data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
        self.port.write(b"\xc0" + escaped + b"\xc0")

    def payload(self) -> bytes:
        """The next frame, its checksum found right."""
        data = b"\xc0"
        while not data.strip(b"\xc0"):
            data = self.port.read_until(b"\xc0")
            assert data.endswith(b"\xc0"), "no answer"
        data = data[:-1].replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")
        assert struct.pack("<I", zlib.crc32(data[:-4])) == data[-4:]
        return data[:-4]

    def ask(self, *words: int) -> tuple[int, ...]:
        """Send a packet and take its answer's words."""
        self.send(*words)
        payload = self.payload()
        return struct.unpack(f"<{len(payload) // 4}I", payload)


@pytest.fixture(params=["ulx3s", "arty_a7"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    """Who has opened the serial port of a board with a core of 64 bits."""
    with (
        serving(tmp_path / "line", "T2", "--width", BITS, "--board", request.param) as path,
        serial.Serial(str(path), 115_200, timeout=60) as port,
    ):
        yield Client(port)


def words_of(number: int) -> tuple[int, int]:
    """A number's two words."""
    return number & 0xFFFFFFFF, number >> 32


def test_a_client_of_its_own(client: Client) -> None:
    header, *info = client.ask(1)
    assert header == 1 | 8 << 16
    assert struct.pack("<4I", *info[:4]).rstrip(b"\0") == b"binary"
    assert info[4:6] == [0x000100, BITS]

    base = 0xDBC0C0DB00C0DB
    raise_it = (3, BITS, *words_of(base))
    assert client.ask(*raise_it) == (3 | NO_KEY << 8,)
    assert client.ask(2, BITS, E.bit_length(), *words_of(N), E)[0] == 2 | 2 << 16
    header, cycles, more, *result = client.ask(*raise_it)
    assert (header, more) == (3 | 4 << 16, 0)
    assert cycles > E.bit_length()
    assert tuple(result) == words_of(pow(base, E, N))

    # Damage is reported, and has no effect: the key is there, and the next frame is answered.
    client.send(4, damage=1)
    assert client.payload() == bytes([DAMAGED])
    client.port.write(b"\xc0noise\xc0")
    assert client.payload() == bytes([DAMAGED])
    assert client.ask(*raise_it)[3:] == words_of(pow(base, E, N))
    assert client.ask(4) == (4,)
    assert client.ask(*raise_it) == (3 | NO_KEY << 8,)
