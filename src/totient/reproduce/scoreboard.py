"""The rows of all papers in one table, each with the verdict of its check."""

import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from totient.common.errors import TotientError
from totient.common.files import project_root
from totient.common.progress import bar
from totient.report import Column, Report, Table
from totient.report.words import listed
from totient.reproduce.paper import Paper
from totient.reproduce.rows import ROWS, Row, Trial

WORKS, DIFFERS, FAILS, MISSING = "works", "works, differs", "FAILS", "MISSING"
"""Verdicts. The second one has a named difference from the document."""

TABLE = "rows"

_BROKEN = (TotientError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors of a check. They are a fault of its row, and the other rows are still shown."""


@dataclass(frozen=True)
class Verdict:
    """The result of a row's check.

    Attributes:
        name: of the row.
        row: it; `None` if no paper's module has it.
        trial: its check, done.
    """

    name: str
    row: Row | None
    trial: Trial

    @property
    def word(self) -> str:
        """One of the verdicts. A check that compares nothing is missing."""
        if self.trial.faults:
            return FAILS
        if self.row is None or not self.trial.checks:
            return MISSING
        return DIFFERS if self.trial.differences else WORKS

    @property
    def passed(self) -> bool:
        """Whether the row works."""
        return self.word in (WORKS, DIFFERS)

    @property
    def remarks(self) -> str:
        """The faults, or else the differences from the document."""
        return ". ".join(self.trial.faults or self.trial.differences)

    @property
    def system(self) -> str:
        """What the row is."""
        return self.row.system if self.row else "not in its paper's module"

    @property
    def command(self) -> str:
        """The command that runs it."""
        return self.row.command if self.row else ""

    @property
    def checks(self) -> int:
        """Number of comparisons."""
        return self.trial.checks


def judge(papers: Mapping[str, Paper[Any]]) -> list[Verdict]:
    """The verdicts of all rows, in the order of the papers' rows.

    Nothing is measured: a Record that is missing, or of other RTL, is a fault of the row.

    Args:
        papers: by name.
    """
    verdicts = []
    with bar("rows of the papers", total=sum(map(len, ROWS.values()))) as progress:
        for paper, names in ROWS.items():
            known = {row.name: row for row in papers[paper].rows}
            for name in [*names, *sorted(set(known) - set(names))]:
                progress.describe(f"row {name}")
                verdicts.append(_tried(name, known.get(name)))
                progress.advance()
    return verdicts


def _tried(name: str, row: Row | None) -> Verdict:
    trial = Trial()
    if row:
        try:
            row.check(trial)
        except _BROKEN as error:
            trial.faults.append(f"{type(error).__name__}: {error}")
    return Verdict(name, row, trial)


def run_commands(verdicts: Iterable[Verdict]) -> None:
    """Run the command of each row, a repeated one once; a failure is a fault of its rows.

    Args:
        verdicts: of the rows, to which faults are added.
    """
    done: dict[tuple[str, str], str] = {}
    given = [(each.row, each) for each in verdicts if each.row and each.row.command]
    with bar("commands of the rows", total=len(given)) as progress:
        for row, verdict in given:
            progress.describe(row.command)
            ran = row.command, row.shows
            if ran not in done:
                done[ran] = _failure(*ran)
            verdict.trial.checks += 1
            if failure := done[ran]:
                verdict.trial.faults.append(failure)
            progress.advance()


def _failure(command: str, shows: str) -> str:
    """Run a command with this Python; what is wrong with its end or its output, else nothing."""
    spoken, _, piped = command.rpartition(" | ")
    _, *given = shlex.split(spoken) or [""]  # after `echo`
    program, *words = shlex.split(piped)
    module = [sys.executable, "-m", program.rpartition("/")[2]]
    ran = subprocess.run(
        [*module, *words],
        cwd=project_root(),
        input=" ".join(given),
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode == 0:
        return "" if shows in ran.stdout else f"`{command}` does not print `{shows}`"
    said = (ran.stderr.strip() or ran.stdout.strip()).splitlines()
    last = said[-1] if said else "no message"
    return f"`{command}` has exit status {ran.returncode}: {last}"


def report(verdicts: Iterable[Verdict], ran: bool = False) -> Report:
    """The table of all rows, and the number of each verdict.

    Args:
        verdicts: of the rows.
        ran: whether their commands were run.
    """
    done = list(verdicts)
    table = Table.of(
        "The rows of the five papers",
        (
            Column("row", of="name"),
            Column("system", of="system"),
            Column("verdict", of="word"),
            Column("comparisons", of="checks"),
            Column("difference from the document, or fault", of="remarks"),
            Column("command that runs it", of="command"),
        ),
        done,
        "comparisons: with golden models, formulas and Records of the present RTL, on operands",
        f"{DIFFERS}: a named difference from the document; none of them makes a result wrong",
    )
    return Report(
        title="All papers: what of each works",
        command="totient reproduce all" + (" --run" if ran else ""),
        tables={TABLE: table},
        findings=list(_counts(done)),
        provenance=[
            "figures: Records of the present RTL, whose cycles were simulated. Nothing is measured",
            f"commands of the rows: {'run' if ran else 'not run, --run runs them'}",
        ],
    )


def _counts(done: list[Verdict]) -> Iterator[str]:
    counts = Counter(verdict.word for verdict in done)
    yield f"{len(done)} rows: " + listed(f"{count} {word}" for word, count in counts.items())
    for word in (FAILS, MISSING):
        if counts[word]:
            yield f"{word}: " + listed(each.name for each in done if each.word == word)
