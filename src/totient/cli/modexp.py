"""The command that computes with plain integers on a core."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import write_text
from totient.cli.options import ClockOption, DeviceOption, JsonOption, file_option
from totient.cli.report import print_json, work
from totient.common.errors import InputError
from totient.rsa.fit import DEFAULT_DEVICE

if TYPE_CHECKING:
    from totient.rsa.accelerator import Accelerator

# Python rejects longer decimal numbers; 8192 bits are 2467 digits.
_MAX_DIGITS = 4000
_SHOWN_DIGITS = 40


def modexp(
    base: Annotated[str, typer.Option("--base", metavar="B", help="0 to N - 1.")],
    modulus: Annotated[
        str | None, typer.Option("--modulus", metavar="N", help="Odd, at least 3.")
    ] = None,
    exponent: Annotated[
        str | None,
        typer.Option("--exponent", metavar="E", help="At least 0; never a private exponent."),
    ] = None,
    exponent_bits: Annotated[
        int | None,
        typer.Option(
            "--exponent-bits", metavar="K", help="Length of the exponent. Default: its own."
        ),
    ] = None,
    key: Annotated[
        Path | None,
        file_option("--key", "RSA key (PEM, from 32 bits) instead of --modulus and --exponent."),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="With --key: its private exponent.")
    ] = False,
    device: DeviceOption = DEFAULT_DEVICE,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compute B^E mod N on a core.

    Numbers are decimal, or hexadecimal with 0x. The result has the form of the modulus, with --key
    that of the base. Do not use private exponents with --exponent: time and messages reveal their
    length, and other users see the command line. RSA without padding, as with --key, protects no
    message.
    """
    from totient.rsa.accelerator import Accelerator

    if key is not None:
        if (modulus, exponent, exponent_bits) != (None, None, None):
            raise InputError("--key is given, which --modulus, --exponent, --exponent-bits exclude")
        compute, form = _of_key(key, private, base), base
    else:
        if private:
            raise InputError("--private is given without --key, which holds the exponent")
        compute, form = _of_numbers(modulus, exponent, exponent_bits, base)
    with Accelerator(device) as accelerator:
        result = compute(accelerator)
        text = f"{result:#x}" if form.lower().startswith("0x") else str(result)
        summary = {"result": text, **work("computed", accelerator, clock)}
    if as_json:
        print_json(summary)
    else:
        write_text(text)


_Compute = Callable[["Accelerator"], int]


def _of_numbers(
    modulus: str | None, exponent: str | None, exponent_bits: int | None, base: str
) -> tuple[_Compute, str]:
    """What computes the power of given numbers, and the text of the modulus."""
    for name, text in (("modulus", modulus), ("exponent", exponent)):
        if text is None:
            raise InputError(f"--{name} is missing, allowed without it is a --key")
    assert modulus is not None
    assert exponent is not None
    n, e, b = _number("modulus", modulus), _number("exponent", exponent), _number("base", base)
    length = max(e.bit_length(), 1) if exponent_bits is None else exponent_bits
    if n < 3:
        raise InputError(f"the modulus is {n}, allowed are odd numbers from 3")
    if n % 2 == 0:
        raise InputError(f"the modulus {_short(modulus)} is even, allowed are odd numbers from 3")
    if length < 1:
        raise InputError(f"the exponent's length is {length} bits, allowed is 1 or more")
    if e.bit_length() > length:
        raise InputError(f"the exponent has {e.bit_length()} bits, --exponent-bits is {length}")
    if b >= n:
        raise InputError(f"the base {_short(base)} is not below the modulus {_short(modulus)}")
    return lambda accelerator: accelerator.exponentiate(n, e, length, b), modulus


def _of_key(path: Path, private: bool, base: str) -> _Compute:
    """What computes the operation of a key in a file.

    Below 512 bits the exponentiation is plain: an engine makes no private operation of such keys,
    and there is no secret to blind.
    """
    from totient.common.contract import MIN_RSA_BITS
    from totient.rsa.pem import read_private, read_public
    from totient.rsa.pss_key import PssKey

    key = (read_private if private else read_public)(path, toy=True)
    if isinstance(key, PssKey):
        raise InputError(f"{path}: an RSASSA-PSS key, for PSS signatures only")
    value = _number("base", base)
    if value >= key.modulus:
        raise InputError(f"the base {_short(base)} is not below the key's modulus")
    if key.bits >= MIN_RSA_BITS:
        return lambda accelerator: (accelerator.private if private else accelerator.public)(
            key, value
        )
    e, length = (key.d, key.bits) if private else (key.exponent, key.exponent.bit_length())
    return lambda accelerator: accelerator.exponentiate(key.modulus, e, length, value)


def _number(name: str, text: str) -> int:
    digits = text.lower().removeprefix("0x")
    allowed = "0123456789abcdef" if digits != text.lower() else "0123456789"
    if not digits or set(digits) - set(allowed):
        raise InputError(
            f"the {name} is {_short(text)!r}, allowed are decimal and 0x hexadecimal numbers from 0"
        )
    if len(digits) > _MAX_DIGITS:
        raise InputError(f"the {name} has {len(digits)} digits, more than any core accepts")
    return int(digits, 16 if digits != text.lower() else 10)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_DIGITS else f"{text[:_SHOWN_DIGITS]}..."
