"""What is measured is kept: as files under `results/`, as cycles of simulations in the cache."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from totient.common.cache import digest, produce, readable_errors, write_file
from totient.common.errors import InputError, ToolError
from totient.flow import Rtl, tool_version
from totient.measure.rtl import check_unchanged

_Kept = TypeVar("_Kept")


@contextmanager
def parsing(text: str, schema: int, what: str) -> Iterator[dict[str, Any]]:
    """The content of a file, to be taken apart in the block.

    Args:
        text: JSON.
        schema: that it is to have.
        what: is kept in it, for messages.

    Raises:
        InputError: it is damaged, or of another schema.
    """
    try:
        data = json.loads(text)
        found = data.pop("schema", None) if isinstance(data, dict) else None
        if found != schema:
            raise InputError(f"{what} of schema {found}, allowed is {schema}")
        yield data
    except (KeyError, TypeError, ValueError, AttributeError, ToolError) as error:
        raise InputError(f"damaged {what}: {error!r}") from error


def read_kept(path: Path, parse: Callable[[str], _Kept]) -> _Kept:
    """What `parse` makes of a file; its `InputError` names the file."""
    try:
        return parse(path.read_text())
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error


def write_kept(path: Path, text: str) -> Path:
    """Write a file, and give its path; `ToolError` where its folder cannot be written."""
    with readable_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.encode())
    return path


def simulated(ip: Rtl, operands: tuple[str, ...], run: Callable[[], object]) -> Any:
    """What a simulation of RTL gave, as JSON has it, from the cache or new.

    Args:
        ip: the RTL.
        operands: of the simulation, for the name in the cache.
        run: simulates.

    Raises:
        ToolError: the RTL was changed meanwhile, or `run` raised it.
    """

    def build(folder: Path) -> None:
        found = run()
        check_unchanged(ip)
        (folder / "cycles.json").write_text(json.dumps(found))

    name = digest(ip.digest, *operands, tool_version("verilator"))
    return json.loads((produce("cycles", name, build) / "cycles.json").read_text())
