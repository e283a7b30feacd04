"""An answer's designs as files: a row each, a column for each figure and bound."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from totient.common.cache import readable_errors, write_file
from totient.common.errors import InputError
from totient.explore.answer import Answer, Choice
from totient.explore.report import row
from totient.measure.kept import write_kept

_BOUNDS = ("low", "", "high")


def flat(choice: Choice) -> dict[str, Any]:
    """A choice as one row: `seconds`, with its bounds `seconds_low` and `seconds_high`."""
    found: dict[str, Any] = {"label": choice.configuration.label}
    for name, value in row(choice).items():
        if isinstance(value, Mapping):
            continue
        if name == "missed":
            found[name] = " ".join(value)
        elif isinstance(value, list):
            for bound, figure in zip(_BOUNDS, value, strict=True):
                found[f"{name}_{bound}".rstrip("_")] = figure
        else:
            found[name] = value
    return found


def write_csv(path: Path, answer: Answer) -> None:
    """Write all designs of an answer as CSV, with a line of names.

    Raises:
        ToolError: the file cannot be written.
    """
    rows = [flat(each) for each in answer.choices]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_kept(path, text.getvalue())


def write_parquet(path: Path, answer: Answer) -> None:
    """Write all designs of an answer as Parquet.

    Raises:
        InputError: the package for it is not installed.
        ToolError: the file cannot be written.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            "--parquet requires the package pyarrow: pip install 'totient[explore]'"
        ) from None
    table = pyarrow.Table.from_pylist([flat(each) for each in answer.choices])
    buffer = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, buffer)
    with readable_errors(path):
        write_file(path, buffer.getvalue().to_pybytes())
