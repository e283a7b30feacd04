"""The command that computes with plain integers on a core."""

from typing import Annotated

import typer

from totient.cli.files import write_text
from totient.cli.options import ClockOption, DeviceOption, JsonOption
from totient.cli.report import print_json, work
from totient.common.errors import InputError
from totient.rsa.fit import DEFAULT_DEVICE

# Python rejects longer decimal numbers; 4096 bits are 1234 digits.
_MAX_DIGITS = 4000
_SHOWN_DIGITS = 40


def modexp(
    modulus: Annotated[str, typer.Option("--modulus", metavar="N", help="Odd, at least 3.")],
    exponent: Annotated[
        str, typer.Option("--exponent", metavar="E", help="At least 0; never a private exponent.")
    ],
    base: Annotated[str, typer.Option("--base", metavar="B", help="0 to N - 1.")],
    exponent_bits: Annotated[
        int | None,
        typer.Option(
            "--exponent-bits", metavar="K", help="Length of the exponent. Default: its own."
        ),
    ] = None,
    device: DeviceOption = DEFAULT_DEVICE,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compute B^E mod N on a core.

    Numbers are decimal, or hexadecimal with 0x. The result has the form of the modulus. Do not use
    private exponents: time and messages reveal their length, and other users see the command line.
    """
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
    from totient.rsa.accelerator import Accelerator

    with Accelerator(device) as accelerator:
        result = accelerator.exponentiate(n, e, length, b)
        text = f"{result:#x}" if modulus.lower().startswith("0x") else str(result)
        summary = {"result": text, **work("computed", accelerator, clock)}
    if as_json:
        print_json(summary)
    else:
        write_text(text)


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
