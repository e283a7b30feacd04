"""Reports of the work that a device did."""

import base64
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from totient.cli.files import STANDARD, write_output, write_text
from totient.cli.options import DEFAULT_TARGET

if TYPE_CHECKING:
    from totient.measure import StatedClock
    from totient.rsa.accelerator import Accelerator

# Members of the JSON object of `--json`.
Summary = dict[str, object]


def work(what: str, accelerator: "Accelerator", clock_mhz: float | None) -> Summary:
    """Report a device's work on the error stream, and return its summary for programs.

    Args:
        what: the operation, in words.
        accelerator: that did the work. Without any, nothing is reported.
        clock_mhz: the clock for times; `None` for that of the core's Record. Without a clock, no
            time.
    """
    address = accelerator.address
    total = sum(step.setup_cycles + step.cycles for step in accelerator.steps)
    known = _known_clock(address) if clock_mhz is None else None
    clock = known.mhz if known else clock_mhz
    seconds = total / (clock * 1e6) if clock else None
    if accelerator.steps:
        say(f"{what} on {address}")
    for step in accelerator.steps:
        say(
            f"  {step.name}: {step.modulus_bits}-bit modulus, {step.exponent_bits}-bit exponent, "
            f"set-up {step.setup_cycles:,} cycles, exponentiation {step.cycles:,} cycles"
        )
    if accelerator.steps:
        say(f"  {total:,} cycles{_time(clock, seconds, known)}")
    return {
        "device": address,
        "steps": [vars(step) for step in accelerator.steps],
        "total_cycles": total,
        "clock_mhz": clock,
        "seconds_at_clock": seconds,
    }


def _known_clock(address: str) -> "StatedClock | None":
    """The clock of a simulated core by its Record; nobody knows that of another device."""
    from totient.device import Address
    from totient.measure import stated_clock

    opened = Address.of(address)
    return stated_clock(opened.configuration, DEFAULT_TARGET) if opened.is_simulated else None


def _time(clock: float | None, seconds: float | None, known: "StatedClock | None") -> str:
    """The time of the work, in words, and the Record of its clock."""
    from totient.report.values import duration

    if clock is None or seconds is None:
        return "; no Record has a clock of this core, --clock MHZ states one"
    by = f", by the Record of {known.record.subject.label} on {DEFAULT_TARGET}" if known else ""
    return f" are {duration(seconds)} at {clock:.4g} MHz{by}"


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
