"""No number of the contract is typed outside `contract/` and what is generated from it."""

import re
import subprocess
from collections.abc import Iterator

import pytest

from totient.common.files import project_root

ROOT = project_root()
GENERATED = {
    "driver/include/totient/contract.h",
    "driver/include/totient/version.h",
    "rtl/bus/packet_pkg.sv",
    "rtl/common/contract_pkg.sv",
    "rtl/engine/engine_instruction_pkg.sv",
    "src/totient/common/contract.py",
    "src/totient/engine/instruction_set.py",
    *(
        f"rtl/bus/{path.stem}{end}.sv"
        for path in ROOT.glob("contract/*.rdl")
        for end in ("", "_pkg")
    ),
    *(f"driver/include/totient/{path.stem}.h" for path in ROOT.glob("contract/*.rdl")),
}
_NUMBER = r"(?:\d+'[bdh])?(?:0x)?0*[1-9a-fA-F][0-9a-fA-F_]*\b(?!\s*[.'])"
PATTERNS = {
    "a code": re.compile(
        r"\b(?:error|code|command|verdict|refusal|timing_class|key_form)(?:_q|_i|_o)?"
        rf"\s*(?:==|!=|<=|>=|[<>])\s*{_NUMBER}"
    ),
    "a code beside its name": re.compile(
        rf"\b(?:ErrorCode|Command|KeyForm|PrivateOption|FrameVerdict|TimingClass)\({_NUMBER}\)"
    ),
    "a place in a packet's first word": re.compile(
        r"\b(?:Command|ErrorCode|TOTIENT_CMD)[._]\w+\s*\|[^|]*<<\s*(?:8|16|24)\b"
    ),
    "a byte of a frame": re.compile(r"(?:0x|8'h)(?:C0|DB|DC|DD)\b", re.IGNORECASE),
}
EXAMPLES = {
    "a code": ("if error == 14:", "if (command_q != 8'd6)", "error <= 4'd13;", "code >= 0x40"),
    "a code beside its name": ("ErrorCode(14)", "Command(0x6)"),
    "a place in a packet's first word": (
        "Command.PRIVATE | option << 8",
        "TOTIENT_CMD_PRIVATE | slot << 16",
    ),
    "a byte of a frame": ("END = 0xC0", "data_i == 8'hDB"),
}


def _lines() -> Iterator[tuple[str, str]]:
    """Place and text of each line of code that no tool has generated."""
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "-co",
            "--exclude-standard",
            "rtl",
            "src",
            "driver",
            "firmware",
            "formal",
            "tests",
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in listed.stdout.splitlines():
        if name.endswith((".sv", ".py", ".c", ".h")) and name not in GENERATED:
            path = ROOT / name
            if name != "tests/lint/test_contract.py" and path.exists():
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    yield f"{name}:{number}", re.sub(r"\s*(?://|#(?!define|if)|/\*).*", "", line)


@pytest.mark.parametrize("what", PATTERNS)
def test_no_number_of_the_contract_is_typed(what: str) -> None:
    assert [f"{at}: {line.strip()}" for at, line in _lines() if PATTERNS[what].search(line)] == []


@pytest.mark.parametrize("what", PATTERNS)
def test_a_typed_number_would_be_found(what: str) -> None:
    assert all(PATTERNS[what].search(line) for line in EXAMPLES[what])
    assert not PATTERNS[what].search("command == Command.PRIVATE and error == ErrorCode.OK")
