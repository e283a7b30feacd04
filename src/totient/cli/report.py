"""Reports of the work that a device did."""

import base64
import json
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from totient.cli.files import STANDARD, write_output, write_text
from totient.cli.options import DEFAULT_TARGET

if TYPE_CHECKING:
    from totient.measure import StatedClock
    from totient.rsa.accelerator import Accelerator

# Members of the JSON object of `--json`.
Summary = dict[str, object]


def work(accelerator: "Accelerator", clock_mhz: float | None) -> Summary:
    """Summary of the device's work for programs: cycles of each step, and seconds at a clock.

    Args:
        accelerator: that did the work.
        clock_mhz: the clock; `None` for that of the core's Record. Without a clock, no time.
    """
    total = _total(accelerator)
    known = _known_clock(accelerator.address) if clock_mhz is None else None
    clock = known.mhz if known else clock_mhz
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
        "clock_mhz": clock,
        "seconds_at_clock": total / (clock * 1e6) if clock else None,
    }


def _total(accelerator: "Accelerator") -> int:
    """Clock cycles of all steps."""
    return sum(step.setup_cycles + step.cycles for step in accelerator.steps)


@cache  # used twice in a command; finding it reads all Records
def _known_clock(address: str) -> "StatedClock | None":
    """The clock of a simulated core by its Record; nobody knows that of another device."""
    from totient.device import Address
    from totient.measure import stated_clock

    opened = Address.of(address)
    return stated_clock(opened.configuration, DEFAULT_TARGET) if opened.is_simulated else None


def say_work(what: str, accelerator: "Accelerator", clock_mhz: float | None) -> None:
    """Report on the error stream the operation, its device and its cycles.

    The time is as in `work`.
    """
    from totient.report import duration

    say(f"{what} on {accelerator.address}")
    for step in accelerator.steps:
        say(
            f"  {step.name}: {step.modulus_bits}-bit modulus, {step.exponent_bits}-bit exponent, "
            f"set-up {step.setup_cycles:,} cycles, exponentiation {step.cycles:,} cycles"
        )
    total = _total(accelerator)
    known = _known_clock(accelerator.address) if clock_mhz is None else None
    clock = known.mhz if known else clock_mhz
    if clock is None:
        say(f"  {total:,} cycles; no Record has a clock of this core, --clock MHZ states one")
        return
    by = f", by the Record of {known.record.subject.label} on {DEFAULT_TARGET}" if known else ""
    say(f"  {total:,} cycles are {duration(total / (clock * 1e6))} at {clock:.4g} MHz{by}")


def say_timing(accelerator: "Accelerator") -> None:
    """Warn on the error stream if a core's run time reveals a private key."""
    from totient.common.contract import TimingClass

    if accelerator.timing is not TimingClass.EXPONENT_LENGTH:
        say(f"  warning: the time of this core {accelerator.timing.words}")


def finish(out: Path, data: bytes, mode: int, summary: Summary | None) -> None:
    """Write a command's output and, for programs, its summary.

    Args:
        out: destination. With a summary and the standard output, only the summary is written; the
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
    """Print a line on the error stream, if there is one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr)
