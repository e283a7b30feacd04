"""Commands that tell what the catalog holds."""

from typing import Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json
from totient.cli.tables import show_table

DesignArgument = Annotated[
    str,
    typer.Argument(metavar="DESIGN", help="A design, a named configuration or a paper's row."),
]


def list_designs(as_json: JsonOption = False) -> None:
    """List the designs."""
    from totient.catalog import designs

    if as_json:
        print_json({"designs": [_entry(design.name) for design in designs()]})
        return
    show_table(
        ("design", "row", "what it is", "time by default", "parameters"),
        (
            (
                design.name,
                ", ".join(design.rows),
                design.title,
                design.configure().timing.words,
                ", ".join(parameter.name for parameter in design.parameters),
            )
            for design in designs()
        ),
        left=5,
    )


def show(design: DesignArgument, as_json: JsonOption = False) -> None:
    """Show a design: parameters, timing, cycle formulas."""
    from totient.catalog import select

    entry = _entry(design)
    if as_json:
        print_json(entry)
        return
    chosen = select(design)
    found = chosen.design
    print(f"{found.name} ({', '.join(found.rows)}): {found.title}")
    print(f"  source         {found.source}")
    print(f"  core           {found.module}, FuseSoC {found.core}")
    print(f"  with a stream  {found.ip_module}, FuseSoC {found.ip_core}")
    print(f"  time           {chosen.timing.words}")
    print(f"  load key       {found.setup_formula} cycles")
    print(f"  exponentiate   {found.operation_formula} cycles")
    print(f"  configurations {', '.join(found.configurations)}\n")
    show_table(
        ("parameter", "RTL", "allowed", "value", "meaning"),
        (
            (p.name, p.rtl, p.allowed, str(chosen.parameters[p.name]), p.text)
            for p in found.parameters
        ),
        left=5,
    )


def _entry(name: str) -> dict[str, object]:
    """A catalog entry, for programs."""
    from totient.catalog import select

    chosen = select(name)
    design = chosen.design
    return {
        "name": design.name,
        "title": design.title,
        "rows": {row: dict(parameters) for row, parameters in design.rows.items()},
        "source": design.source,
        "core": design.core,
        "module": design.module,
        "ip_core": design.ip_core,
        "ip_module": design.ip_module,
        "timing": chosen.timing.name.lower().replace("_", "-"),
        "setup_formula": design.setup_formula,
        "operation_formula": design.operation_formula,
        "configurations": {key: dict(values) for key, values in design.configurations.items()},
        "parameters": [
            {
                "name": p.name,
                "rtl": p.rtl,
                "value": chosen.parameters[p.name],
                "allowed": p.allowed,
                "text": p.text,
            }
            for p in design.parameters
        ],
    }
