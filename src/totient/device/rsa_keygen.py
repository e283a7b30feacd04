"""The RSA IP with key generation behind its registers (rtl/ip/rsa_keygen_axil.sv)."""

from dataclasses import dataclass
from enum import IntEnum

from totient.catalog import select_ip
from totient.common.errors import ToolError
from totient.device.library import text
from totient.device.register_map import Bus, RegisterMap

_POLLS = 100_000


class Mode(IntEnum):
    """What an operation does: values of the register MODE."""

    ENCRYPT = 0
    """Make a key, and raise the message to e."""
    GIVEN = 1
    """Raise the message to a given exponent."""
    DECRYPT = 2
    """Make a key, and raise the message to d."""


@dataclass(frozen=True)
class Run:
    """What an operation left in the registers.

    Attributes:
        result: the message raised.
        e, d, n: the key; e and d are 0 where an exponent was given.
        error: why there is no result (`docs/contracts.md`); 0: there is one.
        reason: the same in English; empty if there is a result.
        cycles: of the whole operation.
        key_cycles, message_cycles: of its steps.
    """

    result: int
    e: int
    d: int
    n: int
    error: int
    reason: str
    cycles: int
    key_cycles: int
    message_cycles: int


class RsaKeygen:
    """The IP at a bus.

    Attributes:
        registers: by their names.
    """

    def __init__(self, bus: Bus) -> None:
        self.registers = RegisterMap(bus, select_ip("rsa_keygen").ip.registers)

    def run(self, mode: Mode, **operands: int) -> Run:
        """Write operands, start, and wait for the end.

        Args:
            mode: what to do.
            operands: values by register, in lower case: `p`, `q`, `i_msg`, `i_key`, `i_n`. Those
                not given are as they were.

        Raises:
            InputError: an operand is too large for its register.
            ToolError: the IP does not come to an end.
        """
        registers = self.registers
        for name, value in operands.items():
            setattr(registers, name, value)
        registers.mode = mode
        registers.set_parts("control", sp=1)
        for _ in range(_POLLS):
            state = registers.parts("mod_exp_finish")
            if state["mod_exp_finish"]:
                break
        else:
            raise ToolError("the RSA IP does not come to an end")
        steps, error = registers.parts("step_counts"), state["error"]
        return Run(
            result=registers.data_msg,
            e=registers.data_encrypt,
            d=registers.data_decrypt,
            n=registers.n_output,
            error=error,
            reason=text(error) if error else "",
            cycles=registers.clk_count,
            key_cycles=steps["key_generation"],
            message_cycles=steps["message"],
        )
