"""RTL as read by the flow: a top module with its sources, the same on every machine."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from totient.catalog import SourceList, Top, sources
from totient.common.cache import digest
from totient.common.errors import ToolError

# A string (kept), a line comment, a block comment. The line comment stops before a backslash at the
# end of its line, which continues a macro.
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//(?:[^\\\n]|\\(?!\n))*|/\*.*?\*/', re.DOTALL)


def without_comments(text: str) -> str:
    """SystemVerilog text without comments, empty lines and spaces at the ends of lines."""
    bare = _COMMENT.sub(lambda match: match[1] or " ", text)
    return "".join(f"{line.rstrip()}\n" for line in bare.splitlines() if line.strip())


@dataclass(frozen=True)
class Rtl:
    """A top module to synthesise.

    Attributes:
        sources: files and headers, from `totient.catalog.sources`.
        top: name of the top module.
        parameters: values of its parameters, by SystemVerilog name: numbers, or their text.
        generated: further files by name, without comments: Verilog (`.v`), compiled after the
            others, and files that it reads.
    """

    sources: SourceList
    top: str
    parameters: Mapping[str, int | str]
    generated: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Text of every file without comments, by its path below the folder common to them all.

        Yosys makes names from paths and line numbers, and the placer's result depends slightly on
        names.
        Figures are therefore made from these texts: they do not change with a comment or with the
        folder of the clone.

        Raises:
            ToolError: a file cannot be read.
        """
        paths = [path.resolve() for path in (*self.sources.files, *self.sources.headers)]
        common = Path(os.path.commonpath([path.parent for path in paths]))
        try:
            texts = [without_comments(path.read_text()) for path in paths]
        except OSError as error:
            raise ToolError(f"cannot read {error.filename}: {error.strerror}") from error
        names = (str(path.relative_to(common)) for path in paths)
        return {**dict(zip(names, texts, strict=True)), **self.generated}

    @property
    def files(self) -> list[str]:
        """Names in `texts` of the files to compile, dependencies first."""
        generated = [name for name in self.generated if name.endswith(".v")]
        return [*list(self.texts)[: len(self.sources.files)], *generated]

    @property
    def headers(self) -> list[str]:
        """Names in `texts` of the included files."""
        first = len(self.sources.files)
        return list(self.texts)[first : first + len(self.sources.headers)]

    @cached_property
    def digest(self) -> str:
        """Content address of the module: texts, top and parameters."""
        return digest(json.dumps([self.files, self.texts, self.top, dict(self.parameters)]))

    def write(self, folder: Path) -> None:
        """Write `texts` below `folder`."""
        for name, text in self.texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def top_rtl(top: Top) -> Rtl:
    """The top for simulation and routing, with the faces of a design or an IP."""
    return Rtl(sources(top.core), top.module, top.parameters)
