"""Activity Records: switching activity of a design's netlist in one operation, kept as data."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from totient.catalog import Configuration, command_words, find_subject
from totient.common.errors import ToolError
from totient.device import Device
from totient.device.transports import SimulationTransport
from totient.flow import Target, find_target
from totient.flow.synthesis import synthesised
from totient.measure.engine import CRT, LENGTHS, figures_by_formula, run_engine_operation
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.provenance import Provenance
from totient.measure.rtl import core_rtl, ip_rtl, rtl_commit
from totient.measure.store import file_name, results_folder, today
from totient.power.activity_model import build_activity_model, netlist_nodes
from totient.power.fabrics import weights_of
from totient.power.saif import saif as saif_text
from totient.power.switching import Switching, switching
from totient.power.wires import routed_wires, wires_of_readers

SCHEMA = 1
"""Version of the JSON form, of the operands and of the counting. Increase it if one changes."""

_SHORT_EXPONENT = 33
_MOST_WORK = 5_000_000  # clock cycles x (elements + 8) of an engine's operation


@dataclass(frozen=True)
class ActivityRecord:
    """Switching activity of one design on one target.

    Attributes:
        design: name in the catalog.
        parameters: all of them, by the catalog's names.
        target: name of the target.
        dsp: whether the tools may use multiplier blocks.
        operation: that was simulated on the netlist, with a correct result.
        switching: the activity.
        provenance: command, tools and digests.
    """

    design: str
    parameters: Mapping[str, int]
    target: str
    dsp: bool
    operation: str
    switching: Switching
    provenance: Provenance

    @property
    def subject(self) -> Configuration:
        """The design.

        Raises:
            InputError: the catalog no longer has it.
        """
        subject = find_subject(self.design, **self.parameters)
        assert isinstance(subject, Configuration)
        return subject

    def to_json(self) -> str:
        """The Record as a JSON document."""
        own = {
            "schema": SCHEMA,
            **vars(self),
            "parameters": dict(self.parameters),
            "switching": self.switching.to_json(),
            "provenance": self.provenance.to_json(),
        }
        return json.dumps(own, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "ActivityRecord":
        """Parse the JSON of `to_json`.

        Raises:
            InputError: it is damaged, or of another schema.
        """
        with parsing(text, SCHEMA, "activity Record") as data:
            return cls(
                **{
                    **data,
                    "switching": Switching.from_json(data["switching"]),
                    "provenance": Provenance.from_json(data["provenance"]),
                }
            )


def activity_folder() -> Path:
    """Folder of the committed activity Records."""
    return results_folder() / "activity"


def committed_activity() -> Iterator[tuple[Path, ActivityRecord]]:
    """Every committed activity Record with its file, sorted by name.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    for path in sorted(activity_folder().glob("*.json")):
        yield path, read_kept(path, ActivityRecord.from_json)


def kept_activity(subject: Configuration, target: Target, dsp: bool) -> ActivityRecord | None:
    """The committed activity Record of a design on a target, also of earlier RTL; or `None`.

    Raises:
        InputError: it is damaged or of another schema.
    """
    path = activity_folder() / file_name(subject, target, dsp)
    return read_kept(path, ActivityRecord.from_json) if path.exists() else None


def save_activity(record: ActivityRecord) -> Path:
    """Write an activity Record into `activity_folder`, and return its file."""
    name = file_name(record.subject, find_target(record.target), record.dsp)
    return write_kept(activity_folder() / name, record.to_json())


