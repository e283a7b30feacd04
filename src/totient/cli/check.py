"""The command that checks a design on random and corner operands."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.boards import BOARD, RegistersOption, on_board
from totient.cli.options import DesignArgument, JsonOption, SetOption, WidthOption
from totient.cli.report import print_json
from totient.common.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from totient.check import Netlist, Outcome

_MOST_RUNS = 100


def check(
    design: DesignArgument,
    width: WidthOption = None,
    count: Annotated[int, typer.Option("--count", metavar="K", help="Cases.")] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of all that is drawn.")] = 1,
    private: Annotated[
        bool,
        typer.Option(
            "--private",
            help="Only private operations of full-length RSA keys; of an engine all that it does, "
            "with keys of all lengths.",
        ),
    ] = False,
    bits: Annotated[
        int | None,
        typer.Option(
            "--bits",
            metavar="B",
            help="With --private, of an engine: only RSA keys with primes, of this length.",
        ),
    ] = None,
    exponent_bits: Annotated[
        int | None,
        typer.Option(
            "--exponent-bits",
            metavar="B",
            help="No exponent is longer than this: for wide designs, whose operations take long.",
        ),
    ] = None,
    netlist: Annotated[
        str | None,
        typer.Option(
            "--netlist",
            metavar="STAGE",
            help="Of a netlist, not of the RTL: synthesised, or routed: what the configuration of "
            "the device is. With --target.",
        ),
    ] = None,
    route_seeds: Annotated[
        list[int] | None,
        typer.Option(
            "--route-seed", metavar="S", help="Routed by this seed of the placer; all of them."
        ),
    ] = None,
    dsp: Annotated[
        bool, typer.Option("--dsp/--no-dsp", help="Netlists with multiplier blocks, or without.")
    ] = True,
    target: Annotated[
        str | None, typer.Option("--target", metavar="T", help="Device of the netlist.")
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="BOARD",
            help=f"In the board's top, reached through its pins; with --netlist its own: {BOARD}",
        ),
    ] = None,
    registers: RegistersOption = False,
    unknowns: Annotated[
        int,
        typer.Option(
            "--unknowns",
            metavar="K",
            help="Run all of it K times, with other values of what a netlist leaves unknown: "
            "what registers and memories begin with, and open pins.",
        ),
    ] = 2,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a design on random and corner operands.

    Results against Python's pow, cycles against the formula; keys that an IP makes, and signatures
    with them, against the package cryptography as well. Run is the RTL, or a netlist of it with
    models of the device's cells. Exit status 0 if all cases pass, 1 if one does not.
    """
    from totient.catalog import Configuration, IpConfiguration, System
    from totient.check import check as run
    from totient.check import check_ip, check_rsa
    from totient.cli.settings import subject
    from totient.measure.measurement import check_family

    if board is None:
        found, chosen = None, subject(design, width, settings)
        if registers:
            raise InputError("--registers is given, allowed with --board only")
    else:
        found, chosen = on_board(board, None, design, width, settings, registers)
        if target is not None or not dsp:
            raise InputError("--target or --no-dsp is given, a --board has its own device")
        target = found.target if netlist else None
    if isinstance(chosen, System):
        raise InputError(f"{design} is a system, check knows designs and IPs")
    netlists = _netlists(netlist, target, unknowns, route_seeds, dsp)
    if bits is not None and not (private and chosen.name == "engine"):
        raise InputError(f"bits is {bits}, allowed with --private of an engine only")
    if exponent_bits is not None and (private or not isinstance(chosen, Configuration)):
        raise InputError(
            f"exponent-bits is {exponent_bits}, allowed of a design and without --private only"
        )
    if netlists[0] and isinstance(chosen, Configuration):
        chosen = chosen.suited(netlists[0].target.family)
        check_family(chosen, netlists[0].target)
    if isinstance(chosen, IpConfiguration) and private:
        raise InputError(f"{design} is an IP, whose check has no --private")
    outcomes = []
    for each in netlists:
        if isinstance(chosen, IpConfiguration):
            outcome = check_ip(chosen, count, seed, netlist=each, board=found)
        elif private and chosen.name == "engine":
            outcome = check_rsa(chosen, count, seed, bits=bits, netlist=each, board=found)
        else:
            outcome = run(
                chosen,
                count,
                seed,
                private=private,
                exponent_bits=exponent_bits,
                netlist=each,
                board=found,
                registers=registers,
            )
        outcomes.append(outcome)
        if not as_json:
            label = chosen.label + (f" on {found.name}" if found else "")
            _print(label, each, outcome)
    if as_json:
        own: dict[str, object] = {"parameters": dict(chosen.parameters)}
        own |= {"ip" if isinstance(chosen, IpConfiguration) else "design": chosen.name}
        own |= {} if isinstance(chosen, IpConfiguration) else {"private": private}
        own |= {"bits": bits} if private and chosen.name == "engine" else {}
        own |= {} if exponent_bits is None else {"exponent_bits": exponent_bits}
        own |= {"board": found.name, "registers": registers} if found else {}
        own |= {"seed": seed}
        runs = [_as_data(each, outcome) for each, outcome in zip(netlists, outcomes, strict=True)]
        print_json({**own, **(runs[0] if netlist is None else {"runs": runs})})
    if any(outcome.faults for outcome in outcomes):
        raise typer.Exit(1)


