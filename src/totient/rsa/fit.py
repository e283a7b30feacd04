"""Which core fits an operation: the width of a simulated one, and what cannot finish."""

from typing import TYPE_CHECKING

from totient.common.errors import InputError

if TYPE_CHECKING:  # Slow to import.
    from totient.catalog import Parameter

# The fastest core, whose time says nothing of a private key.
DEFAULT_DEVICE = "sim:engine-64"

# Cores are built as wide as needed, rounded up, so that few models serve all lengths.
_WIDTH_STEP = 32
# The design that multiplies the base once for each unit of the exponent, and the longest exponent
# it is given: 2^20 products of 1024 bits are about 10^9 cycles, minutes in simulation.
_REPEATED = "repeated"
_REPEATED_MAX_BITS = 20


def fit(address: str, bits: int, exponent_bits: int, engine_bits: int = 0) -> str:
    """Complete the address of a simulated core with the width that an operation needs.

    Building a core takes a while, so what cannot work is refused here, before that.

    Args:
        address: address of a device; it stays as it is unless it is a simulated core for which
            neither a width nor a name that brings one was given.
        bits: length of the longest operand.
        exponent_bits: the longest that the exponent can be; not its own length where it is secret.
        engine_bits: length of the longest operand of an engine, if that is another one: it takes a
            key whole.

    Raises:
        InputError: the core is too small, the exponent too long for its algorithm, or the address
            wrong.
    """
    # Slow to import.
    from totient.device import Address, is_simulated

    if not is_simulated(address):
        return address
    parsed = Address.of(address)
    configuration = parsed.configuration
    check_exponent(configuration.design.name, exponent_bits)
    if configuration.key_slots:
        bits = max(bits, engine_bits)
    if "width" not in configuration.given:
        width = next(p for p in configuration.design.parameters if p.name == "width")
        return str(parsed.having(width=_width(width, bits)))
    check_size(bits, address, configuration.width)
    return address


def _width(width: "Parameter", bits: int) -> int:
    """The smallest of the widths that are built that has so many bits."""
    if bits > width.high:
        raise InputError(f"the operation needs a core of {bits} bits, the widest has {width.high}")
    if width.choices:
        return min(choice for choice in width.choices if choice >= bits)
    return min(max(-(-bits // _WIDTH_STEP) * _WIDTH_STEP, width.low), width.high)


def check_size(bits: int, address: str, max_bits: int) -> None:
    """Raise `InputError` if operands of `bits` bits are longer than the core takes."""
    if bits > max_bits:
        raise InputError(f"the operation needs a core of {bits} bits, {address} has {max_bits}")


def check_exponent(design: str, exponent_bits: int) -> None:
    """Raise `InputError` if the design would not come to an end with such an exponent."""
    if design == _REPEATED and exponent_bits > _REPEATED_MAX_BITS:
        raise InputError(
            f"design {design} makes one product for each unit of the exponent, up to "
            f"2^{exponent_bits} here, allowed are 2^{_REPEATED_MAX_BITS}: take T2 or T3"
        )
