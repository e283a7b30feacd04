"""The overlay on the simulated IP; the board's with a stand-in for `pynq`."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from totient.catalog import select_ip
from totient.common.contract import ErrorCode
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device.overlay import open_overlay, run_kernel

TEXT = [ord(character) for character in "Hello, World!"]
CIPHER = [2374081, 634949, 683399, 683399, 4222941, 5390756, 6054897, 2047352, 4222941]
CIPHER += [4107156, 683399, 3812635, 469162]


def test_the_papers_notebook() -> None:
    with open_overlay() as overlay:
        registers = overlay.rsa.register_map
        registers.prime1, registers.prime2 = 2027, 3011
        assert run_kernel(overlay, TEXT) == CIPHER
        registers.direction = 1
        assert run_kernel(overlay, CIPHER) == TEXT


def test_what_is_refused() -> None:
    with open_overlay(prime_bits=16) as overlay:
        overlay.rsa.register_map.prime1 = 2027
        overlay.rsa.register_map.prime2 = 3011
        short, long = overlay.allocate(1), overlay.allocate(2)
        long[:] = TEXT[:2]
        overlay.dma.sendchannel.transfer(long)
        overlay.dma.recvchannel.transfer(short)
        with pytest.raises(ToolError, match="is busy"):
            overlay.dma.recvchannel.transfer(short)
        with pytest.raises(ToolError, match="2 words arrived, the buffer has 1"):
            overlay.dma.recvchannel.wait()
        assert run_kernel(overlay, TEXT[:3]) == CIPHER[:3]
        for words, text in (
            ([], "0 words are given, allowed is 1 or more"),
            ([-1], "a word is -1, allowed are whole numbers from 0 to 2\\^32 - 1"),
            ([1 << 32], "a word is 4294967296, allowed are"),
            ([72.5], "a word is 72.5, allowed are"),
            ("Hello", "a word is 'H', allowed are"),
        ):
            with pytest.raises(InputError, match=text):
                run_kernel(overlay, words)  # type: ignore[arg-type]
        # Calls that would wait for ever on a board.
        with pytest.raises(InputError, match="the buffer has 0 words"):
            overlay.dma.sendchannel.transfer(overlay.allocate(0))
        overlay.dma.recvchannel.transfer(short)
        with pytest.raises(ToolError, match="no packet was sent"):
            overlay.dma.recvchannel.wait()
        overlay.dma.sendchannel.transfer(overlay.allocate(1))
        overlay.dma.recvchannel.wait()
        assert run_kernel(overlay, long) == CIPHER[:2]  # an array of NumPy
        with pytest.raises(InputError, match="allowed is a whole number"):
            overlay.rsa.register_map.prime1 = 2.5
    with pytest.raises(InputError, match="prime_bits is 3, allowed is 4 to 1024"):
        open_overlay(prime_bits=3)
    with pytest.raises(InputError, match="there is no bitstream none"):
        open_overlay("none.bit")


def test_a_refusal_is_an_error_with_its_reason() -> None:
    with open_overlay(prime_bits=16) as overlay:
        registers = overlay.rsa.register_map

        def refused(words: list[int], text: str, code: int) -> None:
            with pytest.raises(DeviceError, match=text) as caught:
                run_kernel(overlay, words)
            assert caught.value.code == code

        registers.prime1, registers.prime2, registers.exponent = 17, 227, 17
        below = "refused 1 of the messages: the message is not below the modulus"
        refused([5000], below, 8)
        refused([1141, 5000, 72], below, 8)  # the last one's reason is none
        assert run_kernel(overlay, [1141]) == [pow(1141, 17, 3859)]
        registers.exponent = 4
        refused([1, 2], "refused 2 of the messages: the public exponent is 1, even or not", 12)
        registers.exponent, registers.prime1 = 17, 16
        refused([1], "a prime is even or below 3", 11)
        for value in (2, -1):
            with pytest.raises(InputError, match=f"direction is {value}, allowed is 0 or 1"):
                registers.direction = value
        with pytest.raises(InputError, match="prime1 has 17 bits, allowed is 0 to 2\\^16 - 1"):
            registers.prime1 = 65537
        with pytest.raises(InputError, match="the words are None, allowed is a sequence"):
            run_kernel(overlay, None)  # type: ignore[arg-type]


def test_the_papers_first_overlay_has_no_registers() -> None:
    """Row E2: `runKernel` alone, with the key that is in the hardware."""
    with open_overlay(design="E2") as overlay:
        assert run_kernel(overlay, TEXT) == CIPHER
        assert dir(overlay.rsa.register_map) == []
        for access in (
            lambda: overlay.rsa.register_map.prime1,
            lambda: setattr(overlay.rsa.register_map, "direction", 1),
        ):
            with pytest.raises(AttributeError, match="there are none"):
                access()
        # What the IP answers with zeros is refused before it is sent.
        n = overlay.chosen.parameters["modulus"]
        assert run_kernel(overlay, [n - 1]) == [n - 1]  # e is odd
        for words, count in (([n], 1), ([72, n, 1, n + 1], 2)):
            text = f"refuses {count} of the messages: the message is not below the modulus"
            with pytest.raises(DeviceError, match=text) as caught:
                run_kernel(overlay, words)
            assert caught.value.code == ErrorCode.BASE_NOT_BELOW
        source, result = overlay.allocate(2), overlay.allocate(2)
        source[:], result[:] = [n, 72], [1, 1]
        overlay.dma.sendchannel.transfer(source)
        overlay.dma.recvchannel.transfer(result)
        overlay.dma.recvchannel.wait()
        assert list(result) == [0, CIPHER[0]]


def test_messages_of_several_words_with_a_fixed_key() -> None:
    n, e = 0x1_2345_6789_ABCD_EF01, 17
    with open_overlay(design="rsa_fixed", width=65, modulus=n, exponent=e) as overlay:
        messages = (n - 1, 1 << 63, 72)
        words = [m >> 32 * place & 0xFFFF_FFFF for m in messages for place in range(3)]
        got = run_kernel(overlay, words)
        results = [pow(message, e, n) for message in messages]
        assert got == [r >> 32 * place & 0xFFFF_FFFF for r in results for place in range(3)]
        with pytest.raises(InputError, match="4 words are given, allowed is a multiple of 3"):
            run_kernel(overlay, words[:4])
        with pytest.raises(DeviceError, match="refuses 1 of the messages"):
            run_kernel(overlay, [0xABCD_EF01, 0x2345_6789, 1])


def test_what_has_no_overlay() -> None:
    for design in ("B1", "T3", "B3"):
        text = (
            f"design '{design}' is no IP with streams, allowed are rsa_fixed \\(E2\\), rsa_stream"
        )
        with pytest.raises(InputError, match=text):
            open_overlay(design=design)
    with pytest.raises(InputError, match="prime_bits"):
        open_overlay(design="E2", prime_bits=16)


def test_a_count_of_refusals_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that it cannot show is never taken for a result."""
    with open_overlay(prime_bits=16) as overlay:
        status = select_ip("rsa_stream").ip.registers["STATUS"]
        most = SimpleNamespace(parts=lambda name: status.parts(0xFFFF_0002))
        monkeypatch.setattr(overlay.rsa, "register_map", most)
        with pytest.raises(ToolError, match="65535 refusals and counts no further: clear it"):
            run_kernel(overlay, [1])


