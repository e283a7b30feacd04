"""Provenance of a Record, and the check whether it is still current."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Today:
    """The present inputs of a Record's measurement.

    Attributes:
        sources: digest of the RTL and its parameters, comments apart.
        flow: digest of the target's data: commands of the tools, and how cells are counted.
        tools: version of every tool, by its PyPI package.
        structure: returns the digest of the elaborated RTL (`totient.flow.structure`); takes
            seconds.
    """

    sources: str
    flow: str
    tools: Mapping[str, str]
    structure: Callable[[], str]


@dataclass(frozen=True)
class Provenance:
    """Everything required to make a Record again.

    Attributes:
        command: that computes the Record.
        tools: version of every tool, by its PyPI package.
        seeds: of place and route.
        sources: digest of the RTL and its parameters, without comments. If the RTL was edited
            since, but elaborates to the same cells and connections, that of the new RTL
            (`renewed`).
        structure: digest of these cells and connections.
        flow: digest of the target's data.
        commit: git revision of the measured RTL, if all of it was committed. Information only:
            the same RTL in a later commit gives an equal Record.
    """

    command: str
    tools: Mapping[str, str]
    seeds: tuple[int, ...]
    sources: str
    structure: str
    flow: str
    commit: str | None = field(default=None, compare=False)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Provenance":
        """Parse JSON with its attributes."""
        return cls(**{**data, "seeds": tuple(data["seeds"])})

    def is_of(self, today: Today | None) -> bool:
        """Whether RTL, target data and tool versions are those of today, if there is such RTL."""
        return today is not None and self.sources == today.sources and self._is_by(today)

    def _is_by(self, today: Today) -> bool:
        return (self.flow, dict(self.tools)) == (today.flow, dict(today.tools))

    def renewed(self, today: Today) -> "Provenance | None":
        """The provenance with the digest of edited RTL; `None` if a new measurement is required.

        Raises:
            ToolError: the RTL cannot be elaborated.
        """
        if not self._is_by(today) or today.structure() != self.structure:
            return None
        return replace(self, sources=today.sources)
