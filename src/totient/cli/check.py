"""The command that checks a design on random and corner operands."""

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.boards import BOARD, RegistersOption, on_board
from totient.cli.options import (
    DEFAULT_TARGET,
    DesignArgument,
    JsonOption,
    SetOption,
    WidthOption,
    allow_only,
)
from totient.cli.report import print_json
from totient.common.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from totient.catalog import Configuration, IpConfiguration
    from totient.check import Check, Netlist, Outcome
    from totient.flow.boards import Board

_RUNS, _MOST_RUNS = 2, 100
_COUNT = 100


_Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        metavar="K",
        help=f"Cases. Default: {_COUNT}, which takes minutes for a wide design or an engine. For a "
        "netlist without this option and without lengths: a few cases with short exponents or few "
        "keys, as its Record states.",
    ),
]
_Private = Annotated[
    bool,
    typer.Option(
        "--private",
        help="Only private operations of full-length RSA keys. For an engine: all operations, with "
        "keys of all lengths.",
    ),
]
_Bits = Annotated[
    int | None,
    typer.Option(
        "--bits",
        metavar="B",
        help="With --private, for an engine: only RSA keys with primes, of this length.",
    ),
]
_ExponentBits = Annotated[
    int | None,
    typer.Option(
        "--exponent-bits",
        metavar="B",
        help="Longest exponent. Use it for wide designs, whose operations take long to simulate.",
    ),
]
_Netlist = Annotated[
    str | None,
    typer.Option(
        "--netlist",
        metavar="STAGE",
        help="Check the synthesised or the routed netlist instead of the RTL.",
    ),
]
_RouteSeeds = Annotated[
    list[int] | None,
    typer.Option("--route-seed", metavar="S", help="Placer seed; default 1, 2 and 3. Repeatable."),
]
_Dsp = Annotated[
    bool, typer.Option("--dsp/--no-dsp", help="Netlists with or without multiplier blocks.")
]
_Target = Annotated[
    str | None,
    typer.Option(
        "--target", metavar="T", help=f"Device of the netlist. Default: {DEFAULT_TARGET}."
    ),
]
_Board = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="BOARD",
        help="Check the board's top module through its pins, with --netlist its netlist: " + BOARD,
    ),
]
_Unknowns = Annotated[
    int | None,
    typer.Option(
        "--unknowns",
        metavar="K",
        help="Of a netlist: run all cases K times (default 2) with different values of unknown "
        "state: initial registers and memories, and open pins.",
    ),
]


