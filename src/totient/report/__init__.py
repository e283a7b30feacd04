"""How tables, figures and conclusions in words are made."""

from totient.report.table import Column, Report, Table, columns
from totient.report.values import (
    NOT_RUN,
    WRONG,
    Value,
    duration,
    energy,
    grouped,
    number,
    percent,
    power,
    ratio,
    rough_duration,
    rough_energy,
    rounded,
    significant,
    text,
)

__all__ = [
    "NOT_RUN",
    "WRONG",
    "Column",
    "Report",
    "Table",
    "Value",
    "columns",
    "duration",
    "energy",
    "grouped",
    "number",
    "percent",
    "power",
    "ratio",
    "rough_duration",
    "rough_energy",
    "rounded",
    "significant",
    "text",
]
