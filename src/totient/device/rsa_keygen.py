"""The RSA IPs with key generation behind their registers.

Both have one map: rtl/ip/rsa_keygen_axil.sv and rtl/ip/rsa_restoring_axil.sv.
"""

from dataclasses import dataclass
from enum import IntEnum

from totient.catalog import select_ip
from totient.device.library import text
from totient.device.register_map import Bus, RegisterMap

_POLLS = 100_000


class Mode(IntEnum):
    """Operations: values of the register MODE."""

    ENCRYPT = 0
    """Make a key, and raise the message to e."""
    GIVEN = 1
    """Raise the message to a given exponent."""
    DECRYPT = 2
    """Make a key, and raise the message to d."""


@dataclass(frozen=True)
class Run:
    """Contents of the registers after an operation.

    Attributes:
        result: the message raised.
        e, d, n: the key; e and d are 0 if the exponent was given.
        error: error code (`docs/contracts.md`); 0 if there is a result.
        reason: the error in English; empty if there is a result.
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
    """The IP on a bus.

    Attributes:
        registers: by their names.
    """

    def __init__(self, bus: Bus) -> None:
        self.registers = RegisterMap(bus, select_ip("rsa_keygen").ip.registers)

    def run(self, mode: Mode, **operands: int) -> Run:
        """Write operands, start, and wait for the end.

        Args:
            mode: the operation.
            operands: values by lower-case register name: `p`, `q`, `i_msg`, `i_key`, `i_n`. The
                others keep their values.

        Raises:
            InputError: an operand is too large for its register.
            ToolError: the IP does not finish.
        """
        registers = self.registers
        for name, value in operands.items():
            setattr(registers, name, value)
        registers.mode = mode
        registers.set_parts("control", sp=1)
        failure = "the RSA IP does not finish"
        error = registers.wait("mod_exp_finish", "mod_exp_finish", _POLLS, failure)["error"]
        steps = registers.parts("step_counts")
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