def _print(label: str, netlist: "Netlist | None", outcome: "Outcome") -> None:
    told = f", {netlist.told}" if netlist else ""
    print(f"{label}{told}: {outcome.summary}")
    for fault in outcome.faults:
        print(f"  {fault}")
    if not outcome.faults:
        print(f"  {outcome.checked}")


def _as_data(netlist: "Netlist | None", outcome: "Outcome") -> dict[str, object]:
    which: dict[str, object] = {}
    if netlist:
        which = {
            "netlist": netlist.stage,
            "target": netlist.target.name,
            "dsp": netlist.dsp,
            **({"route_seed": netlist.seed} if netlist.is_routed else {}),
            "unknowns": list(netlist.unknowns),
        }
    return {
        **which,
        "cases": outcome.cases,
        "exponentiations": outcome.exponentiations,
        "refusals": outcome.refusals,
        "cycles": outcome.cycles,
        "faults": list(outcome.faults),
    }


def _netlists(
    stage: str | None, target: str | None, unknowns: int, seeds: list[int] | None, dsp: bool
) -> "Sequence[Netlist | None]":
    """The netlists that the options name; `None`: the RTL."""
    from totient.check import Netlist, Stage
    from totient.flow import SEEDS, find_target

    if stage is None:
        for given in (
            f"target is {target}" if target else "",
            f"route-seed is {', '.join(map(str, seeds))}" if seeds else "",
            "" if dsp else "--no-dsp is given",
        ):
            if given:
                raise InputError(f"{given}, allowed with --netlist only")
        return [None]
    if stage not in list(Stage):
        raise InputError(f"netlist is {stage!r}, allowed is {', '.join(Stage)}")
    if target is None:
        raise InputError("--netlist needs a --target")
    if not 1 <= unknowns <= _MOST_RUNS:
        raise InputError(f"unknowns is {unknowns}, allowed is 1 to {_MOST_RUNS}")
    found = find_target(target)
    starts = range(1, unknowns + 1)
    if stage == Stage.SYNTHESISED:
        if seeds:
            told = ", ".join(map(str, seeds))
            raise InputError(f"route-seed is {told}, allowed with --netlist routed only")
        return [Netlist(Stage.SYNTHESISED, found, dsp=dsp, unknowns=starts)]
    return [Netlist(Stage.ROUTED, found, route_seed, dsp, starts) for route_seed in seeds or SEEDS]
