"""The command that checks a design on random and corner operands."""

from typing import Annotated

import typer

from totient.cli.options import DesignArgument, JsonOption, SetOption, WidthOption
from totient.cli.report import print_json
from totient.common.errors import InputError


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
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a design on random and corner operands.

    Results against Python's pow, cycles against the formula; keys that an IP makes, and signatures
    with them, against the package cryptography as well. Exit status 0 if all cases pass, 1 if one
    does not.
    """
    from totient.catalog import IpConfiguration, System
    from totient.check import check as run
    from totient.check import check_ip, check_rsa
    from totient.cli.settings import subject

    chosen = subject(design, width, settings)
    if isinstance(chosen, System):
        raise InputError(f"{design} is a system, check knows designs and IPs")
    own: dict[str, object] = {"parameters": dict(chosen.parameters)}
    if isinstance(chosen, IpConfiguration):
        if private:
            raise InputError(f"{design} is an IP, whose check has no --private")
        own |= {"ip": chosen.name}
        outcome = check_ip(chosen, count, seed)
    elif private and chosen.name == "engine":
        own |= {"design": chosen.name, "private": private}
        outcome = check_rsa(chosen, count, seed)
    else:
        own |= {"design": chosen.name, "private": private}
        outcome = run(chosen, count, seed, private=private)
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
        print(f"{chosen.label}: {outcome.summary}")
        for fault in outcome.faults:
            print(f"  {fault}")
        if not outcome.faults:
            print(f"  {outcome.checked}")
    if outcome.faults:
        raise typer.Exit(1)
