"""Which designs exist: name, source, parameters, contract, cycle formula."""

from totient.catalog.designs import designs, select
from totient.catalog.ip_cycles import CycleFormula, Work, cycle_formulas, work_examples
from totient.catalog.ips import Ip, Register, find_ip, ips
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
    "CycleFormula",
    "Design",
    "ErrorCode",
    "Face",
    "Ip",
    "Operation",
    "Parameter",
    "Register",
    "SourceList",
    "TimingClass",
    "Top",
    "Work",
    "cycle_formulas",
    "designs",
    "find_ip",
    "ips",
    "parse_parameters",
    "select",
    "sources",
    "work_examples",
]
