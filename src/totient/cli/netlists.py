"""The command that tells whether the netlists behind the stated clocks have been run."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.cli.tables import show_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from totient.check import Netlist, Outcome
    from totient.measure import NetlistRuns, Record

# Cases for a design by its width, and the longest exponent: together some millions of cycles at
# most, as a netlist of ten thousand cells makes some thousand of them a second.
_CASES = ((64, 20, None), (128, 10, None), (256, 5, None), (512, 5, 64), (4096, 3, 64))
# Of an engine the lengths of RSA keys, and the cases with each.
_ENGINE_CASES = ((1024, 2), (2048, 1))
_FEW_ELEMENTS = 8  # with less the longer keys would take hours
_IP_COUNT = 5


def netlists(
    run: Annotated[
        bool,
        typer.Option(
            "--run", help="Run those that have not been run, and write that into the Records."
        ),
    ] = False,
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="Of this design or IP alone.")
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", metavar="T", help="On this device alone.")
    ] = None,
    widest: Annotated[
        int, typer.Option("--widest", metavar="BITS", min=8, help="Run none that is wider.")
    ] = 4096,
    as_json: JsonOption = False,
) -> None:
    """List every Record with a routed clock, and whether its routed netlists compute.

    Exit status 1 if one does not.
    """
    from totient.flow import find_target
    from totient.measure import netlist_verdict, routed_records, save, subject_of

    if target is not None:
        find_target(target)
    found = [
        record
        for record in routed_records()
        if only in (None, record.design) and target in (None, record.target)
    ]
    for place, record in enumerate(found):
        if run and record.computes is None and record.parameters.get("width", 0) <= widest:
            found[place] = replace(record, netlist=_run(record))
            say(f"{save(found[place]).name}: {netlist_verdict(found[place])}")
    if as_json:
        print_json({"records": [_as_data(record) for record in found]})
    else:
        rows = [
            (
                subject_of(record).label + ("" if record.dsp else ", no DSP"),
                record.target,
                f"{record.fmax_mhz:.1f}",
                netlist_verdict(record),
            )
            for record in found
        ]
        show_table(
            ("Record", "target", "MHz", "its routed netlists"),
            rows,
            texts=(True, True, False, True),
        )
        missing = sum(record.computes is None for record in found)
        say(f"{len(found)} Records with a routed clock, {missing} of them with a netlist not run")
    if any(record.computes is False for record in found):
        raise typer.Exit(1)


def _as_data(record: "Record") -> dict[str, object]:
    return {
        "design": record.design,
        "parameters": dict(record.parameters),
        "target": record.target,
        "dsp": record.dsp,
        "fmax_mhz": record.fmax_mhz,
        "computes": record.computes,
        "command": record.netlist.command if record.netlist else None,
    }


def _run(record: "Record") -> "NetlistRuns":
    """Run the netlist of each of a Record's routes."""
    from totient.check import Netlist, Stage
    from totient.flow import find_target
    from totient.measure import NetlistRun, NetlistRuns

    assert record.routing is not None
    runs = {}
    commands: Sequence[str] = ()
    for seed in record.routing.fmax_mhz:
        netlist = Netlist(Stage.ROUTED, find_target(record.target), seed, record.dsp)
        made = list(_checks(record, netlist))
        commands = [command for command, _ in made]
        runs[seed] = NetlistRun(
            sum(outcome.exponentiations for _, outcome in made),
            sum(outcome.cycles for _, outcome in made),
            len(netlist.unknowns),
            sum(len(outcome.faults) for _, outcome in made),
        )
    further = (
        "--netlist routed",
        f"--target {record.target}",
        *([] if record.dsp else ["--no-dsp"]),
    )
    told = (" ".join(("totient check", command, *further)) for command in commands)
    return NetlistRuns(" && ".join(told), runs)


def _checks(record: "Record", netlist: "Netlist") -> "Iterator[tuple[str, Outcome]]":
    """Run one netlist; the arguments of each command that does the same, and what was found."""
    from totient.catalog import Configuration, IpConfiguration
    from totient.check import check, check_ip, check_rsa
    from totient.measure import subject_of

    subject = subject_of(record)
    own = (
        f"--width {value}" if name == "width" else f"--set {name}={value}"
        for name, value in subject.own.items()
    )
    chosen = " ".join((subject.name, *own))
    if isinstance(subject, IpConfiguration):
        yield f"{chosen} --count {_IP_COUNT}", check_ip(subject, _IP_COUNT, 1, netlist=netlist)
        return
    assert isinstance(subject, Configuration)  # no system has a router
    if subject.name == "engine":
        few = subject.parameters["elements"] < _FEW_ELEMENTS
        for bits, count in _ENGINE_CASES[:1] if few else _ENGINE_CASES:
            outcome = check_rsa(subject, count, 1, bits=bits, netlist=netlist)
            yield f"{chosen} --private --bits {bits} --count {count}", outcome
        return
    count, longest = next((k, bits) for most, k, bits in _CASES if subject.width <= most)
    short = "" if longest is None else f" --exponent-bits {longest}"
    outcome = check(subject, count, 1, exponent_bits=longest, netlist=netlist)
    yield f"{chosen} --count {count}{short}", outcome
