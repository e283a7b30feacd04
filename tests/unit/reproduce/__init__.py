"""Tests of the reproductions."""

from totient.report import Report, Value


def rows(done: Report, name: str) -> list[tuple[Value, ...]]:
    """Rows of a table."""
    return [tuple(row) for row in done.tables[name].rows]
