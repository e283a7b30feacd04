"""What the driver's headers declare: functions, with the lines before them, and variables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from totient.common.files import project_root

FOLDER = project_root() / "driver" / "include" / "totient"
NOT_OURS = ("model",)
"""Headers of what others export: models."""

_DECLARED = re.compile(
    r"^(?:TOTIENT_MUST_CHECK )?(totient_result|const char \*|void|uint32_t|uint64_t) ?(totient_\w+)"
    r"\(([^;{]*)\);",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Function:
    """A function of the library.

    Attributes:
        header: its name without `.h`.
        name: its own.
        about: its comment, without marks; empty if it has none.
        arguments: as they are declared.
    """

    header: str
    name: str
    about: str
    arguments: str

    def stated(self, tag: str) -> list[str]:
        """Words after a mark of the comment, such as `@threads`."""
        return re.findall(rf"^@{tag} (\S+)$", self.about, re.MULTILINE)


def functions() -> Iterator[Function]:
    """Every function, in the order of the headers."""
    for path in sorted(FOLDER.glob("*.h")):
        if path.stem in NOT_OURS or path.stem.endswith("_registers"):
            continue
        text = path.read_text()
        for found in _DECLARED.finditer(text):
            before = text[: found.start()]
            comment = ""
            if before.endswith("*/\n"):
                comment = before[before.rindex("/**") + 3 : -3]
            about = re.sub(r"^ ?\* ?", "", comment, flags=re.MULTILINE).strip()
            yield Function(path.stem, found[2], about, found[3])


def variables() -> list[str]:
    """Every variable."""
    return [
        name
        for path in sorted(FOLDER.glob("*.h"))
        for name in re.findall(r"^extern const struct \w+ (\w+);", path.read_text(), re.MULTILINE)
    ]
