"""The Montgomery multiplier behind its registers (rtl/ip/modmul_montgomery_axil.sv)."""

from dataclasses import dataclass

from totient.catalog import select_ip
from totient.common.contract import ErrorCode
from totient.device.library import text
from totient.device.register_map import Bus, RegisterMap

_POLLS = 1000

# Texts that differ from those of an exponentiator.
_REASONS: dict[int, str] = {
    ErrorCode.LENGTH: "an operand or the modulus has bits above the multiplier's width",
    ErrorCode.BASE_NOT_BELOW: "an operand is not below the modulus",
}


@dataclass(frozen=True)
class Product:
    """Contents of the registers after a product.

    Attributes:
        product: `a b / 2^L mod n`, L the bits of n; 0 if there is none.
        error: error code (`docs/contracts.md`); 0 if there is a product.
        reason: the error in English; empty if there is a product.
        cycles: from the start to completion.
    """

    product: int
    error: int
    reason: str
    cycles: int


class ModmulMontgomery:
    """The IP on a bus.

    Attributes:
        registers: by their names.
    """

    def __init__(self, bus: Bus) -> None:
        self.registers = RegisterMap(bus, select_ip("modmul_montgomery").ip.registers)

    def multiply(self, a: int, b: int, n: int | None = None) -> Product:
        """Write operands, start, and wait for the product.

        Args:
            a: operand, up to 64 bits.
            b: the other one.
            n: modulus, up to 64 bits; by default the last one.

        Raises:
            InputError: an operand is too large for its register.
            ToolError: the IP does not finish.
        """
        registers = self.registers
        if n is not None:
            registers.modulus = n
        registers.a, registers.b = a, b
        registers.set_parts("control", start=1)
        failure = "the Montgomery multiplier does not finish"
        error = registers.wait("status", "complete", _POLLS, failure)["error"]
        reason = _REASONS.get(error) or (text(error) if error else "")
        return Product(registers.product, error, reason, registers.cycles)

    def clear(self) -> None:
        """Wipe operands, modulus and product. Ends an operation in progress."""
        self.registers.set_parts("control", clear=1)
