"""Packed structs on ports: a simulator shows each of them as one vector."""

from typing import Any


class Packed:
    """Fields of a packed struct.

    Args:
        port: the port.
        fields: bits of every field, the highest one first, as the SystemVerilog type lists them.
    """

    def __init__(self, port: Any, fields: dict[str, int]) -> None:
        assert len(port) == sum(fields.values()), f"{port._name} has {len(port)} bits"
        self._port = port
        self._fields: dict[str, tuple[int, int]] = {}  # lowest bit and number of bits
        lowest = len(port)
        for name, bits in fields.items():
            lowest -= bits
            self._fields[name] = lowest, bits
        self._driven = 0

    def drive(self, **values: int) -> None:
        """Drive fields of an input; the others stay. Those never driven are 0."""
        for name, value in values.items():
            lowest, bits = self._fields[name]
            assert 0 <= value < 1 << bits, f"{name} of {bits} bits cannot be {value}"
            self._driven = self._driven & ~(((1 << bits) - 1) << lowest) | value << lowest
        self._port.value = self._driven

    def bits(self, name: str) -> int:
        """Bits of a field."""
        return self._fields[name][1]

    def __getitem__(self, name: str) -> int:
        """Value of a field of an output, which has no unknown bits."""
        lowest, bits = self._fields[name]
        return int(self._port.value) >> lowest & ((1 << bits) - 1)

    def bit(self, name: str) -> Any:
        """Handle of a field of one bit, to wait for."""
        lowest, bits = self._fields[name]
        assert bits == 1
        return self._port[lowest]
