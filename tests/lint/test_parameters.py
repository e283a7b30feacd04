"""Each IP refuses parameters that it cannot be built with: one line, which names the parameter."""

import json
import re
from pathlib import Path

import pytest

from totient.catalog import Parameter, designs, ips, sources
from totient.flow import Rtl, find_target
from totient.flow.processes import Children
from totient.flow.synthesis import script
from totient.sim import toolchain

Values = dict[str, int | str]

COMBINATIONS: list[tuple[str, Values, str]] = [
    ("rsa_binary", {"FixedTime": 1, "EarlyEnd": 1}, "FixedTime = 1 needs EarlyEnd = 0"),
    ("rsa_digit_serial", {"Slots": 4}, "Slots must be 1 to 3 DigitBits"),
    ("rsa_digit_serial", {"Links": 1}, "Links must be 0"),
    ("rsa_digit_serial", {"DigitBits": 2, "Links": 2}, "Links must be 0"),
    ("rsa_digit_serial", {"Multipliers": 1}, "Multipliers must be 2"),
    ("rsa_digit_serial", {"Lanes": 2}, "Lanes must be 1 to Slots"),
    (
        "rsa_digit_serial",
        {"Slots": 3, "Lanes": 2, "Multipliers": 1},
        "to half of it with Multipliers = 1",
    ),
    ("rsa_digit_serial", {"Separated": 0, "Slots": 2}, "Separated = 0 needs DigitBits = 1"),
    ("rsa_engine", {"Elements": 65, "MaxBits": 3072}, "Elements must be 1 to 64"),
    ("rsa_engine", {"Elements": 4, "MaxBits": 8192}, "with 8192 bits from 5 on"),
    ("rsa_engine", {"Form": 2, "Bits": 18}, "Bits must be 17 or 18"),
    ("rsa_fixed_axis", {"Modulus": "32'd6103298"}, "Modulus must be odd"),
    ("rsa_fixed_axis", {"Modulus": "32'd1"}, "Modulus must be odd, at least 3"),
    ("rsa_fixed_axis", {"Modulus": "33'h1_0000_0001"}, "Modulus must have at most Width bits"),
    ("rsa_fixed_axis", {"Width": 8, "Modulus": "8'd143"}, "Exponent must have at most Width"),
    ("rsa_fixed_axis", {"Exponent": 0}, "Exponent must be at least 1"),
    ("rsa_core", {"Design": "rsa"}, "Design must be montgomery"),
    ("rsa_core", {"Design": "engine", "Width": 1056}, "Width must be 1024, 2048, 3072, 4096"),
    ("rsa_core", {"Design": "engine", "DigitBits": 16}, "DigitBits must be 0, 17 or 18"),
    ("rsa_core", {"Design": "engine", "Form": 2, "DigitBits": 18}, "DigitBits must be 0, 17"),
    ("rsa_core", {"Design": "engine", "Form": 3}, "Form must be 0"),
    ("rsa_axil", {"FixedTime": 2}, "FixedTime must be 0 or 1"),
    ("rsa_axil", {"FifoWords": 3}, "FifoWords must be a power of two"),
    ("rsa_uart", {"Width": 0}, "Width must be 8 to 4096"),
    ("rsa_uart", {"Design": "digit_serial", "Lanes": 0}, "Lanes must be 1 to Slots"),
    ("rsa_uart", {"BitCycles": 3}, "BitCycles must be at least 4"),
    ("rsa_uart", {"BitSixteenths": 16}, "BitSixteenths must be at most 15"),
    ("rsa_board", {"Family": 4}, "Family must be 0 to 3"),
    ("rsa_board", {"Leds": 0}, "Leds must be 1 to 3"),
    ("rsa_board", {"Leds": 4}, "Leds must be 1 to 3"),
    ("rsa_board", {"ButtonActive": 2}, "ButtonActive must be 0 or 1"),
    ("rsa_board", {"LedActive": 2}, "LedActive must be 0 or 1"),
    ("rsa_board", {"PeriodPs": 999}, "PeriodPs must be 1000 to 1000000"),
    ("rsa_board", {"PeriodPs": 1000001}, "PeriodPs must be 1000 to 1000000"),
    ("rsa_board", {"InputDivider": 0}, "InputDivider must be 1 to 128"),
    ("rsa_board", {"FeedbackDivider": 81}, "FeedbackDivider must be 1 to 80"),
    ("rsa_board", {"OutputDivider": 129}, "OutputDivider must be 1 to 128"),
    ("ip_board", {"Ip": "rsa_core"}, "Ip must be rsa_keygen"),
    ("ip_board", {"FrameWords": 0}, "FrameWords must be at least 1"),
    ("ip_board", {"Ip": "rsa_stream", "PrimeBits": 3}, "PrimeBits must be 4 to 1024"),
]


