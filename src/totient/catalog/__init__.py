"""Which designs exist: name, source, parameters, contract, cycle formula."""

from totient.catalog.designs import designs, select
from totient.catalog.ips import Ip, IpConfiguration, Register, find_ip, ips
from totient.catalog.model import (
    SERIAL_BAUD,
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
from totient.catalog.subjects import Subject, find_subject
from totient.catalog.systems import SYSTEM, System, find_system

__all__ = [
    "SERIAL_BAUD",
    "SYSTEM",
    "Configuration",
    "Design",
    "ErrorCode",
    "Face",
    "Ip",
    "IpConfiguration",
    "Operation",
    "Parameter",
    "Register",
    "SourceList",
    "Subject",
    "System",
    "TimingClass",
    "Top",
    "designs",
    "find_ip",
    "find_subject",
    "find_system",
    "ips",
    "parse_parameters",
    "select",
    "sources",
]
