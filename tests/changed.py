"""Runs the tests of the changed files, or of a part of everything: `make check`.

The changed files are those not committed in git, else those of the last commit. If no
test belongs to them, a part of all tests is run, the same one each time. It is for quick answers:
`make test` and `make lint` are the whole truth.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PART = ("-m", "not slow", "--part", "20", "tests")
"""Options of pytest for a part of everything: one test in so many."""

Run = Sequence[str]
"""Options of one run of pytest."""


def runs_for(changed: Iterable[str]) -> list[Run]:
    """The runs that belong to changed files, whose names are relative to the root."""
    paths: set[str] = set()
    words: set[str] = set()
    for name in changed:
        path = Path(name)
        part = path.parts[0]
        if part == "tests":
            paths |= _tests(path)
        elif path.suffix in (".sv", ".core", ".sby") and part in ("rtl", "formal"):
            for stem in _modules(path):
                words.add(stem)
                paths |= {str(found) for found in _below("tests/rtl", f"test_{stem}.py")}
        elif name.startswith(("driver/pkcs11/", "driver/provider/", "src/totient/token/")):
            paths.add("tests/pkcs11")
        elif name.startswith("src/totient/") and len(path.parts) > 3:
            paths |= {f"tests/unit/{path.parts[2]}", "tests/lint/test_python.py"}
        elif part in ("driver", "firmware"):
            paths.add(f"tests/{part}")
        elif part == "contract":
            paths.add("tests/lint/test_generated.py")
        elif path.suffix == ".md" or part in ("results", "docs"):
            paths.add("tests/lint/test_documents.py")
    runs: list[Run] = []
    if existing := sorted(each for each in paths if (ROOT / each).exists()):
        runs.append(("-m", "not slow", *existing))
    if words:
        runs.append(("-k", " or ".join(sorted(words)), "tests/lint/test_rtl.py", "tests/formal"))
    return runs


def _tests(path: Path) -> set[str]:
    """A test itself; of what several tests share, its folder."""
    return {str(path) if path.name.startswith("test_") else str(path.parent)}


def _modules(path: Path) -> set[str]:
    """A module, and where its file is a part of another one's core that one, too."""
    stem = path.stem.removesuffix("_formal")
    owners = {
        core.stem
        for core in (ROOT / "rtl").rglob("*.core")
        if re.search(rf"\b{re.escape(path.stem)}\.sv\b", core.read_text())
    }
    return {stem} | owners


def _below(folder: str, name: str) -> list[Path]:
    return [found.relative_to(ROOT) for found in (ROOT / folder).rglob(name)]


def changed_files() -> list[str]:
    """Files that are not committed, else those of the last commit."""
    for command in (("status", "--porcelain", "-uall"), ("show", "--name-only", "--format=")):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True)
        skipped = 3 if command[0] == "status" else 0
        lines = [line[skipped:].rpartition(" -> ")[2] for line in done.stdout.splitlines()]
        if found := [line for line in lines if line]:
            return found
    return []


def main(options: Sequence[str]) -> int:
    """Run them with further options of pytest; exit status 1 if one fails."""
    runs = runs_for(changed_files()) or [PART]
    failed = False
    for run in runs:
        print(f"pytest {' '.join(run)}", flush=True)
        done = subprocess.run([sys.executable, "-m", "pytest", *options, *run], cwd=ROOT)
        # 5: nothing was selected.
        failed = failed or done.returncode not in (0, 5)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