def check(
    design: DesignArgument,
    width: WidthOption = None,
    count: _Count = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of all random draws.")] = 1,
    private: _Private = False,
    bits: _Bits = None,
    exponent_bits: _ExponentBits = None,
    netlist: _Netlist = None,
    route_seeds: _RouteSeeds = None,
    dsp: _Dsp = True,
    target: _Target = None,
    board: _Board = None,
    registers: RegistersOption = False,
    unknowns: _Unknowns = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a design on random and corner operands.

    Compares results with Python's pow and cycles with the formula. Compares keys from an IP, and
    signatures made with them, with the package cryptography as well. Runs the RTL, or its netlist
    with models of the device's cells. Exit status 0 if all cases pass, 1 if one fails.
    """
    from totient.check import Check, On, netlist_checks
    from totient.measure.measurement import check_family

    found, chosen = _subject(design, width, settings, board, registers)
    if found:
        given = f"--target {target} is given" * (target is not None)
        allow_only("without --board", "--no-dsp is given" * (not dsp), given)
        target = found.target if netlist else None
    netlists = _netlists(netlist, target, unknowns, route_seeds, dsp)
    _check_kind(chosen, design, private, bits, exponent_bits)
    if first := netlists[0]:
        chosen = chosen.suited(first.target.family)
        check_family(chosen, first.target)
    if netlist and count is None and not private and exponent_bits is None:
        checks = [replace(each, seed=seed) for each in netlist_checks(chosen)]
    else:
        cases = _COUNT if count is None else count
        checks = [Check(chosen, cases, seed, private, bits, exponent_bits)]
    label = chosen.label + (f" on {found.name}" if found else "")
    runs, failed = [], False
    for each, own in product(netlists, checks):
        outcome = own.run(On(each, found, registers))
        runs.append(_as_data(each, own, outcome))
        failed = failed or bool(outcome.faults)
        if not as_json:
            _print(label, each, outcome)
    if as_json:
        about = _about(chosen, found, registers) | {"seed": seed}
        print_json({**about, **(runs[0] if netlist is None else {"runs": runs})})
    if failed:
        raise typer.Exit(1)


def _subject(
    design: str,
    width: int | None,
    settings: list[str] | None,
    board: str | None,
    registers: bool,
) -> "tuple[Board | None, Configuration | IpConfiguration]":
    """The subject to check, and its board."""
    from totient.catalog import System
    from totient.cli.settings import subject

    if board is None:
        found, chosen = None, subject(design, width, settings)
        allow_only("with --board", "--registers is given" * registers)
    else:
        found, chosen = on_board(board, None, design, width, settings, registers)
    if isinstance(chosen, System):
        raise InputError(f"{design} is a system, check knows designs and IPs")
    return found, chosen


def _check_kind(
    chosen: "Configuration | IpConfiguration",
    design: str,
    private: bool,
    bits: int | None,
    exponent_bits: int | None,
) -> None:
    """Raise `InputError` for options that this kind of subject does not have."""
    from totient.catalog import Configuration, IpConfiguration

    if not (private and chosen.name == "engine"):
        allow_only("with --private of an engine", "" if bits is None else f"bits is {bits}")
    if exponent_bits is not None and (private or not isinstance(chosen, Configuration)):
        allow_only("of a design and without --private", f"exponent-bits is {exponent_bits}")
    if isinstance(chosen, IpConfiguration) and private:
        raise InputError(f"{design} is an IP, whose check has no --private")


def _about(
    chosen: "Configuration | IpConfiguration", board: "Board | None", registers: bool
) -> dict[str, object]:
    from totient.catalog import IpConfiguration

    kind = "ip" if isinstance(chosen, IpConfiguration) else "design"
    where = {"board": board.name, "registers": registers} if board else {}
    return {"parameters": dict(chosen.parameters), kind: chosen.name, **where}


def _print(label: str, netlist: "Netlist | None", outcome: "Outcome") -> None:
    stage = f", {netlist.words}" if netlist else ""
    print(f"{label}{stage}: {outcome.summary}")
    for fault in outcome.faults:
        print(f"  {fault}")
    if not outcome.faults:
        print(f"  {outcome.checked}")


def _as_data(netlist: "Netlist | None", check: "Check", outcome: "Outcome") -> dict[str, object]:
    from totient.catalog import Configuration

    which: dict[str, object] = {}
    if isinstance(check.subject, Configuration):
        which = {"private": check.private}
    if netlist:
        which |= {
            "netlist": netlist.stage,
            "target": netlist.target.name,
            "dsp": netlist.dsp,
            **({"route_seed": netlist.seed} if netlist.is_routed else {}),
            "unknowns": list(netlist.unknowns),
        }
    if check.bits is not None:
        which |= {"bits": check.bits}
    if check.exponent_bits is not None:
        which |= {"exponent_bits": check.exponent_bits}
    return {
        **which,
        "cases": outcome.cases,
        "exponentiations": outcome.exponentiations,
        "refusals": outcome.refusals,
        "cycles": outcome.cycles,
        "faults": list(outcome.faults),
    }


def _netlists(
    stage: str | None,
    target: str | None,
    unknowns: int | None,
    seeds: list[int] | None,
    dsp: bool,
) -> "Sequence[Netlist | None]":
    """The netlists that the options name; `None` is the RTL."""
    from totient.check import Netlist, Stage
    from totient.flow import SEEDS, check_seeds, find_target

    given_seeds = f"route-seed is {', '.join(map(str, seeds))}" if seeds else ""
    if stage is None:
        allow_only(
            "with --netlist",
            f"target is {target}" if target else "",
            given_seeds,
            "" if dsp else "--no-dsp is given",
            "" if unknowns is None else f"unknowns is {unknowns}",
        )
        return [None]
    if stage not in list(Stage):
        raise InputError(f"netlist is {stage!r}, allowed is {', '.join(Stage)}")
    if unknowns is None:
        unknowns = _RUNS
    if not 1 <= unknowns <= _MOST_RUNS:
        raise InputError(f"unknowns is {unknowns}, allowed is 1 to {_MOST_RUNS}")
    found = find_target(target or DEFAULT_TARGET)
    starts = range(1, unknowns + 1)
    if stage == Stage.SYNTHESISED:
        allow_only("with --netlist routed", given_seeds)
        return [Netlist(Stage.SYNTHESISED, found, dsp=dsp, unknowns=starts)]
    check_seeds(seeds or SEEDS, "route-seed")
    return [Netlist(Stage.ROUTED, found, route_seed, dsp, starts) for route_seed in seeds or SEEDS]