def outside(parameter: Parameter) -> list[int]:
    """Values beside the allowed ones."""
    low, high = parameter.low, parameter.high
    between = [value for value in range(low, min(high, 100)) if value not in parameter.choices]
    return [
        *([low - 1] if low else []),
        *(between[:1] if parameter.choices else []),
        high + 1,
    ]


def ip_parameters() -> dict[str, list[Parameter]]:
    """Parameters of each IP by its module, without the numbers of a key."""
    found = {design.ip_module: list(design.parameters) for design in designs()}
    for ip in ips():
        found[ip.module] = [p for p in ip.parameters if p.name not in ip.numbers]
    return found


def single() -> list[tuple[str, str, int]]:
    """Module, parameter and a value that the catalog refuses, for each parameter of each IP."""
    return [
        (module, parameter.rtl, value)
        for module, parameters in ip_parameters().items()
        for parameter in parameters
        for value in outside(parameter)
    ]


def refusals(module: str, values: Values, folder: Path) -> list[str]:
    """What Verilator says about a top, without places and hints."""
    with pytest.raises(Exception, match="failed") as caught:
        toolchain.verilate(
            sources(f"totient:ip:{module}", tool="verilator"),
            module,
            values,
            folder,
            (*toolchain.LINT, "--lint-only"),
        )
    lines = "".join(caught.value.__notes__).splitlines()
    return [re.sub(r"^%[\w-]+: (\S+: )?", "", line) for line in lines if line.startswith("%")]


@pytest.mark.parametrize(("module", "name", "value"), single())
def test_a_value_out_of_range_is_refused(
    module: str, name: str, value: int, tmp_path: Path
) -> None:
    """The catalog has the range: a core takes no value that the tool does not."""
    (refusal,) = refusals(module, {name: value}, tmp_path)
    assert refusal.startswith(f"{name} must be ")


@pytest.mark.parametrize(("module", "values", "words"), COMBINATIONS)
def test_a_wrong_combination_is_refused(
    module: str, values: Values, words: str, tmp_path: Path
) -> None:
    (refusal,) = refusals(module, values, tmp_path)
    assert words in refusal


@pytest.mark.parametrize("module", ip_parameters())
def test_a_refusal_states_the_lengths_of_the_catalog(module: str, tmp_path: Path) -> None:
    for parameter in ip_parameters()[module]:
        if parameter.name in ("width", "prime_bits"):
            (refusal,) = refusals(module, {parameter.rtl: parameter.high + 1}, tmp_path)
            numbers = {int(number) for number in re.findall(r"\d+", refusal)}
            assert numbers == {*(parameter.choices or (parameter.low, parameter.high))}


@pytest.mark.parametrize(
    ("module", "values", "words"),
    [
        ("rsa_montgomery", {"FixedTime": 2}, "FixedTime must be 0 or 1"),
        ("rsa_montgomery", {"Width": 4097}, "Width must be 8 to 4096"),
        ("rsa_digit_serial", {"Slots": 2, "Links": 20}, "Links must be 0"),
        ("rsa_engine", {"MaxBits": 1056}, "MaxBits must be 1024"),
        ("rsa_fixed_axis", {"Modulus": "40'h80_0000_0001"}, "Modulus must have at most Width"),
        ("rsa_axil", {"Multiplier": 2}, "Multiplier must be 0 or 1"),
    ],
)
def test_yosys_refuses_it(module: str, values: Values, words: str, tmp_path: Path) -> None:
    rtl = Rtl(sources(f"totient:ip:{module}"), module, values)
    rtl.write(tmp_path)
    commands = script(rtl, find_target("ecp5-85f"), dsp=True)
    (tmp_path / "script.json").write_text(json.dumps(commands[:2]))
    with Children() as children:
        status = children.run("yosys", ["script.json"], tmp_path, {})
    said = (tmp_path / "log.txt").read_text()
    assert status != 0
    assert words in said
