"""The command that checks a design on random and corner operands."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import DesignArgument, JsonOption, SetOption, WidthOption
from totient.cli.report import print_json
from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.check import Netlist

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
    netlist: Annotated[
        str | None,
        typer.Option(
            "--netlist",
            metavar="STAGE",
            help="Of a netlist, not of the RTL: synthesised. With --target.",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", metavar="T", help="Device of the netlist.")
    ] = None,
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

    chosen = subject(design, width, settings)
    if isinstance(chosen, System):
        raise InputError(f"{design} is a system, check knows designs and IPs")
    chosen_netlist = _netlist(netlist, target, unknowns)
    if bits is not None and not (private and chosen.name == "engine"):
        raise InputError(f"bits is {bits}, allowed with --private of an engine only")
    if chosen_netlist and isinstance(chosen, Configuration):
        chosen = chosen.suited(chosen_netlist.target.family)
        check_family(chosen, chosen_netlist.target)
    own: dict[str, object] = {"parameters": dict(chosen.parameters)}
    if chosen_netlist:
        own |= {"netlist": netlist, "target": target, "unknowns": list(chosen_netlist.unknowns)}
    if isinstance(chosen, IpConfiguration):
        if private:
            raise InputError(f"{design} is an IP, whose check has no --private")
        own |= {"ip": chosen.name}
        outcome = check_ip(chosen, count, seed, netlist=chosen_netlist)
    elif private and chosen.name == "engine":
        own |= {"design": chosen.name, "private": private, "bits": bits}
        outcome = check_rsa(chosen, count, seed, bits=bits, netlist=chosen_netlist)
    else:
        own |= {"design": chosen.name, "private": private}
        outcome = run(chosen, count, seed, private=private, netlist=chosen_netlist)
    if as_json:
        print_json(
            {
                **own,
                "seed": seed,
                "cases": outcome.cases,
                "exponentiations": outcome.exponentiations,
                "refusals": outcome.refusals,
                "cycles": outcome.cycles,
                "faults": list(outcome.faults),
            }
        )
    else:
        told = f", {chosen_netlist.told}" if chosen_netlist else ""
        print(f"{chosen.label}{told}: {outcome.summary}")
        for fault in outcome.faults:
            print(f"  {fault}")
        if not outcome.faults:
            print(f"  {outcome.checked}")
    if outcome.faults:
        raise typer.Exit(1)


def _netlist(stage: str | None, target: str | None, unknowns: int) -> "Netlist | None":
    """The netlist that the options name; `None`: the RTL."""
    from totient.check import Netlist, Stage
    from totient.flow import find_target

    if stage is None:
        if target is not None:
            raise InputError(f"target is {target}, allowed with --netlist only")
        return None
    if stage not in list(Stage):
        raise InputError(f"netlist is {stage!r}, allowed is {', '.join(Stage)}")
    if target is None:
        raise InputError("--netlist needs a --target")
    if not 1 <= unknowns <= _MOST_RUNS:
        raise InputError(f"unknowns is {unknowns}, allowed is 1 to {_MOST_RUNS}")
    return Netlist(Stage(stage), find_target(target), unknowns=range(1, unknowns + 1))
