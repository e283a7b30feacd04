"""Which designs exist: name, source, parameters, contract, cycle formula."""

from totient.catalog.designs import designs, select
from totient.catalog.model import (
    Configuration,
    Design,
    Operation,
    Parameter,
    TimingClass,
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
    "select",
    "sources",
]
