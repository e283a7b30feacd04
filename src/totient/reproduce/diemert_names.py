"""Names of processors and forms in the tables, and the report's rows of the forms."""

from totient.report import columns
from totient.report.values import text
from totient.reproduce.diemert_counts import Count

ARM, CORTEX, SOFT = "arm926", "cortex-m3", "vexriscv"
TITLES = {ARM: "ARM926 (A32)", CORTEX: "Cortex-M3 (Thumb-2)", SOFT: "VexRiscv (RV32IM)"}
_FORMS = {
    "plain": ("D4", "plain C"),
    "optimised": ("D4", "optimised C"),
    "words": ("ours", "C by words of 32 bits"),
    "assembly": ("D5", "assembly"),
    "driver": ("D6", "coprocessor, by libtotient"),
    "direct": ("D6", "coprocessor, by its registers"),
    "table": ("D2", "look-up table, made for the power"),
    "table-make": ("D2", "look-up table, made alone"),
    "table-raise": ("D2", "a power by a table that is there"),
    "remainder": ("D3", "remainder in the loop"),
    "remainder-short": ("D3", "remainder in the loop, 32 bits"),
}


def form_of(each: Count) -> str:
    """Form of its product."""
    return each.form.removeprefix("power-")


def row_of(each: Count) -> str:
    """Row of the report; `ours` for a form that the report has not."""
    return _FORMS[form_of(each)][0]


def name_of(each: Count) -> str:
    """Name of its form."""
    return _FORMS[form_of(each)][1]


NAMED = columns(text, ("row", row_of), ("form", name_of))
"""The columns that name a count."""
