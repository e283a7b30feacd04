"""Which designs exist: name, source, parameters, contract, cycle formula."""

from totient.catalog.designs import designs, find, select
from totient.catalog.model import (
    Configuration,
    Design,
    Parameter,
    TimingClass,
)
from totient.catalog.sources import SourceList, sources

__all__ = [
    "Configuration",
    "Design",
    "Parameter",
    "SourceList",
    "TimingClass",
    "designs",
    "find",
    "select",
    "sources",
]
