"""Writes the parameters of the tops under `rtl/ip` into their `.core` files.

Names, order and types come from the SystemVerilog module, texts from the catalog. `make contract`
runs it; a test runs it into another folder and compares.
"""

import argparse
import re
import textwrap
from pathlib import Path

from totient.catalog.modules import parameter_texts

ROOT = Path(__file__).parents[1]
_PARAMETER = re.compile(
    r"^\s*parameter\s+(?P<type>[\w\[\]: -]+?)\s+(?P<name>\w+)\s*=", re.MULTILINE
)
OMITTED = {"FarLinks", "Modulus", "Exponent"}
"""Numbers longer than 32 bits. FuseSoC hands on short numbers and texts, and a text of digits would
become a number of their ASCII codes. Who uses the IP sets them in an instance."""


def with_parameters(core: str, module: str, texts: dict[str, str]) -> str:
    """A `.core` file with the parameters of its module.

    Args:
        core: text of the file.
        module: text of the module.
        texts: what each parameter means.

    Raises:
        KeyError: a parameter has no text.
    """
    types = {
        found["name"]: "str" if "[" in found["type"] else "int"
        for found in _PARAMETER.finditer(module)
        if found["name"] not in OMITTED
    }
    head, targets = re.split(r"^(?=targets:)", core, flags=re.MULTILINE)
    head = re.split(r"^parameters:", head, flags=re.MULTILINE)[0]
    targets = re.sub(r"^    parameters: \[[^\]]*\]\n", "", targets, flags=re.MULTILINE)
    if not types:
        return head + targets
    entries = "".join(
        f"  {name}:\n    datatype: {datatype}\n    paramtype: vlogparam\n"
        f'    description: "{texts[name]}"\n'
        for name, datatype in types.items()
    )
    names = textwrap.fill(
        f"    parameters: [{', '.join(types)}]", width=100, subsequent_indent=" " * 17
    )
    targets = re.sub(r"^(    toplevel: .*\n)", rf"\1{names}\n", targets, flags=re.MULTILINE)
    return f"{head}parameters:\n{entries}{targets}"


def generate(target: Path) -> None:
    """Write the `.core` file of every top below `target`, which is laid out like the project."""
    for core in sorted((ROOT / "rtl" / "ip").glob("*.core")):
        path = target / core.relative_to(ROOT)
        path.parent.mkdir(parents=True, exist_ok=True)
        module = core.with_suffix(".sv").read_text()
        path.write_text(with_parameters(core.read_text(), module, parameter_texts(core.stem)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the parameters of .core files.")
    parser.add_argument(
        "target", nargs="?", type=Path, default=ROOT, help="folder; that of the project by default"
    )
    generate(parser.parse_args().target)
