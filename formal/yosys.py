"""Yosys as SymbiYosys calls it, `yosys -ql LOG SCRIPT`, on the library of PyPI's `pyosys`."""

import sys

from pyosys import libyosys

if __name__ == "__main__":
    options, log, script = sys.argv[1:]
    if options != "-ql":
        raise SystemExit(f"yosys.py takes -ql LOG SCRIPT, not {options}")
    # Yosys ends the process with 1 at its first error.
    libyosys.run_pass(f"tee -q -o {log} script {script}", libyosys.Design())
