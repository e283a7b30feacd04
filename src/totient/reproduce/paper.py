"""A paper's evaluation, reproduced with our designs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from totient.report import Report, Table
from totient.report.words import conclude
from totient.reproduce.results import Measurement

Published = Mapping[str, Any]
"""A paper's figures, from `results/published/`."""


class _Data(Protocol):
    """Data behind the tables."""

    @property
    def paper(self) -> Published:
        """The paper's figures."""


Data = TypeVar("Data", bound=_Data)


@dataclass(frozen=True)
class Paper(Generic[Data]):
    """A paper that can be reproduced.

    Attributes:
        name: of the paper, and of its file under `results/published/`.
        load: returns the data behind the tables; measures where no Record exists.
        tables: functions that make them, by name, in order.
        conclusions: values for the templates in the file's `conclusions`; a template with a value
            that is `None` is left out.
        provenance: lines on the sources of our figures.
        draw: draws the figure of a report into a file.
        measurements: the required Records, up to a width of the modulus.
    """

    name: str
    load: Callable[[], Data]
    tables: Mapping[str, Callable[[Data], Table]]
    conclusions: Callable[[Data], Mapping[str, object]]
    provenance: Callable[[Data], Sequence[str]]
    draw: Callable[[Report, Path], None]
    measurements: Callable[[int], Iterator[Measurement]]

    def reproduce(self) -> Report:
        """Make the tables.

        Raises:
            ToolError: a tool failed.
        """
        data = self.load()
        paper = data.paper
        source = f", {paper['source']}" if "source" in paper else ""
        return Report(
            title=f"{paper['author']}: {paper['title']}{source}",
            command=f"totient reproduce {self.name}",
            tables={name: make(data) for name, make in self.tables.items()},
            findings=conclude(paper["conclusions"], self.conclusions(data)),
            provenance=self.provenance(data),
        )
