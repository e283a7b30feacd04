"""Writes what is generated from the register maps: SystemVerilog, C, Python's data and HTML pages.

`make contract` runs it; a test runs it into another folder and compares. Each register map
`contract/X.rdl` gives

- `rtl/bus/X.sv` and `rtl/bus/X_pkg.sv`,
- `driver/include/totient/X.h`,
- `src/totient/catalog/registers/X.json`, from which `totient show` and the datasheets have tables,
- `src/totient/catalog/registers/X.xml`, the memory map of an exported IP (IP-XACT),
- a page in `build/registers/X`, which is too large to be kept.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from peakrdl_ipxact.exporter import IPXACTExporter
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, MemNode, Node, RegNode

ROOT = Path(__file__).parents[1]
_BUS = (
    "--cpuif",
    "axi4-lite-flat",
    "--default-reset",
    "rst_n",
    "--err-if-bad-addr",
    "--err-if-bad-rw",
)
# Its structs are written member by member; protection and byte addresses are not looked at, and
# whoever uses it does not need its sizes.
_LINT = "".join(
    f"/* verilator lint_off {rule} */\n" for rule in ("MULTIDRIVEN", "UNUSEDSIGNAL", "UNUSEDPARAM")
)


def _peakrdl(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "peakrdl", *map(str, arguments)], check=True)


_KEPT = (
    ("axil_wvalid <= '0;\n            end", "axil_wdata <= '0;\n"),
    (
        "axil_resp_rptr <= axil_resp_rptr + 1'b1;\n",
        "axil_resp_buffer_rdata[axil_resp_rptr[0:0]] <= '0;\n",
    ),
)
"""Where the generated bus interface is done with a word, and what makes it forget the word."""


def _forgetful(rtl: str) -> str:
    """A generated block whose bus interface keeps no word that has been written or read."""
    for done, forget in _KEPT:
        if rtl.count(done) != 1:
            raise SystemExit(f"PeakRDL's bus interface has changed: {done!r} is not there once")
        line, newline, rest = done.partition("\n")
        rtl = rtl.replace(done, f"{line}{newline}{16 * ' '}{forget}{rest}")
    return rtl


def _c99(header: str) -> str:
    """A generated header without what came with C11: assertions, unions without a name."""
    header = header.replace("#include <assert.h>\n", "")
    header = re.sub(r"(union \{\s+\w+ (\w+);\s+\w+ (\w+);\s+\});", r"\1 \2_\3;", header)
    return re.sub(
        r"static_assert\(sizeof\((\w+)\) == (\w+), .*\);",
        r"typedef char \1_is_packed[sizeof(\1) == \2 ? 1 : -1];",
        header,
    )


def _compiled(source: Path) -> AddrmapNode:
    """A register map."""
    compiler = RDLCompiler()
    compiler.compile_file(str(source))
    (found,) = compiler.elaborate().children()
    assert isinstance(found, AddrmapNode)
    return found


def _text(node: Node, *, titled: bool = False) -> str:
    """What it is, in one line: its description, else, if `titled`, its title."""
    title = node.get_property("name") if titled else node.inst_name
    told = node.get_property("desc") or ("" if title == node.inst_name else title)
    return " ".join(told.split())


def _registers(top: AddrmapNode, source: Path) -> str:
    """Every register and memory of a map with what it means, as JSON."""
    found = {}
    for node in top.children():
        if isinstance(node, MemNode):
            words, read, write = node.get_property("mementries"), *_access([node])
        elif isinstance(node, RegNode):
            words, read, write = node.size // 4, *_access(list(node.fields()))
        else:
            raise SystemExit(f"{source}: {node.inst_name} is neither a register nor a memory")
        fields = list(node.fields()) if isinstance(node, RegNode) else []
        found[node.inst_name] = {
            "offset": node.address_offset,
            "words": words,
            "access": "r" * read + "w" * write,
            "text": _text(node, titled=len(fields) < 2),
            "fields": [[each.inst_name, each.high, each.low, _text(each)] for each in fields],
        }
    return json.dumps(found, indent=1) + "\n"


def _access(nodes: list[Any]) -> tuple[bool, bool]:
    """Whether software can read, and write, any of them."""
    return (
        any(node.is_sw_readable for node in nodes),
        any(node.is_sw_writable for node in nodes),
    )


class _MemoryMap(IPXACTExporter):  # type: ignore[misc]
    """Registers as one address block, and each memory, which PeakRDL leaves out, as a further one.

    Blocks must not overlap, so the registers' one ends where they end.
    """

    def add_addressBlock(self, parent: Any, node: Any) -> None:  # noqa: N802
        super().add_addressBlock(parent, node)
        if not isinstance(node, AddrmapNode):
            return
        ends = [each.address_offset + each.size for each in node.registers()]
        (size,) = parent.lastChild.getElementsByTagName("ipxact:range")
        size.firstChild.data = self.hex_str(max(ends))
        for each in node.children():
            if isinstance(each, MemNode):
                super().add_addressBlock(parent, each)

    def add_registerData(self, parent: Any, node: Any) -> None:  # noqa: N802
        for each in node.registers():
            self.add_register(parent, each)


def generate(target: Path) -> None:
    """Write every generated file below `target`, which is laid out like the project."""
    for source in sorted((ROOT / "contract").glob("*.rdl")):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _peakrdl("regblock", source, "-o", folder, *_BUS)
            rtl = target / "rtl" / "bus"
            rtl.mkdir(parents=True, exist_ok=True)
            for file in folder.iterdir():
                text = file.read_text()
                text = text if file.stem.endswith("_pkg") else _forgetful(text)
                (rtl / file.name).write_text(_LINT + text)
        header = target / "driver" / "include" / "totient" / f"{source.stem}.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        _peakrdl("c-header", source, "-o", header)
        header.write_text(_c99(header.read_text()))
        top = _compiled(source)
        addresses = target / "src" / "totient" / "catalog" / "registers" / f"{source.stem}.json"
        addresses.parent.mkdir(parents=True, exist_ok=True)
        addresses.write_text(_registers(top, source))
        exporter = _MemoryMap(vendor="totient", library="regs", version="1")
        exporter.export(top, str(addresses.with_suffix(".xml")))
        page = target / "build" / "registers" / source.stem
        shutil.rmtree(page, ignore_errors=True)
        _peakrdl("html", source, "-o", page, "--title", top.get_property("name"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write what is generated from the register maps.")
    parser.add_argument(
        "target", nargs="?", type=Path, default=ROOT, help="folder; that of the project by default"
    )
    generate(parser.parse_args().target)
