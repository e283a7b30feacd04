"""File lists from the FuseSoC `.core` files beside the RTL, the only lists there are."""

import contextlib
import io
import json
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.common.files import project_root

# fusesoc is imported on use: the command line requires only the catalog's names.
if TYPE_CHECKING:
    from fusesoc.coremanager import CoreManager


@dataclass(frozen=True)
class SourceList:
    """Sources of a core and of all its dependencies.

    Attributes:
        files: SystemVerilog files to compile, dependencies first.
        headers: files that are included by others.
    """

    files: tuple[Path, ...]
    headers: tuple[Path, ...]

    @property
    def include_folders(self) -> tuple[Path, ...]:
        """Folders to search for headers."""
        return tuple(dict.fromkeys(header.parent for header in self.headers))


@cache
def _manager(root: Path) -> "CoreManager":
    from fusesoc.config import Config
    from fusesoc.coremanager import CoreManager
    from fusesoc.librarymanager import Library

    manager = CoreManager(Config())
    with contextlib.redirect_stdout(io.StringIO()):
        manager.add_library(Library("totient", str(root)), [])
    return manager


@cache
def sources(core: str, *, tool: str = "") -> SourceList:
    """The source list of a FuseSoC core, from the cache or resolved now.

    Args:
        core: vendor:library:name, for instance `totient:modexp:binary`.
        tool: consumer of the files, if relevant: `verilator` adds models of vendor cells, `vivado`
            leaves out its own cells.

    Raises:
        ToolError: no `.core` file defines it.
    """
    root = project_root() / "rtl"

    def resolve(folder: Path) -> None:
        found = _resolved(root, core, tool)
        lists = [[str(path.relative_to(root)) for path in each] for each in found]
        (folder / "sources.json").write_text(json.dumps(lists))

    try:
        folder = produce("sources", digest(core, tool, _described(root)), resolve)
    except ToolError:
        # No such core, which the next line says; or no cache, which this must not need.
        return SourceList(*map(tuple, _resolved(root, core, tool)))
    files, headers = json.loads((folder / "sources.json").read_text())
    return SourceList(tuple(root / each for each in files), tuple(root / each for each in headers))


@cache
def _described(root: Path) -> str:
    """Digest of all `.core` files, and of what reads them."""
    cores = (
        part
        for path in sorted(root.rglob("*.core"))
        for part in (str(path.relative_to(root)), path.read_bytes())
    )
    return digest(version("fusesoc"), *cores)


def _resolved(root: Path, core: str, tool: str) -> tuple[list[Path], list[Path]]:
    """Files and headers, by FuseSoC. Errors as for `sources`."""
    from fusesoc.coremanager import DependencyError
    from fusesoc.vlnv import Vlnv

    flags = {"target": "default", "tool": tool, "is_toplevel": True}
    try:
        parts = _manager(root).get_depends(Vlnv(core), flags)
    except (DependencyError, RuntimeError) as error:
        raise ToolError(f"no complete FuseSoC core {core} under {root}: {error}") from error
    files: list[Path] = []
    headers: list[Path] = []
    for part in parts:
        for entry in part.get_files({**flags, "is_toplevel": part.name == Vlnv(core)}):
            path = Path(part.core_root) / entry["name"]
            (headers if entry.get("is_include_file") else files).append(path)
    return files, headers
