"""The raw RSA operations on a device, and the choice of a core that fits them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from totient.common.closing import Closing
from totient.common.contract import LONGER_HALF_BITS, MIN_PRIME_BITS
from totient.common.errors import ToolError
from totient.common.progress import bar
from totient.device.rsa_key import RsaKey
from totient.rsa.fit import DEFAULT_DEVICE, check_exponent, check_size, fit

if TYPE_CHECKING:  # Slow to import.
    from totient.common.contract import TimingClass
    from totient.device import Device, Exponentiation


@dataclass(frozen=True)
class Step:
    """One key load and exponentiation, as the device counted it.

    Attributes:
        name: what it was, for instance `private, modulo p`.
        modulus_bits, exponent_bits: the lengths that the core was told; of two exponents modulo
            the primes the longer one.
        setup_cycles: clock cycles of loading the key; 0 where the core held it already.
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

    An engine is given whole keys and operations. It holds the last key until another one takes its
    place or the device is closed, which wipes it.

    Attributes:
        steps: what the device did so far, in order.
    """

    def __init__(self, address: str = DEFAULT_DEVICE) -> None:
        self.steps: list[Step] = []
        self._address = address
        self._opened = address
        self._core: Device | None = None
        self._held: RsaKey | None = None  # by an engine, in slot 0

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
        """Close the device, if one was opened; a private key that it holds is wiped first."""
        core, self._core = self._core, None
        held, self._held = self._held, None
        if core is None:
            return
        try:
            if held is not None and held.is_private:
                core.clear()
        finally:
            core.close()

    def public(self, key: RsaKey, value: int) -> int:
        """Compute value ^ e mod n on the device, 0 <= value < n.

        Raises:
            InputError: the core is too small, or the exponent too long for its algorithm.
            DeviceError: the core refused the request.
        """
        exponent_bits = key.exponent.bit_length()
        core = self._fitting(key.bits, exponent_bits)
        if core.info.slots:
            return self._public_on_engine(core, key, value)
        return self._run(core, "public", key.modulus, key.exponent, exponent_bits, value)

    def private(self, key: RsaKey, value: int, *, crt: bool = True) -> int:
        """Compute value ^ d mod n, 0 <= value < n, with the exponentiations on the device.

        By the Chinese remainder theorem where `crt` is set and the key holds its primes. An engine
        does that itself, and blinds, if it takes primes of these lengths. For another core the
        exponents d mod p - 1 and d mod q - 1 are on the device and Garner's recombination is here;
        the core is told the length of the modulus as the exponent's, not the length of the
        exponent's value; the value is blinded with a random r: (value r^e)^d / r.

        The result is checked with the public exponent, here, before it is returned: one wrong half
        would give away the primes.

        Raises:
            InputError: the core is too small, or its algorithm cannot take a private exponent.
            DeviceError: the core refused the request.
            ToolError: the core returned a wrong result.
        """
        n, e = key.modulus, key.exponent
        longest = key.bits
        if crt and key.primes is not None:
            longest = key.primes.bits
        core = self._fitting(longest, longest, key.bits)
        if core.info.slots:
            result = self._private_on_engine(core, key, value, crt)
        else:
            result = self._private_blinded(core, key, value, crt)
        if pow(result, e, n) != value:
            if self._held is not None:
                self._forget(core)
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
        if self._held is not None:
            self._forget(core)
        return self._run(core, "exponentiation", modulus, exponent, exponent_bits, base)

    def _private_blinded(self, core: "Device", key: RsaKey, value: int, crt: bool) -> int:
        """On a core that only exponentiates."""
        n, e = key.modulus, key.exponent
        blind = 2 + secrets.randbelow(n - 2)
        blinded = value * pow(blind, e, n) % n
        if crt and key.primes is not None:
            p, q = key.primes.p, key.primes.q
            mod_p = self._run_private(core, "private, modulo p", p, key.primes.d_p, blinded % p)
            mod_q = self._run_private(core, "private, modulo q", q, key.primes.d_q, blinded % q)
            result = mod_q + q * (key.primes.q_inverse * (mod_p - mod_q) % p)
        else:
            result = self._run_private(core, "private", n, key.d, blinded)
        return result * pow(blind, -1, n) % n

    def _private_on_engine(self, core: "Device", key: RsaKey, value: int, crt: bool) -> int:
        if crt and takes_primes(key, core.info.max_bits):
            name, bits = "private, modulo p and q", key.crt.bits
            whole = replace(key, private_exponent=None)
        else:
            name, bits, whole = "private", key.bits, replace(key, primes=None)
        return self._run_on_engine(
            core, name, whole, bits, lambda progress: core.private(value, progress=progress)
        )

    def _public_on_engine(self, core: "Device", key: RsaKey, value: int) -> int:
        held = self._held
        if held is None or held.public != key.public:
            held = key.public
        return self._run_on_engine(
            core,
            "public",
            held,
            key.exponent.bit_length(),
            lambda progress: core.public(value, progress=progress),
        )

    def _run_on_engine(
        self,
        core: "Device",
        name: str,
        key: RsaKey,
        exponent_bits: int,
        operation: Callable[[Callable[[int], None]], "Exponentiation"],
    ) -> int:
        setup_cycles = 0
        try:
            with bar(name) as shown:
                if self._held != key:
                    setup_cycles = core.load_rsa_key(key)
                    self._held = key
                answer = operation(lambda cycles: shown.describe(f"{name}: {cycles:,} cycles"))
        except BaseException:
            self._forget(core)
            raise
        bits = key.modulus.bit_length()
        self.steps.append(Step(name, bits, exponent_bits, setup_cycles, answer.cycles))
        return answer.result

    def _forget(self, core: "Device") -> None:
        """Wipe the device."""
        self._held = None
        core.clear()

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

    def _fitting(self, bits: int, longest_exponent: int, engine_bits: int = 0) -> "Device":
        """The device, opened wide enough for operands of `bits` bits; on an engine see `fit`."""

        def needed(core: "Device") -> int:
            return max(bits, engine_bits) if core.info.slots else bits

        if self._core is not None and self._core.info.max_bits < needed(self._core):
            self.close()
        if self._core is None:
            self._opened = fit(self._address, bits, longest_exponent, engine_bits)
            self._core = open_core(self._opened)
        check_exponent(self._core.info.design, longest_exponent)
        check_size(needed(self._core), self.address, self._core.info.max_bits)
        return self._core


def takes_primes(key: RsaKey, max_bits: int) -> bool:
    """Whether the key has primes of lengths that an engine of `max_bits` bits takes."""
    if key.primes is None:
        return False
    lengths = [prime.bit_length() for prime in (key.primes.p, key.primes.q)]
    fits = min(lengths) >= MIN_PRIME_BITS and max(lengths) <= max_bits // 2 + LONGER_HALF_BITS
    return fits and sum(lengths) == key.bits
