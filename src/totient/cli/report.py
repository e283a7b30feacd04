"""What a command says of the work that a device did."""

import base64
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from totient.cli.files import STANDARD, write_output, write_text

if TYPE_CHECKING:
    from totient.rsa.accelerator import Accelerator

DEFAULT_CLOCK_MHZ = 100.0

# Members of the JSON object of `--json`.
Summary = dict[str, object]


def work(accelerator: "Accelerator", clock_mhz: float) -> Summary:
    """The device's work, for programs: cycles of each step, and seconds at the clock given."""
    total = sum(step.setup_cycles + step.cycles for step in accelerator.steps)
    return {
        "device": accelerator.address,
        "steps": [
            {
                "name": step.name,
                "modulus_bits": step.modulus_bits,
                "exponent_bits": step.exponent_bits,
                "setup_cycles": step.setup_cycles,
                "cycles": step.cycles,
            }
            for step in accelerator.steps
        ],
        "total_cycles": total,
        "clock_mhz": clock_mhz,
        "seconds_at_clock": total / (clock_mhz * 1e6),
    }


def say_work(what: str, accelerator: "Accelerator", clock_mhz: float) -> None:
    """Say on the error stream what was done, on which device, in how many cycles."""
    from totient.reproduce.model import duration

    say(f"{what} on {accelerator.address}")
    for step in accelerator.steps:
        say(
            f"  {step.name}: {step.modulus_bits}-bit modulus, {step.exponent_bits}-bit exponent, "
            f"set-up {step.setup_cycles:,} cycles, exponentiation {step.cycles:,} cycles"
        )
    total = sum(step.setup_cycles + step.cycles for step in accelerator.steps)
    say(f"  {total:,} cycles are {duration(total / (clock_mhz * 1e6))} at {clock_mhz:g} MHz")


def say_timing(accelerator: "Accelerator") -> None:
    """Warn on the error stream if a core's time tells of a private key."""
    from totient.catalog import TimingClass

    if accelerator.timing is not TimingClass.EXPONENT_LENGTH:
        say(f"  warning: the time of this core {accelerator.timing.words}")


def finish(out: Path, data: bytes, mode: int, summary: Summary | None) -> None:
    """Write a command's output and, for programs, its summary.

    Args:
        out: where the output goes; with a summary, the standard output is the summary's, and the
            output becomes its member `output`, in base64.
        data: the output.
        mode: permissions of the output file.
        summary: the summary for `--json`, else `None`.
    """
    if summary is None:
        write_output(out, data, mode)
    elif out == STANDARD:
        print_json({**summary, "out": str(out), "output": base64.b64encode(data).decode()})
    else:
        write_output(out, data, mode)
        print_json({**summary, "out": str(out)})


def print_json(summary: Summary) -> None:
    """Print the summary as one JSON object."""
    write_text(json.dumps(summary, indent=2))


def say(line: str) -> None:
    """Say a line on the error stream, if there is one; never in a command's output."""
    if sys.stderr is not None:
        print(line, file=sys.stderr)
