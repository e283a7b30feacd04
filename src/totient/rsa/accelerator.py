"""Raw RSA operations on a device, and the choice of a core that fits them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from totient.common.contract import LONGER_HALF_BITS, MIN_PRIME_BITS
from totient.common.errors import ToolError
from totient.common.exclusive import Exclusive, exclusive
from totient.common.progress import bar
from totient.device.rsa_key import RsaKey
from totient.rsa.fit import DEFAULT_DEVICE, check_exponent, check_size, fit

if TYPE_CHECKING:  # Slow to import.
    from totient.common.contract import TimingClass
    from totient.device import Address, Device, Exponentiation


@dataclass(frozen=True)
class Step:
    """One key load and exponentiation, as the device counted it.

    Attributes:
        name: of the operation, for instance `private, modulo p`.
        modulus_bits, exponent_bits: the stated lengths; of two exponents modulo the primes the
            longer one.
        setup_cycles: clock cycles of loading the key; 0 if the core held it already.
        cycles: clock cycles of the exponentiation.
    """

    name: str
    modulus_bits: int
    exponent_bits: int
    setup_cycles: int
    cycles: int


def open_core(address: "Address") -> "Device":
    """Open a device by its address."""
    from totient.device import open_device

    return open_device(address)


class Accelerator(Exclusive):
    """Raw RSA operations on a device. The first operation opens the device.

    A simulated core without a width in its address is built as wide as the operation requires. It
    is built again if a later operation requires more.

    An engine gets whole keys and operations. It holds the last key. A private key is wiped before
    another key is loaded, and when the device is closed: the other key's numbers may be shorter or
    fewer, and would leave the rest of it in the device.

    Threads may share an accelerator, with different keys: loading a key and using it is one
    operation. A forked child process gets a `ToolError`: it makes its own accelerator.

    Attributes:
        steps: steps of the device so far, in order.
    """

    noun: ClassVar[str] = "accelerator"

    def __init__(self, address: str = DEFAULT_DEVICE) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self._address = address
        self._opened = address
        self._core: Device | None = None
        self._held: RsaKey | None = None  # by an engine, in slot 0
        self._secret = False  # a private key was sent to the engine since it was last wiped

    @property
    def address(self) -> str:
        """Address of the device, with the chosen width."""
        return self._opened

    @property
    def timing(self) -> "TimingClass":
        """Timing class of the opened core."""
        core = self._core  # which another thread may close
        if core is None:
            raise ToolError("no device is open")
        return core.info.timing

    def _close(self) -> None:
        """Close the device if it is open. A private key in it is wiped first."""
        core, self._core = self._core, None
        self._held = None
        secret, self._secret = self._secret, False
        if core is None:
            return
        try:
            if secret:
                core.clear()
        finally:
            core.close()

    def _close_copy(self) -> None:
        core, self._core = self._core, None
        if core is not None:
            core.close()

    @exclusive
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

    @exclusive
    def private(self, key: RsaKey, value: int, *, crt: bool = True) -> int:
        """Compute value ^ d mod n, 0 <= value < n. The device does the exponentiations.

        Uses the Chinese remainder theorem if `crt` is set and the key has its primes. An engine
        does this itself, with blinding, if it accepts primes of these lengths. On another core, the
        exponents d mod p - 1 and d mod q - 1 are on the device, and Garner's recombination is on
        the host. Such a core gets the modulus' length as the exponent's length, not the length of
        the exponent's value. The value is blinded with a random r: (value r^e)^d / r.

        The host checks the result with the public exponent before returning it: one wrong half
        would reveal the primes.

        Raises:
            InputError: the core is too small, or its algorithm does not support private exponents.
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

    @exclusive
    def exponentiate(self, modulus: int, exponent: int, exponent_bits: int, base: int) -> int:
        """Compute base ^ exponent mod modulus on the device, for public operands.

        Raises:
            InputError: the core is too small, or the exponent too long for its algorithm.
            DeviceError: the core refused the request.
        """
        core = self._fitting(max(modulus.bit_length(), exponent_bits), exponent.bit_length())
        if self._held is not None or self._secret:
            self._forget(core)
        return self._run(core, "exponentiation", modulus, exponent, exponent_bits, base)

    def _private_blinded(self, core: "Device", key: RsaKey, value: int, crt: bool) -> int:
        """On a core with exponentiation only."""
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
            with bar(name, at_once=False) as shown:
                if self._held != key:
                    if self._secret:
                        self._forget(core)
                    self._secret = key.is_private
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
        self._secret = False

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
        with bar(name, at_once=False) as shown:
            setup_cycles = core.load_key(modulus, exponent, exponent_bits)
            answer = core.exponentiate(
                base, lambda cycles: shown.describe(f"{name}: {cycles:,} cycles")
            )
        self.steps.append(
            Step(name, modulus.bit_length(), exponent_bits, setup_cycles, answer.cycles)
        )
        return answer.result

    def _fitting(self, bits: int, longest_exponent: int, engine_bits: int = 0) -> "Device":
        """The device, opened with room for operands of `bits` bits; for an engine see `fit`."""

        def needed(core: "Device") -> int:
            return max(bits, engine_bits) if core.info.slots else bits

        if self._core is not None and self._core.info.max_bits < needed(self._core):
            self._close()
        if self._core is None:
            from totient.device import Address

            address = fit(Address.of(self._address), bits, longest_exponent, engine_bits)
            self._opened = str(address)
            self._core = open_core(address)
        check_exponent(self._core.info.design, longest_exponent)
        check_size(needed(self._core), self.address, self._core.info.max_bits)
        return self._core


def takes_primes(key: RsaKey, max_bits: int) -> bool:
    """Whether an engine of `max_bits` bits accepts the lengths of the key's primes."""
    if key.primes is None:
        return False
    lengths = [prime.bit_length() for prime in (key.primes.p, key.primes.q)]
    fits = min(lengths) >= MIN_PRIME_BITS and max(lengths) <= max_bits // 2 + LONGER_HALF_BITS
    return fits and sum(lengths) == key.bits
