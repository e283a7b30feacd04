"""A paper's evaluation, reproduced with our designs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from totient.common.papers import published
from totient.report import Report, Table
from totient.report.words import conclude, listed
from totient.reproduce.results import Measurement, Results
from totient.reproduce.rows import Row


class Sources:
    """Data behind a paper's tables: its figures (`paper`) and ours (`results`)."""

    def __init__(self, name: str, items: Iterable[Measurement]) -> None:
        """Read the paper's figures; measure ours where no Record exists."""
        self.paper = published(name)
        self.results = Results()
        self.results.measure(items)

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the tools behind our figures, by name."""
        return self.results.versions


Data = TypeVar("Data", bound=Sources)


@dataclass(frozen=True)
class Paper(Generic[Data]):
    """A paper that can be reproduced.

    Attributes:
        name: of the paper, and of its file under `results/published/`.
        load: returns the data behind the tables; measures where no Record exists.
        tables: functions that make them, by name, in order.
        conclusions: values for the templates in the file's `conclusions`; a template with a value
            that is `None` is left out.
        provenance: templates of lines on the sources of our figures, with the `data` in braces.
        draw: draws the figure of a report into a file.
        measurements: the required Records.
        rows: the systems that the paper describes, each with a check of ours
            (`totient.reproduce.rows`). `totient reproduce all` runs them.
    """

    name: str
    load: Callable[[], Data]
    tables: Mapping[str, Callable[[Data], Table]]
    conclusions: Callable[[Data], Mapping[str, object]]
    provenance: Sequence[str]
    draw: Callable[[Report, Path], None]
    measurements: Callable[[], Iterator[Measurement]]
    rows: Sequence[Row]

    def reproduce(self) -> Report:
        """Make the tables.

        Raises:
            ToolError: a tool failed.
        """
        data = self.load()
        paper = data.paper
        tools = listed(f"{name} {version}" for name, version in data.versions.items())
        source = f", {paper['source']}" if "source" in paper else ""
        return Report(
            title=f"{paper['author']}: {paper['title']}{source}",
            command=f"totient reproduce {self.name}",
            tables={name: make(data) for name, make in self.tables.items()},
            findings=conclude(paper["conclusions"], self.conclusions(data)),
            provenance=[*(each.format(data=data) for each in self.provenance), f"tools: {tools}"],
        )