def test_on_a_board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Calls of the board's overlay to `pynq`."""
    bitstream = tmp_path / "rsa.bit"
    bitstream.touch()
    monkeypatch.setitem(sys.modules, "pynq", None)
    with pytest.raises(ToolError, match="package pynq is missing"):
        open_overlay(str(bitstream))
    keygen = True
    written: dict[int, int] = {}
    moved: list[list[int]] = []

    class Channel:
        def transfer(self, buffer: Any) -> None:
            """Keep what is sent; hand out the same."""
            moved.append(list(buffer))
            buffer[:] = moved[0]

        def wait(self) -> None:
            """At once."""

    class Ip:
        def write(self, offset: int, value: int) -> None:
            """Keep it."""
            written[offset] = value

        def read(self, offset: int) -> int:
            """Written values."""
            return written.get(offset, 0)

    class Overlay:
        def __init__(self, path: str) -> None:
            assert path == str(bitstream)
            self.axi_dma_0 = ModuleType("dma")
            self.axi_dma_0.sendchannel = self.axi_dma_0.recvchannel = Channel()  # type: ignore[attr-defined]
            if keygen:
                self.rsa_keygen_axis_0 = Ip()

    pynq = ModuleType("pynq")
    pynq.Overlay = Overlay  # type: ignore[attr-defined]
    pynq.allocate = lambda shape, dtype: [0] * shape[0]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pynq", pynq)
    with open_overlay(str(bitstream)) as overlay:
        overlay.rsa.register_map.exponent = 17
        assert overlay.rsa.register_map.exponent == 17
        assert written == {0x10: 17}
        assert run_kernel(overlay, [1, 2, 3]) == [1, 2, 3]
    assert moved[0] == [1, 2, 3]
    # `pynq` has no cell for an IP without registers.
    keygen = False
    moved.clear()
    with open_overlay(str(bitstream), "E2") as fixed:
        assert dir(fixed.rsa.register_map) == []
        assert run_kernel(fixed, [4, 5]) == [4, 5]
