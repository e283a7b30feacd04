"""Cores that fit an operation: the width of a simulated core, and operations that never end."""

from typing import TYPE_CHECKING

from totient.common.errors import InputError

if TYPE_CHECKING:  # Slow to import.
    from totient.catalog import Parameter
    from totient.device import Address

# The fastest core whose time reveals nothing about a private key.
DEFAULT_DEVICE = "sim:engine-62"

# Widths are rounded up, so that few models serve all lengths.
_WIDTH_STEP = 32
# The design with one multiplication for each unit of the exponent, and its longest allowed
# exponent: 2^20 products of 1024 bits are about 10^9 cycles, minutes in simulation.
_REPEATED = "repeated"
_REPEATED_MAX_BITS = 20


def fit(address: "Address", bits: int, exponent_bits: int, engine_bits: int = 0) -> "Address":
    """Complete the address of a simulated core with the width that an operation needs.

    Building a core takes a while: impossible operations are refused before that.

    Args:
        address: address of a device; unchanged unless it is a simulated core without a width and
            without a name that implies one.
        bits: length of the longest operand.
        exponent_bits: upper bound of the exponent's length; not its own length if it is secret.
        engine_bits: length of the longest operand of an engine, if different: an engine gets the
            whole key.

    Raises:
        InputError: the core is too small, the exponent too long for its algorithm, or the address
            wrong.
    """
    if not address.is_simulated:
        return address
    configuration = address.configuration
    check_exponent(configuration.design.name, exponent_bits)
    if configuration.key_slots:
        bits = max(bits, engine_bits)
    if "width" not in configuration.given:
        width = next(p for p in configuration.design.parameters if p.name == "width")
        return address.having(width=_width(width, bits))
    check_size(bits, address, configuration.width)
    return address


def _width(width: "Parameter", bits: int) -> int:
    """The smallest available width with at least this many bits."""
    if bits > width.high:
        raise InputError(f"the operation needs a core of {bits} bits, the widest has {width.high}")
    if width.choices:
        return min(choice for choice in width.choices if choice >= bits)
    return min(max(-(-bits // _WIDTH_STEP) * _WIDTH_STEP, width.low), width.high)


def check_size(bits: int, address: "Address | str", max_bits: int) -> None:
    """Raise `InputError` if operands of `bits` bits are longer than the core takes."""
    if bits > max_bits:
        raise InputError(f"the operation needs a core of {bits} bits, {address} has {max_bits}")


def check_exponent(design: str, exponent_bits: int) -> None:
    """Raise `InputError` if the design would never finish with such an exponent."""
    if design == _REPEATED and exponent_bits > _REPEATED_MAX_BITS:
        raise InputError(
            f"design {design} makes one product for each unit of the exponent, up to "
            f"2^{exponent_bits} here, allowed are 2^{_REPEATED_MAX_BITS}: take T2 or T3"
        )
