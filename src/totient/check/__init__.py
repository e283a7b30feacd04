"""Random and corner operands on the RTL, against Python's `pow` and the catalog's formulas."""

from totient.check.cases import Case, cases, private_cases
from totient.check.engine import check_rsa
from totient.check.engine_timing import check_timing
from totient.check.ips import check_ip
from totient.check.run import Outcome, check

__all__ = [
    "Case",
    "Outcome",
    "cases",
    "check",
    "check_ip",
    "check_rsa",
    "check_timing",
    "private_cases",
]
