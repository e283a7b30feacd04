"""Which designs exist: name, source, parameters, contract, cycle formula."""

from totient.catalog.designs import designs, select
from totient.catalog.model import (
    Configuration,
    Design,
    Operation,
    Parameter,
    TimingClass,
    parse_parameters,
)
from totient.catalog.sources import SourceList, sources

__all__ = [
    "Configuration",
    "Design",
    "Operation",
    "Parameter",
    "SourceList",
    "TimingClass",
    "designs",
    "parse_parameters",
    "select",
    "sources",
]
