"""Any bytes to the tool's readers, with Atheris, which guides the choice of bytes by coverage.

python -m tests.fuzz.python_target TARGET [libFuzzer's options] CORPUS...
"""

import sys

import atheris

with atheris.instrument_imports(include=["totient", "tests.fuzz.targets", "Crypto.Util.asn1"]):
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    atheris.enabled_hooks.add("str")
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
    atheris.Fuzz()
