"""Runs the mutants: `python -m tests.mutation.run`.

Each is put into a copy of the project. The tests of its file run there until one fails or their
time is over. The one that failed must succeed in the copy without the mutant. Verdicts are kept in
`results/campaigns/mutation.json` as soon as they are there. A mutant that has one is run with
`--again` only. Exit status 1 if less than 97 % are noticed, or if some have no verdict; with
`--table` it is 0.
"""

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutation.mutants import AREAS, ROOT, Mutant, mutants
from totient.common.progress import bar
from totient.report.table import Column, Table, columns
from totient.report.values import Value, grouped, percent

KEPT = ROOT / "results" / "campaigns" / "mutation.json"
LEAST_RATE = 0.97
SECONDS = 600
"""Limit of a mutant's tests. One that is not noticed by then counts as not noticed."""

NOTICED, UNNOTICED, LATE, EQUIVALENT = "noticed", "not noticed", "not in time", "equivalent"
ALWAYS = "fails without it"
_FAILED = 1  # pytest's exit status, of failed tests
_BROKEN = (2, 3, 4)  # it was interrupted by errors, as by a module that cannot be imported
_NO_TESTS = 5


@dataclass(frozen=True)
class Verdict:
    """What the tests said of a mutant.

    Attributes:
        mutant: in words.
        area: of its file.
        verdict: `NOTICED`, `UNNOTICED`, `LATE`, `EQUIVALENT`, or `ALWAYS`: so does the test that
            failed, or the assembler.
        seconds: until the first test failed, or all had passed.
        by: the test that failed, or why none can.
    """

    mutant: str
    area: str
    verdict: str
    seconds: float
    by: str


def judge(mutant: Mutant, cache: Path) -> Verdict:
    """Run the tests of a mutant in a copy of the project.

    Args:
        mutant: to run.
        cache: for what is built of it.
    """
    if mutant.equivalent:
        return Verdict(mutant.words, mutant.area, EQUIVALENT, 0, mutant.equivalent)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="totient-mutant-") as folder:
        root = copy_of(Path(folder) / "totient")
        before = (root / mutant.file).read_text()
        mutant.put_into(root)
        verdict, by = _tested(mutant, mutant.runs, root, cache, start + SECONDS)
        seconds = round(time.monotonic() - start, 1)
        if verdict == NOTICED:
            (root / mutant.file).write_text(before)
            found, _ = _tested(mutant, [[by]], root, cache, time.monotonic() + SECONDS)
            verdict = NOTICED if found == UNNOTICED else ALWAYS
    return Verdict(mutant.words, mutant.area, verdict, seconds, by)


def copy_of(root: Path) -> Path:
    """A clone of the project with what is not committed, and with this one's environment."""
    subprocess.run(["git", "clone", "-q", "--shared", ROOT, root], check=True)
    listed = ["git", "-C", str(ROOT), "ls-files", "-z", "-m", "-o", "--exclude-standard"]
    changed = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    for name in filter(None, changed.split("\0")):
        (root / name).unlink(missing_ok=True)
        if (ROOT / name).exists():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    (root / ".venv").symlink_to(ROOT / ".venv")
    return root


