"""Registers by name, on a bus of the test's own."""

import pytest

from totient.catalog import Register, select_ip
from totient.common.errors import InputError, ToolError
from totient.device.register_map import RegisterMap

REGISTERS = {
    "LOW": Register(0, 1, "rw"),
    "WIDE": Register(4, 3, "rw"),
    "IN": Register(16, 1, "w"),
    "OUT": Register(16, 1, "r"),
    "NOWHERE": Register(64, 1, "rw"),
}


class Memory:
    """A bus that answers up to offset 32, and keeps what was written."""

    def __init__(self) -> None:
        self.words: dict[int, int] = {}

    def read(self, offset: int) -> int | None:
        """The word there; an error beyond the end."""
        return self.words.get(offset, 0) if offset < 32 else None

    def write(self, offset: int, value: int) -> bool:
        """Keep a word; an error beyond the end."""
        self.words[offset] = value
        return offset < 32


def test_words_of_a_register_follow_one_another() -> None:
    memory = Memory()
    registers = RegisterMap(memory, REGISTERS)
    registers.low = 7
    registers.wide = 1 << 64 | 5
    assert memory.words == {0: 7, 4: 5, 8: 0, 12: 1}
    assert (registers.low, registers.wide) == (7, 1 << 64 | 5)
    assert dir(registers) == sorted(name.lower() for name in REGISTERS)


def test_what_is_refused() -> None:
    registers = RegisterMap(Memory(), REGISTERS)
    for value in (-1, 1 << 32):
        with pytest.raises(InputError, match=rf"register low is {value}, allowed is 0 to 2\^32"):
            registers.low = value
    with pytest.raises(AttributeError, match="register out can only be read"):
        registers.out = 1
    with pytest.raises(AttributeError, match="register in can only be written"):
        _ = getattr(registers, "in")
    with pytest.raises(AttributeError, match="no register 'other', there are low, wide"):
        _ = registers.other
    with pytest.raises(ToolError, match="refused to read register nowhere"):
        _ = registers.nowhere
    with pytest.raises(ToolError, match="refused to write register nowhere"):
        registers.nowhere = 1


def test_what_cannot_be_read_back_is_in_no_message() -> None:
    registers = RegisterMap(Memory(), REGISTERS, {"in": 8, "low": 1})
    for value, text in ((259, "has 9 bits"), (-259, "is negative"), ("259", "of type str")):
        with pytest.raises(InputError, match=text) as caught:
            setattr(registers, "in", value)
        assert "259" not in str(caught.value)
    with pytest.raises(InputError, match="register low is 2, allowed is 0 or 1"):
        registers.low = 2


def test_the_papers_map() -> None:
    """Figure 10: eight registers of 64 bits each way, at the same addresses."""
    registers = select_ip("B2").ip.registers.values()
    written = {r.offset: r.words for r in registers if r.access == "w"}
    read = {r.offset: r.words for r in registers if r.access == "r"}
    assert written == dict.fromkeys(range(0, 56, 8), 2)
    assert read == dict.fromkeys(range(0, 64, 8), 2)


def test_parts_of_a_register_have_the_names_of_the_map() -> None:
    parts = Register(
        0, 1, "rw", fields=[("low", 3, 0, ""), ("flag", 4, 4, ""), ("high", 31, 16, "")]
    )
    memory = Memory()
    registers = RegisterMap(memory, {"STATE": parts})
    registers.set_parts("state", flag=1, high=0xABCD)
    assert memory.words == {0: 0xABCD_0010}
    registers.state = 0xABCD_FFF7
    assert registers.parts("state") == {"low": 7, "flag": 1, "high": 0xABCD}
    with pytest.raises(KeyError, match="other"):
        registers.set_parts("state", other=1)
    for part in (16, -1):
        with pytest.raises(InputError, match=rf"field low is {part}, allowed is 0 to 2\^4 - 1"):
            registers.set_parts("state", low=part)
    with pytest.raises(AttributeError, match="no register 'none'"):
        registers.parts("none")
