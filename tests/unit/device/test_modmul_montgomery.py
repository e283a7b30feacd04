"""The Montgomery multiplier's registers in Python, on a bus of the test's own."""

import pytest

from totient.catalog import select_ip
from totient.device.modmul_montgomery import ModmulMontgomery


class Refusing:
    """A bus with a multiplier that refuses every product with one error."""

    def __init__(self, error: int) -> None:
        self.status = error << 4 | 1
        self.offset = select_ip("D6").ip.registers["STATUS"].offset

    def read(self, offset: int) -> int | None:
        """The status; 0 in all other registers."""
        return self.status if offset == self.offset else 0

    def write(self, offset: int, value: int) -> bool:
        """Take everything."""
        return True


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (4, "an operand or the modulus has bits above the multiplier's width"),
        (6, "the modulus is even"),
        (8, "an operand is not below the modulus"),
    ],
)
def test_a_refusal_speaks_of_operands(error: int, reason: str) -> None:
    """There is no message here, and no exponent."""
    done = ModmulMontgomery(Refusing(error)).multiply(9, 143, 143)
    assert (done.product, done.error, done.reason) == (0, error, reason)
