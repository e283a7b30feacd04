"""Every proof holds, and each finds the faults that it is there to find."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from formal.prove import HEAD, ROOT, Fault, Proof, described, faults, finds, proofs, run

PROOFS = list(proofs())
# These take more than half a minute, with each fault.
LONG = (
    *("engine_datapath-passes", "engine_datapath-pair", "engine_datapath-lead"),
    "modmul_montgomery_systolic-pauses",
)
SLOW = (
    *LONG,
    *("modexp_digit_serial-key", "modexp_digit_serial-exponentiate", "modexp_digit_serial-other"),
    *("modexp_montgomery-results", "modexp_montgomery-short", "modmul_digit_serial-width16"),
)
SLOW_FAULTS = (*LONG, "engine_datapath-product", "modmul_montgomery_systolic-words3")


@pytest.mark.parametrize(
    "proof",
    [pytest.param(each, marks=[pytest.mark.slow] * (str(each) in SLOW)) for each in PROOFS],
    ids=str,
)
def test_a_proof_holds(proof: Proof, tmp_path: Path) -> None:
    verdict = run(proof, tmp_path)
    assert verdict.status == "PASS", verdict.log


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(
            each,
            marks=[pytest.mark.slow] * (each.proof in SLOW_FAULTS),
            id=f"{each.proof}-{each.finds}",
        )
        for each in faults()
    ],
)
def test_a_proof_finds_a_fault(fault: Fault, tmp_path: Path) -> None:
    proof = next(proof for proof in PROOFS if str(proof) == fault.proof)
    verdict = finds(proof, fault, tmp_path)
    assert verdict.status == "PASS", verdict.log


def test_every_proof_is_shown_to_find_a_fault() -> None:
    assert {fault.proof for fault in faults()} == {str(proof) for proof in PROOFS}


def test_the_documented_table_has_every_proof() -> None:
    """Output of `python formal/prove.py`, seconds apart."""
    text = (ROOT / "docs" / "formal.md").read_text()
    found = re.findall(r"<!-- python formal/prove.py -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    rows = [tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in found[0].split("\n")]
    assert rows[0] == HEAD
    assert [row[:-2] for row in rows[2:]] == [described(proof) for proof in PROOFS]
    assert all(row[-2].isdigit() for row in rows[2:])
    count = Counter(fault.proof for fault in faults())
    assert [row[-1] for row in rows[2:]] == [f"{count[str(p)]} of {count[str(p)]}" for p in PROOFS]


def test_the_command_refuses_a_module_without_a_proof() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "formal" / "prove.py", "uart_stream"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("no proof of uart_stream; there are: axil_stream, ")
    assert done.stderr.count("\n") == 1
