"""Which designs exist: name, source, parameters, contract, cycle formula."""

from totient.catalog.designs import designs, select
from totient.catalog.model import (
    Configuration,
    Design,
    ErrorCode,
    Face,
    Operation,
    Parameter,
    TimingClass,
    Top,
    parse_parameters,
)
from totient.catalog.sources import SourceList, sources

__all__ = [
    "Configuration",
    "Design",
    "ErrorCode",
    "Face",
    "Operation",
    "Parameter",
    "SourceList",
    "TimingClass",
    "Top",
    "designs",
    "parse_parameters",
    "select",
    "sources",
]
