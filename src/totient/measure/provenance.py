"""Provenance of a Record, and the check whether it is still current."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from totient.flow.structure import Elaborated  # its numpy is slow to import


@dataclass(frozen=True)
class Today:
    """The present inputs of a Record's measurement.

    Attributes:
        sources: digest of the RTL and its parameters, comments apart.
        flow: digest of the target's data: commands of the tools, and how cells are counted.
        tools: version of every tool, by its PyPI package.
        elaborated: returns the digests of the elaborated RTL (`totient.flow.structure`); takes
            seconds.
    """

    sources: str
    flow: str
    tools: Mapping[str, str]
    elaborated: "Callable[[], Elaborated]"


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
        contents: digest of the contents of memory blocks that the RTL instantiates, such as a
            program; `None` without such a block.
    """

    command: str
    tools: Mapping[str, str]
    seeds: tuple[int, ...]
    sources: str
    structure: str
    flow: str
    commit: str | None = field(default=None, compare=False)
    contents: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The attributes as JSON, without contents that there are not."""
        return {
            name: value for name, value in vars(self).items() if (name, value) != ("contents", None)
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Provenance":
        """Parse the JSON of `to_json`."""
        return cls(**{**data, "seeds": tuple(data["seeds"])})

    def is_of(self, today: Today | None) -> bool:
        """Whether RTL, target data and tool versions are those of today, if there is such RTL."""
        return today is not None and self.sources == today.sources and self._is_by(today)

    def _is_by(self, today: Today) -> bool:
        return (self.flow, dict(self.tools)) == (today.flow, dict(today.tools))

    def renewed(self, today: Today) -> "Provenance | None":
        """The provenance with the digests of edited RTL; `None` if it is other hardware.

        Its contents may differ: area and clock hold, what the hardware computes and in how many
        cycles does not.

        Raises:
            ToolError: the RTL cannot be elaborated.
        """
        if not self._is_by(today) or (now := today.elaborated()).structure != self.structure:
            return None
        return replace(self, sources=today.sources, contents=now.contents)
