"""Random and corner operands on RTL or netlists, against `pow` and the catalog's formulas."""

from totient.check.cases import cases, private_cases
from totient.check.engine import check_rsa
from totient.check.engine_faults import Campaign, check_faults
from totient.check.engine_fuzz import check_fuzz
from totient.check.engine_timing import check_timing
from totient.check.engine_wipe import check_wipe
from totient.check.every import EVERY_BITS, check_every
from totient.check.fuzz import check_core_fuzz
from totient.check.ip_fuzz import check_ip_fuzz
from totient.check.ips import check_ip
from totient.check.plan import Check, netlist_checks
from totient.check.run import Outcome, check
from totient.check.subject import Netlist, On, Stage, Subject

__all__ = [
    "EVERY_BITS",
    "Campaign",
    "Check",
    "Netlist",
    "On",
    "Outcome",
    "Stage",
    "Subject",
    "cases",
    "check",
    "check_core_fuzz",
    "check_every",
    "check_faults",
    "check_fuzz",
    "check_ip",
    "check_ip_fuzz",
    "check_rsa",
    "check_timing",
    "check_wipe",
    "netlist_checks",
    "private_cases",
]
