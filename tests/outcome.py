"""What a command of `totient` has given, in this process or as a user runs it."""

import json
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of a command."""

    status: int
    out: bytes
    err: str

    @property
    def good(self) -> "Outcome":
        """The same, of a command that has ended well."""
        assert self.status == 0, self.err
        return self

    @property
    def text(self) -> str:
        """The standard output of a command that has ended well."""
        return self.good.out.decode()

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on the standard output."""
        return cast("dict[str, Any]", json.loads(self.out))

    @property
    def refused(self) -> str:
        """The one line by which a command refuses its input, without the tool's name."""
        assert (self.status, self.out) == (2, b""), self
        assert self.err.startswith("totient: "), self.err
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1, self.err
        return self.err.removeprefix("totient: ")[:-1]
