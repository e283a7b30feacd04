"""A core over any transport: libtotient (`driver/`) with Python's integers."""

from collections.abc import Sequence

from totient.common.contract import LONGER_HALF_BITS, MIN_PRIME_BITS, ErrorCode
from totient.common.errors import InputError
from totient.common.exclusive import exclusive
from totient.device.core import Core, Exponentiation, Exponentiations, bits_of, bytes_of
from totient.device.library import library
from totient.device.rsa_key import RsaKey
from totient.device.transports import Progress


class Device(Core):
    """An RSA core: exponentiations, and the keys of an engine.

    Threads may share a device. Each method is one operation, and loading a key is another one than
    using it: threads with different keys do both in a block `with device.reserved():`, or use
    different slots of an engine. `totient.rsa.accelerator.Accelerator` does both in one operation.
    """

    @exclusive
    def load_key(self, modulus: int, exponent: int, exponent_bits: int | None = None) -> int:
        """Load a key. A refused key leaves none loaded.

        Args:
            modulus: odd, 3 or more, at most `info.max_bits` long.
            exponent: at most `info.max_bits` long.
            exponent_bits: stated length of the exponent, 1 to `info.max_bits`. Leading zeros take
                time on cores whose time depends on the length. Default: the exponent's own length
                (1 for an exponent of 0).

        Returns:
            Clock cycles of the key set-up.

        Raises:
            DeviceError: the core refused the key.
            InputError: a negative number, or an exponent longer than stated.
        """
        bits, needed = bits_of("modulus", modulus), bits_of("exponent", exponent)
        if exponent_bits is None:
            exponent_bits = max(needed, 1)
        if exponent_bits < needed:
            raise InputError(f"exponent_bits is {exponent_bits}, the exponent needs {needed}")
        numbers = (bytes_of(modulus), bytes_of(exponent))
        arguments = (*(part for data in numbers for part in (data, len(data))), exponent_bits)
        code = self._call("totient_load_key", None, *arguments)
        self._check(code, exponent_bits, "modulus", bits)
        return int(self._core.cycles)

    @exclusive
    def exponentiate(self, base: int, progress: Progress | None = None) -> Exponentiation:
        """Raise `base` to the key's exponent, modulo the key's modulus.

        Args:
            base: 0 to modulus - 1.
            progress: called with the progress of the operation, if the transport supports it.

        Raises:
            DeviceError: no key is loaded, or the base is not below the modulus.
            InputError: the base is negative.
        """
        (result,), cycles = self._exponentiate((base,), progress)
        return Exponentiation(result, cycles)

    @exclusive
    def exponentiate_all(
        self, bases: Sequence[int], progress: Progress | None = None
    ) -> Exponentiations:
        """Raise several bases to the key's exponent at once, in the time of one.

        Args:
            bases: 1 to `info.lanes`, each 0 to modulus - 1.
            progress: as for `exponentiate`.

        Raises:
            DeviceError: no key is loaded, or a base is not below the modulus.
            InputError: a base is negative, or there are more bases than the core accepts.
        """
        if not 1 <= len(bases) <= self.info.lanes:
            raise InputError(f"{len(bases)} bases are given, the core takes 1 to {self.info.lanes}")
        return self._exponentiate(bases, progress)

    @exclusive
    def load_rsa_key(self, key: RsaKey, slot: int = 0) -> int:
        """Load an RSA key into a slot of an engine. A refused key leaves the slot empty.

        Args:
            key: of 512 to `info.max_bits` bits.
            slot: 0 to `info.slots` - 1.

        Returns:
            Clock cycles of the key set-up.

        Raises:
            DeviceError: the core refused the key.
            InputError: a negative number, no such slot, or the core is no engine.
        """
        numbers = {
            "modulus": key.modulus,
            "public_exponent": key.exponent,
            "private_exponent": key.private_exponent,
            **({} if key.primes is None else vars(key.primes)),
        }
        bits = {name: bits_of(name, value) for name, value in numbers.items() if value is not None}
        ffi, _ = library()
        held = {name: ffi.from_buffer(bytes_of(numbers[name] or 0)) for name in bits}
        given = ffi.new("struct totient_rsa_key *")
        for name, buffer in held.items():
            number = getattr(given, name)
            number.bytes, number.length = ffi.cast("uint8_t *", buffer), len(buffer)
        code = self._call("totient_engine_load_key", None, self._slot(slot), given)
        most = self.info.max_bits
        primes = f" and primes of {bits['p']} and {bits['q']}" if key.primes else ""
        refusals = {
            ErrorCode.LENGTH: (
                f"the key has a modulus of {bits['modulus']} bits{primes}, the core takes 512 to "
                f"{most}, with no number longer than the modulus, and primes of as many bits "
                f"together, each of {MIN_PRIME_BITS} to {most // 2 + LONGER_HALF_BITS}"
            ),
            ErrorCode.PRIME: "a prime is even, or the primes' product is not the modulus",
            ErrorCode.PUBLIC_EXPONENT: (
                f"the public exponent ({bits['public_exponent']} bits) is even or below 3, allowed "
                "are odd numbers from 3"
            ),
        }
        self._check(code, 0, "modulus", bits["modulus"], refusals=refusals)
        return int(self._core.cycles)

    @exclusive
    def private(
        self,
        value: int,
        slot: int = 0,
        *,
        blind_base: bool = True,
        blind_exponent: bool = False,
        progress: Progress | None = None,
    ) -> Exponentiation:
        """The private operation of the RSA key in a slot. The core checks the result.

        A fault behind the core's own check is not noticed here, but by `Accelerator.private`.

        Args:
            value: 0 to modulus - 1.
            slot: 0 to `info.slots` - 1.
            blind_base: whether the core multiplies the value with a random number, and later
                removes its effect.
            blind_exponent: whether it adds random multiples of p - 1 and q - 1 to the exponents;
                the key must have its primes.
            progress: as for `exponentiate`.

        Raises:
            DeviceError: the slot has no private key, the value is not below the modulus, the core
                received no random numbers, or a check in it failed.
            InputError: the value is negative, there is no such slot, or the core is no engine.
        """
        _, lib = library()
        options = 0 if blind_base else lib.TOTIENT_NO_BASE_BLINDING
        if blind_exponent:
            options |= lib.TOTIENT_EXPONENT_BLINDING
        return self._single("totient_engine_private_unchecked", value, slot, (options,), progress)

    @exclusive
    def public(self, value: int, slot: int = 0, progress: Progress | None = None) -> Exponentiation:
        """The public operation of the RSA key in a slot.

        Args:
            value: 0 to modulus - 1.
            slot: 0 to `info.slots` - 1.
            progress: as for `exponentiate`.

        Raises:
            DeviceError: the slot has no RSA key, or the value is not below the modulus.
            InputError: as for `private`.
        """
        return self._single("totient_engine_public", value, slot, (), progress)

    @exclusive
    def load_pair(
        self,
        moduli: tuple[int, int],
        exponents: tuple[int, int],
        exponent_bits: int | None = None,
        slot: int = 0,
    ) -> int:
        """Load two moduli with an exponent each into a slot. A refused pair leaves the slot empty.

        Args:
            moduli: odd, 3 or more, each of at most `info.max_bits` / 2 + 8 bits.
            exponents: one for each modulus.
            exponent_bits: stated length of both, at most as long as the moduli may be. Default:
                that of the longer one (at least 1).
            slot: 0 to `info.slots` - 1.

        Returns:
            Clock cycles of the pair's set-up.

        Raises:
            DeviceError: the core refused the pair.
            InputError: a negative number, an exponent longer than stated, no such slot, or the core
                is no engine.
        """
        lengths = [bits_of("modulus", modulus) for modulus in moduli]
        needed = max(bits_of("exponent", exponent) for exponent in exponents)
        if exponent_bits is None:
            exponent_bits = max(needed, 1)
        if exponent_bits < needed:
            raise InputError(f"exponent_bits is {exponent_bits}, the exponents need {needed}")
        ffi, _ = library()
        held = [[ffi.from_buffer(bytes_of(n)) for n in numbers] for numbers in (moduli, exponents)]
        pairs = [
            ffi.new(
                "struct totient_number[2]",
                [(ffi.cast("uint8_t *", buffer), len(buffer)) for buffer in buffers],
            )
            for buffers in held
        ]
        slot = self._slot(slot)
        code = self._call("totient_engine_load_pair", None, slot, *pairs, exponent_bits)
        refusals = {
            ErrorCode.LENGTH: (
                f"the pair has moduli of {lengths[0]} and {lengths[1]} bits and exponents of "
                f"{exponent_bits}, the core takes at most {self.info.max_bits // 2 + 8}"
            ),
            ErrorCode.MODULUS_EVEN: "a modulus of the pair is even, allowed are odd ones",
            ErrorCode.MODULUS_SMALL: "a modulus of the pair is 0 or 1, allowed is 3 or more",
        }
        self._check(code, refusals=refusals)
        return int(self._core.cycles)

    @exclusive
    def exponentiate_pair(
        self, bases: tuple[int, int], slot: int = 0, progress: Progress | None = None
    ) -> Exponentiations:
        """Raise two bases, each with its own exponent and modulus in a slot.

        Args:
            bases: each 0 to its modulus - 1.
            slot: 0 to `info.slots` - 1.
            progress: as for `exponentiate`.

        Raises:
            DeviceError: the slot has no pair, or a base is not below its modulus.
            InputError: a base is negative, there is no such slot, or the core is no engine.
        """
        slot = self._slot(slot)
        refusals = {
            ErrorCode.NO_KEY: f"slot {slot} has no pair",
            ErrorCode.BASE_NOT_BELOW: "a base of the pair is not below its modulus",
        }
        bits = self._core.slot_bits[slot]
        return self._raise("totient_engine_raise_pair", (slot,), bases, bits, progress, refusals)

    @exclusive
    def self_test(self, slot: int = 0) -> None:
        """Run an engine's self-test.

        Args:
            slot: 0 to `info.slots` - 1. The engine replaces the key in this slot by a key of its
                own.

        Raises:
            DeviceError: the self-test found a fault.
            InputError: no such slot, or the core is no engine.
        """
        code = self._call("totient_engine_self_test", None, self._slot(slot))
        self._check(code, refusals={ErrorCode.FAULT: "the core's self-test failed"})

    def _exponentiate(self, bases: Sequence[int], progress: Progress | None) -> Exponentiations:
        modulus_bits = self._core.modulus_bits
        return self._raise("totient_raise_all", (len(bases),), bases, modulus_bits, progress)

    def _slot(self, slot: int) -> int:
        """The slot, if it exists."""
        if not self.info.slots:
            raise InputError(f"the core {self.info.design} has no key slots, an engine has some")
        if not 0 <= slot < self.info.slots:
            raise InputError(f"slot is {slot}, allowed is 0 to {self.info.slots - 1}")
        return slot

    def _single(
        self, name: str, value: int, slot: int, further: tuple[int, ...], progress: Progress | None
    ) -> Exponentiation:
        """An operation of libtotient on one number with a key in a slot."""
        slot = self._slot(slot)
        refusals = {
            ErrorCode.NO_KEY: f"slot {slot} has no key for this operation",
            ErrorCode.COMMAND: f"the key in slot {slot} has no primes to blind exponents with",
        }
        bits = self._core.slot_bits[slot]
        (result,), cycles = self._raise(name, (slot, *further), (value,), bits, progress, refusals)
        return Exponentiation(result, cycles)
