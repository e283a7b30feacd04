"""Write the tables and figures of the documents again, with the commands next to them; notebooks.

A table stands between `<!-- totient ... -->`, its command, and `<!-- end -->`. The tables of tests
that run for hours have commands `python -m tests... --table`. For a figure the text contains the
command, with `--plot docs/figures/...`.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from docs.execute import NOTEBOOKS, rewrite

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("[!.]*/README.md"), *(ROOT / "docs").rglob("*.md")]
)
TABLE = re.compile(
    r"(<!-- (totient [^\n]*|python -m tests[^\n]* --table) -->\n)(.*?)(\n?<!-- end -->)", re.DOTALL
)
_FIGURE = re.compile(
    r"`(totient (?:reproduce \w+|compare-(?:engine|power)|compare --op \w+|explore [^`]*?))"
    r" --plot (docs/figures/\S+)`"
)


def tables() -> Iterator[tuple[str, str]]:
    """The command and the text of every table."""
    for path in DOCUMENTS:
        for match in TABLE.finditer(path.read_text()):
            yield match[2], match[3].strip()


def figures() -> Iterator[tuple[str, str]]:
    """The command of every figure, without its file, and the file."""
    for path in DOCUMENTS:
        yield from _FIGURE.findall(path.read_text())


def environment(line: str, folder: Path) -> dict[str, str]:
    """Changes to a command's environment: what a user has measured does not change a document.

    Args:
        line: the command.
        folder: empty; for a cache.
    """
    return {"TOTIENT_CACHE": str(folder)} if line.startswith("totient explore") else {}


def run(line: str, *further: str) -> str:
    """What a command prints, with further words."""
    name, *words = shlex.split(line)
    programs = {"totient": str(Path(sys.executable).parent / "totient"), "python": sys.executable}
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(
            [programs[name], *words, *further],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | environment(line, Path(folder)),
        )
    return made.stdout.strip()


def main() -> None:
    """Write them, and name the files that have changed."""
    for path in DOCUMENTS:
        text = path.read_text()
        made = TABLE.sub(lambda match: f"{match[1]}{run(match[2])}\n<!-- end -->", text)
        if made != text:
            path.write_text(made)
            print(path.relative_to(ROOT))
    for line, figure in figures():
        file = ROOT / figure
        before = file.read_bytes() if file.exists() else b""
        run(line, "--plot", figure)
        if file.read_bytes() != before:
            print(figure)
    for notebook in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            if rewrite(notebook, Path(folder)):
                print(notebook.relative_to(ROOT))


if __name__ == "__main__":
    main()