def measure_activity(
    subject: Configuration,
    target: Target,
    *,
    dsp: bool = True,
    saif: tuple[Path, float] | None = None,
    use_results: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> ActivityRecord:
    """Switching activity of a design with its stream face.

    Args:
        subject: a design with the parameters for the target (`Configuration.suited`).
        target: the device.
        dsp: whether the tools may use multiplier blocks.
        saif: file for the activity of every net, and the clock in MHz for its times.
        use_results: whether to use a Record of the same RTL from `results/activity`, unless a file
            is wanted.
        say: called with the current step.

    Raises:
        InputError: no activity is known of the target's cells.
        ToolError: a tool failed, a cell has no model, or the netlist returned a wrong result.
    """
    weights_of(target)
    core, ip = core_rtl(subject), ip_rtl(subject)
    now = today(subject, target, core, ip)
    known = kept_activity(subject, target, dsp) if use_results and saif is None else None
    if known and known.provenance.is_of(now):
        return known
    operation, found = _counted(subject, target, dsp, saif, say)
    built = now.elaborated()
    command = f"totient power {command_words(subject)} --target {target.name}"
    provenance = Provenance(
        command if dsp else f"{command} --no-dsp",
        now.tools,
        (1,) if target.can_route else (),
        now.sources,
        built.structure,
        now.flow,
        rtl_commit(core, ip),
        built.contents,
    )
    return ActivityRecord(
        subject.name,
        dict(subject.parameters),
        target.name,
        dsp,
        operation,
        found,
        provenance,
    )


def _counted(
    subject: Configuration,
    target: Target,
    dsp: bool,
    saif: tuple[Path, float] | None,
    say: Callable[[str], None],
) -> tuple[str, Switching]:
    """The operation, and the activity of the netlist in it."""
    top = subject.top()
    say(f"synthesis of {top.module}")
    folder = synthesised(ip_rtl(subject), target, dsp)
    netlist = json.loads((folder / "netlist.json").read_text())
    if target.can_route:
        say(f"place and route of {top.module}")
        wires = routed_wires(folder, target)
    else:
        wires = wires_of_readers(netlist)
    nodes = netlist_nodes(netlist, weights_of(target).delays, wires, top.clock)
    model = build_activity_model(nodes, top)
    say(f"activity of {top.module}")
    with Device(SimulationTransport(model.library)) as device:
        operation = _operate(device, subject, model.count)
        counts = model.counts()
    if saif:
        file, clock_mhz = saif
        write_kept(file, saif_text(nodes, top.module, counts, clock_mhz))
    return operation, switching(nodes, counts)


def activity_renewals() -> Iterator[tuple[ActivityRecord, Path | None]]:
    """Check the stale activity Records, and write those whose RTL is the same hardware.

    Returns:
        Each stale Record for the present RTL with its file, or with `None` if it must be measured
        again.

    Raises:
        InputError: a file is damaged or of another schema.
        ToolError: RTL cannot be elaborated, or a file cannot be written.
    """
    for _, record in committed_activity():
        subject, target = record.subject, find_target(record.target)
        now = today(subject, target, core_rtl(subject), ip_rtl(subject))
        if not record.provenance.is_of(now):
            kept = record.provenance.renewed(now)
            if kept:  # the transitions are those of the program that was run
                kept = replace(kept, contents=record.provenance.contents)
            found = replace(record, provenance=kept) if kept else record
            yield found, save_activity(found) if kept else None


def _operate(device: Device, subject: Configuration, count: Callable[[bool], None]) -> str:
    """Run one operation, counted, and return its name.

    T1's time is proportional to the exponent, which is 33 there. An engine runs the longest private
    operation with CRT of at most `_MOST_WORK`.
    """
    if subject.key_slots:
        bits = _engine_bits(subject)
        run_engine_operation(device, CRT, bits, count)
        return f"{CRT}-{bits}"
    draw = Random(f"totient activity {subject.width}")
    modulus = 1 << (subject.width - 1) | draw.getrandbits(subject.width - 1) | 1
    bases = [draw.randrange(modulus) for _ in range(subject.lanes)]
    exponent = _SHORT_EXPONENT if subject.name == "repeated" else 65537
    device.load_key(modulus, exponent)
    count(True)
    results, _ = device.exponentiate_all(bases)
    count(False)
    if list(results) != [pow(base, exponent, modulus) for base in bases]:
        raise ToolError("the netlist gave a wrong result for an operand of the measurement")
    return f"exponent {exponent}"


def _engine_bits(subject: Configuration) -> int:
    """Length of the key for an engine's operation."""
    lengths = [bits for bits in LENGTHS if bits <= subject.width]
    size = subject.parameters["elements"] + 8
    short = [
        bits
        for bits in lengths
        if figures_by_formula(subject, f"{CRT}-{bits}").cycles.mean * size <= _MOST_WORK
    ]
    return max(short, default=min(lengths))
