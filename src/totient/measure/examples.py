"""Cycles of the papers' examples on IPs with their own key generation or key: simulated."""

from collections.abc import Mapping
from dataclasses import dataclass

from totient.catalog import IpConfiguration
from totient.common.errors import InputError, ToolError
from totient.common.papers import published
from totient.device.register_map import RegisterMap
from totient.device.rsa_keygen import Mode, RsaKeygen
from totient.measure.record import OperationFigures, Spread
from totient.sim import Model, build_model

KEY_GENERATION, ENCRYPTION, DECRYPTION = "key-generation", "encryption", "decryption"

_KINDS = {
    "rsa_keygen": (KEY_GENERATION, ENCRYPTION, DECRYPTION),
    "rsa_fixed": (ENCRYPTION,),
    "rsa_stream": (KEY_GENERATION, ENCRYPTION, DECRYPTION),
}


def example_kinds(configuration: IpConfiguration) -> tuple[str, ...]:
    """Operation kinds of an IP."""
    return _KINDS[configuration.name]


def check_example(configuration: IpConfiguration) -> None:
    """Check that the paper's example fits an IP.

    Raises:
        InputError: it is too large for these parameters.
    """
    given = configuration.parameters
    if configuration.name == "rsa_fixed" and (message := _message()) >= given["modulus"]:
        raise InputError(f"modulus is {given['modulus']}, the example's message is {message}")
    if configuration.name == "rsa_stream":
        key = published("evantash")["key"]
        if (bits := max(key["p"], key["q"]).bit_length()) > given["prime_bits"]:
            raise InputError(
                f"prime_bits is {given['prime_bits']}, the example's primes have up to {bits}"
            )


def published_example(configuration: IpConfiguration) -> object:
    """The operands of an IP's figures, as its paper has them."""
    if configuration.name == "rsa_keygen":
        return published("becannon")["examples"][0]
    paper = published("evantash")
    return [paper["key"], paper["words"]["text"]]


@dataclass(frozen=True)
class _Step:
    """Cycles of an operation of the example, and the lengths of what it works with.

    Attributes:
        cycles: of the operation alone; key_cycles: of making its key before.
        modulus_bits, exponent_bits: of the key.
    """

    cycles: int
    key_cycles: int
    modulus_bits: int
    exponent_bits: int


def example_figures(configuration: IpConfiguration) -> dict[str, OperationFigures]:
    """Figures of every operation kind of an IP: its paper's first example, on the simulated RTL.

    Args:
        configuration: of an IP that the example fits.

    Raises:
        ToolError: the model cannot be built, or the RTL gave a wrong result.
    """
    run = {"rsa_keygen": _keygen, "rsa_fixed": _fixed, "rsa_stream": _stream}[configuration.name]
    with Model(build_model(configuration.top)) as model:
        steps = run(configuration, model)
    return {
        kind: OperationFigures(
            operations=1,
            simulated=1,
            bases=1,
            modulus_bits=step.modulus_bits,
            exponent_bits=step.exponent_bits,
            setup_cycles=Spread.of([step.key_cycles]),
            cycles=Spread.of([step.cycles]),
        )
        for kind, step in steps.items()
    }


def _steps(
    n: int, e: int, d: int, keys: int, encryption: int, decryption: int
) -> Mapping[str, _Step]:
    """The steps of an IP that makes its key itself."""
    bits = n.bit_length()
    return {
        KEY_GENERATION: _Step(keys, 0, bits, d.bit_length()),
        ENCRYPTION: _Step(encryption, keys, bits, e.bit_length()),
        DECRYPTION: _Step(decryption, keys, bits, d.bit_length()),
    }


def _keygen(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    example = published("becannon")["examples"][0]
    message, device = example["message"], RsaKeygen(model)
    encrypted = device.run(Mode.ENCRYPT, p=example["p"], q=example["q"], i_msg=message)
    decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
    _expect(encrypted.result, pow(message, encrypted.e, encrypted.n))
    _expect(decrypted.result, message)
    return _steps(
        encrypted.n,
        encrypted.e,
        encrypted.d,
        encrypted.key_cycles,
        encrypted.message_cycles,
        decrypted.message_cycles,
    )


def _fixed(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    modulus, exponent = (configuration.parameters[name] for name in ("modulus", "exponent"))
    message = _message()
    words = -(-configuration.width // 32)
    # The key is loaded after reset: the second message is the first that does not wait for it.
    for _ in range(2):
        before = model.cycles
        got = model.exchange(_words(message, words))
        cycles = model.cycles - before
        _expect(_number(got), pow(message, exponent, modulus))
    step = _Step(cycles, 0, modulus.bit_length(), exponent.bit_length())
    return {ENCRYPTION: step}


def _stream(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    key, message = published("evantash")["key"], _message()
    registers = RegisterMap(model, configuration.ip.registers)
    registers.prime1, registers.prime2, registers.exponent = key["p"], key["q"], key["e"]
    words = -(-(key["p"].bit_length() + key["q"].bit_length()) // 32)
    cipher = _number(model.exchange(_words(message, words)))
    keys, encryption = registers.key_cycles, registers.message_cycles
    registers.direction = 1
    _expect(_number(model.exchange(_words(cipher, words))), message)
    n, e, d = registers.modulus, registers.key_exponent, registers.private
    _expect(cipher, pow(message, e, n))
    return _steps(n, e, d, keys, encryption, registers.message_cycles)


def _message() -> int:
    """The first word of the stream IPs' paper."""
    return ord(published("evantash")["words"]["text"][0])


def _words(number: int, count: int) -> list[int]:
    return [number >> 32 * place & 0xFFFF_FFFF for place in range(count)]


def _number(words: list[int]) -> int:
    return sum(word << 32 * place for place, word in enumerate(words))


def _expect(got: int, expected: int) -> None:
    if got != expected:
        raise ToolError("the RTL gave a wrong result for the paper's example")
