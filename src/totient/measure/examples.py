"""Simulated cycles of the papers' examples on IPs with key generation or a fixed key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from totient.catalog import Ip, IpConfiguration, Work, cycle_formulas, private_bits
from totient.common.errors import InputError, ToolError
from totient.common.papers import published
from totient.device.modmul_montgomery import ModmulMontgomery
from totient.device.rsa_keygen import Mode, RsaKeygen
from totient.device.rsa_stream import RsaStream, exchange_messages
from totient.golden.keygen import euclid_divisions, tried_exponents
from totient.measure.record import OperationFigures, Spread
from totient.sim import Model, build_model

KEY_GENERATION, ENCRYPTION, DECRYPTION = "key-generation", "encryption", "decryption"
LEAST, MOST = "shortest-modulus", "longest-modulus"

_KINDS = {
    "rsa_keygen": (KEY_GENERATION, ENCRYPTION, DECRYPTION),
    "rsa_restoring": (KEY_GENERATION, ENCRYPTION, DECRYPTION),
    "rsa_fixed": (ENCRYPTION,),
    "rsa_stream": (KEY_GENERATION, ENCRYPTION, DECRYPTION),
    "modmul_montgomery": (LEAST, MOST),
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
    if configuration.name == "rsa_restoring":
        first = published("becannon")["examples"][0]
        if (bits := (first["p"] * first["q"]).bit_length()) > given["width"]:
            raise InputError(f"width is {given['width']}, the example's modulus has {bits} bits")
    if configuration.name == "rsa_stream":
        key = published("evantash")["key"]
        if (bits := max(key["p"], key["q"]).bit_length()) > given["prime_bits"]:
            raise InputError(
                f"prime_bits is {given['prime_bits']}, the example's primes have up to {bits}"
            )


def published_example(configuration: IpConfiguration) -> object:
    """The operands of an IP's figures, from its paper; for products, the moduli."""
    if configuration.name == "modmul_montgomery":
        return [1, (1 << configuration.width) - 1]
    if configuration.name in ("rsa_keygen", "rsa_restoring"):
        return published("becannon")["examples"][0]
    paper = published("evantash")
    return [paper["key"], paper["words"]["text"]]


@dataclass(frozen=True)
class _Step:
    """Cycles of an operation of the example, and its parameters.

    Attributes:
        part: of the catalog's cycle formulas.
        work: parameters of the operation for the formula.
        cycles: of the operation alone; key_cycles: of the key generation before it.
        exponent_bits: of the key; for a private one its own length.
    """

    part: str
    work: Work
    cycles: int
    key_cycles: int
    exponent_bits: int


def example_figures(configuration: IpConfiguration) -> dict[str, OperationFigures]:
    """Figures of every operation kind of an IP: its paper's first example, on the simulated RTL.

    Args:
        configuration: of an IP that the example fits.

    Raises:
        ToolError: the model cannot be built, the RTL returned a wrong result, or its cycles
            differ from the formula.
    """
    run = {
        "rsa_keygen": _keygen,
        "rsa_restoring": _keygen,
        "rsa_fixed": _fixed,
        "rsa_stream": _stream,
        "modmul_montgomery": _products,
    }[configuration.name]
    with Model(build_model(configuration.top())) as model:
        steps = run(configuration, model)
    formulas = cycle_formulas(configuration.ip)
    for kind, step in steps.items():
        stated = formulas[step.part].cycles(configuration, step.work)
        if step.cycles != stated:
            raise ToolError(
                f"{configuration.label}, {kind}: the RTL took {step.cycles} cycles, the catalog's "
                f"formula says {stated}"
            )
    return {
        kind: OperationFigures(
            operations=1,
            simulated=1,
            bases=1,
            modulus_bits=step.work.modulus.bit_length(),
            exponent_bits=step.exponent_bits,
            setup_cycles=Spread.of([step.key_cycles]),
            cycles=Spread.of([step.cycles]),
        )
        for kind, step in steps.items()
    }


def _steps(
    ip: Ip, primes: tuple[int, int], tried: list[int], cycles: tuple[int, int, int]
) -> Mapping[str, _Step]:
    """The steps of an IP that generates its key.

    Args:
        ip: the IP.
        primes: of the key.
        tried: public exponents, that of the key last.
        cycles: of key generation, encryption and decryption.
    """
    (p, q), e = primes, tried[-1]
    lengths = p.bit_length(), q.bit_length()
    totient = (p - 1) * (q - 1)
    d = pow(e, -1, totient)
    divisions = euclid_divisions(totient, tried)
    public = Work(p * q, e.bit_length(), *lengths, tuple(tried), divisions=divisions)
    private = replace(public, exponent_bits=private_bits(ip, d, sum(lengths)))
    keys, encryption, decryption = cycles
    d_bits = d.bit_length()
    return {
        KEY_GENERATION: _Step("key", public, keys, 0, d_bits),
        ENCRYPTION: _Step("message", public, encryption, keys, e.bit_length()),
        DECRYPTION: _Step("message", private, decryption, keys, d_bits),
    }


def _keygen(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    example = published("becannon")["examples"][0]
    message, device = example["message"], RsaKeygen(model)
    p, q = example["p"], example["q"]
    encrypted = device.run(Mode.ENCRYPT, p=p, q=q, i_msg=message)
    decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
    tried = tried_exponents((p - 1) * (q - 1))
    _expect(encrypted.result, pow(message, tried[-1], p * q))
    _expect(decrypted.result, message)
    cycles = encrypted.key_cycles, encrypted.message_cycles, decrypted.message_cycles
    return _steps(configuration.ip, (p, q), tried, cycles)


def _fixed(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    modulus, exponent = (configuration.parameters[name] for name in ("modulus", "exponent"))
    message = _message()
    words = -(-configuration.width // 32)
    # The key is loaded after reset: the second message is the first one without this delay.
    for _ in range(2):
        before = model.cycles
        (got,) = exchange_messages(model, [message], words)
        cycles = model.cycles - before
        _expect(got, pow(message, exponent, modulus))
    bits = exponent.bit_length()
    return {ENCRYPTION: _Step("packet", Work(modulus, bits), cycles, 0, bits)}


def _stream(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    key, message = published("evantash")["key"], _message()
    device = RsaStream(model)
    registers = device.registers
    device.set_primes(key["p"], key["q"], key["e"])
    (cipher,) = device.raise_all([message])
    keys, encryption = registers.key_cycles, registers.message_cycles
    registers.direction = 1
    (decrypted,) = device.raise_all([cipher])
    _expect(cipher, pow(message, key["e"], key["p"] * key["q"]))
    _expect(decrypted, message)
    cycles = keys, encryption, registers.message_cycles
    return _steps(configuration.ip, (key["p"], key["q"]), [key["e"]], cycles)


def _products(configuration: IpConfiguration, model: Model) -> Mapping[str, _Step]:
    """One product with the modulus 1, and one with the longest modulus."""
    device = ModmulMontgomery(model)
    steps = {}
    for kind, n in ((LEAST, 1), (MOST, (1 << configuration.width) - 1)):
        a, b = max(n - 2, 0), max(n - 3, 0)
        done = device.multiply(a, b, n)
        _expect(done.product, a * b * pow(2, -n.bit_length(), n) % n)
        steps[kind] = _Step("product", Work(n, 0), done.cycles, 0, 0)
    return steps


def _message() -> int:
    """The first word of the example in the stream IPs' paper."""
    return ord(published("evantash")["words"]["text"][0])


def _expect(got: int, expected: int) -> None:
    if got != expected:
        raise ToolError("the RTL gave a wrong result for the paper's example")
