"""`make check` runs the tests that belong to what has changed."""

import pytest
from tests.changed import PART, ROOT, runs_for


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        (
            ["rtl/modmul/modmul_interleaved.sv"],
            [
                ("-m", "not slow", "tests/rtl/modmul/test_modmul_interleaved.py"),
                ("-k", "modmul_interleaved", "tests/lint/test_rtl.py", "tests/formal"),
            ],
        ),
        (
            ["src/totient/rsa/pem.py", "src/totient/rsa/fit.py"],
            [("-m", "not slow", "tests/lint/test_python.py", "tests/unit/rsa")],
        ),
        (["driver/src/totient.c"], [("-m", "not slow", "tests/driver")]),
        (["contract/contract.toml"], [("-m", "not slow", "tests/lint/test_generated.py")]),
        (["README.md"], [("-m", "not slow", "tests/lint/test_documents.py")]),
        (["tests/driver/bench.py"], [("-m", "not slow", "tests/driver")]),
        (["tests/unit/rsa/test_pem.py"], [("-m", "not slow", "tests/unit/rsa/test_pem.py")]),
        (["LICENSE", "Makefile"], []),
        (["rtl/modmul/no_longer_there.sv"], [("-k", "no_longer_there")]),
    ],
)
def test_the_tests_that_belong_to_a_change(changed: list[str], runs: list[tuple[str, ...]]) -> None:
    found = runs_for(changed)
    assert len(found) == len(runs)
    for run, expected in zip(found, runs, strict=True):
        assert tuple(run)[: len(expected)] == expected


def test_a_part_of_another_core_is_tested_with_it() -> None:
    """A file without a test of its own: the module's whose core lists it."""
    (first, second) = runs_for(["rtl/modmul/digit_serial_pkg.sv"])
    assert "tests/rtl/modmul/test_modmul_digit_serial.py" in first
    assert "modmul_digit_serial" in second[1]


def test_every_file_of_the_hardware_has_tests() -> None:
    """None is left to the part of everything."""
    for path in (ROOT / "rtl").rglob("*.sv"):
        words = [run for run in runs_for([str(path.relative_to(ROOT))]) if run[0] == "-k"]
        assert len(words) == 1, path


def test_a_part_of_everything(pytestconfig: pytest.Config) -> None:
    assert PART[PART.index("--part") + 1] == "20"
    assert pytestconfig.getoption("--part") in (1, 20)
