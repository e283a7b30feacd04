"""Makes the list of generated mutants anew: `python -m tests.mutation.generate`.

Lines of the files below are drawn, and on each one operator, constant or statement is changed. The
list is kept, so that every run has the same mutants. Equivalent ones are marked in it by hand; the
reasons of those that are drawn again stay.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from tests.mutation.mutants import FOLDER, ROOT, mutants

GENERATED = FOLDER / "generated.toml"
SEED = 1

SHARES: Mapping[str, int] = MappingProxyType(
    {
        "rtl/engine/*.sv": 30,
        "rtl/mod*/*.sv": 10,
        "rtl/bus/*.sv": 10,
        "rtl/ip/*.sv": 5,
        "rtl/keygen/*.sv": 5,
        "rtl/prim/*.sv": 4,
        "src/totient/engine/*.py": 12,
        "driver/src/*.c": 12,
        "firmware/**/*.c": 8,
        "src/totient/rsa/*.py": 12,
        "src/totient/device/*.py": 6,
        "src/totient/measure/*.py": 3,
        "src/totient/campaigns/*.py": 1,
        "src/totient/catalog/*.py": 6,
        "src/totient/flow/*.py": 4,
        "src/totient/token/*.py": 4,
    }
)
"""Number of mutants by files."""

_NOT = ("_pkg.sv", "_registers.sv", "__init__.py", "DP16KD.sv", "RAMB18E1.sv")

# A pattern, what takes its place, and the suffixes of the files that it is for.
_CHANGES: tuple[tuple[str, str | Callable[[re.Match[str]], str], str], ...] = (
    (r" == ", " != ", ".sv.py.c"),
    (r" != ", " == ", ".sv.py.c"),
    (r" && ", " || ", ".sv.c"),
    (r" \|\| ", " && ", ".sv.c"),
    (r" and ", " or ", ".py"),
    (r" or ", " and ", ".py"),
    (r" \+ ", " - ", ".sv.py.c"),
    (r" - ", " + ", ".sv.py.c"),
    (r" < ", " <= ", ".sv.py.c"),
    (r" > ", " >= ", ".sv.py.c"),
    (r" >= ", " > ", ".sv.py.c"),
    (r" & ", " | ", ".sv.py.c"),
    (r" \| ", " & ", ".sv.py.c"),
    (r" ([1-9]\d*)\b(?!')", lambda found: f" {int(found[1]) + 1}", ".sv.py.c"),
    (r"1'b0", "1'b1", ".sv"),
    (r"1'b1", "1'b0", ".sv"),
    (r"'0;", "'1;", ".sv"),
    (r"\bif \(", "if (!", ".sv.c"),
    (r"\bif ", "if not ", ".py"),
    (r"\bTrue\b", "False", ".py"),
    (r"\bFalse\b", "True", ".py"),
    (r"^(\s+)\w[\w\[\].:\-> ]* <= [^;]*;$", r"\1;", ".sv"),
    (r"^(\s+)\w+\([^;]*\);$", r"\1;", ".c"),
)

# Comments, declarations and texts: a change there changes no behaviour, or is no small defect.
_SKIPPED = re.compile(
    r"^\s*(//|/\*|\*|#|'|import |from |localparam|parameter|typedef|`|assert|raise |@|def |class )"
    r"|//|/\*|\"|REQUIRE|ASSERT|unused|: \w+ \| None"
)


def changed_lines(path: Path) -> Iterator[tuple[str, str]]:
    """All changes of one line of a file: the line, which is there once, and the changed one."""
    text = path.read_text()
    in_text = False
    for line in text.splitlines():
        quotes = line.count('"""')
        if in_text or quotes:
            in_text ^= quotes % 2 == 1
            continue
        if _SKIPPED.search(line) or text.count(line) != 1 or len(line.strip()) < 8:
            continue
        for pattern, change, suffixes in _CHANGES:
            if path.suffix in suffixes and (found := re.search(pattern, line)):
                new = found.expand(change) if isinstance(change, str) else change(found)
                yield line, line[: found.start()] + new + line[found.end() :]


def main() -> None:
    """Draw, and write the list."""
    draw = random.Random(SEED)
    reasons = {(each.file, each.new): each.equivalent for each in mutants() if each.equivalent}
    parts = []
    for pattern, count in SHARES.items():
        files = [path for path in sorted(ROOT.glob(pattern)) if not path.name.endswith(_NOT)]
        every = [(path, *change) for path in files for change in changed_lines(path)]
        for path, old, new in draw.sample(every, count):
            name = str(path.relative_to(ROOT))
            assert path.read_text().count(old) == 1, (name, old)
            lines = ["[[mutant]]", f"file = {name!r}", f"old = '''{old}'''", f"new = '''{new}'''"]
            if reason := reasons.get((name, new)):
                lines.append(f'equivalent = "{reason}"')
            parts.append("\n".join(lines))
    head = "# Written by `python -m tests.mutation.generate`, but for the lines `equivalent`.\n"
    GENERATED.write_text(f"{head}\n" + "\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
