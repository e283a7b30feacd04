from .designs import designs, select
from .engine import PUBLIC_EXPONENT, RsaLengths, pair_cycles, request_cycles, rsa_cycles
from .ip_cycles import Work, cycle_formulas, private_bits, symbols, work_examples
from .ips import Ip, IpConfiguration, Register, ips, memory_map, registers, select_ip
from .model import SERIAL_BAUD, SYMBOLS, Configuration, Design, Face, Operation, Top
from .parameters import WHOLE_NUMBER, Parameter
from .sources import SourceList, sources
from .subjects import Subject, command_words, find_subject
from .systems import SYSTEM, System, find_system

__all__ = [
    "PUBLIC_EXPONENT",
    "SERIAL_BAUD",
    "SYMBOLS",
    "SYSTEM",
    "WHOLE_NUMBER",
    "Configuration",
    "Design",
    "Face",
    "Ip",
    "IpConfiguration",
    "Operation",
    "Parameter",
    "Register",
    "RsaLengths",
    "SourceList",
    "Subject",
    "System",
    "Top",
    "Work",
    "command_words",
    "cycle_formulas",
    "designs",
    "find_subject",
    "find_system",
    "ips",
    "memory_map",
    "pair_cycles",
    "private_bits",
    "registers",
    "request_cycles",
    "rsa_cycles",
    "select",
    "select_ip",
    "sources",
    "symbols",
    "work_examples",
]
