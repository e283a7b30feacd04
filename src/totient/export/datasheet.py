"""The datasheet of a configuration, in Markdown."""

from collections.abc import Iterator

from totient.catalog import (
    PUBLIC_EXPONENT,
    Configuration,
    Face,
    IpConfiguration,
    RsaLengths,
    Top,
    command_words,
    cycle_formulas,
    rsa_cycles,
    work_examples,
)
from totient.catalog.modules import FACES, has_messages, register_map
from totient.common.files import project_root
from totient.export.evidence import evidence, examples, verdicts
from totient.export.fitting import room
from totient.export.ipxact import sized_bits
from totient.export.ports import Instance, instances, module
from totient.export.registers import register_table, table
from totient.export.verification import proofs_of, tests_of
from totient.flow import Target
from totient.report.values import grouped

_MESSAGES = "messages without packets: rsa_fixed and rsa_stream"
"""The section of docs/contracts.md on these streams."""


def datasheet(
    subject: Configuration | IpConfiguration,
    face: Face,
    target: Target | None = None,
    figure: tuple[str, str] | None = None,
    top: Top | None = None,
) -> str:
    """The datasheet.

    Args:
        subject: a design or an IP.
        face: of a design.
        target: its device; `None`: all devices.
        figure: a transaction's title and the file with its waveform, if there is one.
        top: the module with its parameters; `None`: the default, also for a serial line.

    Raises:
        ToolError: the RTL does not elaborate.
    """
    if top is None:
        top = subject.top(face)
    return "\n".join(_lines(subject, target, top, figure)) + "\n"


def _lines(
    subject: Configuration | IpConfiguration,
    target: Target | None,
    top: Top,
    figure: tuple[str, str] | None,
) -> Iterator[str]:
    of = subject.design if isinstance(subject, Configuration) else subject.ip
    found, built = module(top.core, top.module), instances(top)
    yield f"# {top.module}: {of.title}"
    yield f"`{subject.label}`, FuseSoC `{top.core}`. Source: {of.source}."
    yield from _protocol(subject, top.module)
    yield "## Ports"
    yield from table(
        ("port", "direction", "bits", "meaning"),
        [(f"`{p.name}`", p.direction, str(p.bits), p.text) for p in found.ports],
    )
    yield ""
    yield "## Parameters"
    yield from table(
        ("parameter", "here", "default", "meaning; range"),
        [
            (f"`{p.name}`", _here(p.name, top, built[0]), p.default, p.text)
            for p in found.parameters
        ],
    )
    yield ""
    if figure:
        title, file = figure
        yield "## A transaction"
        yield f"![{title}]({file})"
        yield ""
        yield f"{title}: recorded from a simulation of the RTL with Verilator, cycle by cycle."
        yield ""
    if registers := register_map(top.module):
        yield "## Registers"
        yield register_table(registers)
    yield "## Cycles"
    yield from _cycles(subject)
    yield "## Resources and clock"
    yield from _resources(subject, target, top)
    yield "## Verification"
    yield from tests_of(subject)
    yield from proofs_of(built)
    yield from (f"- {line}." for line in verdicts(subject, target))
    yield "- Figures of netlists come from tools. No board has been measured."


def _here(name: str, top: Top, built: Instance) -> str:
    """A parameter's value in the words of SystemVerilog: copied, it gives the same core."""
    given = top.parameters.get(name)
    return given if isinstance(given, str) and sized_bits(given) else str(built.parameters[name])


def _protocol(subject: Configuration | IpConfiguration, module_name: str) -> Iterator[str]:
    """Where the reader finds what passes on the ports; the protocol of streams of messages."""
    if isinstance(subject, Configuration):
        yield "Packets, commands and error codes: docs/contracts.md."
        yield ""
    elif has_messages(module_name):
        yield "Error codes: docs/contracts.md."
        yield ""
        yield "## Streams"
        text = (project_root() / "docs" / "contracts.md").read_text()
        yield text.partition(f"\n## {_MESSAGES}\n")[2].partition("\n## ")[0].strip()
        yield ""
    else:
        yield "Accesses go through the registers below. Error codes: docs/contracts.md."
        yield ""


def _cycles(subject: Configuration | IpConfiguration) -> Iterator[str]:
    if isinstance(subject, IpConfiguration):
        formulas = cycle_formulas(subject.ip)
        for formula in formulas.values():
            yield f"- {formula.title}: {formula.text}."
        for what, work in work_examples(subject).items():
            counts = (f"{name} {f.cycles(subject, work):,}" for name, f in formulas.items())
            yield f"- Here, {what}: {', '.join(counts)}."
    else:
        for what, cycles in (
            ("Loading a key", subject.design.setup),
            ("Exponentiating", subject.design.operation),
        ):
            yield f"- {what}: {'; '.join([cycles.text, *cycles.term_texts])}."
        for words, setup, operation in examples(subject):
            key, base = grouped(setup), grouped(operation)
            yield f"- Here, exponent {words}: {key} for the key, {base} for a base."
        if subject.key_slots:
            half = subject.width // 2
            lengths = RsaLengths(subject.width, prime_bits=(half, half))
            load, private, public = rsa_cycles(subject.parameters, lengths)
            yield (
                f"- Here, RSA-{subject.width} with e = {PUBLIC_EXPONENT}: {load:,} to load the "
                f"key, {private:,} for a private operation by CRT, blinded and checked, "
                f"{public:,} for a public one."
            )
    yield f"- The time {subject.timing_words}."
    yield ""


def _resources(
    subject: Configuration | IpConfiguration, target: Target | None, top: Top
) -> Iterator[str]:
    known = evidence(subject, target)
    if top.module in FACES:
        yield (
            f"Not of this export: the figures are of the core without `{top.module}`, the face "
            "around it, which adds to them. No Record and no command of `totient` has figures with "
            "that face. Synthesis of the exported sources gives them."
        )
        yield ""
    for name, lines in known.items():
        yield f"- {name}"
        yield from (f"  - {line}" for line in lines)
    if target and (against := room(subject, target)):
        yield f"- {against}."
    elif not known:
        words = command_words(subject)
        yield f"No Record is kept of this configuration: `totient measure {words}` measures it."
    yield ""
