"""Which core fits an operation: the width of a simulated one, and what cannot finish."""

from urllib.parse import parse_qsl

from totient.common.errors import InputError

# A core whose time says nothing of a private key.
DEFAULT_DEVICE = "sim:T3?fixed_time=1"

# Smallest width of a core.
_MIN_WIDTH = 8
# The design that multiplies the base once for each unit of the exponent, and the longest exponent
# it is given: 2^20 products of 1024 bits are about 10^9 cycles, minutes in simulation.
_REPEATED = "repeated"
_REPEATED_MAX_BITS = 20


def fit(address: str, bits: int, exponent_bits: int) -> str:
    """Complete the address of a simulated core with the width that an operation needs.

    Building a core takes a while, so what cannot work is refused here, before that.

    Args:
        address: address of a device; it stays as it is unless it is a simulated core (`sim:`) for
            which neither a width nor a named configuration was given.
        bits: length of the longest operand.
        exponent_bits: the longest that the exponent can be; not its own length where it is secret.

    Raises:
        InputError: the core is too small, or the exponent too long for its algorithm.
    """
    kind, _, rest = address.partition(":")
    if kind != "sim":
        return address
    name, _, query = rest.partition("?")
    # The catalog is slow to import.
    from totient.catalog import select

    configuration = select(name)
    check_exponent(configuration.design.name, exponent_bits)
    given = dict(parse_qsl(query, keep_blank_values=True)).get("width")
    if given is None and name.lower() not in configuration.design.configurations:
        return f"{address}{'&' if query else '?'}width={max(bits, _MIN_WIDTH)}"
    width = configuration.width if given is None else given
    # A width that is no number is for the device to refuse.
    if str(width).isdecimal():
        check_size(bits, address, int(width))
    return address


def check_size(bits: int, address: str, max_bits: int) -> None:
    """Raise `InputError` if operands of `bits` bits are longer than the core takes."""
    if bits > max_bits:
        raise InputError(f"the operands have {bits} bits, the core {address} takes {max_bits}")


def check_exponent(design: str, exponent_bits: int) -> None:
    """Raise `InputError` if the design would not come to an end with such an exponent."""
    if design == _REPEATED and exponent_bits > _REPEATED_MAX_BITS:
        raise InputError(
            f"design {design} makes one product for each unit of the exponent, up to "
            f"2^{exponent_bits} here, allowed are 2^{_REPEATED_MAX_BITS}: take T2 or T3"
        )