def _tested(
    mutant: Mutant, runs: Sequence[Sequence[str]], root: Path, cache: Path, end: float
) -> tuple[str, str]:
    """Verdict of runs of tests, and the test that failed."""
    if mutant.area == "program":
        package = "rtl/engine/engine_program_pkg.sv"
        status, _ = _run(["-m", "totient.engine.rom", package], root, cache, end)
        if status:  # this test assembles it, too
            return NOTICED, "tests/unit/engine/test_program.py"
    for options in runs:
        command = ["-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *options]
        status, text = _run(command, root, cache, end)
        if status is None:
            return LATE, f"{SECONDS} s"
        if status == _FAILED or status in _BROKEN or status < 0:
            return NOTICED, _first(text)
        assert status in (0, _NO_TESTS), text
    return UNNOTICED, ""


def _run(arguments: Sequence[str], root: Path, cache: Path, end: float) -> tuple[int | None, str]:
    """Run Python in the copy; exit status `None` if it took too long."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{root / 'src'}:{root}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TOTIENT_CACHE": str(cache),
    }
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as child:
        try:
            text, _ = child.communicate(timeout=max(1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return None, ""
    return child.returncode, text


def _first(text: str) -> str:
    """The test that failed, in pytest's summary."""
    _, _, summary = text.rpartition(" short test summary info ")
    found = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", summary, re.MULTILINE)
    return found[1] if found else _last(text)


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else ""


def kept() -> dict[str, Verdict]:
    """The kept verdicts, by mutant in words."""
    if not KEPT.exists():
        return {}
    found = (Verdict(**each) for each in json.loads(KEPT.read_text()))
    return {each.mutant: each for each in found}


def keep(verdicts: Iterable[Verdict]) -> None:
    """Write the verdicts, one line each."""
    lines = ",\n".join(json.dumps(asdict(each)) for each in verdicts)
    KEPT.write_text(f"[\n{lines}\n]\n")


def judged(chosen: Sequence[Mutant], jobs: int) -> Iterator[Verdict]:
    """Run mutants at once, with a bar; each verdict as soon as it is there."""
    cache = ROOT / "build" / "mutation"
    cache.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool, bar("mutants", len(chosen)) as progress:
        for verdict in pool.map(lambda each: judge(each, cache), chosen):
            progress.advance()
            yield verdict


def rate(verdicts: Iterable[Verdict]) -> float:
    """Share of the mutants that are noticed, equivalent ones apart; 0 of none."""
    counted = [each.verdict == NOTICED for each in verdicts if each.verdict != EQUIVALENT]
    return sum(counted) / len(counted) if counted else 0


def table(verdicts: Mapping[str, Verdict], every: int) -> Table:
    """Mutants by area.

    Args:
        verdicts: those that are kept.
        every: number of all mutants.
    """
    by_area: dict[str, list[Verdict]] = defaultdict(list)
    for each in verdicts.values():
        by_area[each.area].append(each)
    rows = [_row(area, by_area[area]) for area in AREAS.values() if by_area[area]]
    if verdicts:
        rows.append(_row("all", [*verdicts.values()]))
    headings = ("mutants", EQUIVALENT, NOTICED, UNNOTICED, LATE, ALWAYS)
    shown = [Column("area"), *columns(grouped, *headings), Column("rate", percent)]
    times = columns(grouped, "median s", "longest s")
    note = (
        "seconds: from the copy of the project to the first test that fails, builds included. "
        f"Not in time: not within {SECONDS} s"
    )
    without = f"{every - len(verdicts)} of {every} mutants have no kept verdict"
    notes = [without, note] if len(verdicts) < every else [note]
    return Table("Mutants that the tests notice", [*shown, *times], rows, notes)


def _row(area: str, found: Sequence[Verdict]) -> list[Value]:
    counts = [
        sum(each.verdict == verdict for each in found)
        for verdict in (EQUIVALENT, NOTICED, UNNOTICED, LATE, ALWAYS)
    ]
    seconds = [each.seconds for each in found if each.verdict == NOTICED] or [0]
    times = [round(statistics.median(seconds)), round(max(seconds))]
    return [area, len(found), *counts, rate(found), *times]


def main() -> int:
    """Run them, or show the kept verdicts; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="parts of the mutants' files or changes")
    parser.add_argument("--again", action="store_true", help="also those that have a verdict")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once")
    parser.add_argument("--table", action="store_true", help="run nothing, print Markdown")
    words = parser.parse_args()
    known = kept()
    every = mutants()
    if not words.table:
        chosen = [
            each
            for each in every
            if (words.again or each.words not in known)
            and (not words.only or any(part in each.words for part in words.only))
        ]
        for verdict in judged(chosen, words.jobs):
            known[verdict.mutant] = verdict
            keep(known[each.words] for each in every if each.words in known)
            if verdict.verdict != EQUIVALENT:
                print(f"{verdict.verdict:12} {verdict.seconds:6.1f} s  {verdict.mutant}")
                print(f"{'':22}{verdict.by}", flush=True)
    present = {each.words: known[each.words] for each in every if each.words in known}
    shown = table(present, len(every))
    if words.table:
        print(shown.markdown)
        return 0
    shown.show("mutants")
    return int(rate(present.values()) < LEAST_RATE or len(present) < len(every))


if __name__ == "__main__":
    sys.exit(main())
