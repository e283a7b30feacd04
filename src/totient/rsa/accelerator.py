"""The raw RSA operations on a device, and the choice of a core that fits them."""

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from totient.common.closing import Closing
from totient.common.errors import ToolError
from totient.common.progress import bar
from totient.rsa.fit import DEFAULT_DEVICE, check_exponent, check_size, fit
from totient.rsa.keys import PrivateKey, PublicKey

if TYPE_CHECKING:  # Slow to import.
    from totient.catalog import TimingClass
    from totient.device import Device


@dataclass(frozen=True)
class Step:
    """One key load and exponentiation, as the device counted it.

    Attributes:
        name: what it was, for instance `private, modulo p`.
        modulus_bits, exponent_bits: the lengths that the core was told.
        setup_cycles: clock cycles of loading the key.
        cycles: clock cycles of the exponentiation.
    """

    name: str
    modulus_bits: int
    exponent_bits: int
    setup_cycles: int
    cycles: int


def open_core(address: str) -> "Device":
    """Open a device by its address."""
    from totient.device import open_device

    return open_device(address)


class Accelerator(Closing):
    """Raw RSA operations on a device, which is opened by the first operation.

    A simulated core without a width in its address is built as wide as the operation needs, and
    built again, wider, if a later one needs more.

    Attributes:
        steps: what the device did so far, in order.
    """

    def __init__(self, address: str = DEFAULT_DEVICE) -> None:
        self.steps: list[Step] = []
        self._address = address
        self._opened = address
        self._core: Device | None = None

    @property
    def address(self) -> str:
        """Address of the device, with the width that was chosen."""
        return self._opened

    @property
    def timing(self) -> "TimingClass":
        """What the time of the opened core depends on."""
        if self._core is None:
            raise ToolError("no device is open")
        return self._core.info.timing

    def close(self) -> None:
        """Close the device, if one was opened."""
        if self._core is not None:
            self._core.close()
            self._core = None

    def public(self, key: PublicKey, value: int) -> int:
        """Compute value ^ e mod n on the device, 0 <= value < n.

        Raises:
            InputError: the core is too small, or the exponent too long for its algorithm.
            DeviceError: the core refused the request.
        """
        exponent_bits = key.exponent.bit_length()
        core = self._fitting(key.bits, exponent_bits)
        return self._run(core, "public", key.modulus, key.exponent, exponent_bits, value)

    def private(self, key: PrivateKey, value: int, *, crt: bool = True) -> int:
        """Compute value ^ d mod n, 0 <= value < n, with the exponentiations on the device.

        By the Chinese remainder theorem with the exponents d mod p - 1 and d mod q - 1 on the
        device and Garner's recombination here, where `crt` is set and the key holds its primes.
        The core is told the length of the modulus as the exponent's, not the length of the
        exponent's value. The value is blinded with a random r: (value r^e)^d / r. The result is
        checked with the public exponent, here, before it is returned: one wrong half would give
        away the primes.

        Raises:
            InputError: the core is too small, or its algorithm cannot take a private exponent.
            DeviceError: the core refused the request.
            ToolError: the core returned a wrong result.
        """
        n, e = key.public.modulus, key.public.exponent
        blind = 2 + secrets.randbelow(n - 2)
        blinded = value * pow(blind, e, n) % n
        if crt and key.primes is not None:
            p, q = key.primes
            bits = max(p, q).bit_length()
            core = self._fitting(bits, bits)
            by_p, by_q = key.crt_exponents
            mod_p = self._run_private(core, "private, modulo p", p, by_p, blinded % p)
            mod_q = self._run_private(core, "private, modulo q", q, by_q, blinded % q)
            result = mod_q + q * (key.crt_coefficient * (mod_p - mod_q) % p)
        else:
            core = self._fitting(key.public.bits, key.public.bits)
            result = self._run_private(core, "private", n, key.exponent, blinded)
        result = result * pow(blind, -1, n) % n
        if pow(result, e, n) != value:
            raise ToolError(
                f"the device {self.address} returned a wrong result: nothing was released"
            )
        return result

    def exponentiate(self, modulus: int, exponent: int, exponent_bits: int, base: int) -> int:
        """Compute base ^ exponent mod modulus on the device, for operands that are not secret.

        Raises:
            InputError: the core is too small, or the exponent too long for its algorithm.
            DeviceError: the core refused the request.
        """
        core = self._fitting(max(modulus.bit_length(), exponent_bits), exponent.bit_length())
        return self._run(core, "exponentiation", modulus, exponent, exponent_bits, base)

    def _run_private(
        self, core: "Device", name: str, modulus: int, exponent: int, base: int
    ) -> int:
        try:
            return self._run(core, name, modulus, exponent, modulus.bit_length(), base)
        finally:
            core.clear()

    def _run(
        self, core: "Device", name: str, modulus: int, exponent: int, exponent_bits: int, base: int
    ) -> int:
        with bar(name) as shown:
            setup_cycles = core.load_key(modulus, exponent, exponent_bits)
            answer = core.exponentiate(
                base, lambda cycles: shown.describe(f"{name}: {cycles:,} cycles")
            )
        self.steps.append(
            Step(name, modulus.bit_length(), exponent_bits, setup_cycles, answer.cycles)
        )
        return answer.result

    def _fitting(self, bits: int, longest_exponent: int) -> "Device":
        """The device, opened wide enough for operands of `bits` bits."""
        if self._core is not None and self._core.info.max_bits < bits:
            self.close()
        if self._core is None:
            self._opened = fit(self._address, bits, longest_exponent)
            self._core = open_core(self._opened)
        check_exponent(self._core.info.design, longest_exponent)
        check_size(bits, self.address, self._core.info.max_bits)
        return self._core
